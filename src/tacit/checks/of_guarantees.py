"""What every guarantee must satisfy."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np

from tacit.checks import tables
from tacit.errors import Infeasible, ParameterError
from tacit.guarantees import GroupGuarantee, Guarantee, make
from tacit.table import Groups, GroupStats


def check_is_a_frozen_value(guarantee: Guarantee) -> None:
    """Equal parameters make equal values; nothing can be changed; an unknown parameter is refused by name."""
    assert guarantee == type(guarantee)(**dict(guarantee))
    try:
        type(guarantee)(**{**dict(guarantee), "nonsense": 1})
    except ParameterError as error:
        assert "nonsense" in str(error)
    else:
        raise AssertionError(f"{guarantee} takes a parameter it does not know")


def check_states_its_knowledge(guarantee: Guarantee) -> None:
    """It says what the adversary knows."""
    assert guarantee.knowledge, f"{guarantee} does not say what the adversary knows"


def check_public_parameters_are_json(guarantee: Guarantee) -> None:
    """What is published of it is JSON, and makes it again where nothing of it is private."""
    described = json.loads(json.dumps(guarantee.describe()))
    if set(described) - {"name"} == set(type(guarantee).model_fields):
        assert make(described) == guarantee


def check_order_does_not_change_the_verdict(guarantee: Guarantee) -> None:
    """Neither the order of rows nor that of categories matters."""
    if not isinstance(guarantee, GroupGuarantee):
        return
    rng = np.random.default_rng(0)
    for _ in range(20):
        ids, codes = rng.integers(0, 4, 30), rng.integers(0, 3, 30)
        order, relabel = rng.permutation(30), rng.permutation(3)
        plain = guarantee.satisfied(_stats(ids, codes))
        assert (plain == guarantee.satisfied(_stats(ids[order], codes[order]))).all()
        if not getattr(guarantee, "ordered", False):
            assert (plain == guarantee.satisfied(_stats(ids, relabel[codes]))).all()


def check_measure_agrees(guarantee: Guarantee) -> None:
    """Posterior and verdict agree: a group that satisfies it is within the bound."""
    if not isinstance(guarantee, GroupGuarantee):
        return
    rng = np.random.default_rng(1)
    for _ in range(20):
        stats = _stats(rng.integers(0, 4, 30), rng.integers(0, 3, 30))
        held, posterior = guarantee.satisfied(stats), guarantee.posterior(stats)
        bound = guarantee.bound()
        assert bound is None or (posterior[held] <= bound + 1e-12).all(), f"{guarantee}: holds above its bound"


def check_obstacle_names_a_way_out(guarantee: Guarantee) -> None:
    """A table that cannot have it gets a sentence and a hint."""
    if not isinstance(guarantee, GroupGuarantee):
        return
    table = tables.one_row()
    whole = table.whole()
    if not guarantee.satisfied(whole).all():
        error = guarantee.obstacle(whole, {"illness": table.codes("illness").values})
        assert isinstance(error, Infeasible)
        assert error.hint


def _stats(ids: Any, codes: Any) -> GroupStats:
    groups = Groups.of([ids], [4])
    return GroupStats.of(groups, {"illness": (codes, 3)})


CHECKS: list[Callable[[Any], None]] = [
    check_is_a_frozen_value,
    check_states_its_knowledge,
    check_public_parameters_are_json,
    check_order_does_not_change_the_verdict,
    check_measure_agrees,
    check_obstacle_names_a_way_out,
]
