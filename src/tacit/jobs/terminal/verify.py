"""What `tacit verify` prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tacit.releases.verification import Verification
from tacit.report.terminal import columns

_SAYS = {
    "changed": "its digest differs from the one in {}",
    "missing": "it is named in {} and not there",
    "not covered": "nothing says what it should be: take it out, or look at it yourself",
}


def verdict(found: Verification) -> str:
    """Say in one sentence whether the files are as published."""
    states = Counter(file.state for file in found.files)
    wrong = [f"{states[state]} {state}" for state in ("changed", "missing", "not covered") if states[state]]
    if found.holds:
        return f"{found.folder}: {_files(states['as published'])} as published"
    return f"{found.folder} is not as published: {'; '.join([*wrong, *found.faults])}"


def verification_lines(found: Verification) -> list[str]:
    """Write what was checked, and every file that is not as published."""
    rows = [
        (file.state, file.place, file.name, _SAYS[file.state].format(_listed(file.against)))
        for file in found.files
        if file.state != "as published"
    ]
    lines = [f"{verdict(found)}.", *columns(rows), *(f" {fault}" for fault in found.faults)]
    for place in ("public", "private"):
        right = [file for file in found.files if file.place == place and file.state == "as published"]
        by = dict.fromkeys(name for file in right for name in file.against)
        if right:
            says = "says" if len(by) == 1 else "say"
            lines.append(f" {place} part: {_files(len(right))} as {_listed(sorted(by))} {says}")
    return [*lines, *(f" not checked: {sentence}" for sentence in found.unchecked)]


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else "".join(names)


def _files(number: int) -> str:
    return "1 file is" if number == 1 else f"{number:,} files are"
