"""Datasets: made-up tables about people who do not exist, from a seed and a number of rows.

A hospital, a census and the students of a state, and three tables in which a person has several rows (a clinic, a
pharmacy, the absences of a school), with the skew and the correlations of real tables, so that whoever tries this
package needs no data of her own and none has to be shipped. The hospital holds, at any size from a few hundred rows on,
a known worst case for each threat: `planted` says who it is, `knowledge` and `victims` are what an outsider would hold
against them. In the clinic three patients come far more often than others.
"""

from tacit.datasets.absences import absences
from tacit.datasets.census import census
from tacit.datasets.clinic import clinic
from tacit.datasets.diseases import knowledge
from tacit.datasets.hospital import hospital
from tacit.datasets.pharmacy import pharmacy
from tacit.datasets.planted import Case, planted
from tacit.datasets.students import student_risk, students
from tacit.datasets.victims import victims

__all__ = ["Case", "absences", "census", "clinic", "hospital", "knowledge", "pharmacy", "planted", "student_risk"]
__all__ += ["students", "victims"]
