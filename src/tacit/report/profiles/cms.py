"""CMS: no cell of 1 to 10, also in the report itself."""

from __future__ import annotations

from tacit.report.evidence.requirement import Requirement
from tacit.report.profiles.base import Measured, Profile
from tacit.shapes.value_tables import COUNT

_SMALLEST = 11
_SOURCE = (
    "Centers for Medicare & Medicaid Services, CMS cell size suppression policy, 2017 (issued as guidance in 2020): no "
    "value of 1 to 10, and none that can be derived; zero is allowed"
)


def _asks(measured: Measured) -> tuple[Requirement, ...]:
    smallest = measured.smallest_group
    groups = Requirement(
        "people with the same published cells",
        f"{_SMALLEST} or more",
        "nobody is published" if smallest is None else f"the smallest group has {smallest:,}",
        smallest is None or smallest >= _SMALLEST,
        _SOURCE,
    )
    small = {
        name: int(frame[COUNT].is_between(1, _SMALLEST - 1).sum())
        for name, frame in measured.frames.items()
        if COUNT in frame.columns and frame[COUNT].dtype.is_integer()
    }
    tables = [name for name, cells in small.items() if cells]
    counts = Requirement(
        "counts in the published files",
        f"none of 1 to {_SMALLEST - 1}",
        f"there are smaller ones in {', '.join(tables)}" if tables else "none",
        not tables,
        _SOURCE,
    )
    report = Requirement(
        "counts in the public report and in release.json",
        f"none of 1 to {_SMALLEST - 1}, and none that can be derived",
        "hidden there, with as many others as it takes",
        True,
        _SOURCE,
    )
    return (groups, counts, report)


CMS = Profile(
    "cms",
    "CMS cell size suppression policy",
    "The policy is about what is shown of Medicare and Medicaid data by those who were given them. That every cell is "
    "large says nothing about what people of a group have in common.",
    _asks,
    smallest=_SMALLEST,
)
