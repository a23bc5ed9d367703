"""Entries: the kernels that Python calls, and the types of what it calls them with.

`entries.json` lists them: a kernel, its signature, and how many seconds of a processor it took to compile. With that
they can be compiled before anybody needs them, without any data, in any order and in several processes. The list is
written by `python -m tacit.jobs.warm --write`, which watches what the commands call. A kernel that is not in it is
compiled when it is first called.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numba import from_dtype, types

from tacit.kernels.parts import Kernel

LIST = Path(__file__).with_name("entries.json")
_PACKAGE = "tacit.kernels"


@dataclass(frozen=True)
class Entry:
    """A kernel and one signature of it.

    Attributes
    ----------
    kernel
        Its module below this package, and its name.
    signature
        The types of its arguments, as `spelled` writes them.
    seconds
        How long it took to compile, to tell the long from the short.
    """

    kernel: str
    signature: str
    seconds: float

    @property
    def family(self) -> str:
        """The folder or module of the kernel; kernels of one family share parts."""
        return self.kernel.split(".")[0]

    def find(self) -> Kernel:
        """Import the kernel."""
        module, _, name = self.kernel.rpartition(".")
        found: Kernel = getattr(import_module(f"{_PACKAGE}.{module}"), name)
        return found

    def compile(self) -> None:
        """Compile the kernel and keep it, unless it is kept already."""
        self.find().compile(read(self.signature))


def listed() -> list[Entry]:
    """Return the list: what every publication needs comes first."""
    return [Entry(*each) for each in json.loads(LIST.read_text("utf-8"))]


def called() -> list[Entry]:
    """Return the kernels that Python has called in this process, and with what; in the order of their modules."""
    return [
        Entry(
            f"{kernel.py_func.__module__.removeprefix(_PACKAGE + '.')}.{kernel.py_func.__name__}",
            spelled(args),
            round(kernel.seconds[args], 1),
        )
        for kernel in Kernel.known
        if kernel.py_func.__module__.startswith(_PACKAGE)
        for args in kernel.nopython_entries
    ]


def spelled(args: Any) -> str:
    """Write the types of arguments.

    Examples
    --------
    >>> spelled((types.int64, types.Array(types.float64, 2, "C", readonly=True)))
    'int64 float64[2C,r]'
    """
    return " ".join(_spelled(each) for each in args)


def read(signature: str) -> tuple[Any, ...]:
    """Return the types that `spelled` wrote.

    Examples
    --------
    >>> read("int64 float64[2C,r] bool")
    (int64, Array(float64, 2, 'C', True, aligned=True), bool)
    """
    words = re.findall(r"[\w.]+(?:\[[^\]]*\])?|[()]", signature)
    found, end = _read(words, 0)
    assert end == len(words)  # noqa: S101 - the list is written by `spelled`
    return tuple(found)


def _spelled(kind: Any) -> str:
    if isinstance(kind, types.Array):
        return f"{kind.dtype}[{kind.ndim}{kind.layout}{'' if kind.mutable else ',r'}]"
    if isinstance(kind, types.BaseNamedTuple):
        owner = kind.instance_class
        place = f"{owner.__module__.removeprefix(_PACKAGE + '.')}.{owner.__name__}"
        return f"{place} ( {' '.join(_spelled(each) for each in kind)} )"
    if isinstance(kind, types.BaseTuple):
        return f"tuple ( {' '.join(_spelled(each) for each in kind)} )"
    return str(kind)


def _read(words: list[str], at: int) -> tuple[list[Any], int]:
    found: list[Any] = []
    while at < len(words) and words[at] != ")":
        word, at = words[at], at + 1
        if at < len(words) and words[at] == "(":
            inner, at = _read(words, at + 1)
            at += 1
            found.append(_tuple(word, inner))
        else:
            found.append(_plain(word))
    return found, at


def _tuple(word: str, inner: list[Any]) -> Any:
    if word == "tuple":
        return types.BaseTuple.from_types(inner)
    module, _, name = word.rpartition(".")
    owner = getattr(import_module(f"{_PACKAGE}.{module}"), name)
    return types.BaseTuple.from_types(inner, owner)


@cache
def _plain(word: str) -> Any:
    array = re.fullmatch(r"(\w+)\[(\d)(\w)(,r)?\]", word)
    if array is None:
        return types.boolean if word == "bool" else from_dtype(np.dtype(word))
    dtype, dimensions, layout, fixed = array.groups()
    return types.Array(_plain(dtype), int(dimensions), layout, readonly=fixed is not None)
