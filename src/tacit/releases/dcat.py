"""`dcat.jsonld`: the release as catalogues of data expect it (DCAT 3, in JSON-LD).

It says nothing that the frames and `release.json` do not say. A catalogue also wants a publisher, a licence and a
contact: whoever enters the release into one adds them, because nothing in a recipe says them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tacit.audits import Audit
from tacit.measures.small_counts import SmallCounts
from tacit.releases.datapackage import MEDIA
from tacit.releases.formats import Format
from tacit.releases.manifest import WrittenFile, as_json
from tacit.releases.public_words import PublicWords
from tacit.shapes import Published

DCAT_FILE = "dcat.jsonld"
_CONTEXT = {
    "dcat": "http://www.w3.org/ns/dcat#",
    "dct": "http://purl.org/dc/terms/",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "spdx": "http://spdx.org/rdf/terms#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
_MEDIA_TYPES = "https://www.iana.org/assignments/media-types/"


def dcat(
    release: Published,
    audit: Audit,
    kind: Format,
    files: Mapping[str, WrittenFile | Sequence[WrittenFile]],
    hide: SmallCounts | None = None,
    words: PublicWords | None = None,
) -> bytes:
    """Describe the published files, which are written; a frame may be in several.

    `words` are said where the release is a sample of a larger one.
    """
    words = PublicWords.of(release, audit, hide) if words is None else words
    said = [words.description, *words.sensitive, *words.limitations, *words.biases]
    about = {
        "@context": _CONTEXT,
        "@type": "dcat:Dataset",
        "dct:title": _english(words.title),
        "dct:description": _english(" ".join(said)),
        "dct:provenance": {"@type": "dct:ProvenanceStatement", "rdfs:label": _english(words.processing)},
        "dcat:keyword": sorted({column.name for column in release.shape.columns}),
        "dcat:distribution": [
            _distribution(title, file, kind) for name in release.frames() for title, file in _parts(name, files[name])
        ],
    }
    return as_json(about)


def _parts(name: str, files: WrittenFile | Sequence[WrittenFile]) -> list[tuple[str, WrittenFile]]:
    if isinstance(files, WrittenFile):
        return [(name, files)]
    return [(name if len(files) == 1 else f"{name}, part {i + 1} of {len(files)}", f) for i, f in enumerate(files)]


def _english(text: str) -> dict[str, str]:
    return {"@value": text, "@language": "en"}


def _distribution(name: str, file: WrittenFile, kind: Format) -> dict[str, object]:
    return {
        "@type": "dcat:Distribution",
        "dct:title": name,
        "dcat:downloadURL": {"@id": file.name},
        "dcat:mediaType": {"@id": _MEDIA_TYPES + MEDIA[kind]},
        "dcat:byteSize": {"@value": str(file.size), "@type": "xsd:nonNegativeInteger"},
        "spdx:checksum": {
            "@type": "spdx:Checksum",
            "spdx:algorithm": {"@id": "spdx:checksumAlgorithm_sha256"},
            "spdx:checksumValue": {"@value": file.sha256, "@type": "xsd:hexBinary"},
        },
    }
