"""Parts: what a kernel calls is compiled into it, can be called by itself afterwards, and has one version."""

import ast
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core.compiler import Flags
from numba.core.errors import NumbaError

import tacit.kernels
from tacit.kernels.compiling import compiled
from tacit.kernels.parts import is_unfinished


def chain():
    @compiled
    def least(x, limit):
        if limit < 0:
            raise ValueError("a limit below nothing")
        total = 0
        for i in range(len(x)):
            total += min(x[i], limit)
        return total

    @compiled
    def middle(x, limit):
        return least(x, limit) + least(x, 1)

    @compiled
    def outer(x, limit):
        return np.sort(x)[0] + middle(x, limit)

    return least, middle, outer


NUMBERS = np.array([5, 3, 9])


def test_only_the_outermost_becomes_machine_code() -> None:
    least, middle, outer = chain()
    assert outer(NUMBERS, 4) == 3 + (4 + 3 + 4) + 3
    assert [is_unfinished(result) for result in outer.overloads.values()] == [False]
    assert [is_unfinished(result) for each in (least, middle) for result in each.overloads.values()] == [True, True]


def test_a_number_in_the_source_makes_no_second_version() -> None:
    least, _, outer = chain()
    outer(NUMBERS, 4)
    assert len(least.signatures) == 1


def test_a_part_can_be_called_by_itself() -> None:
    least, middle, outer = chain()
    outer(NUMBERS, 4)
    assert least(NUMBERS, 4) == 11
    assert middle(NUMBERS, 2) == 9
    assert outer(NUMBERS, 2) == 12


def test_a_function_can_be_called_before_it_becomes_a_part() -> None:
    least, middle, outer = chain()
    assert least(NUMBERS, 4) == 11
    assert outer(NUMBERS, 4) == 17
    assert middle(NUMBERS, 4) == 14


def test_an_error_comes_out_of_a_part() -> None:
    _, _, outer = chain()
    with pytest.raises(ValueError, match="a limit below nothing"):
        outer(NUMBERS, -1)


def test_functions_of_others_are_compiled_as_ever() -> None:
    """Linear algebra included, which Numba looks for when it is needed."""

    @numba.njit
    def half(x):
        return x / 2

    @numba.njit
    def product(x):
        return half(np.dot(x, x)) + np.linalg.det(np.outer(x, x) + np.eye(2))

    assert product(np.array([1.0, 2.0])) == pytest.approx(2.5 + 6.0)
    assert half(3.0) == 1.5


def test_settings_of_the_compiler_are_compared_as_numba_compares_them() -> None:
    plain, other, said = Flags(), Flags(), Flags()
    said.nrt = plain.nrt  # the default, said aloud
    other.nrt = not plain.nrt
    given = [plain, other, said, Flags(copy_from=other)]
    assert [[a == b for b in given] for a in given] == [[a.values() == b.values() for b in given] for a in given]
    assert plain == said
    assert plain != other
    assert len({hash(each) for each in given}) == 1
    assert plain != "flags"


def test_what_borrows_makes_no_array_but_may_call_what_does() -> None:
    @compiled
    def total(x):
        return np.sort(x)[0] + x.copy().sum()

    @compiled(borrows=True)
    def asks(x):
        return total(x)

    @compiled(borrows=True)
    def makes(x):
        return np.zeros(len(x)).sum()

    assert asks(NUMBERS) == 20
    with pytest.raises(NumbaError):
        makes(NUMBERS)


def test_counting_references_does_not_depend_on_who_calls_first() -> None:
    @compiled
    def inner(x):
        return len(x.copy())

    @compiled(borrows=True)
    def first(x):
        return inner(x)

    @compiled
    def second(x):
        return inner(x) + len(x.copy())

    assert (first(NUMBERS), second(NUMBERS)) == (3, 6)


def test_what_borrows_returns_numbers() -> None:
    """An array that is returned without being counted could be freed while it is in use."""
    found = 0
    for path in Path(tacit.kernels.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and any("borrows=True" in ast.unparse(d) for d in node.decorator_list):
                assert node.returns is not None, node.name
                assert {"None", "bool", "int", "float", "tuple", "np.uint64"} >= {
                    part.strip() for part in ast.unparse(node.returns).replace("]", "").replace("[", ",").split(",")
                }, node.name
                found += 1
    assert found > 20
