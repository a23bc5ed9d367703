"""Datasets: made-up tables about people who do not exist, from a seed and a number of rows.

A hospital, a census and the students of a state, with the skew and the correlations of real tables, so that whoever
tries this package needs no data of her own and none has to be shipped. The hospital holds, at any size from a few
hundred rows on, a known worst case for each threat: `planted` says who it is, `knowledge` and `victims` are what an
outsider would hold against them.
"""

from tacit.datasets.census import census
from tacit.datasets.diseases import knowledge
from tacit.datasets.hospital import hospital
from tacit.datasets.planted import Case, planted
from tacit.datasets.students import student_risk, students
from tacit.datasets.victims import victims

__all__ = ["Case", "census", "hospital", "knowledge", "planted", "student_risk", "students", "victims"]
