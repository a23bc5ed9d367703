"""Several releases: each is safe by itself, and together they are not."""

from __future__ import annotations

from tacit.adversaries import Intersection, IntersectionAdversary, LinkageAdversary
from tacit.guarantees import LDiversity
from tacit.jobs.demo.act import Act, Played, Stage, people
from tacit.jobs.demo.months import three_months
from tacit.measures import utility
from tacit.methods import InvariantMarginals, Mondrian
from tacit.releases import Release
from tacit.table import Table

_MONTHLY = ["age", "sex", "postcode"]
_MARGINALS = {"by_day": ["admission", "age", "sex"], "by_place": ["postcode"]}


def marginals(stage: Stage) -> Played:
    """Find people in both tables, and keep the diagnoses that both allow."""
    table = stage.table
    used = list(dict.fromkeys(column for columns in _MARGINALS.values() for column in columns))
    naive = Release.foreign(
        {name: _alone(table, columns) for name, columns in _MARGINALS.items()},
        quasi_identifiers=used,
        sensitive="diagnosis",
    )
    release = InvariantMarginals(m=2, marginals=_MARGINALS).protect(table)
    adversary = IntersectionAdversary(victims=stage.known)
    single = LinkageAdversary(victims=stage.known).attack(naive).max_posterior
    afresh = three_months(table, _MONTHLY, afresh=True)
    followed = three_months(table, _MONTHLY, afresh=False)
    act = Act(
        "Marginals",
        "one table by day, age and sex, another by postcode, each grouped so that nobody's diagnosis is likelier than "
        "one half; the attacker reads both. Then three months, in which a tenth of the patients leaves and as many "
        "come; she reads all three.",
        f"{single:.2f} at most from one table, but {_outcome(adversary.attack(naive), stage)}; three months made "
        f"afresh leave one diagnosis for {afresh.pinned:,} of {people(afresh.people)} who are in several",
        f"{_outcome(adversary.attack(release), stage)}; three months through a ledger leave one for "
        f"{followed.pinned:,} of {followed.people:,}, the likeliest at {followed.posterior:.2f}",
        f"NCP {utility(release, table).ncp:.3f}; both tables are cut from the same buckets; {followed.counterfeits:,} "
        "rows of the third month are nobody's",
    )
    return Played(act, release, table)


def _alone(table: Table, columns: list[str]) -> object:
    """Publish one table as if there were no other."""
    part = Table(table.frame.select(*columns, "diagnosis"), quasi_identifiers=columns, sensitive="diagnosis")
    return Mondrian(guarantees=[LDiversity(l=2, kind="frequency")]).protect(part).frames()["table"]


def _outcome(belief: Intersection, stage: Stage) -> str:
    """Say what the attacker knows after reading both tables."""
    if not belief.pinned:
        return f"both leave at least {int(belief.candidates.min())} diagnoses for everybody: nobody is known for sure"
    at = int((belief.candidates == 1).argmax())
    return (
        f"both leave one diagnosis for {people(belief.pinned)} of {len(belief.candidates):,}: "
        f"{stage.known['name'][at]} has {belief.possible(at)[0]!r} (1.00)"
    )
