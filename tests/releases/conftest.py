from collections.abc import Iterator

import pytest
from tests.releases.nursery import Nursery


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    """One process that forks, for all tests."""
    made = Nursery()
    yield made
    made.close()
