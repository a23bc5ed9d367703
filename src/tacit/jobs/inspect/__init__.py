"""Inspect: profile a table before anything is published: roles guessed, who is alone, what threatens it."""

from tacit.jobs.inspect.job import Inspection, inspect

__all__ = ["Inspection", "inspect"]
