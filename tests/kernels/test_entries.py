"""The list of kernels: it can be read back, every entry is there, and a kernel has one signature unless it says so."""

import inspect
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from numba import types

from tacit.kernels.entries import Entry, called, listed, read, spelled
from tacit.kernels.parts import Kernel
from tacit.progress import compilation_begins, told_of_compiling

ENTRIES = listed()
SEVERAL = {
    "mondrian.cells._number": "a table of one column lies in memory as rows do, one of several as columns do",
    "mondrian.cells._lay_out": "the same",
}
"""Kernels with more than one signature, and why one does not do."""

PLAY = """
import json, sys, tempfile
from pathlib import Path
from tacit.jobs.warm import _inspect, _publish
from tacit.kernels.entries import called
with tempfile.TemporaryDirectory() as place:
    _publish(Path(place))
    _inspect(Path(place))
print(json.dumps([(entry.kernel, entry.signature) for entry in called()]))
"""


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.kernel)
def test_an_entry_is_a_kernel_and_its_types_can_be_read(entry: Entry) -> None:
    assert isinstance(entry.find(), Kernel)
    assert spelled(read(entry.signature)) == entry.signature


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.kernel)
def test_an_entry_has_the_arguments_that_its_kernel_takes_today(entry: Entry) -> None:
    """Otherwise an installation passes over it, and somebody waits for it later: write the list anew."""
    args = read(entry.signature)
    inspect.signature(entry.find().py_func).bind(*args)
    for kind in _tuples(args):
        assert len(kind.types) == len(kind.instance_class._fields)


def _tuples(args: Iterable[Any]) -> Iterator[types.BaseNamedTuple]:
    """Go through the named tuples among some types, and those inside of them."""
    for kind in args:
        if isinstance(kind, types.BaseNamedTuple):
            yield kind
        if isinstance(kind, types.BaseTuple):
            yield from _tuples(kind)


def test_a_kernel_is_listed_with_one_signature() -> None:
    twice = {kernel for kernel, times in Counter(entry.kernel for entry in ENTRIES).items() if times > 1}
    assert twice <= SEVERAL.keys(), f"another signature of {twice}: make it one, or say in SEVERAL why not"


def test_what_every_publication_needs_is_compiled_once_for_one_signature() -> None:
    """Kernels get the same types of arguments from every command: a second one would be compiled once more."""
    done = subprocess.run([sys.executable, "-c", PLAY], capture_output=True, text=True, check=True)
    found = Counter(kernel for kernel, _ in json.loads(done.stdout.splitlines()[-1]))
    twice = {kernel for kernel, times in found.items() if times > 1}
    assert found
    assert twice <= SEVERAL.keys(), f"another signature of {twice}: make it one, or say in SEVERAL why not"


def test_whoever_waits_is_told_once() -> None:
    told: list[str] = []
    with told_of_compiling(lambda: told.append("compiling")):
        compilation_begins()
        compilation_begins()
    compilation_begins()
    assert told == ["compiling"]


def test_what_was_called_is_known() -> None:
    assert all(entry.kernel.count(".") >= 1 for entry in called())
