"""The studio: tacit in a browser, on one's own machine.

It is one more face over the jobs. Its only state is a recipe, which every click edits and which is always in sight;
`tacit publish` with that recipe does the same. It computes nothing itself: jobs run in processes of their own, and what
is shown are the values that they return and the views of reports. An own guard stands around the web server, which
listens on this machine only.
"""
