"""Rendering: contents become a PDF that is tagged (PDF/UA-1) and needs nothing else.

Fonts come with the typesetter. Where a text has letters that no font of this machine has, they are written as their
code points, so that nothing disappears from the page without a trace.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tacit import strict_json
from tacit.borders import first_line, is_panic, quiet
from tacit.errors import SourceError
from tacit.sources.extras import extra

LARGEST = 1_000_000
"""Bytes of a certificate at most, so that it can be sent by mail and kept with the release."""

_TEMPLATE = Path(__file__).with_name("certificate.typ")
_FOREIGN = re.compile("[^\x00-\u036f\u0370-\u03ff\u0400-\u052f\u1e00-\u1fff\u2000-\u206f\u20ac\u2200-\u22ff\u2610]")
"""Letters beyond the scripts that the fonts of the typesetter have: Latin, Greek and Cyrillic."""


class CertificateFailed(SourceError):
    """A certificate could not be made; the release does not depend on it."""


def render(contents: Mapping[str, Any]) -> bytes:
    """Typeset a certificate.

    Raises
    ------
    CertificateFailed
        If the typesetter is not installed or refuses.
    """
    try:
        typst = extra("typst", what="A certificate", extra_name="certificate")
    except SourceError as error:
        raise CertificateFailed(error.message, hint=error.hint) from None
    template, text = _TEMPLATE.read_bytes(), strict_json.dumps(contents)
    # Accessible and with every letter; accessible with code points for foreign letters; as well as it goes.
    attempts = [(text, ["ua-1"]), (_spelled(text), ["ua-1"]), (_spelled(text), [])]
    said = ""
    for given, standards in attempts:
        try:
            with quiet():
                return bytes(typst.compile(template, sys_inputs={"contents": given}, pdf_standards=standards))
        except BaseException as error:
            if not isinstance(error, Exception) and not is_panic(error):
                raise
            said = first_line(error)
    raise CertificateFailed(f"The certificate could not be typeset: {said}.", hint="The reports hold the same.")


def _spelled(text: str) -> str:
    r"""Write foreign letters of a JSON text as code points that are seen: `\u5b57` on the page."""
    return _FOREIGN.sub(lambda found: "\\\\" + found[0].encode("unicode_escape").decode("ascii")[1:], text)
