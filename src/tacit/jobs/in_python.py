"""The jobs as people call them in Python, on tables, methods and releases instead of files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tacit import sources
from tacit.calls import checked_call, expect
from tacit.errors import ParameterError
from tacit.jobs.analysts import asking
from tacit.jobs.board import BoardQuestions, answers
from tacit.jobs.choice import Choice
from tacit.jobs.compare import compare_methods
from tacit.jobs.inspect import Inspection
from tacit.jobs.inspect import inspect as inspect_source
from tacit.jobs.publish import Publication, publish_release
from tacit.methods import Method
from tacit.progress import Progress, silent
from tacit.releases import Release, require_free
from tacit.releases.database import Destination
from tacit.shapes.published import expect_release, expect_table
from tacit.strictness import truth
from tacit.table import Table

__all__ = ["Choice", "Inspection", "Publication", "compare", "inspect", "publish"]

_METHODS = "Say tacit.Mondrian(...), tacit.Anatomy(...) and so on."


@checked_call(rest=inspect_source)
def inspect(table: Any, **options: Any) -> Inspection:
    """Say what threatens a table: who is alone, which values are too frequent, what a reader may know.

    Parameters
    ----------
    table
        A `Table`, whose roles are taken; or anything that `Table.read` reads, whose roles are guessed.
    options
        For what is read: `query`, `nulls`, `separator`, `encoding`, `decimal`, `round`, `sheet`, and `roles`, columns
        to roles that are not to be guessed. For any table: `risk` and `population`, see `tacit inspect`.

    Examples
    --------
    >>> found = inspect({"alter": [30, 31, 30], "geschlecht": ["w", "m", "w"], "diagnose": ["a", "b", "a"]})
    >>> found
    Inspection of the frame: 3 rows; alter: quasi-identifier; geschlecht: quasi-identifier; diagnose: sensitive
    >>> found.spreading[0].value
    'a'
    """
    return inspect_source(table, **options)


@checked_call()
def compare(
    table: Table,
    methods: Mapping[str, Method] | Iterable[Method],
    *,
    against: str = "ncp",
    by: str = "linkage",
    seed: int | None = None,
    progress: Progress | None = None,
) -> list[Choice]:
    """Protect a table by several methods, and say what each promises and costs.

    Parameters
    ----------
    table
        What is to be protected.
    methods
        The methods by label, or a list of methods, which are labelled with their names and parameters.
    against
        The cost that decides which choices are dominated: "ncp", "query-error", or "model:" with a column to predict.
    by
        The attack that decides: "linkage", "learning" or "distribution".
    seed
        For tests.
    progress
        Told the stage and the share done.

    Examples
    --------
    >>> import tacit as tc
    >>> table = tc.Table({"age": [30, 31, 40, 41], "ill": list("abab")}, quasi_identifiers="age", sensitive="ill")
    >>> choices = compare(table, {"blurred": tc.Mondrian([tc.KAnonymity(2)]), "bucketized": tc.Anatomy(2)})
    >>> [(choice.label, round(choice.ncp, 2)) for choice in choices]
    [('blurred', 0.09), ('bucketized', 0.0)]
    """
    expect_table("compare", table)
    ways: Sequence[tuple[str, Any]] = (
        list(methods.items()) if isinstance(methods, Mapping) else [(str(method), method) for method in methods]
    )
    for _, method in ways:
        expect("compare", "methods", method, Method, hint=_METHODS)
    return compare_methods(table, ways, against=against, by=by, seed=seed, progress=progress or silent)


@checked_call()
def publish(
    release: Release,
    folder: str | os.PathLike[str],
    *,
    table: Table | None = None,
    place: str = "the table",
    format: str = "parquet",  # noqa: A002  (the contract's word)
    private: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    database: Destination | None = None,
    certificate: bool = True,
    models: Sequence[str] = (),
    profile: str | None = None,
    method: Method | None = None,
    outside: Any = None,
    population: Any = None,
    weights: str | None = None,
    progress: Progress | None = None,
) -> Publication:
    """Write a release as the command `tacit publish` does: files, metadata, both reports and their certificates.

    Parameters
    ----------
    release
        What a method made.
    folder, format, private, overwrite, database
        As for `Release.write`.
    table
        What the release was made from; a release that was just made has it.
    place
        What the internal report calls the table.
    certificate
        Whether both reports are also written as certificates, if the extra `tacit[certificate]` is installed.
    models
        Columns that models are to predict, to say what the release is still good for ("sensitive": all sensitive ones);
        needs `method`.
    profile
        A profile of thresholds, such as "ema-0070" or "wp216", that the reports judge: docs/reporting.md.
    method
        What made the release: then a second one is made of a random half, never published, and attacked for the people
        left out of it, so that the internal report says what being in the release adds.
    outside
        A data frame that somebody else has, with some of the quasi-identifiers, for linkability.
    population, weights
        What the table is a sample of: a data frame of people, or the column with the sampling weights.
    progress
        Told the stage and the share done.

    Raises
    ------
    AuditFailed
        If a claim does not hold or cannot be checked; then nothing is written.
    """
    expect_release("publish", release)
    behind = table if table is not None else None if release.inside is None else release.inside.table
    if behind is None:
        raise ParameterError(
            "The table behind this release is not at hand.",
            hint="Give it as table=..., or write the files without reports: release.write(folder).",
        )
    expect_table("publish", behind)
    if method is not None:  # what it is asked for is only for looking, and would be left out without a word
        expect("publish", "a method", method, Method, hint=_METHODS)
    where, hidden = Path(folder), None if private is None else Path(private)
    require_free(where, hidden, overwrite=overwrite)
    tell = progress or silent
    targets = [models] if isinstance(models, str) else list(models)
    if targets and method is None:
        raise ParameterError("Models need the method that made the release.", hint="Give it as method=...")
    questions = BoardQuestions(profile, method is not None, weights=weights)
    known = tuple(None if given is None else sources.as_frame(given) for given in (outside, population))
    options = answers(questions, behind, method, (known[0], known[1]), progress=tell)
    done = publish_release(
        release,
        where,
        table=behind,
        place=place,
        format=format,
        private=hidden,
        overwrite=overwrite,
        database=database,
        certificate=truth(certificate, "certificate"),
        analysts=None if method is None else asking(behind, method, targets, "the table (models)"),
        options=options,
        progress=tell,
    )
    tell("done", 1.0)
    return done
