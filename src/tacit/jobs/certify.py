"""certify: both reports of a release as documents to sign, made when the release is safe on disk.

Nothing depends on a certificate: where one cannot be made, a sentence says so and the release stands as it is.
"""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from tacit import __version__
from tacit.audits import VERDICT
from tacit.borders import first_line, is_panic
from tacit.errors import TacitError
from tacit.releases import Written
from tacit.releases.certificates import CERTIFICATE, PRIVATE, PUBLIC, put_beside
from tacit.releases.manifest import FILE, PRIVATE_FILE, digest
from tacit.report.certificate import CertificateFailed, FileDigest, certificate_contents, render
from tacit.report.certificate.contents import LIMITS, Limits
from tacit.report.certificate.rendering import LARGEST
from tacit.report.view import ReportView

_LIBRARIES = ("polars", "pyarrow", "numpy", "numba", "scipy", "scikit-learn", "typst")
"""What the figures rest on; named in the internal certificate."""


@dataclass(frozen=True)
class Certified:
    """The certificates of a release.

    Attributes
    ----------
    public, private
        Where they are; None where one was not made.
    missing
        Why one was not made.
    """

    public: Path | None = None
    private: Path | None = None
    missing: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the places for JSON."""
        places = {"public": self.public, "private": self.private}
        return {**{name: None if path is None else str(path) for name, path in places.items()}, "missing": self.missing}


def certify(written: Written, public: Sequence[ReportView], internal: Sequence[ReportView]) -> Certified:
    """Write the certificates of a release that was written.

    Parameters
    ----------
    written
        Where the release is.
    public, internal
        Its reports; none where a report could not be made.
    """
    done = Certified()
    if not public:
        return replace(done, missing="The report could not be written, and a certificate is made of it.")
    try:
        _add(written.folder, _contents(public[0], written, internal=False), FILE, private=False)
        done = replace(done, public=written.folder / CERTIFICATE)
        if written.private is not None and internal:
            _add(written.private, _contents(internal[0], written, internal=True), PRIVATE_FILE, private=True)
            done = replace(done, private=written.private / CERTIFICATE)
    except TacitError as error:
        return replace(done, missing=str(error))
    except BaseException as error:  # what is for looking never stops anything
        if os.environ.get("TACIT_DEBUG") or not (isinstance(error, Exception) or is_panic(error)):
            raise
        return replace(done, missing=f"{type(error).__name__}: {first_line(error)}.")
    return done


Contents = Callable[[Limits], dict[str, Any]]
"""What a certificate holds within some limits."""


def _contents(view: ReportView, written: Written, *, internal: bool) -> Contents:
    """Gather what a certificate holds: the report, the digests of all files that are there, the versions."""
    folders = {PUBLIC: _files(written.folder, FILE, () if internal else (CERTIFICATE,))}
    if internal and written.private is not None:
        folders[PRIVATE] = _files(written.private, PRIVATE_FILE, (CERTIFICATE,))
    versions = _versions(internal)
    audit = written.audit if internal else written.audit.public()
    promises = [f"{finding.title}: {VERDICT[finding.holds]}" for finding in audit.findings]
    return lambda limits: certificate_contents(
        view, folders, versions, promises=promises, internal=internal, limits=limits
    )


def _add(folder: Path, contents: Contents, manifest: str, *, private: bool) -> None:
    """Typeset a certificate and put it beside the release."""
    release = hashlib.sha256((folder / manifest).read_bytes()).hexdigest()
    put_beside(folder, small_enough(contents), release=release, private=private)


def small_enough(contents: Contents) -> bytes:
    """Typeset a certificate, shortened as far as it must be to stay below the largest size."""
    made = b""
    for limits in LIMITS:
        made = render(contents(limits))
        if len(made) <= LARGEST:
            return made
    raise CertificateFailed(f"The certificate would have {len(made):,} bytes.", hint="The reports hold the same.")


def _files(folder: Path, manifest: str, without: Sequence[str] = ()) -> list[FileDigest]:
    """Compute the digests of all files of a folder, its manifest first; a certificate cannot hold its own."""
    paths = [path for path in folder.iterdir() if path.is_file() and path.name not in without]
    paths.sort(key=lambda path: (path.name != manifest, path.name))
    return [FileDigest(path.name, path.stat().st_size, digest(path)) for path in paths]


def _versions(internal: bool) -> Mapping[str, str]:
    own = {"tacit": __version__}
    if not internal:
        return own
    found = {"Python": platform.python_version()}
    for name in _LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return own | found
