"""Compiling: a kernel's machine code is kept on disk, and never outlives the source it was made from.

Numba keeps compiled functions too, but looks only at the file of the function itself: if `a` calls `b` of another file,
an edit of `b` leaves the old `a`, with the old `b` inside it, in use. Here the code of a module lies in a folder named
by a digest of the module *and of every kernel module that it imports, directly or not*, below a folder named by
Python, Numba, NumPy and processor. Other sources mean another folder, so no folder is ever stale.

The folders lie outside the package (which may be read-only): in `TACIT_CACHE`, or in the platform's folder for caches.
Where nothing can be written, what is there is used, and nothing is kept. A folder that was not used for 30 days is
removed. There is one file per compiled signature, with its digest, so that concurrent starts cannot mix files up and a
damaged file is compiled again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from importlib.util import resolve_name
from pathlib import Path
from typing import Any

import llvmlite.binding
from numba import config
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.serialize import dumps

from tacit.kernels.loading import get_ready_to_run, read_kept
from tacit.kernels.parts import Kernel, is_unfinished
from tacit.kernels.shipped import made_with, shipped

__all__ = ["compiled"]

_PACKAGE = "tacit.kernels"
_SOURCES = Path(__file__).parent
_DAY = 24 * 3600
_UNUSED = 30 * _DAY
"""Seconds after which a folder that nobody used is removed. A longer time takes disk space (about 20 MB per version of
all kernels), a shorter one makes those wait who come back after a holiday. The value was chosen, not measured."""
_MACHINE_FOLDER = re.compile(r"[a-z]+\d+-[0-9a-f]{16}")
_MODULE_FOLDER = re.compile(r"[a-z_.]+-[0-9a-f]{32}")
_ORIGINS = re.compile(r"\bfrom\s+([.\w]+)\s+import\b")
_KERNEL_NAMES = re.compile(rf"\b{re.escape(_PACKAGE)}(?:\.\w+)*")
_WORDS = re.compile(r"\w+")


def compiled(function: Callable[..., Any] | None = None, /, *, borrows: bool = False, **options: Any) -> Any:
    """Compile a function when it is first called, without the interpreter lock, and keep its machine code on disk.

    Parameters
    ----------
    function
        The function, where the decorator is used without options.
    borrows
        The function makes no array and returns none, and so it counts no references to those it is given. Numba counts
        each array of a tuple whenever the tuple is handed on, which took up to half of the time of Mondrian. If such a
        function makes an array, Numba refuses to compile it; what it calls may make arrays, but hand none back to it,
        for nobody would free them.
    options
        Handed to `numba.njit`.

    Examples
    --------
    >>> @compiled
    ... def double(x: int) -> int:
    ...     return 2 * x
    >>> double(4)
    8
    """

    def decorate(function: Callable[..., Any]) -> Any:
        given = {"nopython": True, "boundscheck": None, "nogil": True, "no_cfunc_wrapper": True, **options}
        # Without a word of its own a function would count references, or not, as the first function does that calls it.
        given["_nrt"] = not borrows
        if config.DISABLE_JIT:
            return function
        dispatcher = Kernel(function, given)
        if _is_kernel(function) and cache_folder() is not None:
            dispatcher._cache = _KernelCache(function)
        return dispatcher

    return decorate if function is None else decorate(function)


@cache
def cache_folder() -> Path | None:
    """Return the folder of compiled kernels for this Python and this processor; None where there can be none.

    The first call removes folders that were not used for 30 days.
    """
    root = _root()
    if root is None:
        return None
    folder = root / _machine()
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        sweep(root, older_than=_UNUSED)
    return folder if folder.is_dir() and os.access(folder, os.R_OK | os.X_OK) else None


def sweep(root: Path, *, older_than: float) -> None:
    """Remove the folders of modules that nobody has used for so many seconds, whatever machine they are for.

    Only folders with names that this module gives are removed: `TACIT_CACHE` may be a folder that holds other things.
    """
    oldest = time.time() - older_than
    for machine in _folders(root, _MACHINE_FOLDER):
        for module in _folders(machine, _MODULE_FOLDER):
            if _used(module) < oldest:
                shutil.rmtree(module, ignore_errors=True)  # another process may be faster
        if machine.name != _machine():
            with contextlib.suppress(OSError):
                machine.rmdir()  # fails where something is left


def digest(module: str) -> str:
    """Return a digest of the sources of a kernel module and of all kernel modules that it imports."""
    sources = hashlib.sha256()
    for name in sorted(_closure(module)):
        sources.update(name.encode() + b"\0" + _source(name).encode() + b"\0")
    return sources.hexdigest()[:32]


def _root() -> Path | None:
    """Return where compiled code is kept: where the user says, or else where the platform says."""
    if chosen := os.environ.get("TACIT_CACHE"):
        return Path(chosen).absolute()  # the process may change its folder later
    try:
        home = Path.home()
    except RuntimeError:  # a process without a home
        return None
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "tacit"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "tacit" / "Cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache").absolute() / "tacit"


@cache
def _machine() -> str:
    """Name what machine code depends on besides its source: Python, Numba and its settings, NumPy, the processor."""
    processor = config.CPU_NAME or llvmlite.binding.get_host_cpu_name()
    features = config.CPU_FEATURES
    if features is None:
        features = llvmlite.binding.get_host_cpu_features().flatten() if not config.CPU_NAME else ""
    everything = "\n".join([*made_with(), processor, features])
    version = f"{sys.implementation.name}{sys.version_info[0]}{sys.version_info[1]}"
    return f"{version}-{hashlib.sha256(everything.encode()).hexdigest()[:16]}"


def _is_kernel(function: Callable[..., Any]) -> bool:
    return function.__module__.startswith(f"{_PACKAGE}.") and _path(function.__module__) is not None


def _path(module: str) -> Path | None:
    """Return the file of a kernel module, None if there is none."""
    place = _SOURCES.joinpath(*module.removeprefix(_PACKAGE).split("."))
    for path in (place.with_suffix(".py"), place / "__init__.py"):
        if path.is_file():
            return path
    return None


@cache
def _source(module: str) -> str:
    path = _path(module)
    return "" if path is None else path.read_text("utf-8")


@cache
def _imports(module: str) -> frozenset[str]:
    """Return the kernel modules that a kernel module names in an import, wherever in the file.

    The text is searched and not parsed, because parsing all sources took a tenth of a small job. What is no import may
    be found too (a docstring that names a module): then an edit compiles once more than it must. An import is never
    missed: of a package, every word of the file counts as a name that is imported from it.
    """
    source, path = _source(module).replace("\\\n", " "), _path(module)
    package = module if path is not None and path.name == "__init__.py" else module.rpartition(".")[0]
    named = set(_KERNEL_NAMES.findall(source))
    for origin in {resolve_name(each, package) for each in _ORIGINS.findall(source)}:
        named.add(origin)
        place = _path(origin) if f"{origin}.".startswith(f"{_PACKAGE}.") else None
        if origin == _PACKAGE.rpartition(".")[0] or (place is not None and place.name == "__init__.py"):
            named |= {f"{origin}.{word}" for word in _WORDS.findall(source)}
    return frozenset(name for name in named if f"{name}.".startswith(f"{_PACKAGE}.") and _path(name) is not None)


def _closure(module: str) -> set[str]:
    """Return a kernel module and all that it imports, directly or not, packages on the way included."""
    reached: set[str] = set()
    ahead = [module]
    while ahead:
        name = ahead.pop()
        if name in reached:
            continue
        reached.add(name)
        ahead += _imports(name)
        parent = name.rpartition(".")[0]
        if parent.startswith(_PACKAGE):
            ahead.append(parent)
    return reached


def _folders(place: Path, named: re.Pattern[str]) -> list[Path]:
    try:
        return [path for path in place.iterdir() if named.fullmatch(path.name) and path.is_dir()]
    except OSError:
        return []


def _used(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except OSError:
        return time.time()


@cache
def _module_folder(module: str) -> Path:
    folder = cache_folder()
    assert folder is not None  # noqa: S101  (asked before a cache is made)
    place = folder / f"{module.removeprefix(_PACKAGE + '.')}-{digest(module)}"
    if _used(place) < time.time() - _DAY:  # say that it is in use, at most once a day
        with contextlib.suppress(OSError):
            os.utime(place)
    return place


class _KernelLocator(_CacheLocator):  # type: ignore[misc]
    """Where Numba keeps the machine code of one function: in the folder of its module's digest."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._folder = _module_folder(function.__module__)
        self._line = function.__code__.co_firstlineno
        self._py_file = function.__code__.co_filename  # Numba names it in warnings

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """Return the digest, which is the folder's name: other sources lie in another folder."""
        return self._folder.name

    def get_disambiguator(self) -> str:
        return str(self._line)


