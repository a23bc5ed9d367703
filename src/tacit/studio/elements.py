"""Elements: the few parts that screens are made of. All are plain HTML, so that keyboards and screen readers know them.

Whatever comes from a table or a user is set as text or as a value, never as markup. What somebody can act on knows what
it `means` and what it `shows` to her, so that a region that is drawn again keeps it while both stay the same.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nicegui import background_tasks, ui
from nicegui.elements.mixins.text_element import TextElement

from tacit.report.charts import Chart, svg
from tacit.visible import visible

_VALUE = "(event) => emit(event.target.value)"
_CHECKED = "(event) => emit(event.target.checked)"


def words(text: str, tag: str = "p", classes: str = "") -> Any:
    """Write a text; characters that would be invisible are written visibly."""
    return TextElement(tag=tag, text=visible(text, keep="\n\t")).classes(classes)


def box(tag: str = "div", classes: str = "", **attributes: str) -> Any:
    """Make an element that holds others."""
    made = ui.element(tag).classes(classes)
    made.props.update({name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()})
    return made


def button(
    text: str, action: Callable[[], Any], classes: str = "", *, label: str = "", off: bool = False, means: str = ""
) -> Any:
    """Make a button.

    Parameters
    ----------
    text, action, classes
        What stands on it, what it does, and how it looks.
    label
        What a screen reader says where the text alone is not enough.
    off
        Whether it can do nothing now.
    means
        What it is about, where neither text nor label says it.
    """
    made: Any = TextElement(tag="button", text=visible(text)).classes(f"button {classes}")
    made.means = (label or text, means)
    made.props["type"] = "button"
    if label:
        made.props["aria-label"] = visible(label)
    if off:
        made.props["disabled"] = True
    made.on("click", lambda _: _run(action))
    return made


def choice(
    label: str,
    options: Mapping[Any, str],
    value: str,
    action: Callable[[str], Any],
    *,
    hidden: bool = False,
    hint: str = "",
    id_: str = "",
) -> Any:
    """Make a list to choose one of; options are value to text."""
    keys = list(options)
    control, problem = _field(label, hidden=hidden, hint=hint)
    with control:
        made: Any = ui.element("select")
        made.props.update({"aria-label": visible(label)} | ({"id": id_} if id_ else {}))
        made.problem, made.means, made.shows = problem, (label, tuple(keys)), value
        with made:
            for at, key in enumerate(keys):
                option = TextElement(tag="option", text=visible(options[key]))
                option.props["value"] = str(at)
                if key == value:
                    option.props["selected"] = True
        made.on("change", lambda e: _heard(made, keys[int(e.args)], action), js_handler=_VALUE)
    return made


def field(
    label: str,
    value: str,
    action: Callable[[str], Any],
    *,
    hint: str = "",
    kind: str = "text",
    live: bool = False,
    long: bool = False,
    placeholder: str = "",
    attributes: Mapping[str, str] | None = None,
) -> Any:
    """Make a field for text or a number; `say` writes beside it what is wrong with it."""
    control, problem = _field(label, hint=hint)
    with control:
        # The value is set once, as an attribute or as the text inside: a property would be set again with every change
        # of the page, and what somebody is typing would be lost.
        made: Any = TextElement(tag="textarea", text=value) if long else ui.element("input")
        given = {"aria-label": visible(label), "spellcheck": "false", "autocomplete": "off"}
        given |= {"rows": "3"} if long else {"^value": value, "type": kind}
        made.props.update(given | dict(attributes or {}))
        if placeholder:
            made.props["placeholder"] = placeholder
        made.problem, made.means, made.shows = problem, label, value
        made.on("input" if live else "change", lambda e: _heard(made, str(e.args), action), js_handler=_VALUE)
    return made


def tick(label: str, value: bool, action: Callable[[bool], Any]) -> Any:
    """Make a box to tick."""
    with box("label", "tick"):
        made: Any = ui.element("input")
        made.props["type"] = "checkbox"
        made.means, made.shows = label, bool(value)
        if value:
            made.props["checked"] = True
        made.on("change", lambda e: _heard(made, bool(e.args), action), js_handler=_CHECKED)
        words(label, "span")
    return made


def radio(name: str, label: str, options: Mapping[str, str], value: str | None, action: Callable[[str], Any]) -> Any:
    """Make a few answers of which one is given."""
    with box("fieldset", "answers") as made:
        made.shows = value
        words(label, "legend")
        for key, text in options.items():
            with box("label", "tick"):
                given: Any = ui.element("input")
                given.props.update({"type": "radio", "name": name, "value": key})
                given.means = (label, key)
                if key == value:
                    given.props["checked"] = True
                given.on("change", lambda _, key=key: _heard(made, key, action))
                words(text, "span")
    return made


def grid(head: Sequence[str], rows: Sequence[Sequence[str]], *, classes: str = "", caption: str = "") -> Any:
    """Write a table of text that scrolls on its own."""
    made = box("div", f"scroll {classes}", tabindex="0", role="region", aria_label=caption or "table")
    with made, box("table"):
        with box("thead"), box("tr"):
            for cell in head:
                words(cell, "th").props["scope"] = "col"
        with box("tbody"):
            for row in rows:
                with box("tr"):
                    for cell in row:
                        words(cell, "td")
    return made


def picture(chart: Chart | str, caption: str) -> None:
    """Show a chart with what it shows in words."""
    try:
        drawn = chart if isinstance(chart, str) else svg(chart)
    except Exception:  # a picture helps, but nothing fails for want of it
        words("This picture could not be drawn.", classes="quiet")
        return
    with box("figure"):
        words(caption, "figcaption")
        # Charts are this package's own drawings: every text in them was escaped when it was drawn.
        ui.html(drawn, sanitize=False).classes("drawing")


def error(text: str | None) -> None:
    """Say what went wrong, so that a screen reader says it too; nothing where nothing did."""
    if text:
        words(text, "p", "error").props["role"] = "alert"


def bar(share: float, label: str) -> Any:
    """Show how much is done."""
    made = ui.element("progress")
    made.props.update({"max": "1", "value": f"{share:.3f}", "aria-label": label})
    return made


def section(title: str, *, level: str = "h2", classes: str = "") -> Any:
    """Begin a part of a screen with its heading."""
    with box("section", f"part {classes}") as made:
        words(title, level)
    return made


def focus(ident: str) -> None:
    """Give an element the focus as soon as it is there."""
    ui.run_javascript(f"setTimeout(() => document.getElementById({json.dumps(ident)})?.focus(), 50)")


def say(made: Any, problem: str | None) -> None:
    """Write beside a field what is wrong with it; None takes it away."""
    made.problem.set_text(visible(problem or ""))
    if problem:
        made.props["aria-invalid"] = "true"
    else:
        made.props.pop("aria-invalid", None)
    made.update()


def _field(label: str, *, hidden: bool = False, hint: str = "") -> tuple[Any, Any]:
    """Make what stands around a control; return the place of the control, and that of its error."""
    with box("div", "field unlabelled" if hidden else "field"):
        if not hidden:
            words(label, "span", "label")
        inner = box("div", "control")
        if hint:
            words(hint, "span", "hint")
        problem = words("", "span", "error")
        problem.props["role"] = "alert"
    return inner, problem


def _heard(made: Any, value: Any, action: Callable[[Any], Any]) -> None:
    """Take what somebody chose or typed; the browser shows it already."""
    made.shows = value
    _run(lambda: action(value))


def _run(action: Callable[[], Any]) -> None:
    result = action()
    if inspect.isawaitable(result):
        background_tasks.create(result)
