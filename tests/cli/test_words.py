"""Sentences that people read when something is wrong: in the words of a recipe, with the way out."""

import pytest

HEAD = '[table]\nsource = "patients.csv"\n[roles]\nquasi_identifiers = ["age"]\nsensitive = ["disease"]\n[[steps]]\n'
CASES = {
    "names without quotes": (HEAD.replace('["age"]', "[age]"), ["line 4: age has no quotes", 'names in quotes: "age"']),
    "a source without quotes": (HEAD.replace('"patients.csv"', "patients.csv"), ["patients.csv has no quotes"]),
    "a number for a list": (f'{HEAD}method = "mondrian"\nguarantees = 5\n', ["should be a list"]),
    "a word for a number": (
        f'{HEAD}method = "mondrian"\nguarantees = [{{ name = "k-anonymity", k = "five" }}]\n',
        ["k-anonymity: k = 'five' is not allowed: should be a valid integer"],
    ),
    "names for a number": (f'{HEAD}method = "anatomy"\nl = {{ a = 2 }}\n', ["l = { a = 2 } is not allowed"]),
    "a text for a list": (HEAD.replace('["age"]', '"age"') + 'method = "anatomy"\nl = 2\n', ['Given: "age"']),
    "differential privacy": (
        f'{HEAD}method = "differential-privacy"\nepsilon = 1\n',
        ["publishes true rows, and adds no noise", "limits.md"],
    ),
    "differential privacy as a guarantee": (
        f'{HEAD}method = "mondrian"\nguarantees = [{{ name = "differential-privacy" }}]\n',
        ["limits.md"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_errors_speak_the_words_of_a_recipe(clinic, tacit, name):
    text, expected = CASES[name]
    (clinic / "wrong.toml").write_text(text)
    done = tacit("publish", "wrong.toml")
    assert done.code == 2
    assert done.err.startswith("tacit: wrong.toml")
    for part in expected:
        assert part in done.err
    assert "{'" not in done.err
    assert "tuple" not in done.err


def test_data_is_not_a_recipe_and_the_way_to_one_is_named(clinic, tacit):
    done = tacit("publish", "patients.csv")
    assert done.code == 2
    assert "patients.csv is data, not a recipe" in done.err
    assert "tacit inspect patients.csv --recipe patients.toml" in done.err


def test_one_group_is_one_group(clinic, tacit):
    text = HEAD + 'method = "mondrian"\nguarantees = [{ name = "k-anonymity", k = 48 }]\n'
    (clinic / "one.toml").write_text(text)
    done = tacit("publish", "one.toml")
    assert done.code == 0, done.err
    assert "1 group, the smallest of 48 rows" in done.out
    assert done.out.count("normalized certainty penalty") == 1
