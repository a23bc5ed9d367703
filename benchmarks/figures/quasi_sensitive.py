"""Figures 5 and 6 of the quasi-sensitive paper: what removal costs, adaptive against plain, and against generalization.

3,000 rows (of Adult when it is there), 8 quasi-identifiers, 9 items of 200 per row, 3,000 labels whose sets have
Poisson(100) size. Both searches get the same number of evaluations. Our kernels solve the paper's default (l = 30,
no generalization) to optimality in well under a second, so that both searches end at the same cost there; figure 5 is
drawn for that, and for groups of 5 and larger l, where no tree is ever done.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Literal

import tacit as tc
from benchmarks.figures.charts import lines
from benchmarks.figures.figure import Claim, Figure, run
from benchmarks.symptoms import ADULT, ITEMS, LABELS, MEAN, VOCABULARY, knowledge, patients

ROWS = 3_000
SEED = 1
SEARCHES: tuple[Literal["adaptive", "plain"], ...] = ("adaptive", "plain")
NOTABLE = 0.05  # by how much cheaper counts as significantly
Costs = dict[str, float]


def released(
    guarantee: tc.QSGuarantee, k: int, seconds: float, search: Literal["adaptive", "plain"] = "adaptive"
) -> tc.Utility:
    table = patients(ROWS)
    method = tc.QuasiSensitive(guarantee=guarantee, k=k, time_bound=seconds, search=search)
    return tc.utility(method.protect(table, seed=SEED), table)


def both(guarantee: tc.QSGuarantee, k: int, seconds: float) -> Costs:
    """Return what each search removes."""
    return {search: released(guarantee, k, seconds, search).item_cost or 0.0 for search in SEARCHES}


def draw(quick: bool) -> list[Figure]:
    """Return the figures; `quick` has a third of the budget and fewer points."""
    seconds = 0.5 if quick else 1.5
    known = knowledge()

    def diverse(c: float, l: int) -> tc.QSGuarantee:
        return tc.QSDiversity(c=c, l=l, knowledge=known)

    default = {l: both(diverse(1, l), 1, seconds) for l in ((10, 30) if quick else (10, 20, 30, 40, 50))}
    scarce = {s: both(diverse(1, 30), 1, s) for s in (0.003, 0.01, 0.03, 0.1, 0.3, 1.0)}
    hard = {l: both(diverse(1, l), 5, seconds) for l in ((60, 120) if quick else (30, 60, 90, 120, 150, 180))}
    by_c = {c: both(diverse(c, 90), 5, seconds) for c in ((0.5, 1.0) if quick else (0.25, 0.5, 0.75, 1.0, 1.5, 2.0))}
    utilities = {
        (k, t): released(tc.QSCloseness(t=t, knowledge=known), k, seconds)
        for k in (1, 2, 5, 10)
        for t in ((0.1, 0.2) if quick else (0.1, 0.15, 0.2, 0.25, 0.3, 0.4))
    }
    data = "Adult" if ADULT.exists() else "the census generator"
    setting = f"{ROWS:,} rows of {data}, {ITEMS} of {VOCABULARY} items each, {LABELS:,} labels of about {MEAN} items"
    budget = f"{setting}; evaluations worth about {seconds:g} s (the paper: 10 s)"
    return [
        searches("5", "Figure 5: removal cost against l, the paper's setting", default, "l", f"{budget}; c = 1, k = 1"),
        budgets(scarce, f"{setting}; c = 1, l = 30, k = 1"),
        searches("5a", "Figure 5, against l, made harder by groups of 5", hard, "l", f"{budget}; c = 1, k = 5"),
        searches("5b", "Figure 5, against c, made harder by groups of 5", by_c, "c", f"{budget}; l = 90, k = 5"),
        *trade(utilities, budget),
    ]


def cheaper(costs: Costs) -> float:
    """Return by what share the adaptive search is cheaper; sums of costs differ in the last digits."""
    return round(1 - costs["adaptive"] / costs["plain"], 9) if costs["plain"] else 0.0


def curves(costs_at: Mapping[Any, Costs], x: str) -> Any:
    rows = [{"x": at, "search": search, "cost": costs[search]} for at, costs in costs_at.items() for search in SEARCHES]
    return lines(rows, "x", "cost", series="search", titles=(x, "removal cost"), even=True, percent=True)


def searches(number: str, title: str, costs_at: Mapping[Any, Costs], x: str, setting: str) -> Figure:
    saved = {at: cheaper(costs) for at, costs in costs_at.items()}
    equal = [str(at) for at, each in saved.items() if each == 0]
    saving = f"{min(saved.values()):.1%} to {max(saved.values()):.1%} less"
    if equal:
        saving += f"; the same at {x} = {', '.join(equal)}, where both find the same removals"
    return Figure(
        name=f"quasi_sensitive-{number}",
        title=title,
        caption=f"{setting}. Cost of the removed items as a share of the cost of all; lower is better. Where one line "
        "is seen, the other is under it.",
        chart=curves(costs_at, x),
        claims=(
            Claim(
                f"The adaptive search removes at significantly less cost than plain depth-first search, for every {x}.",
                "curves only; the text has no number",
                f"{saving} (counted as significant: {NOTABLE:.0%} at every point)",
                min(saved.values()) >= NOTABLE,
                why="Compiled, both searches solve small groups to the optimum within the budget, or find the same "
                "first answer; then order has nothing to win.",
            ),
        ),
    )


def budgets(costs_at: Mapping[float, Costs], setting: str) -> Figure:
    saved = {at: cheaper(costs) for at, costs in costs_at.items()}
    wins = [f"{at:g} s" for at, each in saved.items() if each > 0]
    loses = [f"{at:g} s" for at, each in saved.items() if each < 0]
    last = max(costs_at)
    return Figure(
        name="quasi_sensitive-5-budget",
        title="Figure 5, the paper's setting, against the budget",
        caption=f"{setting}. Without an answer in time whole rows are emptied, so little time costs much. The "
        "adaptive search tries every item before each step, and so has its first answers later.",
        chart=curves(costs_at, "budget, evaluations worth so many seconds"),
        claims=(
            Claim(
                "Within a bound on time the adaptive search removes at less cost.",
                "at 10 s; curves only",
                f"cheaper with {', '.join(wins) or 'no budget'}, dearer with {', '.join(loses) or 'none'}; at "
                f"{last:g} s {costs_at[last]['adaptive']:.2%} against {costs_at[last]['plain']:.2%}",
                not loses and bool(wins),
                why="Trying every item before each step delays the first answers, and with enough time both end at the "
                "optimum.",
            ),
        ),
    )


def trade(utilities: Mapping[tuple[int, float], tc.Utility], setting: str) -> list[Figure]:
    ks = sorted({k for k, _ in utilities})
    ts = sorted({t for _, t in utilities})
    cost = {key: each.item_cost or 0.0 for key, each in utilities.items()}
    loss = {k: utilities[k, ts[0]].ncp for k in ks}
    down = [t for t in ts if all(cost[a, t] >= cost[b, t] for a, b in pairwise(ks))]
    looser = [k for k in ks if all(cost[k, a] >= cost[k, b] for a, b in pairwise(ts))]
    least, most, tight = ks[0], ks[-1], ts[0]
    extreme = all(cost[least, t] == max(cost[k, t] for k in ks) for t in ts)
    none = {k: min((t for t in ts if cost[k, t] == 0), default=None) for k in ks}
    enough = ", ".join(f"with k = {k} from t = {t:g} on" for k, t in none.items() if t is not None)
    six_a = Figure(
        name="quasi_sensitive-6a",
        title="Figure 6: removal cost against t squared",
        caption=f"{setting}. QS t-closeness; k is the group size of the generalization before. Lower is better.",
        chart=lines(
            [{"t2": f"{t * t:.3g}", "k": f"k = {k}", "cost": cost[k, t]} for k in ks for t in ts],
            "t2",
            "cost",
            series="k",
            titles=("t squared", "removal cost"),
            even=True,
            percent=True,
        ),
        claims=(
            Claim(
                "The larger k in the generalization, the less is removed, usually.",
                "curves only; the text has no number",
                f"k = {', '.join(map(str, ks))} at t = {tight:g}: {', '.join(f'{cost[k, tight]:.2%}' for k in ks)}; "
                f"falling in k at {len(down)} of {len(ts)} values of t",
                len(down) > len(ts) / 2,
            ),
            Claim(
                "A larger t costs less.",
                "curves only; the text has no number",
                f"k = {least}: {', '.join(f'{cost[least, t]:.2%}' for t in ts)} for t = {tight:g} to {ts[-1]:g}; "
                f"falling for {len(looser)} of {len(ks)} values of k",
                len(looser) == len(ks),
            ),
        ),
    )
    both_costs = [{"k": k, "of": "information loss (NCP)", "share": loss[k]} for k in ks]
    both_costs += [
        {"k": k, "of": f"removal cost, t = {t:g}", "share": cost[k, t]} for t in (tight, ts[len(ts) // 2]) for k in ks
    ]
    six_b = Figure(
        name="quasi_sensitive-6b",
        title="Figure 6: what generalization costs and what it spares",
        caption=f"{setting}. Generalization comes first and does not look at t: its loss is the same for every t.",
        chart=lines(both_costs, "k", "share", series="of", titles=("k", "cost"), even=True, percent=True),
        claims=(
            Claim(
                "Removal alone (k = 1) costs the most removal and the least generalization.",
                "the paper gives no numbers",
                f"at t = {tight:g} {cost[least, tight]:.2%} is removed with k = {least}, {cost[most, tight]:.2%} with "
                f"k = {most}; information loss {loss[least]:.1%}",
                extreme and loss[least] == min(loss.values()),
            ),
            Claim(
                "Generalization alone needs no removal and costs the largest information loss.",
                "removal cost zero",
                f"nothing is removed {enough or f'with no k up to {most}'}; the loss grows from {loss[least]:.1%} (k = "
                f"{least}) to {loss[most]:.1%} (k = {most})",
                bool(enough) and all(loss[a] <= loss[b] for a, b in pairwise(ks)),
            ),
        ),
    )
    return [six_a, six_b]


if __name__ == "__main__":
    run(draw, __doc__)
