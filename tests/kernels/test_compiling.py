"""Machine code follows its source: kernels of a copied package are edited, damaged, shared and swept."""

import ast
import hashlib
import importlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

import tacit.kernels
from tacit.kernels.compiling import sweep

KERNELS = Path(tacit.kernels.__file__).parent
ROOT = Path(__file__).resolve().parents[2]
CALLEE = (
    "from tacit.kernels.compiling import compiled\n\nBASE = 1\n\n\n@compiled\ndef callee(x):\n    return x + {added}\n"
)
CALLER = """from tacit.kernels.compiling import compiled
from {callee} import callee


@compiled
def caller(x):
    return 10 * callee(x)
"""
ASK = "from tacit.kernels.caller import caller; print(caller(1), sum(caller.stats.cache_misses.values()))"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package with two kernels, one of which calls the other, below the real `compiling`."""
    kernels = tmp_path / "src" / "tacit" / "kernels"
    kernels.mkdir(parents=True)
    (kernels.parent / "__init__.py").write_text("")
    (kernels / "__init__.py").write_text("")
    shutil.copy(KERNELS.parent / "progress.py", kernels.parent)
    for own in ("compiling.py", "loading.py", "parts.py", "shipped.py"):
        shutil.copy(KERNELS / own, kernels)
    write(kernels / "callee.py", CALLEE.format(added=1))
    write(kernels / "caller.py", CALLER.format(callee="tacit.kernels.callee"))
    return kernels


def write(path: Path, text: str) -> None:
    """Write a module that Python reads anew: a file of the same second and size would pass for the old one."""
    path.write_text(text)
    shutil.rmtree(path.parent / "__pycache__", ignore_errors=True)


def start(package: Path, code: str = ASK, **environment: str) -> subprocess.Popen[str]:
    given = {
        **{key: value for key, value in os.environ.items() if not key.startswith(("NUMBA_", "TACIT_"))},
        "PYTHONPATH": str(package.parents[1]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "TACIT_CACHE": str(package.parents[2] / "cache"),
        **environment,
    }
    return subprocess.Popen(
        [sys.executable, "-c", code], env=given, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def answer(process: subprocess.Popen[str]) -> tuple[int, int]:
    """Return what the caller answers, and how many functions were compiled for it."""
    out, err = process.communicate(timeout=240)
    assert process.returncode == 0, err
    said, compilations = out.split()
    return int(said), int(compilations)


def ask(package: Path, **environment: str) -> tuple[int, int]:
    return answer(start(package, **environment))


def kept(package: Path) -> dict[Path, int]:
    cache = package.parents[2] / "cache"
    return {path: path.stat().st_mtime_ns for path in cache.rglob("*") if path.is_file()}


def test_an_edit_of_a_callee_changes_the_answer_of_the_caller(package: Path) -> None:
    assert ask(package) == (20, 1)
    first = kept(package)
    assert ask(package) == (20, 0), "a second start compiles nothing"
    assert kept(package) == first
    write(package / "callee.py", CALLEE.format(added=5))
    assert ask(package) == (60, 1)
    write(package / "callee.py", CALLEE.format(added=1))
    assert ask(package) == (20, 0), "the sources of before have their code of before"


def test_what_is_kept_runs_without_what_only_compiling_needs(package: Path) -> None:
    write(package / "callee.py", CALLEE.format(added=1).replace("return x + 1", "return int(np.ones(3).max()) + x"))
    with (package / "callee.py").open("a") as file:
        file.write("import numpy as np\n")
    assert ask(package) == (20, 1)
    needless = "sum(name in imported for name in ('numba.np.arraymath', 'numba.np.linalg', 'scipy.linalg'))"
    code = "from tacit.kernels.caller import caller; caller(1); import sys; imported = sys.modules; "
    assert answer(start(package, f"{code}print(caller(1), {needless})")) == (20, 0)


def test_what_was_loaded_is_still_compiled_into_what_calls_it(package: Path) -> None:
    assert ask(package) == (20, 1)
    code = "from tacit.kernels.callee import callee; print(callee(1), sum(callee.stats.cache_misses.values()))"
    assert answer(start(package, code)) == (2, 1)
    write(package / "caller.py", CALLER.format(callee="tacit.kernels.callee") + "\n\nEDITED = True\n")
    code = "from tacit.kernels.callee import callee; assert callee(1) == 2; "
    code += "assert not callee.stats.cache_misses; " + ASK
    assert answer(start(package, code)) == (20, 1)


@pytest.mark.parametrize("callee", [".callee", "tacit.kernels.hall"])
def test_a_callee_may_be_imported_relatively_or_by_way_of_another_module(package: Path, callee: str) -> None:
    write(package / "hall.py", "from .callee import *\n")
    write(package / "caller.py", CALLER.format(callee=callee))
    assert ask(package) == (20, 1)
    write(package / "callee.py", CALLEE.format(added=5))
    assert ask(package) == (60, 1)


def test_a_constant_of_another_kernel_counts_as_source(package: Path) -> None:
    write(
        package / "callee.py",
        CALLEE.format(added="LIMIT").replace("BASE = 1", "from tacit.kernels.limits import LIMIT"),
    )
    write(package / "limits.py", "LIMIT = 1\n")
    assert ask(package) == (20, 1)
    write(package / "limits.py", "LIMIT = 5\n")
    assert ask(package) == (60, 1)


@pytest.mark.parametrize(
    "setting",
    [{"NUMBA_CACHE_DIR": "elsewhere"}, {"NUMBA_CACHE_LOCATOR_CLASSES": "InTreeCacheLocator"}],
    ids=["NUMBA_CACHE_DIR", "NUMBA_CACHE_LOCATOR_CLASSES"],
)
def test_no_setting_of_numba_brings_its_own_cache_back(package: Path, tmp_path: Path, setting: dict[str, str]) -> None:
    setting = {key: str(tmp_path / value) if key.endswith("DIR") else value for key, value in setting.items()}
    assert ask(package, **setting) == (20, 1)
    write(package / "callee.py", CALLEE.format(added=5))
    assert ask(package, **setting) == (60, 1)
    assert not (tmp_path / "elsewhere").exists()
    assert not list(package.rglob("*.nbi"))


def test_settings_that_change_the_machine_code_have_a_folder_of_their_own(package: Path) -> None:
    assert ask(package) == (20, 1)
    assert ask(package, NUMBA_BOUNDSCHECK="1") == (20, 1)
    assert len(list((package.parents[2] / "cache").iterdir())) == 2


def test_a_damaged_file_is_compiled_anew(package: Path) -> None:
    assert ask(package) == (20, 1)
    for damage in (lambda data: data[: len(data) // 2], lambda data: data[:-9] + b"x" + data[-8:], lambda data: b""):
        for path in kept(package):
            path.write_bytes(damage(path.read_bytes()))
        assert ask(package) == (20, 1)
    assert ask(package) == (20, 0), "and kept again"
    for path in kept(package):
        body = b"no pickle, with a right digest"
        path.write_bytes(hashlib.sha256(body).digest() + body)
    assert ask(package) == (20, 1)


def test_concurrent_starts_compile_side_by_side_and_leave_whole_files(package: Path) -> None:
    code = "import sys; from tacit.kernels.caller import caller; print(int(caller({argument})), 0)"
    started = [start(package, code.format(argument=argument)) for argument in ("1", "1", "1.0", "1.0")]
    assert [answer(process)[0] for process in started] == [20] * 4
    files = [path for path in kept(package) if path.name.startswith("caller")]
    assert len(files) == 2, "one per signature"
    assert not [path for path in kept(package) if path.name.startswith("being-written")]
    assert ask(package) == (20, 0)
    assert answer(start(package, ASK.replace("caller(1)", "int(caller(1.0))"))) == (20, 0)


def test_a_file_of_another_signature_is_never_run(package: Path) -> None:
    both = "from tacit.kernels.caller import caller; print(caller(1) + int(caller(1.5)), 0)"
    assert answer(start(package, both))[0] == 20 + 25
    one, other = sorted(path for path in kept(package) if path.name.startswith("caller"))
    mixed = one.read_bytes(), other.read_bytes()
    one.write_bytes(mixed[1])
    other.write_bytes(mixed[0])
    assert answer(start(package, both))[0] == 20 + 25


def test_where_nothing_can_be_kept_everything_works(package: Path, tmp_path: Path) -> None:
    """A cache folder that cannot be made: a file is in its place."""
    (tmp_path / "occupied").write_text("")
    assert ask(package, TACIT_CACHE=str(tmp_path / "occupied" / "cache")) == (20, 1)
    assert ask(package, TACIT_CACHE="", HOME="", XDG_CACHE_HOME=str(tmp_path / "occupied")) == (20, 1)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="there are no modes of folders")
def test_a_read_only_installation_and_a_read_only_cache_work(package: Path) -> None:
    cache = package.parents[2] / "cache"
    installed = [package, package.parent]
    modes(installed, 0o555)
    try:
        assert ask(package) == (20, 1), "the installation is read-only, the cache is not"
        folders = [cache, *(path for path in cache.rglob("*") if path.is_dir())]
        modes(folders, 0o555)
        try:
            files = kept(package)
            assert ask(package) == (20, 0), "what is in a read-only cache is used"
            assert kept(package) == files
            if os.geteuid():  # a superuser may write everywhere
                assert answer(start(package, ASK.replace("caller(1)", "int(caller(1.0))"))) == (20, 1)
                assert kept(package) == files
        finally:
            modes(folders, 0o755)
    finally:
        modes(installed, 0o755)


def modes(folders: list[Path], mode: int) -> None:
    for folder in folders:
        folder.chmod(mode)


def test_the_folder_is_where_the_user_says_and_else_where_the_platform_says(package: Path, tmp_path: Path) -> None:
    ask(package, TACIT_CACHE=str(tmp_path / "mine"))
    assert list((tmp_path / "mine").rglob("caller*.code"))
    if sys.platform == "linux":
        ask(package, TACIT_CACHE="", XDG_CACHE_HOME=str(tmp_path / "xdg"))
        assert list((tmp_path / "xdg" / "tacit").rglob("caller*.code"))
    assert not kept(package)


def test_folders_unused_for_a_month_are_swept_and_nothing_else(tmp_path: Path) -> None:
    machine, other = tmp_path / f"cpython311-{'0' * 16}", tmp_path / f"cpython310-{'1' * 16}"
    old, young, last = machine / f"skew-{'a' * 32}", machine / f"risk.sets-{'b' * 32}", other / f"skew-{'c' * 32}"
    mine = [tmp_path / "Documents" / "letters", machine / "letters", tmp_path / f"cpython-{'0' * 16}" / old.name]
    for folder in (old, young, last, *mine):
        folder.mkdir(parents=True)
        (folder / "file").write_text("")
        used = time.time() - (29 if folder is young else 31) * 24 * 3600
        os.utime(folder, (used, used))
    sweep(tmp_path, older_than=30 * 24 * 3600)
    assert not old.exists()
    assert not other.exists()
    assert young.exists()
    assert all((folder / "file").exists() for folder in mine), "what is not ours is left alone"


def test_a_start_sweeps_and_says_what_it_uses(package: Path) -> None:
    ask(package)
    (folder,) = {path.parent for path in kept(package) if path.name.startswith("caller")}
    month, week = time.time() - 31 * 24 * 3600, time.time() - 7 * 24 * 3600
    left = folder.parent / f"caller-{'0' * 32}"
    left.mkdir()
    os.utime(left, (month, month))
    os.utime(folder, (week, week))
    assert ask(package) == (20, 0)
    assert not left.exists()
    assert folder.stat().st_mtime > time.time() - 3600


def modules() -> list[str]:
    paths = [path.relative_to(KERNELS).with_suffix("") for path in KERNELS.rglob("*.py") if path.stem != "__init__"]
    return sorted("tacit.kernels." + ".".join(path.parts) for path in paths)


@pytest.mark.parametrize("name", modules())
def test_kernels_take_no_number_and_no_compiled_function_from_another_room(name: str) -> None:
    """The digest follows the imports of kernels among themselves: what is compiled in may come from nowhere else."""
    path = KERNELS.joinpath(*name.split(".")[2:]).with_suffix(".py")
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and re.match(r"tacit(\.|$)", node.module or ""):
            if str(node.module).startswith("tacit.kernels"):
                continue
            for alias in node.names:
                value = getattr(importlib.import_module(str(node.module)), alias.name)
                plain = callable(value) and not hasattr(value, "py_func")
                assert plain, f"{name} takes {alias.name} from {node.module}: it would be compiled in, unnoticed"


def test_kernels_are_compiled_by_nothing_but_compiled() -> None:
    decorated = [
        f"{path.name}: {ast.unparse(decorator)}"
        for path in KERNELS.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef)
        for decorator in node.decorator_list
        if re.search(r"\b(n?jit|vectorize|guvectorize|stencil|cfunc)\b", ast.unparse(decorator))
    ]
    assert not decorated


def ship(package: Path, **changed: object) -> Path:
    """Make a package of compiled kernels, as `packaging/wheel.py` does, and return where it is installed."""
    spec = importlib.util.spec_from_file_location("wheel", ROOT / "packaging" / "wheel.py")
    assert spec is not None
    assert spec.loader is not None
    wheel = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(wheel)
    made = package.parents[2] / "made"
    ask(package, TACIT_CACHE=str(made), NUMBA_CPU_NAME="generic")
    place = package.parents[2] / "installed"
    with zipfile.ZipFile(wheel.kernels_wheel(package.parents[2] / "dist", made)) as archive:
        archive.extractall(place)
    about = place / "tacit_kernels" / "about.json"
    about.write_text(json.dumps({**json.loads(about.read_text()), **changed}))
    return place


def test_shipped_kernels_are_used_and_nothing_is_compiled(package: Path) -> None:
    place = ship(package)
    paths = f"{package.parents[1]}{os.pathsep}{place}"
    assert ask(package, PYTHONPATH=paths) == (20, 0)
    assert (place / "tacit_kernels-0.1.0.dist-info" / "RECORD").exists()


def test_shipped_kernels_of_other_sources_or_versions_are_not_used(package: Path) -> None:
    place = ship(package, made_with=["another Python"])
    paths = f"{package.parents[1]}{os.pathsep}{place}"
    assert ask(package, PYTHONPATH=paths)[1] == 1
    shutil.rmtree(place)
    place = ship(package)
    write(package / "callee.py", CALLEE.format(added=5))
    assert ask(package, PYTHONPATH=paths, TACIT_CACHE=str(package / "fresh")) == (60, 1)
