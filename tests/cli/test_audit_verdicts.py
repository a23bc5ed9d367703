"""`tacit audit`: the exit code follows the verdict, and the words say what was checked and what was not."""

import shutil
from pathlib import Path

import pytest

ADULT = Path(__file__).resolve().parents[3] / "shared" / "data"
FOREIGN = ["patients.csv", "--qi", "age,zip,sex", "--sensitive", "disease"]


@pytest.fixture
def alone(clinic: Path, tacit) -> Path:
    """A release of which somebody was withheld, without its private part."""
    lines = (clinic / "patients.csv").read_text() + "q1,88,99999,F,flu\nq2,89,99998,F,flu\n"
    (clinic / "patients.csv").write_text(lines)
    assert tacit("publish", "clinic.toml").code == 0
    shutil.rmtree(clinic / "out.private")
    return clinic


def test_a_claim_that_cannot_be_checked_is_an_exit_code_of_1(alone, tacit):
    claimed = ("audit", "out", "--claim", "l-diversity:l=1")  # their number is public, their values are not
    done = tacit(*claimed)
    assert done.code == 1
    assert "l-diversity (l=1, kind=distinct) cannot be checked" in done.err
    assert "give the table" in done.err, "what would be needed is said"
    assert "cannot be checked" in done.out
    assert tacit(*claimed, "--allow-unchecked").code == 0
    assert tacit(*claimed, "--json").json["audit"]["holds"] is None


def test_how_many_were_withheld_is_enough_for_k_anonymity(alone, tacit):
    done = tacit("audit", "out", "--json")
    assert done.code == 0, done.err
    assert done.json["audit"]["findings"][0]["parts"]["withheld"] == "holds"


def test_the_table_tells_what_was_withheld(alone, tacit):
    done = tacit("audit", "out", "--table", "patients.csv", "--json")
    assert done.code == 0, done.err
    assert done.json["audit"]["findings"][0]["parts"]["withheld"] == "holds"
    by_recipe = tacit("audit", "out", "--table", "patients.csv", "--recipe", "clinic.toml", "--json")
    assert by_recipe.json["audit"] == done.json["audit"]


def test_a_claim_that_fails_is_1_whatever_is_allowed_and_names_its_parameters(clinic, tacit):
    done = tacit("audit", *FOREIGN, "--claim", "k-anonymity:k=50", "--allow-unchecked")
    assert done.code == 1
    assert "k-anonymity (k=50, of=published) does not hold" in done.err


def test_nothing_claimed_is_no_verdict_and_no_failure(clinic, tacit):
    done = tacit("audit", *FOREIGN, "--json")
    assert done.code == 0
    assert done.json["audit"]["holds"] is None
    assert done.json["audit"]["findings"] == []
    assert "nothing is claimed" in tacit("audit", *FOREIGN).out


def test_a_claim_may_be_about_the_published_rows_alone(alone, tacit):
    done = tacit(
        "audit",
        "out",
        "--claim",
        "l-diversity:l=1",
        "--claim",
        "l-diversity:l=1,of=published",
        "--allow-unchecked",
        "--json",
    )
    _, everybody, published = done.json["audit"]["findings"]
    assert everybody["holds"] is None
    assert published["holds"] is True
    assert published["parameters"]["of"] == "published"
    assert published["parts"] == {"published": "holds", "withheld": "none", "blanks": "none", "replayed": "none"}
    assert "about the published rows alone" in published["sentence"]
    assert tacit("audit", *FOREIGN, "--claim", "k-anonymity:k=2,of=anybody").code == 2


def test_a_recipe_may_claim_about_the_published_rows_alone(clinic, tacit):
    text = (clinic / "clinic.toml").read_text().replace("k = 2", 'k = 2, of = "published"')
    (clinic / "clinic.toml").write_text(text)
    done = tacit("publish", "clinic.toml", "--json")
    assert done.code == 0, done.err
    assert done.json["audit"]["findings"][0]["parameters"] == {"k": 2, "of": "published"}
    assert "about the published rows alone" in (clinic / "out" / "report.md").read_text()


def test_warnings_are_what_was_also_found(clinic, tacit):
    text = "".join(f"{30 + i // 3},{'flu' if i < 6 else 'cold'}\n" for i in range(12))
    (clinic / "same.csv").write_text("age,ill\n" + text)
    arguments = ["audit", "same.csv", "--qi", "age", "--sensitive", "ill", "--claim", "k-anonymity:k=3"]
    done = tacit(*arguments, "--report", "verdict.md")
    assert done.code == 0, done.err
    assert " also found   linkage-adversary" in done.out
    assert "not asked" not in done.out
    head = (clinic / "verdict.md").read_text().splitlines()[2]
    assert head.startswith("**Every claimed guarantee holds. Yet somebody who knows the quasi-identifiers learns 'ill'")
    assert "12 rows" in head


