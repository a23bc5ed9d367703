"""The far ends of comparisons with other tools: each file runs inside the environment of its tool.

They see only that environment and what the task names; see `benchmarks.foreign`.
"""
