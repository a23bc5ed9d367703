"""What libraries do in their own way ends in one error of ours, and in nothing on the error stream."""

from __future__ import annotations

import os

import polars as pl
import pyarrow as pa
import pytest

from tacit.borders import guarded
from tacit.errors import SourceError


class PanicException(BaseException):
    """As libraries written in Rust define it: no Exception."""


def refused(reason: str) -> SourceError:
    return SourceError(f"It cannot be read: {reason}.")


@pytest.mark.parametrize(
    "error",
    [
        PanicException("called `Option::unwrap()` on a `None` value\nstack"),
        pl.exceptions.ComputeError("no\nmore"),
        pa.ArrowInvalid("no"),
        OSError(5, "Input/output error"),
        UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"),
        OverflowError("too large"),
    ],
)
def test_one_error_of_ours(error: BaseException, capfd: pytest.CaptureFixture[str]) -> None:
    def fail() -> None:
        if isinstance(error, PanicException):
            os.write(2, b"thread '<unnamed>' panicked at src/lib.rs:1:1:\nnote: run with RUST_BACKTRACE=1\n")
        raise error

    with pytest.raises(SourceError) as caught, guarded(refused):
        fail()
    assert "\n" not in str(caught.value)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("error", [KeyboardInterrupt(), MemoryError(), SourceError("Ours."), AttributeError("a fault")])
def test_others_pass(error: BaseException) -> None:
    with pytest.raises(type(error)) as caught, guarded(refused):
        raise error
    assert caught.value is error


def test_what_is_no_panic_is_still_written(capfd: pytest.CaptureFixture[str]) -> None:
    with guarded(refused):
        os.write(2, b"a warning\n")
    assert capfd.readouterr().err == "a warning\n"


def test_a_panic_of_polars_is_quiet(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SourceError), guarded(refused):
        pl.Series([1], dtype=pl.Int64).cast(pl.Datetime("us", "+05:30")).to_list()
    assert capfd.readouterr().err == ""
