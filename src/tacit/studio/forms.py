"""Forms: fields for what a recipe may hold, made from its schema; what is wrong stands beside the field."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from tacit.errors import ParameterError, TacitError
from tacit.guarantees.registry import make as make_guarantee
from tacit.methods.registry import make as make_method
from tacit.recipes.writing import as_value
from tacit.studio.elements import box, button, choice, field, focus, say, tick, words
from tacit.studio.region import Region
from tacit.studio.schemas import (
    FieldSpec,
    guarantee_fields,
    guarantees,
    read_value,
    section_fields,
    step_fields,
    usual_values,
)
from tacit.studio.shell import Shell

Edit = Callable[[dict[str, Any]], None]

_BY_DEFAULT = "\0"
"""The option of a list that means: say nothing, so that the default holds."""


class Fields:
    """The fields of one thing: a method, a guarantee, a section."""

    def __init__(self, place: str, specs: Sequence[FieldSpec], value: dict[str, Any], edit: Edit) -> None:
        self.place, self.specs, self.value, self._edit = place, specs, dict(value), edit
        self.controls: dict[str, Any] = {}

    def build(self) -> None:
        """Draw all of them; those with usual defaults are folded away."""
        usual = [spec for spec in self.specs if spec.required or spec.key in self.value]
        rest = [spec for spec in self.specs if spec not in usual]
        with box("div", "flow fields"):
            for spec in usual or rest:
                self._one(spec)
        if usual and rest:
            with box("details"):
                words("More", "summary")
                with box("div", "flow fields"):
                    for spec in rest:
                        self._one(spec)

    def complain(self, problem: str | None) -> bool:
        """Write a problem beside the field that it names; return whether one was named."""
        named = None
        for key, control in self.controls.items():
            here = problem is not None and named is None and _names(problem, key)
            named = key if here else named
            say(control, problem if here else None)
        return named is not None

    def _set(self, key: str, value: Any) -> None:
        if value is None:
            self.value.pop(key, None)
        else:
            self.value[key] = value
        self._edit(dict(self.value))

    def _one(self, spec: FieldSpec) -> None:
        value = self.value.get(spec.key)
        label, hint = spec.key.replace("_", " "), _hint(spec)
        ident = f"{self.place}-{spec.key}"
        if spec.kind == "choice":
            options = {word: word for word in spec.options}
            if not spec.required:
                usual = f"{spec.default} (by default)" if spec.default is not None else "not said"
                options = {_BY_DEFAULT: usual} | options
            chosen = str(value) if value is not None else _BY_DEFAULT
            pick = lambda key: self._set(spec.key, None if key == _BY_DEFAULT else key)  # noqa: E731
            self.controls[spec.key] = choice(label, options, chosen, pick, hint=hint, id_=ident)
        elif spec.kind == "yes":
            with box("div", "field"):
                tick(label, bool(spec.default if value is None else value), lambda on: self._set(spec.key, on))
                words(hint, "span", "hint")
        elif spec.kind == "named":
            with box("div", "field wide"):
                words(label, "span", "label")
                Named(ident, spec.options, value, lambda changed: self._set(spec.key, changed)).build()
        elif spec.kind == "named list":
            with box("div", "field wide"):
                words(label, "span", "label")
                NamedList(ident, spec.options, value or [], lambda changed: self._set(spec.key, changed)).build()
        elif spec.kind == "group":
            with box("fieldset", "card"):
                words(f"{label}: {hint}", "legend", "hint")
                inner = Fields(ident, spec.fields, value or {}, lambda changed: self._set(spec.key, changed or None))
                inner.build()
                self.controls |= {key: control for key, control in inner.controls.items() if key not in self.controls}
        else:
            self._typed(spec, label, hint, ident)

    def _typed(self, spec: FieldSpec, label: str, hint: str, ident: str) -> None:
        limits: dict[str, str] = {"id": ident}
        if spec.kind in {"whole", "number"}:
            limits |= {"step": "1" if spec.kind == "whole" else "any", "inputmode": "decimal"}
            limits |= {name: f"{at:g}" for name, at in (("min", spec.least), ("max", spec.most)) if at is not None}

        def typed(text: str) -> None:
            try:
                value = spec.read(text)
            except TacitError as error:
                say(made, str(error))
                return
            say(made, None)
            self._set(spec.key, value)

        made = field(
            label,
            spec.written(self.value.get(spec.key)),
            typed,
            hint=hint,
            placeholder="" if spec.default is None else spec.written(spec.default),
            attributes=limits,
        )
        self.controls[spec.key] = made


class Named:
    """One of several things with a name, such as a guarantee, and its fields."""

    def __init__(self, place: str, names: Sequence[str], value: Any, edit: Callable[[Any], None]) -> None:
        self.place, self.names, self._edit = place, names, edit
        self.value: dict[str, Any] = dict(value) if isinstance(value, dict) else {}

    def build(self) -> None:
        """Draw the choice and the fields of what is chosen."""
        self.region = Region(self._draw, classes="card")

    def _draw(self) -> None:
        told = guarantees()
        name = str(self.value.get("name", ""))
        options = ({} if name else {"": "choose one"}) | {each: each for each in self.names}
        choice("guarantee", options, name, self._choose, hidden=True, id_=f"{self.place}-name")
        if not name:
            return
        words(told.get(name, ""), "p", "hint")
        given = {key: value for key, value in self.value.items() if key != "name"}
        self.fields = Fields(self.place, guarantee_fields(name), given, self._change)
        self.fields.build()
        self._judge()

    def _choose(self, name: str) -> None:
        usual = usual_values(guarantee_fields(name))
        self.value = {"name": name} | usual
        self._edit(dict(self.value))
        self.region.draw()
        focus(f"{self.place}-name")

    def _change(self, given: dict[str, Any]) -> None:
        self.value = {"name": self.value["name"]} | given
        self._judge()
        self._edit(dict(self.value))

    def _judge(self) -> None:
        if _gives_a_file(self.value, self.fields.specs):
            return  # a file is looked for where the recipe lies, by the recipe
        try:
            make_guarantee(self.value)
        except TacitError as error:
            if not self.fields.complain(str(error)) and self.fields.controls:
                say(next(iter(self.fields.controls.values())), str(error))
            return
        self.fields.complain(None)


class NamedList:
    """Several things with a name, one after another."""

    def __init__(self, place: str, names: Sequence[str], value: list[Any], edit: Callable[[Any], None]) -> None:
        self.place, self.names, self.value, self._edit = place, names, list(value), edit

    def build(self) -> None:
        """Draw all of them, and how to add one."""
        self.region = Region(self._draw)

    def _draw(self) -> None:
        for at, each in enumerate(self.value):
            with box("div", "flow named"):
                Named(f"{self.place}-{at}", self.names, each, partial(self._set, at)).build()
                if len(self.value) > 1:
                    name = each.get("name", "it") if isinstance(each, dict) else "it"
                    button("Remove", partial(self._drop, at), "plain", label=f"Remove {name}")
        button("Add a guarantee", self._add, "plain")

    def _set(self, at: int, changed: Any) -> None:
        self.value[at] = changed
        self._edit([each for each in self.value if each])

    def _drop(self, at: int) -> None:
        del self.value[at]
        self._edit([each for each in self.value if each])
        self.region.draw()

    def _add(self) -> None:
        self.value.append({})
        self.region.draw()
        focus(f"{self.place}-{len(self.value) - 1}-name")


class StepForm:
    """The form of one step of a recipe."""

    def __init__(self, place: str, step: dict[str, Any], edit: Edit) -> None:
        self.step, self._edit = dict(step), edit
        given = {key: value for key, value in step.items() if key != "method"}
        self.fields = Fields(place, step_fields(str(step["method"])), given, self._change)
        self.fields.build()
        self._rest = words("", "p", "error")
        self._judge()

    def _change(self, given: dict[str, Any]) -> None:
        self.step = {"method": self.step["method"]} | given
        self._judge()
        self._edit(dict(self.step))

    def _judge(self) -> None:
        """Ask the method itself whether its parameters are right, but for files, which the recipe looks for."""
        problem = None
        if not _names_a_file(self.step):
            try:
                make_method(self.step)
            except TacitError as error:
                problem = str(error)
        beside = self.fields.complain(problem)
        self._rest.set_text("" if beside or problem is None else problem)
        self._rest.set_visibility(problem is not None and not beside)


class SectionForm:
    """The form of one section of the recipe."""

    def __init__(self, shell: Shell, name: str, *, again: bool = False, keys: Sequence[str] = ()) -> None:
        self.shell, self.name, self._again = shell, name, again
        draft = shell.workspace.draft
        specs = [spec for spec in section_fields(name) if not keys or spec.key in keys]
        self._value = {} if draft is None else draft.section(name)
        self.fields = Fields(f"section-{name}", specs, self._value, self._change)
        self.fields.build()
        self._rest = words("", "p", "error")
        if again:
            button("Read it again", self._read_again, "plain")

    def _change(self, given: dict[str, Any]) -> None:
        draft = self.shell.workspace.draft
        self._value = given
        if draft is None or self._again:
            return
        mine = {spec.key for spec in self.fields.specs}
        # Keys that have no field here may have changed elsewhere since this form was drawn.
        rest = {key: value for key, value in draft.section(self.name).items() if key not in mine}
        changed = draft.with_section(self.name, rest | {key: value for key, value in given.items() if key in mine})
        self.shell.workspace.edit(changed)
        problem = changed.problem() if changed.steps else None
        about = problem if problem is not None and f"[{self.name}" in problem else None
        beside = self.fields.complain(about)
        self._rest.set_text("" if beside or about is None else about)

    async def _read_again(self) -> None:
        draft = self.shell.workspace.draft
        if draft is not None:
            await self.shell.workspace.read_again(draft.with_section(self.name, self._value))


def _names_a_file(step: dict[str, Any]) -> bool:
    if _gives_a_file(step, step_fields(str(step["method"]))):
        return True
    inner = [each for value in step.values() for each in (value if isinstance(value, list) else [value])]
    named = [each for each in inner if isinstance(each, dict) and each.get("name")]
    return any(_gives_a_file(each, guarantee_fields(str(each["name"]))) for each in named)


def _gives_a_file(value: dict[str, Any], specs: Sequence[FieldSpec]) -> bool:
    return any(spec.is_file and isinstance(value.get(spec.key), str) for spec in specs)


def _hint(spec: FieldSpec) -> str:
    how = ', written as in a recipe: ["a", "b"] or { a = 0.5 }' if spec.kind == "value" else ""
    return f"{spec.hint}{how}"


def _names(problem: str, key: str) -> bool:
    """Tell whether a sentence is about a key: it stands there as a word before the sentence explains."""
    return f" {key} " in f" {problem.replace(':', ' ').replace(',', ' ')} "


class MappingForm:
    """The form of a section without keys of its own, which maps names to something: one line, as a recipe writes it."""

    def __init__(self, shell: Shell, name: str, hint: str) -> None:
        self.shell, self.name = shell, name
        draft = shell.workspace.draft
        value = {} if draft is None else draft.section(name)
        text = as_value(value) if value else ""
        self._made = field(name, text, self._typed, hint=f'{hint}, written as in a recipe: {{ a = ["b", "c"] }}')

    def _typed(self, text: str) -> None:
        draft = self.shell.workspace.draft
        if draft is None:
            return
        try:
            value = read_value(text) if text.strip() else {}
            if not isinstance(value, dict):
                raise ParameterError("Write names with what belongs to them.", hint='Such as { a = ["b", "c"] }.')
            changed = draft.with_section(self.name, value)
            problem = changed.problem() if changed.steps else None
            self.shell.workspace.edit(changed)
            say(self._made, problem if problem is not None and f"[{self.name}" in problem else None)
        except TacitError as error:
            say(self._made, str(error))
