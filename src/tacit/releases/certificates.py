"""Certificates: where they lie, what digests they hold, and how one is put beside a release that is already there.

A certificate is made after a release is safe on disk, so `release.json` cannot name it; it names `release.json`. The
digests are attached to it as a file, which is found again without any reader of PDF.
"""

from __future__ import annotations

import hashlib
import os
import re
import zlib
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from tacit import strict_json
from tacit.errors import SourceError
from tacit.regular_files import regular_bytes
from tacit.releases.locks import locked
from tacit.releases.manifest import FILE, PRIVATE_FILE
from tacit.releases.staging import Staging

CERTIFICATE = "certificate.pdf"
MARK = "tacit_certificate"
"""The key by which the attached list of digests is recognised."""
PUBLIC, PRIVATE = "the public folder", "the private folder"
"""What the folders of a release are called in a certificate."""

_LARGEST = 1 << 24
"""Bytes that are read of a certificate, or of what is attached to it (16 MB): it has at most one million."""
_ATTACHED = re.compile(rb"/Type\s{0,9}/EmbeddedFile\b")
_MOST_ATTACHED = 16
"""How many attached files are looked at: a certificate has one."""
_HEAD = 2_048
"""Bytes before and behind the word, within which what else is said of an attached file stands."""


@dataclass(frozen=True)
class CertifiedDigests:
    """The digests that a certificate holds, by name of the file; none for a folder that it is not about."""

    public: dict[str, str]
    private: dict[str, str]


def certified_digests(path: Path) -> CertifiedDigests | None:
    """Read the digests that a certificate holds; None if it is no certificate of this tool."""
    try:
        content = regular_bytes(path, largest=_LARGEST)
    except OSError:
        return None
    # Only fixed words are looked for, one after another: a file made to be slow to read is read as fast as any other.
    for found in islice(_ATTACHED.finditer(content), _MOST_ATTACHED):
        end = content.find(b"stream", found.end(), found.end() + _HEAD)
        if end < 0:
            continue
        begun = content.rfind(b" obj", max(0, found.start() - _HEAD), found.start())
        head = content[max(begun, 0) : end]
        length = re.search(rb"/Length\s{1,9}(\d{1,9})\b", head)
        start = end + len(b"stream") + (2 if content[end + 6 : end + 8] == b"\r\n" else 1)
        stream = content[start : start + (int(length[1]) if length else 0)]
        try:
            text = zlib.decompressobj().decompress(stream, _LARGEST) if b"/FlateDecode" in head else stream
            about = strict_json.loads(text)
        except (ValueError, zlib.error):
            continue
        if isinstance(about, dict) and about.get(MARK) == 1:
            return _digests(about.get("folders"))
    return None


def _digests(folders: object) -> CertifiedDigests | None:
    known = folders if isinstance(folders, dict) else {}
    found = []
    for files in (known.get(PUBLIC), known.get(PRIVATE, {})):
        if not isinstance(files, dict) or not all(isinstance(digest, str) for digest in files.values()):
            return None
        found.append(dict(files))
    return CertifiedDigests(*found)


def put_beside(folder: Path, content: bytes, *, release: str, private: bool) -> None:
    """Put a certificate into a folder of a release, if it still holds that release.

    Parameters
    ----------
    folder
        The public folder, or the private one.
    content
        The certificate.
    release
        The digest of the manifest that was there when the certificate was made.
    private
        Whether only its owner may read it.

    Raises
    ------
    SourceError
        If the folder holds another release by now, or cannot be written.
    """
    manifest = folder / (PRIVATE_FILE if private else FILE)
    try:
        with Staging() as staging:  # what is killed here is swept up by whoever publishes next
            place = staging.folder(folder, mode=0o700) / CERTIFICATE
            handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666)
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            with locked(folder.parent):
                if hashlib.sha256(manifest.read_bytes()).hexdigest() != release:
                    raise SourceError(f"{folder} holds another release by now.", hint="It has its own certificate.")
                place.replace(folder / CERTIFICATE)
    except OSError as error:
        raise SourceError(f"{folder / CERTIFICATE} cannot be written: {error.strerror or error}.") from None
