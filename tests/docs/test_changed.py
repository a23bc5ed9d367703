"""`make check` runs the tests of what was changed, and not the others."""

from pathlib import Path

from tests.changed import ROOT, chosen

TESTS = sorted((ROOT / "tests").rglob("test_*.py"))


def test_a_kernel_brings_the_tests_that_name_it() -> None:
    run = chosen(["src/tacit/kernels/compiling.py"], TESTS)
    assert "tests/kernels/test_compiling.py" in run
    assert "src/tacit/kernels/compiling.py" in run, "its examples"
    assert len(run) < len(TESTS) / 2


def test_pages_and_examples_bring_theirs() -> None:
    assert "tests/docs/test_docs.py" in chosen(["docs/limits.md"], TESTS)
    assert "tests/examples/test_examples.py" in chosen(["examples/salaries.py"], TESTS)
    assert chosen([], TESTS) == []
    assert chosen(["src/tacit/gone.py"], TESTS) == [], "a file that was removed"


def test_a_test_brings_itself(tmp_path: Path) -> None:
    assert chosen(["tests/docs/test_changed.py"], []) == ["tests/docs/test_changed.py"]
