"""The registry: every file of this folder that declares `BENCHMARKS` is a script."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType

import benchmarks
from benchmarks.harness import Benchmark, Settings, run
from benchmarks.measuring import Outcome, reason_of


@dataclass(frozen=True)
class Entry:
    """A benchmark and the script that declares it; `failure` says why a script could not be imported."""

    script: str
    name: str
    benchmark: Benchmark | None = None
    failure: str | None = None

    def run(self, settings: Settings) -> Outcome:
        """Run it, memory in a fresh process."""
        from benchmarks.alone import peak_alone

        if self.benchmark is None:
            return Outcome(self.name, failure=self.failure)
        rows = self.benchmark.size(quick=settings.quick)
        return run(self.benchmark, settings, lambda side: peak_alone(self.script, self.name, side, rows))


class UnknownBenchmark(Exception):
    """A name that no script has."""


@dataclass(frozen=True)
class Registry:
    """All entries, by script and in the order declared."""

    entries: tuple[Entry, ...]

    @classmethod
    def of(cls, package: ModuleType = benchmarks) -> Registry:
        """Import every script of a package; one that cannot be imported is an entry that fails."""
        entries: list[Entry] = []
        for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda found: found.name):
            if module.ispkg or module.name.startswith("_"):
                continue
            name = f"{package.__name__}.{module.name}"
            try:
                declared = getattr(import_module(name), "BENCHMARKS", ())
            except Exception as error:
                entries.append(Entry(name, module.name, failure=reason_of(error)))
                continue
            entries += [Entry(name, benchmark.name, benchmark) for benchmark in declared]
        return cls(tuple(entries))

    def select(self, names: Iterable[str]) -> Registry:
        """Keep the benchmarks, or all of a script, of these names; no name keeps everything."""
        wanted = list(names)
        for name in wanted:
            if not any(name in _names(entry) for entry in self.entries):
                known = ", ".join(entry.name for entry in self.entries)
                raise UnknownBenchmark(f"There is no benchmark {name!r}. Benchmarks: {known}.")
        return Registry(tuple(e for e in self.entries if not wanted or _names(e) & set(wanted)))


def _names(entry: Entry) -> set[str]:
    return {entry.name, entry.script.rpartition(".")[2]}
