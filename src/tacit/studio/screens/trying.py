"""Try: run the recipe without writing anything; results stay in a list, and a sweep is drawn as a frontier."""

from __future__ import annotations

import secrets
from functools import partial
from typing import Any

from nicegui import ui

from tacit.errors import TacitError
from tacit.jobs.background import Running
from tacit.jobs.choice import ATTACKS, COSTS, Choice, parse_by, parse_cost
from tacit.jobs.compare import frontier_points, parse_sweep
from tacit.jobs.decision import decide
from tacit.jobs.rehearse import rehearse, sweep
from tacit.report.charts import frontier, svg
from tacit.studio.elements import box, button, choice, error, field, grid, section, words
from tacit.studio.results import Sweep, Tried
from tacit.studio.shell import Shell, need_table
from tacit.studio.views import figures, report_sections, verdicts

_POINT = (
    "(event) => { const dot = event.target.closest('circle'); "
    "if (dot) emit([...dot.ownerSVGElement.querySelectorAll('circle')].indexOf(dot)) }"
)


def trying(shell: Shell) -> None:
    """Try the recipe, compare results, choose one."""
    if not need_table(shell):
        return
    words("Try it", "h1")
    words("The table is protected, attacked and audited as if it were published. Nothing is written to disk.")
    shell.region(lambda: _run(shell), "draft", "job", "results")
    shell.region(lambda: _list(shell), "results", "draft")
    with section("Frontier"):
        _sweep_form(shell)
        shell.region(lambda: _frontier(shell), "results", "job")
    shell.region(lambda: _details(shell), "results")


def _run(shell: Shell) -> None:
    workspace = shell.workspace
    draft = workspace.draft
    problem = "No table is open yet." if draft is None else draft.problem()
    busy = workspace.job is not None and workspace.job.state == "running"
    with box("div", "flow"):
        button("Try this recipe", partial(_try, shell), off=problem is not None or busy)
        if busy:
            words("A job is running; its progress is above.", "span", "quiet")
    if problem is not None:
        words(problem, "p", "quiet")
        if draft is not None and not draft.steps:
            ui.link("Choose a method", "/threats")
    error(workspace.results.failure)


def _try(shell: Shell) -> None:
    workspace = shell.workspace
    draft = workspace.draft
    if draft is None:
        return

    def done(job: Running) -> None:
        if job.state == "done":
            number = len(workspace.results.tried) + 1
            workspace.results.tried.append(Tried(number, draft, job.result))
            workspace.results.chosen = number if job.result.refused is None else workspace.results.chosen
            workspace.results.failure = job.result.refused
        else:
            workspace.results.failure = _ended(job)

    workspace.results.failure = None
    try:
        workspace.start("Trying", rehearse, draft.text, str(draft.path), secrets.randbits(48), then=done)
    except TacitError as problem:
        workspace.results.failure = str(problem)
    workspace.changed("results")


def _ended(job: Running) -> str:
    return "It was stopped. Nothing was written." if job.state == "cancelled" else str(job.failure)


def _list(shell: Shell) -> None:
    workspace = shell.workspace
    tried = workspace.results.tried
    with section("Results"):
        if not tried:
            words("Nothing was tried yet. Results stay here side by side until you open another table.", "p", "quiet")
            return
        selected = workspace.results.selected
        names = ["no.", "recipe", "verdict", "use", *(name for name, _ in figures(tried[0].rehearsal))]
        with box("div", "scroll", tabindex="0", role="region", aria_label="Results"), box("table"):
            with box("thead"), box("tr"):
                for name in names:
                    words(name, "th").props["scope"] = "col"
            with box("tbody"):
                for each in tried:
                    _result(shell, each, chosen=selected is each)
        words(
            "Alone: the only ones with their quasi-identifiers. Sure at most: how sure somebody is of a sensitive "
            "value who looks people up. Learns right: how often a reader guesses right who learns from the files. "
            "Lost: the normalized certainty penalty, 0 to 1.",
            "p",
            "hint",
        )


def _result(shell: Shell, tried: Tried, *, chosen: bool) -> None:
    workspace, found = shell.workspace, tried.rehearsal
    with box("tr") as row:
        if chosen:
            row.props["aria-selected"] = "true"
        words(str(tried.number), "td")
        words(found.method, "td")
        if found.refused is not None:
            words("cannot be had", "td", "fails")
        else:
            words("holds" if found.passes else "does not hold", "td", "holds" if found.passes else "fails")
        with box("td"):  # before the figures, so that it is in sight where the table is wider than the screen
            same = workspace.draft == tried.draft
            button(
                "In use" if same and chosen else "Choose",
                partial(_choose, shell, tried),
                "plain",
                label=f"Choose result {tried.number}",
                off=found.refused is not None or (same and chosen),
            )
        for _, figure in figures(found):
            words("-" if found.refused is not None else figure, "td")


