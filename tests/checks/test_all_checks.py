"""Every check on every class, one test case each."""

import pytest

from tacit.checks import CheckCase, cases


@pytest.mark.parametrize("case", list(cases()), ids=lambda case: case.name)
def test_check(case: CheckCase) -> None:
    if case.skip:
        pytest.skip(case.skip)
    case.run()
