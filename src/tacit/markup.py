"""Markup: small pieces of HTML for notebooks, with everything that comes from data escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

_CELL = 'style="text-align: left; vertical-align: top"'


def sentence(text: str) -> str:
    """Write a paragraph.

    Examples
    --------
    >>> sentence("3 < 5")
    '<p>3 &lt; 5</p>'
    """
    return f"<p>{escape(text)}</p>"


def grid(head: Sequence[str], rows: Sequence[Sequence[object]], *, caption: str = "") -> str:
    """Write a table.

    Examples
    --------
    >>> grid(["a"], [["<b>"]]).count("&lt;b&gt;")
    1
    """
    caption_line = f"<caption {_CELL}>{escape(caption)}</caption>" if caption else ""
    top = "".join(f"<th {_CELL}>{escape(str(cell))}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td {_CELL}>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table>{caption_line}<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
