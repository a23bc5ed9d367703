"""Help comes at once: nothing heavy is imported for it."""

import subprocess
import sys

HEAVY = {"polars", "numpy", "pydantic", "numba", "altair", "pandas", "pyarrow", "scipy"}


def imported_by(statement: str) -> set[str]:
    program = f"import sys\n{statement}\nsys.stderr.write(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def test_help_imports_nothing_heavy():
    assert not HEAVY & imported_by("from tacit import cli\nassert cli.run(['--help']) == 0")


def test_import_of_the_package_imports_neither_compiler_nor_charts():
    assert not HEAVY & imported_by("import tacit")


def test_a_table_needs_no_compiler():
    assert not {"numba", "altair", "scipy", "narwhals"} & imported_by("import tacit\ntacit.Table")


def test_names_are_found_and_listed():
    import tacit

    assert {"Table", "KAnonymity", "SmallGroups", "Release", "audit", "utility", "TacitError"} <= set(dir(tacit))
    assert all(hasattr(tacit, name) for name in dir(tacit))
