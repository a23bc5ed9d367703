"""A view as one self-contained page: inline styles and pictures, no script, light and dark, prints well."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, StrictUndefined, Template

from tacit.report.charts import alternative, svg
from tacit.report.view import Picture, ReportView
from tacit.visible import visible

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ view.title }}</title>
<style>
:root { color-scheme: light dark; --ink: #1b1b1b; --paper: #fdfdfb; --line: #d5d5d0; --mark: #0072b2; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8e4; --paper: #17181a; --line: #44464a; --mark: #56b4e9; } }
body { margin: 2.5rem auto; max-width: 58rem; padding: 0 1.2rem; color: var(--ink); background: var(--paper);
       font: 16px/1.55 system-ui, sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.25; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
.verdict { border-left: .35rem solid var(--mark); padding: .5rem 1rem; font-weight: 600; }
table { border-collapse: collapse; width: 100%; font-size: .88rem; margin: .8rem 0; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem;
         border-bottom: 1px solid var(--line); }
.long { overflow-wrap: anywhere; }
figure { margin: 1rem 0; break-inside: avoid; } figcaption { font-size: .88rem; margin-bottom: .3rem; }
figure div { background: #fff; border-radius: .3rem; padding: .5rem; overflow-x: auto; }
figure svg { max-width: 100%; height: auto; }
pre { padding: .8rem; border: 1px solid var(--line); overflow-x: auto; font-size: .84rem; }
@page { margin: 18mm 16mm; }
@media print {
  :root { color-scheme: light; --ink: #000; --paper: #fff; --line: #999; --mark: #0072b2; }
  body { margin: 0; max-width: none; padding: 0; font-size: 10.5pt; background: none; }
  h1, h2, figcaption { break-after: avoid; } p { orphans: 3; widows: 3; }
  table { break-inside: auto; } thead { display: table-header-group; } tr { break-inside: avoid; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; overflow: visible; }
  figure div { padding: 0; overflow: visible; }
}
</style>
</head>
<body>
<main>
<h1>{{ view.title }}</h1>
<p class="verdict">{{ view.verdict }}</p>
{% for section in view.sections %}
<section>
<h2>{{ section.title }}</h2>
{% for paragraph in section.paragraphs %}<p>{{ paragraph }}</p>
{% endfor %}
{% if section.grid %}<table>
<thead><tr>{% for cell in section.grid.head %}<th scope="col">{{ cell }}</th>{% endfor %}</tr></thead>
<tbody>{% for row in section.grid.rows %}
<tr>{% for cell in row %}<td{% if long(cell) %} class="long"{% endif %}>{{ cell }}</td>{% endfor %}</tr>{% endfor %}
</tbody></table>{% endif %}
{% for picture in section.pictures %}<figure><figcaption>{{ picture.caption }}</figcaption>
{{ draw(picture)|safe }}</figure>
{% endfor %}
{% if section.code %}<pre tabindex="0">{{ section.code }}</pre>{% endif %}
</section>
{% endfor %}
</main>
</body>
</html>
"""


_WORD = 40
"""Letters of a word that a column is made wide enough for. Chosen by hand."""


def as_html(view: ReportView) -> str:
    """Render the page; everything that comes from data is escaped."""
    return _page().render(view=view, draw=_drawn, long=_is_long)


@cache
def _page() -> Template:
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_shown
    )
    return environment.from_string(_PAGE)


def _is_long(cell: str) -> bool:
    """Tell whether a cell has a word that must break, so that the table stays as wide as the page."""
    return any(len(word) > _WORD for word in cell.split())


def _shown(value: object) -> object:
    """Write visibly what a page cannot hold; what is markup already is left."""
    return visible(value, keep="\n\t") if isinstance(value, str) and not hasattr(value, "__html__") else value


def _drawn(picture: Picture) -> str:
    """Draw a chart. A picture helps, but no release fails for want of it."""
    try:
        said = visible(alternative(picture.chart, picture.caption))
        return f"<div>{svg(picture.chart, said)}</div>"
    except Exception:
        return "<p>This picture could not be drawn. Nothing else in this report depends on it.</p>"
