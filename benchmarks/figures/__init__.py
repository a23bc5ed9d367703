"""The papers' figures on our data beside what they claim: `python -m benchmarks.figures` for all, `.NAME` for one."""
