"""Examples run: scripts as they are, notebooks cell by cell, each in a folder of its own."""

import ast
import json
import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SCRIPTS = sorted(EXAMPLES.glob("*.py"))
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_scripts_run(script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(script), run_name="__main__")
    assert {path.name for path in tmp_path.iterdir()} <= {"example-out"}, "an example writes below example-out only"


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(notebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the code cells in order, and show what a cell ends with, as a notebook does."""
    monkeypatch.chdir(tmp_path)
    content = json.loads(notebook.read_text("utf-8"))
    scope: dict[str, object] = {"__name__": "__main__"}
    for cell in content["cells"]:
        if cell["cell_type"] != "code":
            continue
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, str(notebook), "exec"), scope)  # noqa: S102 - running it is the point
        if isinstance(last, ast.Expr):
            shown = eval(compile(ast.Expression(last.value), str(notebook), "eval"), scope)  # noqa: S307
            html = getattr(shown, "_repr_html_", None)
            assert html() if html else repr(shown)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_kept_without_output(notebook: Path) -> None:
    """What a cell printed once is not what it prints now, and may hold people."""
    content = json.loads(notebook.read_text("utf-8"))
    assert content["nbformat"] == 4
    assert not [cell for cell in content["cells"] if cell.get("outputs") or cell.get("execution_count")]


def test_the_page_names_every_example() -> None:
    page = (EXAMPLES / "README.md").read_text("utf-8")
    assert len(SCRIPTS) == 5
    assert len(NOTEBOOKS) == 2
    assert not [path.name for path in [*SCRIPTS, *NOTEBOOKS] if f"`{path.name}`" not in page]