def test_whose_belief_a_posterior_is_is_said(clinic, tacit):
    words = "what somebody could believe who takes all matchings of people and published values for equally likely"
    done = tacit("audit", *FOREIGN, "--claim", "l-diversity:l=2", "--report", "verdict.md")
    assert f"The posterior of l-diversity is {words}." in done.out
    assert f"The posterior of l-diversity is {words}." in (clinic / "verdict.md").read_text()


def test_victims_in_words(clinic, tacit):
    (clinic / "voters.csv").write_text("voter,name\nann,p1\nbob,nobody\n")
    done = tacit("audit", "patients.csv", "--qi", "name", "--sensitive", "disease", "--victims", "voters.csv")
    assert "victims: 1 of 2 may be in it; exactly one row fits 1 of them; largest posterior 1.0000" in done.out
    assert "disease is certain of 1 victims" in done.out


SCHOOLS = (
    "Bachelors;Undergraduate;Higher education;*\nMasters;Graduate;Higher education;*\n11th;High School;Secondary;*\n"
)


@pytest.fixture
def schools(clinic: Path) -> Path:
    """A table whose cells are nodes, of two levels, and the people whom somebody looks for."""
    rows = ["Undergraduate,flu", "Undergraduate,cold", "Higher education,gout", "Secondary,flu"]
    (clinic / "schools.csv").write_text("education,ill\n" + "\n".join(rows) + "\n")
    (clinic / "people.csv").write_text("education\nBachelors\nMasters\n11th\n")
    (clinic / "trees").mkdir()
    return clinic


@pytest.mark.parametrize("name", ["education.csv", "adult_hierarchy_education.csv"])
def test_nodes_are_read_with_a_folder_of_hierarchies(schools, tacit, name):
    arguments = ["audit", "schools.csv", "--qi", "education", "--sensitive", "ill", "--victims", "people.csv", "--json"]
    assert tacit(*arguments).json["victims"]["found"] == 0, "without it a node is a text like any other"
    (schools / "trees" / name).write_text(SCHOOLS)
    told = tacit(*arguments, "--hierarchies", "trees").json["victims"]
    assert (told["found"], told["singled_out"]) == (3, 2)


def test_nodes_are_read_with_a_recipe(schools, tacit):
    (schools / "education.csv").write_text(SCHOOLS)
    (schools / "schools.toml").write_text(
        '[table]\nsource = "raw.csv"\n[roles]\nquasi_identifiers = ["education"]\nsensitive = ["ill"]\n'
        '[hierarchies]\neducation = "education.csv"\n[[steps]]\nmethod = "anatomy"\nl = 2\n'
    )
    done = tacit("audit", "schools.csv", "--recipe", "schools.toml", "--victims", "people.csv", "--json")
    assert done.code == 0, done.err
    assert done.json["victims"]["found"] == 3


def test_folders_of_hierarchies_that_cannot_be_used(schools, tacit):
    arguments = ["audit", "schools.csv", "--qi", "education", "--sensitive", "ill", "--hierarchies"]
    nowhere = tacit(*arguments, "nowhere")
    assert nowhere.code == 2
    assert "There is no folder nowhere." in nowhere.err
    nothing = tacit(*arguments, "trees")
    assert nothing.code == 2
    assert "education.csv" in nothing.err
    for name in ("education.csv", "adult_hierarchy_education.csv"):
        (schools / "trees" / name).write_text(SCHOOLS)
    both = tacit(*arguments, "trees")
    assert both.code == 2
    assert "two hierarchies of 'education'" in both.err


@pytest.mark.skipif(not ADULT.exists(), reason="the hierarchies of Adult are not part of the package")
def test_the_hierarchies_of_arx_are_found_by_their_names(clinic, tacit):
    rows = ["Undergraduate,White,flu", "Higher education,*,cold", "Primary School,Black,flu"]
    (clinic / "adult.csv").write_text("education,race,ill\n" + "\n".join(rows) + "\n")
    (clinic / "people.csv").write_text("education,race\nBachelors,White\nSome-college,Black\n")
    arguments = ["audit", "adult.csv", "--qi", "education,race", "--sensitive", "ill", "--victims", "people.csv"]
    done = tacit(*arguments, "--hierarchies", ADULT, "--json")
    assert done.code == 0, done.err
    assert done.json["victims"]["found"] == 2
