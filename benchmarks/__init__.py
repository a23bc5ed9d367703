"""Speed, as ratios against a yardstick in the same run.

A script here is one question: it names our call, something well known that does comparable work on the same data (the
yardstick), and the ratio we aim at. `python -m benchmarks` asks all of them. A goal is reported as met or not met; it
is never an assertion, because seconds belong to a machine and not to the code.

`measuring` takes the measures (standard library only, so that it also runs inside foreign environments), `harness`
declares and runs, `foreign` reaches tools whose dependencies clash with ours, `showing` prints.
"""
