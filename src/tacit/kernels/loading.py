"""Loading: machine code that was kept is made ready to be run, and what only compiling needs is left for later.

Numba makes everything ready to compile before it loads the first function: it imports what it knows about arrays, text,
dictionaries and random numbers, and it reads, beside the machine code of every function, the code from which others
could be compiled. To load 25 kernels took a fifth of a second of a small job, and three quarters of that were for a
compilation that never came. Whoever compiles after all, here or elsewhere in the process, finds everything as before:
Numba asks for it again where it begins to compile.
"""

from __future__ import annotations

import pickle
import re
import sys
from importlib.util import find_spec
from io import BytesIO
from typing import Any

import llvmlite.binding
from numba.core import codegen
from numba.core.environment import Environment, _rebuild_env, lookup_environment
from numba.core.runtime import rtsys

__all__ = ["KeptLibrary", "get_ready_to_compile", "get_ready_to_run", "read_kept"]

_ENTRANCES = re.compile(rb"_ZN7cpython[^\0]*")
"""How the names of the functions begin that Python can call. Names in machine code end with a zero byte. Nothing else
than the library that defines such a function names it."""


def get_ready_to_run(context: Any) -> None:
    """Prepare what machine code asks for while it runs: memory for arrays, and how to count references."""
    rtsys.initialize(context)


def get_ready_to_compile() -> None:
    """Load the part of Numba that would import SciPy's linear algebra, without that.

    Numba asks whether there is a BLAS when it is about to compile the first function, and imports all of `scipy.linalg`
    to know. No kernel multiplies matrices. Whoever does, elsewhere in the same process, is not kept from it: Numba asks
    again where it is needed.
    """
    if "numba.np.arraymath" in sys.modules or "scipy.linalg" in sys.modules:
        return
    from numba.np import linalg

    asked = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        from numba.np import arraymath
    finally:
        linalg.ensure_blas = asked
    arraymath.ensure_blas = asked
    arraymath._HAVE_BLAS = find_spec("scipy") is not None


def read_kept(content: bytes) -> Any:
    """Return what was kept, without importing the modules of Numba whose functions were compiled into it."""
    return _Reader(BytesIO(content)).load()


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        """Find what is named; the constants of functions are placed by `_environment`."""
        found = super().find_class(module, name)
        return _environment if found is _rebuild_env else found


def _environment(module: str, constants: list[Any], name: str) -> Any:
    """Return where a function's constants lie.

    Numba imports the module of every function that was compiled into another one, for its variables. Only functions
    that the interpreter runs look at these, and none of Numba's own that are in a kernel does.
    """
    if constants or module in sys.modules or not module.startswith("numba.") or lookup_environment(name) is not None:
        return _rebuild_env(module, constants, name)
    environment = Environment({"__name__": module})
    environment.env_name = name
    Environment._memo[name] = environment
    return environment


class KeptLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]
    """The code of one function. What others need to be compiled with it is read when they are."""

    _unread: bytes | None = None
    """The code to compile others with, as it was kept; None where it was read or never kept."""

    @classmethod
    def _unserialize(cls, codegen: Any, state: Any) -> Any:
        name, kind, data = state
        entrances = {found.decode() for found in _ENTRANCES.findall(data[0])} if kind == "object" else set()
        if not entrances:  # in a form that this does not know
            return super()._unserialize(codegen, state)
        machine_code, unread = data
        library = codegen.create_library(name)
        library.enable_object_caching()
        library._set_compiled_object(machine_code)
        library._finalize_final_module()
        library._unread = unread
        codegen._engine._defined_symbols |= entrances
        return library

    def _get_module_for_linking(self) -> Any:
        """Read what others are compiled with, once."""
        self._read()
        return super()._get_module_for_linking()

    def get_pointer_to_function(self, name: str) -> int:
        """Return where a function begins, 0 if the library does not define it."""
        if self._unread is not None and not self._codegen._engine.is_symbol_defined(name):
            self._read()
        return int(super().get_pointer_to_function(name))

    def _read(self) -> None:
        if self._unread is not None:
            self._shared_module = llvmlite.binding.parse_bitcode(self._unread)
            self._unread = None
            self._codegen._engine._load_defined_symbols(self._shared_module)
