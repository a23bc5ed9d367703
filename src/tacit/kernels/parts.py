"""Parts: what a kernel calls is compiled into it, and not once more by itself.

Numba optimises every function, with all that it calls, and turns it into machine code, also a function that only other
functions call: whoever calls it gets a copy and optimises that again. Kernels are cut into steps with names, four or
five levels deep, so that most of the time of compiling went into machine code that nobody runs. Here a function that is
compiled because another kernel calls it goes through the first of Numba's two rounds of optimising, and no machine code
is made of it. (Left as it was lowered, it would save a little more; but then Mondrian's exchange ran 2.6 times slower,
because what Numba removes from small functions, such as the counting of references, it no longer finds in the large
one. A step in an innermost loop that is no longer copied into it says `forceinline`.)

If Python later calls such a part by itself, it is compiled again as a kernel of its own. A call with a number that
stands in the source (`bound(rows, 0)`) does not make a second version of what is called.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, ClassVar

from numba.core import codegen, event
from numba.core.compiler import Compiler, Flags
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import _FunctionCompiler  # type: ignore[attr-defined]
from numba.core.environment import lookup_environment
from numba.core.registry import CPUDispatcher
from numba.core.sigutils import normalize_signature
from numba.core.types import unliteral  # type: ignore[attr-defined]

from tacit.kernels.loading import KeptLibrary, get_ready_to_compile
from tacit.progress import compilation_begins

__all__ = ["Kernel", "is_unfinished"]

_here = threading.local()
"""Of this thread: how many functions are being compiled inside each other, whether the outermost is a kernel of ours,
and whether a library is being made ready only to be linked."""


_ENVIRONMENT = "_ZN08NumbaEnv"
"""How the names begin under which machine code looks for the constants of a function."""


class _Depth(event.Listener):  # type: ignore[misc]
    """Counts functions that are being compiled inside each other."""

    def on_start(self, event: Any) -> None:
        """Go one level down."""
        depth = getattr(_here, "depth", 0)
        if depth == 0:
            _here.ours = isinstance(event.data["dispatcher"], Kernel)
            if _here.ours:
                get_ready_to_compile()
                compilation_begins()
        _here.depth = depth + 1

    def on_end(self, event: Any) -> None:
        """Go one level up, also where compiling failed."""
        _here.depth -= 1


def _is_part() -> bool:
    """Tell whether what is being compiled is only part of a kernel."""
    return getattr(_here, "depth", 0) > 0 and _here.ours and (_here.depth > 1 or getattr(_here, "linking", False))


class _Library(KeptLibrary):
    """The code of one function. That of a part is linked into others, and not made executable."""

    _unfinished = False

    def finalize(self) -> None:
        """Make it ready to be run, or a part ready to be linked."""
        if not _is_part():
            super().finalize()
            self._place_environments()
            return
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._inline_and_prune()
        self._unfinished = self._finalized = True

    def _inline_and_prune(self) -> None:
        """Do the first half of optimising, after which what Numba removes from small functions is gone."""
        manager, builder = self.codegen._module_pass_manager(
            loop_vectorize=self.codegen._loopvect, slp_vectorize=False, opt=self.codegen._opt_level, cost="cheap"
        )
        manager.run(self._final_module, builder)

    def _place_environments(self) -> None:
        """Tell the machine code where the constants of its parts lie; Numba does so for each function by itself."""
        for variable in self._final_module.global_variables:
            environment = lookup_environment(variable.name) if variable.name.startswith(_ENVIRONMENT) else None
            if environment is not None:
                _set_env(self.codegen, variable.name, environment)

    def add_linking_library(self, library: Any) -> None:
        """Take in what is called; it has to be linked, not run."""
        before, _here.linking = getattr(_here, "linking", False), True
        try:
            super().add_linking_library(library)
        finally:
            _here.linking = before

    def get_pointer_to_function(self, name: str) -> int:
        """Return where a function begins; a part begins nowhere."""
        return 0 if self._unfinished else int(super().get_pointer_to_function(name))


def _set_env(machine: Any, name: str, environment: Any) -> None:
    """Place the constants of a function, unless it is a part and has no place yet."""
    if not _is_part():
        _place(machine, name, environment)


class _Compiler(_FunctionCompiler):  # type: ignore[misc]
    """Compiles one function; a part needs no entrance for Python."""

    def _customize_flags(self, flags: Any) -> Any:
        flags.no_cpython_wrapper = flags.no_cpython_wrapper or _is_part()
        return flags


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """A compiled function that Python may call, or only other kernels."""

    known: ClassVar[list[Kernel]] = []
    """All kernels that were imported. `seconds` of each says how long its compilation or loading took, by types."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        super().__init__(function, targetoptions=options)
        self.seconds: dict[Any, float] = {}
        Kernel.known.append(self)
        self._compiler: Any = _Compiler(function, self.targetdescr, options, {}, Compiler)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Find what another kernel calls; a number that stands in the source is a number like any other."""
        plain = tuple(unliteral(arg) for arg in args)
        return super().get_call_template(plain, {name: unliteral(arg) for name, arg in kws.items()})

    @property
    def nopython_entries(self) -> list[Any]:
        """The types of arguments for which there is machine code that Python can call."""
        return [args for args, result in self.overloads.items() if not is_unfinished(result)]

    def compile(self, sig: Any) -> Any:
        """Compile for the types of some arguments, unless that is done."""
        before = time.thread_time()
        with global_compiler_lock:  # another thread may be compiling a kernel that has this as a part
            if getattr(_here, "depth", 0) == 0:  # Python calls: a part cannot be run
                for part in [part for part, result in self.overloads.items() if is_unfinished(result)]:
                    del self.overloads[part]
            found = super().compile(sig)
        args = tuple(normalize_signature(sig)[0])
        self.seconds[args] = max(self.seconds.get(args, 0.0), time.thread_time() - before)
        return found

    def add_overload(self, cres: Any) -> None:
        """Keep what was compiled; only what can be run is shown to Python."""
        if is_unfinished(cres):
            self.overloads[tuple(cres.signature.args)] = cres
        else:
            super().add_overload(cres)


def is_unfinished(result: Any) -> bool:
    """Tell whether what was compiled is only part of a kernel, and cannot be run."""
    return getattr(result.library, "_unfinished", False)


def _alike(flags: Flags, other: object) -> Any:
    """Compare settings of the compiler; those that were set alike are alike, without asking for every default.

    Numba compares them at every call that it types, which took a sixth of the time of compiling.
    """
    if isinstance(other, Flags) and flags._values == other._values:
        return True
    return _compare(flags, other)


_compare = Flags.__eq__
_hash_of_flags = hash(Flags())  # of their names only, so it is the same for all
Flags.__eq__ = _alike
Flags.__hash__ = lambda flags: _hash_of_flags
_place = codegen.JITCPUCodegen.set_env
codegen.JITCPUCodegen.set_env = _set_env
codegen.JITCPUCodegen._library_class = _Library
event.register("numba:compile", _Depth())
