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


def test_engines_for_parts_of_a_table_and_all_that_arrow_computes_are_not_imported_by_a_publication(tmp_path):
    recipe = tmp_path / "people.toml"
    (tmp_path / "people.csv").write_text("age,ill\n" + "".join(f"{20 + i},{'ab'[i % 2]}\n" for i in range(8)))
    recipe.write_text(
        '[table]\nsource = "people.csv"\n[roles]\nquasi_identifiers = ["age"]\nsensitive = ["ill"]\n[[steps]]\n'
        'method = "mondrian"\nguarantees = [{ name = "k-anonymity", k = 2 }]\n[output]\nfolder = "out"\n'
    )
    publish = f"from tacit import cli\nassert cli.run(['publish', {str(recipe)!r}, '-q']) == 0"
    needless = {"tacit.engines.streaming", "tacit.engines.spark", "tacit.methods.large", "pyarrow.compute"}
    assert not needless & imported_by(publish)