class _KernelCacheImpl(CompileResultCacheImpl):  # type: ignore[misc]
    """Numba's way to write a compiled function, with our way to place it; no setting of Numba's can undo that."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._lineno = function.__code__.co_firstlineno
        self._locator = _KernelLocator(function)
        self._filename_base = self.get_filename_base(function.__qualname__, getattr(sys, "abiflags", ""))


class _KernelFiles:
    """The files of one function: one per signature, written whole, and read only if it is what was written.

    Numba numbers the files of a function in an index. Two processes that compile two signatures at the same time would
    choose the same number, and one signature would then be run with the machine code of the other. Here the name of a
    file follows from its signature, and the signature is in the file.
    """

    def __init__(self, folder: Path, base: str) -> None:
        self._folder = folder
        self._base = base

    def load(self, key: Any) -> Any:
        """Return what was kept under a key; None if there is nothing, or it is damaged."""
        try:
            content = self._path(key).read_bytes()
        except OSError:
            return None
        stamp, body = content[:32], content[32:]
        if hashlib.sha256(body).digest() != stamp:
            return None
        kept, compiled_function = read_kept(body)  # the user's own folder, as with Numba's cache
        return compiled_function if kept == key else None

    def save(self, key: Any, compiled_function: Any) -> None:
        """Keep a compiled function under a key: written beside, then moved, so that nobody reads half of it."""
        body = dumps((key, compiled_function))
        handle, name = tempfile.mkstemp(prefix="being-written-", dir=self._folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(body).digest() + body)
            Path(name).replace(self._path(key))
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    def flush(self) -> None:
        """Forget everything that is kept of the function."""
        for path in self._folder.glob(f"{self._base}.*.code"):
            path.unlink(missing_ok=True)

    def _path(self, key: Any) -> Path:
        return self._folder / f"{self._base}.{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}.code"


class _KernelCache(FunctionCache):  # type: ignore[misc]
    """A cache that is only a help: what cannot be read is compiled again, and what cannot be written is not kept."""

    _impl_class = _KernelCacheImpl

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        place = Path(self._cache_path)
        self._cache_file = _KernelFiles(place, self._impl.filename_base)
        brought = shipped()
        self._shipped = None if brought is None else _KernelFiles(brought.folder / place.name, self._impl.filename_base)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled function for a signature, None if it must be compiled."""
        try:
            get_ready_to_run(target_context)
            with self._guard_against_spurious_io_errors():
                return self._load_overload(sig, target_context)
        except Exception:  # whole, but written by something else: unpickling raises anything
            return None

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        """Look into the user's own folder, then into the package that brings machine code."""
        found, brought = super()._load_overload(sig, target_context), shipped()
        if found is not None or brought is None or self._shipped is None:
            return found
        types, _, function = self._index_key(sig, target_context.codegen())
        data = self._shipped.load((types, brought.processor, function))
        return None if data is None else self._impl.rebuild(target_context, data)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the compiled function for a signature; a part of another is not kept by itself."""
        if is_unfinished(data):
            return
        with contextlib.suppress(OSError):  # a full disk, or a folder that cannot be written
            super().save_overload(sig, data)
