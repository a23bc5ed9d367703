"""One idea of how many threads there are."""

from __future__ import annotations

import os
import threading

import pytest

from tacit.kernels.threads import in_parallel, stretches, worker_count


def test_the_environment_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_NUM_THREADS", "3")
    assert worker_count() == 3


@pytest.mark.parametrize("unusable", ["", "0", "-2", "many"])
def test_otherwise_the_cores_of_this_process_do(monkeypatch: pytest.MonkeyPatch, unusable: str) -> None:
    monkeypatch.setenv("NUMBA_NUM_THREADS", unusable)
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 2, 5, 7, 8}, raising=False)
    assert worker_count() == 5
    monkeypatch.delattr(os, "sched_getaffinity")
    assert worker_count() == os.cpu_count()


def test_one_thread_stays_in_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_NUM_THREADS", "1")
    assert set(in_parallel(threading.get_ident, [()] * 4)) == {threading.get_ident()}


def test_stretches_cover_everything_once() -> None:
    for length in range(30):
        for pieces in range(1, 8):
            cut = stretches(length, pieces)
            assert [i for begin, end in cut for i in range(begin, end)] == list(range(length))
            assert len(cut) <= pieces
