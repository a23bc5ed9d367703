"""Possible worlds of a group: posteriors, verdicts on many groups, and the growth of groups that hold.

`arguments` names what the kernels are given. `worlds` counts the worlds of one group and `certificate` bounds a
posterior without counting. `judging` asks whether groups hold and `beliefs` what is believed of everybody. `hiding`
and `mixing` grow ART's groups, `injecting` fills Injector's buckets, and `nearness` orders cells.
"""
