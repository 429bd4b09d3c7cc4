"""What is unfinished goes, what is finished stays, and moves are done or undone as a whole."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core import leftovers
from sfumato.core.leftovers import Leftover, Leftovers, Move, put_back, put_in_place


def tree(folder: Path) -> dict[str, str]:
    """All files below a folder and what they say, the plain way."""
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def moves_in(folder: Path, existed: list[bool]) -> list[Move]:
    """Finished folders in a stage, on their way to places of which some are taken."""
    made = []
    for number, taken in enumerate(existed):
        new, place, old = (folder / where / str(number) for where in ("stage", "target", "stage/old"))
        new.mkdir(parents=True)
        (new / "file").write_text(f"new {number}")
        for each in (place, old):
            each.parent.mkdir(parents=True, exist_ok=True)
        if taken:
            place.mkdir()
            (place / "file").write_text(f"old {number}")
        made.append(Move(str(new), str(place), str(old), taken))
    return made


@given(existed=st.lists(st.booleans(), min_size=1, max_size=4), data=st.data())
def test_moves_that_are_broken_off_anywhere_are_undone(existed: list[bool], data: st.DataObject) -> None:
    """Also when undoing them is itself broken off, as often as you like."""
    renames = sum(1 + taken for taken in existed)
    broken = data.draw(st.integers(0, renames))
    again = data.draw(st.lists(st.integers(0, 2 * renames), max_size=3))
    with tempfile.TemporaryDirectory() as place, pytest.MonkeyPatch.context() as patch:
        folder = Path(place)
        moves = moves_in(folder, existed)
        before = tree(folder)
        _break_after(patch, broken)
        with contextlib.suppress(InterruptedError):
            for move in moves:
                move.do()
        for times in again:
            _break_after(patch, times)
            with contextlib.suppress(InterruptedError):
                put_back(moves)
        patch.undo()
        put_back(moves)
        assert tree(folder) == before


def _break_after(patch: pytest.MonkeyPatch, times: int) -> None:
    """Let so many renames succeed; the next one does not happen."""
    patch.undo()
    rename, left = os.rename, [times]

    def counted(*given: str) -> None:
        if not left[0]:
            raise InterruptedError
        left[0] -= 1
        rename(*given)

    patch.setattr(leftovers.os, "rename", counted)


@given(
    names=st.sets(
        st.sampled_from(["batch-1.parquet", "batch-2.sum", "work.json", "sorted.parquet", "x.raw.1", "b.tmp"])
    )
)
def test_of_kept_work_only_what_may_stay_does(names: set[str]) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "work")
        folder.mkdir()
        for name in names:
            (folder / name).write_text("raw")
        Leftover(
            str(folder), keep=("batch-*.parquet", "batch-*.sum", "work.json"), worth="batch-*.parquet"
        ).clear()
        left = {path.name for path in folder.iterdir()} if folder.exists() else set()
        may_stay = {"batch-1.parquet", "batch-2.sum", "work.json"}
        assert left == (names & may_stay if "batch-1.parquet" in names else set())


def test_a_shared_folder_goes_only_when_it_is_empty(tmp_path: Path) -> None:
    (tmp_path / "target" / "other").mkdir(parents=True)
    Leftover(str(tmp_path / "target"), shared=True).clear()
    assert (tmp_path / "target" / "other").exists()
    (tmp_path / "target" / "other").rmdir()
    Leftover(str(tmp_path / "target"), shared=True).clear()
    assert not (tmp_path / "target").exists()


def test_a_block_that_fails_leaves_no_folder_and_no_entry(tmp_path: Path) -> None:
    entries = Leftovers()
    with contextlib.suppress(KeyboardInterrupt), entries.entered(Leftover(str(tmp_path / "stage"))):
        (tmp_path / "stage").mkdir()
        raise KeyboardInterrupt
    assert not (tmp_path / "stage").exists()
    (tmp_path / "stage").mkdir()
    entries.clear()
    assert (tmp_path / "stage").exists(), "it is somebody else's now"


def test_a_folder_that_cannot_be_put_in_place_leaves_the_earlier_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("made", "target"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(name)
    rename, calls = os.rename, []

    def second_fails(*given: str) -> None:
        calls.append(given)
        if len(calls) == 2:
            raise InterruptedError
        rename(*given)

    monkeypatch.setattr(leftovers.os, "rename", second_fails)
    with pytest.raises(InterruptedError):
        put_in_place(tmp_path / "made", tmp_path / "target")
    assert (tmp_path / "target" / "file").read_text() == "target"
    put_in_place(tmp_path / "made", tmp_path / "target")
    assert tree(tmp_path) == {"target/file": "made"}
