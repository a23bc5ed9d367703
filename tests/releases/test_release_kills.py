"""Whole or not at all: whenever a writer dies, one sees the old release or the new one, and never a part of each."""

from __future__ import annotations

import json
import shutil
import threading
from pathlib import Path

import numpy as np
import pytest
from tests.releases.nursery import KILLED, Nursery
from tests.releases.releases_made import protected, tree

from tacit import Release, SourceError
from tacit.releases.staging import Staging

OLD, NEW = 20, 40


@pytest.fixture(scope="module")
def old_release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("old")
    protected(rows=OLD).write(place / "out")
    protected(rows=OLD).write(place / "apart" / "out", private=place / "apart" / "vault" / "hidden")
    return place


def whole(folder: Path, private: Path | None = None) -> int:
    """Read a release, make sure that its parts belong together, and return how many rows it was made from."""
    release = Release.read(folder, private=private)
    assert release.size is not None
    assert release.inside is not None, "the public part and the private part are of two releases"
    assert len(release.inside.kept) == release.size
    assert int(release.inside.kept.sum()) == release.shape.rows
    assert np.array_equal(release.inside.group >= 0, release.inside.kept)
    return release.size


def copied(source: Path, place: Path) -> Path:
    for part in ("out", "out.private"):
        shutil.copytree(source / part, place / part)
    return place


def steps(nursery: Nursery, place: Path, options: dict[str, object], every: int = 1) -> list[int]:
    """Let one writer live, and return the steps at which others can be killed."""
    code, told = nursery.run("write_until", place, NEW, options, 0)
    assert code == 0
    return list(range(1, int(told) + 1, every))


def test_a_writer_is_killed_at_every_step(nursery: Nursery, old_release: Path, tmp_path: Path) -> None:
    """The next one is a reader, a writer that is refused, or a writer."""
    options = {"overwrite": True}
    at = steps(nursery, copied(old_release, tmp_path / "0"), options)
    places = [copied(old_release, tmp_path / str(step)) for step in at]
    ends = nursery.batch("write_until", [(place, NEW, options, step) for place, step in zip(places, at, strict=True)])
    assert [code for code, _ in ends] == [KILLED] * len(at)
    seen = []
    for step, place in zip(at, places, strict=True):
        if step % 3 == 1:
            with pytest.raises(SourceError, match="not empty"):
                protected().write(place / "out")
        if step % 3 < 2:
            seen.append(whole(place / "out"))
        protected(rows=33).write(place / "out", overwrite=True)
        assert sorted(path.name for path in place.iterdir()) == ["out", "out.private"], "remains of the killed"
        assert whole(place / "out") == 33
    assert len(at) > 20
    assert seen == sorted(seen), "there is one point of no return"
    assert set(seen) == {OLD, NEW}


def test_a_writer_with_a_private_folder_elsewhere_is_killed(
    nursery: Nursery, old_release: Path, tmp_path: Path
) -> None:
    def prepared(step: int) -> tuple[Path, dict[str, object]]:
        place = tmp_path / str(step)
        shutil.copytree(old_release / "apart", place)
        return place, {"overwrite": True, "private": str(place / "vault" / "hidden")}

    at = steps(nursery, *prepared(0), every=2)
    cases = [(*prepared(step), step) for step in at]
    ends = nursery.batch("write_until", [(place, NEW, options, step) for place, options, step in cases])
    assert [code for code, _ in ends] == [KILLED] * len(at)
    seen = []
    for place, _, _ in cases:
        seen.append(whole(place / "out", place / "vault" / "hidden"))
        protected().write(place / "out", private=place / "vault" / "hidden", overwrite=True)
        assert [path.name for path in (place / "vault").iterdir()] == ["hidden"]
    assert seen == sorted(seen)
    assert set(seen) == {OLD, NEW}


def test_a_first_writer_is_killed(nursery: Nursery, tmp_path: Path) -> None:
    """Where nothing was, there is nothing, or a whole release."""
    at = steps(nursery, tmp_path / "0", {}, every=2)
    ends = nursery.batch("write_until", [(tmp_path / str(step), NEW, {}, step) for step in at])
    assert [code for code, _ in ends] == [KILLED] * len(at)
    seen = []
    for place in (tmp_path / str(step) for step in at):
        try:
            seen.append(whole(place / "out"))
        except SourceError:
            seen.append(0)
            assert not (place / "out").exists()
            assert not (place / "out.private").exists()
    assert seen == sorted(seen)
    assert set(seen) == {0, NEW}


def test_writers_are_killed_at_random(nursery: Nursery, tmp_path: Path) -> None:
    moments = np.random.default_rng(2).uniform(0.06, 0.16, 15)
    protected(rows=21).write(tmp_path / "out")
    for moment in moments:
        child = nursery.start("write_again_and_again", tmp_path, {}, 10_000)
        threading.Event().wait(moment)
        code, _ = nursery.kill(child)
        assert code == -9
        assert whole(tmp_path / "out") in {21, 24, 27, 30}
    protected().write(tmp_path / "out", overwrite=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "out.private"]


