"""Every command that reads a file takes the same options of reading: what is guessed wrong can be said."""

import pytest

import tacit as tc

ROWS = ["größe;alter;leiden"] + [
    f"{'groß' if i % 2 else 'klein'};{i % 3},5;{('Röteln', 'Gicht')[i % 4 // 2]}" for i in range(12)
]


@pytest.fixture
def german(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "leute.csv").write_bytes("\n".join(ROWS).encode("utf-16-le"))  # no byte order mark
    return tmp_path / "leute.csv"


OPTIONS = ("--encoding", "utf-16-le", "--separator", ";", "--decimal", ",")


def test_audit_takes_them(german, tacit):
    found = tacit("audit", german, "--qi", "größe,alter", "--sensitive", "leiden", *OPTIONS, "--json")
    assert found.code == 0, found.err
    assert found.json["rows"] == 12
    wrong = tacit("audit", german, "--qi", "größe", "--sensitive", "leiden", "--encoding", "klingon")
    assert wrong.code == 2
    assert "klingon" in wrong.err


def test_audit_takes_them_for_the_table_behind_a_release(german, tacit):
    roles = {"quasi_identifiers": ["größe", "alter"], "sensitive": "leiden"}
    table = tc.Table.read(german, encoding="utf-16-le", separator=";", decimal=",", **roles)
    tc.Mondrian([tc.KAnonymity(2)]).protect(table).write("out", format="csv")
    found = tacit("audit", "out", "--table", german, *OPTIONS, "--json")
    assert found.code == 0, found.err


def test_compare_takes_them_instead_of_what_the_recipe_says(german, tacit):
    german.with_name("leute.toml").write_text(
        '[table]\nsource = "leute.csv"\n[read]\nencoding = "windows-1252"\n'
        '[roles]\nquasi_identifiers = ["größe", "alter"]\nsensitive = ["leiden"]\n'
        '[[steps]]\nmethod = "mondrian"\nguarantees = [{ name = "k-anonymity", k = 2 }]\n',
        encoding="utf-8",
    )
    assert tacit("compare", "leute.toml").code == 2
    found = tacit("compare", "leute.toml", *OPTIONS, "--json")
    assert found.code == 0, found.err
    assert found.json["choices"][0]["holds"]


def test_sheets_by_number(german, tacit):
    pytest.importorskip("fastexcel")
    xlsxwriter = pytest.importorskip("xlsxwriter")
    with xlsxwriter.Workbook("two.xlsx") as book:
        for name, values in (("a", ["x", "y"]), ("b", ["z"] * 4)):
            sheet = book.add_worksheet(name)
            sheet.write_column(0, 0, ["town", *values])
            sheet.write_column(0, 1, ["ill", *["flu", "cold", "flu", "cold"][: len(values)]])
    found = tacit("audit", "two.xlsx", "--qi", "town", "--sensitive", "ill", "--sheet", "2", "--json")
    assert found.json["rows"] == 4