def _choose(shell: Shell, tried: Tried) -> None:
    shell.workspace.results.chosen = tried.number
    shell.workspace.edit(tried.draft)
    shell.workspace.changed("results")


def _sweep_form(shell: Shell) -> None:
    given = {"values": "k=2..10", "against": "ncp", "by": "linkage"}
    words("Values of one parameter, drawn as privacy against utility. A click on a point chooses it.", "p", "quiet")
    with box("div", "flow"):
        field(
            "Parameter and values", given["values"], lambda text: given.update(values=text), hint="k=2..10 or t=0.1,0.2"
        )
        readers = {name: text for name, (_, text) in ATTACKS.items()}
        choice("Privacy is", readers, "linkage", lambda key: given.update(by=key))
        choice("Utility is", dict(COSTS), "ncp", lambda key: given.update(against=key))
        button("Draw the frontier", lambda: _sweep(shell, given), "plain")


def _sweep(shell: Shell, given: dict[str, Any]) -> None:
    workspace = shell.workspace
    draft = workspace.draft
    if draft is None:
        return
    workspace.results.failure = None
    try:
        parameter, values = parse_sweep(given["values"])
        draft.recipe().with_parameter(parameter, values[0])

        def done(job: Running) -> None:
            choices = tuple(job.result if job.state == "done" else job.partial)
            if choices:
                workspace.results.sweep = Sweep(draft, parameter, tuple(values), choices, given["against"], given["by"])
            if job.state != "done":
                workspace.results.failure = _ended(job)

        workspace.start(
            "Sweeping", sweep, draft.text, str(draft.path), given["values"], given["against"], given["by"], then=done
        )
    except TacitError as problem:
        workspace.results.failure = str(problem)
    workspace.changed("results")


def _frontier(shell: Shell) -> None:
    workspace = shell.workspace
    job, swept = workspace.job, workspace.results.sweep
    if job is not None and job.state == "running" and job.name == "Sweeping":
        words(f"{len(job.partial)} measured so far.", "p", "quiet")
    if swept is None:
        return
    decision = decide(swept.choices, parse_by(swept.by), parse_cost(swept.against))
    words(decision.sentence, "p", "verdict")
    points = frontier_points(decision.choices, swept.against, swept.by)
    if points:
        chart = frontier(points, decision.against.label, ATTACKS[decision.by][1])
        drawn = svg(chart, "Privacy against utility; the table below has the same figures")
        made: Any = ui.html(drawn, sanitize=False).classes("drawing points")
        labels = tuple(point.label for point in points)
        made.means = labels
        made.on("click", lambda e: _point(shell, swept, labels[int(e.args)]), js_handler=_POINT)
    with box("div", "scroll", tabindex="0", role="region", aria_label="Frontier"), box("table"):
        with box("thead"), box("tr"):
            for name in ("value", "verdict", "sure at most", "lost (NCP)", "query error", "withheld", "use"):
                words(name, "th").props["scope"] = "col"
        with box("tbody"):
            for each in swept.choices:
                _swept(shell, swept, each)


def _swept(shell: Shell, swept: Sweep, each: Choice) -> None:
    with box("tr"):
        words(each.label, "td")
        if each.refused is not None:
            words("cannot be had", "td", "fails")
            for _ in range(4):
                words("-", "td")
        else:
            words("holds" if each.holds else "does not hold", "td", "holds" if each.holds else "fails")
            for figure in (each.link_posterior, each.ncp, each.query_error, each.suppression_rate):
                words("-" if figure is None else f"{figure:.4f}", "td")
        with box("td"):
            off = each.refused is not None
            button("Choose", partial(_point, shell, swept, each.label), "plain", label=f"Choose {each.label}", off=off)


def _point(shell: Shell, swept: Sweep, label: str) -> None:
    """Take a point of the frontier into the recipe."""
    value = next((v for v in swept.values if f"{swept.parameter}={v}" == label), None)
    if value is None:
        return
    steps = swept.draft.recipe().with_parameter(swept.parameter, value).sections.steps
    shell.workspace.edit(swept.draft.with_section("steps", [dict(step) for step in steps]))


def _details(shell: Shell) -> None:
    selected = shell.workspace.results.selected
    if selected is None:
        return
    found = selected.rehearsal
    with section(f"Result {selected.number}: {found.method}"):
        words(found.headline, "p", "verdict")
        verdicts(found.verdicts)
        words(f"{found.published:,} of {found.rows:,} rows would be published. It took {found.seconds:.1f} s.", "p")
        for name, head, rows in found.samples:
            words(f"First rows of {name}", "h3")
            grid(head, rows, caption=f"First rows of {name}")
    if found.view is not None:
        words("The report", "h2")
        report_sections(found.view.sections)
