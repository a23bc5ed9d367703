"""Published frames as xlsx: one sheet with the names of the columns in its first row.

The parts of the file are written here, column by column and without a time stamp, so that a release made with a seed
has the same bytes every day. Texts are texts: none can become a formula.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

import polars as pl

from tacit.errors import SourceError
from tacit.releases.worded_cells import unworded, worded
from tacit.shapes import PublishedColumn
from tacit.sources.extras import extra

MOST_ROWS, MOST_COLUMNS, MOST_CHARACTERS = 1_048_576, 16_384, 32_767
"""What a sheet holds, the row with the names included, and a cell."""
_CHUNK = 50_000
"""Rows that are written at a time. More need more memory, fewer more calls. Chosen by hand."""
_FIRST_DAY = date(1900, 3, 1)  # before it spreadsheets disagree, because 1900 was no leap year
_EPOCH = date(1899, 12, 30)
_WORKBOOK = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_PARTS = {
    "[Content_Types].xml": (
        f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_KIND}.sheet.main+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_KIND}.worksheet+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_KIND}.styles+xml"/></Types>'
    ),
    "_rels/.rels": (
        f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
    ),
    "xl/_rels/workbook.xml.rels": (
        f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
        f'<Relationship Id="rId2" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>'
    ),
    "xl/workbook.xml": (
        f'<workbook xmlns="{_WORKBOOK}" xmlns:r="{_OFFICE}"><sheets>'
        '<sheet name="table" sheetId="1" r:id="rId1"/></sheets></workbook>'
    ),
    # Style 0 is the usual one, style 1 a day, style 2 the bold names of the columns.
    "xl/styles.xml": (
        f'<styleSheet xmlns="{_WORKBOOK}">'
        '<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts>'
        '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>'
        '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
        '<fills count="2"><fill><patternFill patternType="none"/></fill>'
        '<fill><patternFill patternType="gray125"/></fill></fills>'
        '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
        '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
        '<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
        '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'
        '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs>'
        '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
    ),
}


def write_xlsx(frame: pl.DataFrame, path: Path, columns: Mapping[str, PublishedColumn]) -> None:
    """Write one frame."""
    if frame.height + 1 > MOST_ROWS or frame.width > MOST_COLUMNS:
        raise SourceError(
            f"A sheet holds {MOST_ROWS - 1:,} rows and {MOST_COLUMNS:,} columns; "
            f"{path.stem!r} has {frame.height:,} rows and {frame.width:,} columns.",
            hint='Say format = "csv" or "parquet".',
        )
    cells = [_days_as_text(values) for values in worded(frame, columns)]
    for values in cells:
        if values.dtype == pl.String and (values.str.len_chars() > MOST_CHARACTERS).any():
            raise SourceError(
                f"A cell of column {values.name!r} has more than {MOST_CHARACTERS:,} characters.",
                hint='No spreadsheet holds it; say format = "csv" or "parquet".',
            )
    names = pl.Series([str(name) for name in frame.columns], dtype=pl.String)
    with zipfile.ZipFile(path, "w") as archive:
        for part, text in _PARTS.items():
            archive.writestr(_entry(part), _HEAD + text)
        with archive.open(_entry("xl/worksheets/sheet1.xml"), "w", force_zip64=True) as sheet:
            sheet.write(f'{_HEAD}<worksheet xmlns="{_WORKBOOK}"><sheetData>'.encode())
            first = "".join(_text(names, pl.Series([f"{_letters(i)}1" for i in range(len(names))]), style=2))
            sheet.write(f'<row r="1">{first}</row>'.encode())
            for begin in range(0, frame.height, _CHUNK):
                sheet.write(_rows([values.slice(begin, _CHUNK) for values in cells], begin).encode())
            sheet.write(b"</sheetData></worksheet>")


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    return entry


def _rows(cells: Sequence[pl.Series], begin: int) -> str:
    """Write rows, all cells of a column at once."""
    height = len(cells[0])
    numbers = pl.int_range(begin + 2, begin + 2 + height, eager=True).cast(pl.String)
    written = [_cells(values, pl.select(_letters(i) + pl.lit(numbers)).to_series()) for i, values in enumerate(cells)]
    columns = pl.DataFrame({f"{i}": each for i, each in enumerate(written)})
    whole = pl.concat_str(
        pl.lit('<row r="'), pl.lit(numbers), pl.lit('">'), *(pl.col(name) for name in columns.columns), pl.lit("</row>")
    )
    return str(columns.select(whole.str.join("")).item())


def _cells(values: pl.Series, places: pl.Series) -> pl.Series:
    if values.dtype == pl.String:
        return _text(values, places)
    if values.dtype == pl.Boolean:
        opening, numbers = '" t="b"><v>', values.cast(pl.Int8).cast(pl.String)
    elif values.dtype == pl.Date:
        days = values.to_physical() - pl.Series([_EPOCH]).to_physical().item()
        opening, numbers = '" s="1"><v>', days.cast(pl.String)
    else:
        opening, numbers = '"><v>', values.cast(pl.String)
    cell = pl.concat_str(pl.lit('<c r="'), pl.lit(places), pl.lit(opening), pl.lit(numbers), pl.lit("</v></c>"))
    return pl.select(cell.fill_null("")).to_series()


def _text(values: pl.Series, places: pl.Series, *, style: int = 0) -> pl.Series:
    safe = values.str.replace_all("&", "&amp;", literal=True)
    safe = safe.str.replace_all("<", "&lt;", literal=True).str.replace_all(">", "&gt;", literal=True)
    # Excel reads _x0041_ as the character of that number, unless the underscore is written so itself.
    safe = safe.str.replace_all(r"_(x[0-9A-Fa-f]{4}_)", "_x005F_${1}")
    opening = f'" s="{style}" t="inlineStr"><is><t xml:space="preserve">'
    cell = pl.concat_str(pl.lit('<c r="'), pl.lit(places), pl.lit(opening), pl.lit(safe), pl.lit("</t></is></c>"))
    return pl.select(cell.fill_null("")).to_series()


def _days_as_text(values: pl.Series) -> pl.Series:
    old = values.dtype == pl.Date and bool((values < _FIRST_DAY).any())
    return values.cast(pl.String) if old else values


def _letters(index: int) -> str:
    """Name a column as spreadsheets do.

    Examples
    --------
    >>> _letters(0), _letters(25), _letters(26), _letters(702)
    ('A', 'Z', 'AA', 'AAA')
    """
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def read_xlsx(
    path: Path, columns: Mapping[str, PublishedColumn], types: Sequence[Sequence[str]], rows: int
) -> pl.DataFrame:
    """Read one frame back."""
    fastexcel = extra("fastexcel", what=f"{path.name} is a spreadsheet, and reading it")
    sheet = fastexcel.read_excel(path).load_sheet(0, header_row=None, skip_rows=1, schema_sample_rows=None)
    loaded: pl.DataFrame = sheet.to_polars()
    # Rows and columns of nothing but nulls are not in the file.
    given = [loaded.to_series(i) if i < loaded.width else pl.Series([], dtype=pl.String) for i in range(len(types))]
    return unworded([values.extend_constant(None, rows - len(values)) for values in given], columns, types)
