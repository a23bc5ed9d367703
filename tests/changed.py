"""Run the tests of what was changed: `python -m tests.changed`, which `make check` calls.

Changed is what differs from the branch that this one follows, or from the last commit where it follows none. A changed
test file is run. A changed module is run for its examples; so is every test file that names the module, or whose own
name holds the name of the module. What a change breaks elsewhere, `make test` finds.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def changed() -> list[str]:
    """Return the files that were changed, with those that version control does not know yet."""
    upstream = _git("rev-parse", "--abbrev-ref", "@{upstream}")
    base = (_git("merge-base", "HEAD", upstream[0]) if upstream else []) or ["HEAD"]
    return sorted({*_git("diff", "--name-only", base[0]), *_git("ls-files", "--others", "--exclude-standard")})


def _git(*arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.split("\n")[:-1] if done.returncode == 0 else []


def chosen(files: Iterable[str], tests: Iterable[Path], root: Path = ROOT) -> list[str]:
    """Choose what to run for a list of changed files.

    Examples
    --------
    >>> chosen(["src/tacit/kernels/compiling.py"], [ROOT / "tests/kernels/test_compiling.py"])
    ['src/tacit/kernels/compiling.py', 'tests/kernels/test_compiling.py']
    """
    there = [file for file in files if (root / file).is_file()]
    run = {file for file in there if re.fullmatch(r"(tests/.*test_[^/]*|src/.*)\.py", file)}
    modules = [Path(file).relative_to("src").with_suffix("") for file in there if re.fullmatch(r"src/.*\.py", file)]
    words = {module.name for module in modules if module.name not in {"__init__", "__main__", "base", "registry"}}
    dotted = {".".join(module.parts).removesuffix(".__init__") for module in modules} - {"tacit"}
    documents = any(re.search(r"\.(md|svg|yml)$", file) for file in there)
    for test in tests:
        text, name = test.read_text("utf-8"), test.relative_to(root).as_posix()
        mine = any(word in test.stem for word in words) or any(re.search(rf"\b{re.escape(m)}\b", text) for m in dotted)
        if mine or (documents and name.startswith("tests/docs/")) or _is_example_of(name, there):
            run.add(name)
    return sorted(run)


def _is_example_of(test: str, files: list[str]) -> bool:
    return test.startswith("tests/examples/") and any(file.startswith("examples/") for file in files)


def main() -> int:
    """Run what was chosen; 0 where nothing was changed."""
    run = chosen(changed(), sorted((ROOT / "tests").rglob("test_*.py")))
    if not run:
        sys.stdout.write("nothing was changed that has tests\n")
        return 0
    sys.stdout.write("\n".join(["running", *(f"  {name}" for name in run), ""]))
    sys.stdout.flush()
    return subprocess.run([sys.executable, "-m", "pytest", "-q", "-x", *run], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
