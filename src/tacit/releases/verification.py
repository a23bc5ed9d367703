"""Verification: whether the files of a release match the digests that were written with it.

`release.json` names the digests of the published files, `private.json` those of the private ones, and a certificate
those of both manifests as well. Whoever changes a file and its manifest together is found out by a certificate that was
kept elsewhere. Digests say that nothing was changed, not who made it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from tacit import strict_json
from tacit.errors import SourceError
from tacit.regular_files import is_file, regular_bytes
from tacit.releases.certificates import CERTIFICATE, certified_digests
from tacit.releases.manifest import FILE, PRIVATE_FILE, VERSION, digest
from tacit.releases.manifest_schema import PrivateManifest, ReleaseManifest, check_schema
from tacit.releases.places import places, private_places
from tacit.releases.staging import settled

State = Literal["as published", "changed", "missing", "not covered"]


@dataclass(frozen=True)
class CheckedFile:
    """One file of a release.

    Attributes
    ----------
    place
        "public" or "private".
    state
        Whether it is as published. "not covered": nothing says what it should be.
    against
        What names a digest of it: `release.json`, `private.json`, a certificate.
    """

    place: Literal["public", "private"]
    name: str
    state: State
    against: tuple[str, ...]


@dataclass(frozen=True)
class Verification:
    """What was found of a folder.

    Attributes
    ----------
    folder
        The public folder.
    files
        Every file that is there or should be.
    certificates
        The certificates that were compared, by name.
    faults
        What does not fit together besides single files, in sentences.
    unchecked
        What could not be checked, in sentences.
    """

    folder: str
    files: tuple[CheckedFile, ...]
    certificates: tuple[str, ...]
    faults: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()

    @property
    def holds(self) -> bool | None:
        """True: every file is as published. False: one is not. None: something is there that nothing says of."""
        if self.faults or any(file.state in {"changed", "missing"} for file in self.files):
            return False
        return None if any(file.state == "not covered" for file in self.files) else True

    def as_dict(self) -> dict[str, Any]:
        """Return the findings for JSON."""
        return {"holds": self.holds, **asdict(self)}


def verify(folder: Path, *, certificate: Path | None = None) -> Verification:
    """Compare the files of a release with every digest that was written of them.

    Parameters
    ----------
    folder
        The public folder; its private part is checked too where it is at hand.
    certificate
        A certificate that was kept elsewhere, to be compared besides those that lie in the folders.

    Raises
    ------
    SourceError
        If the folder holds no release, or the certificate is none.
    """
    public, hidden = places(folder, None)
    kept = None
    if certificate is not None:
        kept = certified_digests(certificate)
        if kept is None:
            raise SourceError(f"{certificate} is not a certificate of a release.", hint="Name the PDF as it was made.")
    with settled(public):
        about, manifest = _manifest(public / FILE, ReleaseManifest)
        if about.get("format") != VERSION:
            raise SourceError(f"{public / FILE} has a format that this version does not know.", hint="Update tacit.")
        files = [file for entry in about["files"].values() for file in entry.get("parts") or [entry]]
        named = {file["path"]: file["sha256"] for file in files} | about["documents"]
        expected: dict[tuple[str, str], dict[str, str]] = {}
        faults, unchecked, compared = [], [], []
        _expect(expected, "public", named, FILE)
        secret, faulty = _private(public, hidden, manifest)
        faults += faulty
        if secret is None:
            unchecked.append("there is no private part of it here to check")
        else:
            _expect(expected, "private", secret[1], PRIVATE_FILE)
        for place, path in _certificates(public, None if secret is None else secret[0], certificate):
            found = certified_digests(path)
            if found is None:
                faults.append(f"{path.name} in the {place} folder is not a certificate of a release")
                continue
            name = path.name if place == "public" else f"{place} {path.name}"
            compared.append(name)
            faults += _left_out(found.public, named, name)
            _expect(expected, "public", found.public, name)
            if secret is not None:
                _expect(expected, "private", found.private, name)
        if not compared:
            unchecked.append("there is no certificate")
        folders = {"public": public, **({} if secret is None else {"private": secret[0]})}
        files = [file for place, where in folders.items() for file in _checked(place, where, expected)]
    return Verification(str(public), tuple(files), tuple(compared), tuple(faults), tuple(unchecked))


def _manifest(path: Path, schema: type[BaseModel]) -> tuple[dict[str, Any], str]:
    """Read a manifest and its digest; whatever is wrong with it is one sentence."""
    try:
        content = regular_bytes(path)
        about = strict_json.loads(content)
        if not isinstance(about, dict):
            raise TypeError("it holds no object")
        check_schema(about, schema)
    except (FileNotFoundError, NotADirectoryError):
        raise SourceError(f"{path.parent} does not hold a release: there is no {path.name}.") from None
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror or error}.") from None
    except (ValueError, TypeError) as error:
        raise SourceError(f"{path} cannot be read: {str(error).rstrip('.')}.") from None
    return about, hashlib.sha256(content).hexdigest()


def _private(public: Path, hidden: Path, manifest: str) -> tuple[tuple[Path, dict[str, str]] | None, list[str]]:
    """Return the private folder and its digests, where there is one and it may be read."""
    for place in private_places(public, hidden):
        try:
            if not (place / PRIVATE_FILE).is_file():
                continue
            regular_bytes(place / PRIVATE_FILE)
        except OSError:
            continue
        about, _ = _manifest(place / PRIVATE_FILE, PrivateManifest)
        if about["release"] != manifest:
            return None, [f"{place.name} holds the private part of another release, or {FILE} was changed"]
        return (place, dict(about["files"])), []
    return None, []


def _certificates(public: Path, private: Path | None, kept: Path | None) -> list[tuple[str, Path]]:
    places = [("public", public / CERTIFICATE)]
    places += [] if private is None else [("private", private / CERTIFICATE)]
    found = [(place, path) for place, path in places if path.is_file()]
    return found + ([] if kept is None else [("kept", kept)])


def _left_out(certified: Mapping[str, str], named: Mapping[str, str], certificate: str) -> list[str]:
    missing = sorted(({*named, FILE}) - certified.keys())
    return [f"{certificate} says nothing of {', '.join(missing)}"] if missing else []


def _expect(expected: dict[tuple[str, str], dict[str, str]], place: str, files: Mapping[str, str], by: str) -> None:
    for name, value in files.items():
        expected.setdefault((place, name), {})[by] = value


def _checked(
    place: Literal["public", "private"] | str, folder: Path, expected: Mapping[tuple[str, str], Mapping[str, str]]
) -> list[CheckedFile]:
    """Compare every file that is in a folder or should be."""
    there = {path.name for path in folder.iterdir()}
    ours = {FILE if place == "public" else PRIVATE_FILE, CERTIFICATE}
    names = sorted(there | {name for where, name in expected if where == place})
    files = []
    for name in names:
        digests = expected.get((place, name), {})
        path = folder / name
        state: State = "as published"
        if Path(name).name != name or not is_file(path):
            state = "missing" if digests else "not covered"
        elif not digests:
            if name in ours:  # a manifest without a certificate, or the certificate itself
                continue
            state = "not covered"
        elif set(digests.values()) != {digest(path)}:
            state = "changed"
        files.append(CheckedFile("public" if place == "public" else "private", name, state, tuple(digests)))
    return files