def test_a_fresh_process_finishes_what_was_begun(nursery: Nursery, old_release: Path, tmp_path: Path) -> None:
    copied(old_release, tmp_path)
    nursery.run("write_until", tmp_path, NEW, {"overwrite": True}, 2, ["replace"])  # the first one makes the journal
    assert (tmp_path / ".out.tacit-journal").exists()
    assert nursery.run("read", tmp_path) == (0, str(NEW))
    assert not (tmp_path / ".out.tacit-journal").exists()


def test_many_writers_and_a_reader_at_once(nursery: Nursery, tmp_path: Path) -> None:
    protected(rows=21).write(tmp_path / "out")
    writers = [nursery.start("write_again_and_again", tmp_path, {}, 12) for _ in range(3)]
    ended: list[tuple[int, str]] = []
    waiting = threading.Thread(target=lambda: ended.extend(nursery.end(writer) for writer in writers))
    waiting.start()
    sizes = []
    while waiting.is_alive():
        sizes.append(whole(tmp_path / "out"))
    waiting.join()
    assert ended == [(0, "written")] * 3
    assert len(set(sizes)) > 1
    assert whole(tmp_path / "out") == 30
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "out.private"]


def test_of_two_who_do_not_overwrite_one_is_refused(nursery: Nursery, tmp_path: Path) -> None:
    for i in range(4):
        both = [nursery.start("write", tmp_path / str(i), rows, {}) for rows in (21, 30)]
        told = [nursery.end(child)[1] for child in both]
        assert sum(said == "written" for said in told) == 1
        assert sum(said.startswith("SourceError") for said in told) == 1
        assert whole(tmp_path / str(i) / "out") == (21, 30)[told.index("written")]
        assert sorted(path.name for path in (tmp_path / str(i)).iterdir()) == ["out", "out.private"]


def test_a_writer_at_work_is_not_swept_up(tmp_path: Path) -> None:
    """Whatever number its process has: on another machine or in another container it may mean nothing."""
    with Staging() as staging:
        staged = staging.folder(tmp_path / "out")
        (staged / "half").write_text("half a file")
        protected().write(tmp_path / "out")
        assert (staged / "half").exists()
    assert not staged.exists()
    stale = tmp_path / ".out.tacit-staged-0123"
    stale.mkdir()
    protected().write(tmp_path / "out", overwrite=True)
    assert not stale.exists()


def test_the_remains_of_other_releases_are_not_ours(tmp_path: Path) -> None:
    for name in (".out2.tacit-staged-1", ".other.tacit-journal", "tacit-staged-1", ".out.tacit", ".outx"):
        (tmp_path / name).mkdir()
    protected().write(tmp_path / "out")
    assert len(list(tmp_path.iterdir())) == 7


def forged(place: Path, plan: object) -> None:
    protected().write(place / "out")
    (place / ".out.tacit-journal").write_text(plan if isinstance(plan, str) else json.dumps(plan))


@pytest.mark.parametrize(
    "plan",
    [
        "not json",
        "[]",
        "3",
        '"ab"',
        [[1, 2]],
        [["a"]],
        {"a": "b"},
        [["staged", "../precious"]],
        [["staged", "../precious"], ["staged", "out"]],
        [["staged", "../precious"], [".out.tacit-staged-1", "out"]],
        [[".precious.tacit-staged-1", "../precious"], [".out.tacit-staged-1", "out"]],
        [["x/../../.precious.tacit-staged-1/../staged", "../precious"], [".out.tacit-staged-1", "out"]],
        [[".out.tacit-staged-1", "out"], [".precious.tacit-staged-1", "precious"]],
    ],
)
def test_a_forged_journal_moves_nothing(tmp_path: Path, plan: object) -> None:
    """A release may come from anywhere, in an archive with whatever beside it."""
    place = tmp_path / "downloads"
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "thesis.txt").write_text("years of work")
    for name in ("staged", "x", ".precious.tacit-staged-1", ".out.tacit-staged-1", "precious"):
        (place / name).mkdir(parents=True)
    forged(place, plan)
    for name in ("staged", ".out.tacit-staged-1"):
        (place / name).mkdir(exist_ok=True)
    before = tree(tmp_path)
    for act in (lambda: Release.read(place / "out"), lambda: protected().write(place / "out", overwrite=True)):
        with pytest.raises(SourceError, match=r"is not the journal of a release of 'out'\. Remove it"):
            act()
    assert tree(tmp_path) == before


def test_what_came_into_the_way_after_a_kill_is_not_lost(nursery: Nursery, old_release: Path, tmp_path: Path) -> None:
    """Killed between moving the old aside and the new in, somebody makes a folder of that name."""
    copied(old_release, tmp_path)
    nursery.run("write_until", tmp_path, NEW, {"overwrite": True}, 5, ["replace"])  # the last one moves the public part
    assert not (tmp_path / "out").exists()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    with pytest.raises(SourceError, match=r"the move cannot be finished: .*is in the way"):
        Release.read(tmp_path / "out")
    assert (tmp_path / "out" / "mine.txt").read_text() == "mine"
    (tmp_path / "out").replace(tmp_path / "mine")
    assert whole(tmp_path / "out") == NEW
