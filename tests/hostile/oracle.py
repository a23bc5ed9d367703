"""What may happen, whatever is given: success, or an error of the package in one sentence."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029\ufffe\uffff]")
LONGEST = 4_400
CODES = {0, 1, 2, 130}


@dataclass(frozen=True)
class Outcome:
    """How an input ended: `fault` says what must not happen, and is empty where it did not."""

    kind: str
    fault: str = ""


def in_process(act: Callable[[], object]) -> Outcome:
    """Run one input in this process."""
    from tacit.errors import TacitError

    try:
        act()
    except TacitError as error:
        return Outcome("refused", sentence_fault(str(error)))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        where = " < ".join(
            f"{Path(frame.filename).name}:{frame.lineno}"
            for frame in reversed(traceback.extract_tb(error.__traceback__))
        )
        return Outcome("fault", f"{type(error).__name__}: {str(error)[:300]!r} at {where[:400]}")
    return Outcome("accepted")


def sentence_fault(text: str) -> str:
    """Say what is wrong with an error message."""
    if "\n" in text or HIDDEN.search(text):
        return f"a message with control characters: {text[:200]!r}"
    if not text.strip() or len(text) > LONGEST:
        return f"a message of {len(text)} characters: {text[:200]!r}"
    if "Traceback" in text or "panicked" in text or "this should not happen" in text:
        return f"a message that is not a sentence: {text[:300]!r}"
    return ""


def command_line(code: int, out: bytes, err: bytes) -> Outcome:
    """Judge how a command ended."""
    said = err.decode("utf-8", "replace")
    if code < 0:
        return Outcome("fault", f"signal {-code}: {said[-300:]!r}")
    if code not in CODES:
        return Outcome("fault", f"exit code {code}: {said[-300:]!r}")
    if code and not said.startswith("tacit: "):
        return Outcome("fault", f"exit code {code} with {said[:300]!r}")
    if said.count("\n") > 3 or "Traceback" in said or "panicked" in said or "should not happen" in said:
        return Outcome("fault", f"not a sentence: {said[:400]!r}")
    shown = (out + err).decode("utf-8", "replace").replace("\n", "").replace("\t", "")
    if HIDDEN.search(shown):
        return Outcome("fault", f"control characters on the terminal: {HIDDEN.search(shown)}")
    return Outcome("accepted" if code == 0 else "refused")


def leftovers(folder: Path) -> list[str]:
    """Return what a writer that has ended must not have left behind."""
    return sorted(entry.name for entry in folder.iterdir() if ".tacit-" in entry.name) if folder.is_dir() else []
