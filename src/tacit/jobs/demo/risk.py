"""Any subset of attributes: nobody needs to know everything of somebody who is the only one of her kind."""

from __future__ import annotations

import polars as pl

from tacit.adversaries import BlankAdversary, KnownSetAdversary
from tacit.datasets import planted, victims
from tacit.jobs.demo.act import Act, Played, Stage, people
from tacit.knowledge.risk import DisclosureRisk
from tacit.measures import utility
from tacit.methods import ValueSuppression
from tacit.releases import Release
from tacit.table import Table

_DELTA = 0.1
"""The threshold of the demonstration. Smaller blanks more cells. Chosen by hand."""
_KNOWN = {"nationality": 0.8, "sex": 0.8, "age": 0.3, "postcode": 0.3, "admission": 0.05}
_WEIGH = ("HIV infection", "depression", "schizophrenia", "porphyria", "leprosy", "Huntington disease")


def risk(stage: Stage) -> Played:
    """Look for somebody by one attribute, and read her diagnosis."""
    hospital = stage.table
    names = [*hospital.quasi_identifiers, *hospital.sensitive]
    table = Table(
        hospital.frame.select(names), quasi_identifiers=hospital.quasi_identifiers, sensitive=hospital.sensitive
    )
    weights = {"diagnosis": {value: 1.0 for value in _WEIGH if value in table.frame["diagnosis"]}}
    model = DisclosureRisk(known=_KNOWN, value_weights=weights)
    naive = Release.foreign(table.frame, quasi_identifiers=table.quasi_identifiers, sensitive=table.sensitive)
    release = ValueSuppression(delta=_DELTA, risk=model).protect(table)
    score = model.score(table, tolerance=_DELTA / 100)
    cost = utility(release, table)
    hidden = BlankAdversary(table=table, risk=model).attack(release)["diagnosis"]
    above = int((score.low > _DELTA).sum())
    act = Act(
        "Risk",
        "everything but names was published; the attacker knows one or two things of a person, whatever it is.",
        f"{people(above)} above a risk of {_DELTA:g}; {_victim(naive, hospital)}",
        f"nobody is above {_DELTA:g}; {_victim(release, hospital)}; a blank hides one of {len(weights['diagnosis'])} "
        f"diagnoses that weigh with posterior {hidden.posterior:.2f}",
        f"{cost.cell_suppression_rate:.2%} of the cells are blank, no row withheld",
    )
    return Played(act, release, table)


def _victim(release: Release, hospital: Table) -> str:
    """Find the planted person who is alone with her nationality, and read her row."""
    case = planted(hospital)["risk"]
    listed = victims(hospital, who=case.rows, known=["nationality"])
    attack = KnownSetAdversary(victims=listed, known_set=("nationality",)).attack(release)
    at = int(attack.candidates.argmin())
    if int(attack.candidates[at]) != 1:
        return f"{int(attack.candidates.min()):,} rows fit whoever is rarest by nationality"
    diagnosis = release.frames()["table"]["diagnosis"].cast(pl.String)[int(attack.rows(at)[0])]
    name, nationality = listed["name"][at], listed["nationality"][at]
    read = "is blank" if diagnosis is None else f"is {diagnosis!r} (1.00)"
    return f"{name} is the only one who is {nationality}, and her diagnosis {read}"
