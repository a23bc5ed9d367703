"""Build the package's wheel, and one of its compiled kernels for this platform and this Python.

`python packaging/wheel.py FOLDER` writes both into the folder. The second, `tacit-kernels`, is optional: whoever installs it
with the same versions of Python, Numba and NumPy compiles nothing at the first command. Kernels are compiled for any
processor of the platform, not for the one they are built on.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DESCRIBE = (
    "import json; from numba.core.registry import cpu_target; from tacit.kernels.shipped import made_with; "
    "print(json.dumps({'made_with': made_with(), 'processor': cpu_target.target_context.codegen().magic_tuple()}))"
)


def kernels_wheel(folder: Path, cache: Path | None = None) -> Path:
    """Compile all listed kernels, or take those of a cache made for any processor, and write the wheel."""
    environment = {**os.environ, "NUMBA_CPU_NAME": "generic"}
    with tempfile.TemporaryDirectory() as place:
        made = cache or Path(place)
        if cache is None:
            environment["TACIT_CACHE"] = str(made)
            subprocess.run([sys.executable, "-m", "tacit.jobs.warm"], check=True, env=environment)
        about = subprocess.run(
            [sys.executable, "-c", DESCRIBE], check=True, env=environment, capture_output=True, text=True
        ).stdout
        (machine,) = made.iterdir()
        files = {f"code/{path.relative_to(machine)}": path.read_bytes() for path in sorted(machine.rglob("*.code"))}
    return _write(folder, {"__init__.py": b"", "about.json": about.encode(), **files})


def _write(folder: Path, files: dict[str, bytes]) -> Path:
    """Write a wheel: a zip archive with the files, and what installers want to know of them."""
    number = version("tacit")
    python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    tag = f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
    about = f"tacit_kernels-{number}.dist-info"
    needs = [f"tacit=={number}", *(f"{name}=={version(name)}" for name in ("numba", "llvmlite", "numpy"))]
    metadata = ["Metadata-Version: 2.1", "Name: tacit-kernels", f"Version: {number}"]
    metadata += ["Summary: Compiled kernels of tacit.", *(f"Requires-Dist: {need}" for need in needs)]
    contents = {
        **{f"tacit_kernels/{name}": content for name, content in files.items()},
        f"{about}/METADATA": "\n".join([*metadata, ""]).encode(),
        f"{about}/WHEEL": f"Wheel-Version: 1.0\nGenerator: tacit\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(),
    }
    record = [f"{name},sha256={_digest(content)},{len(content)}" for name, content in contents.items()]
    contents[f"{about}/RECORD"] = "\n".join([*record, f"{about}/RECORD,,", ""]).encode()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"tacit_kernels-{number}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return path


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def main() -> None:
    """Write both wheels."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "dist").resolve()
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)],
        check=True,
    )
    path = kernels_wheel(folder)
    print(json.dumps({"wheels": sorted(p.name for p in folder.iterdir()), "bytes": path.stat().st_size}))


if __name__ == "__main__":
    main()
