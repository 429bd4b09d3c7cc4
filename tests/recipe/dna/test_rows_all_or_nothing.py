"""A release of rows is all or nothing, and what does not hold is never published."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.progress import SILENT, Progress
from sfumato.core.randomness import SeededRandom
from sfumato.dna.contract import Demand, Problem, Solution
from sfumato.dna.methods import Dnala
from sfumato.dna.models import SequenceKAnonymity
from sfumato.hierarchy.iupac import iupac
from sfumato.recipe.dna import rows_release
from sfumato.recipe.dna.api import protect_dna
from sfumato.recipe.load import load
from sfumato.recipe.prepared import prepared, released
from sfumato.release import pipeline
from tests.recipe.dna.rows_examples import fasta, recipe


@dataclass(frozen=True)
class Spoilt:
    """Takes what DNALA found and spoils it."""

    how: Callable[[Solution], Solution]
    name: ClassVar[str] = "spoilt"

    def enforces(self, demand: Demand) -> bool:
        return True

    def protect(self, problem: Problem, *, progress: Progress = SILENT) -> Solution:
        return self.how(Dnala().protect(problem))


def untouched(found: Solution) -> Solution:
    """Publish rows as they are, but for the first cell of one, which is opened."""
    cells = np.array([[1, 1, 8, 8, 1], *([[1, 1, 8, 4, 1]] * 6)], np.uint8)
    return dataclasses.replace(found, published=found.published.with_cells(cells))


def invented(found: Solution) -> Solution:
    cells = np.full_like(found.published.cells, 2)
    return dataclasses.replace(found, published=found.published.with_cells(cells))


def exchanged(found: Solution) -> Solution:
    return dataclasses.replace(found, kept=np.zeros_like(found.kept))


def emptied(found: Solution) -> Solution:
    none = np.empty(0, np.int64)
    return Solution(found.published.rows(none), none)


def job_in(folder: Path, **changes: Any) -> Any:
    job = prepared(load(recipe(folder, fasta(folder))), folder)
    return dataclasses.replace(job, **changes)  # type: ignore[type-var]


@pytest.mark.parametrize("how", [untouched, invented, exchanged, emptied])
def test_what_a_wrong_method_finds_is_not_published(tmp_path: Path, how: Any) -> None:
    with pytest.raises(PromiseNotMet):
        released(job_in(tmp_path, method=Spoilt(how)), tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data.fasta", "recipe.yaml"]


def test_a_file_that_holds_other_rows_is_not_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = rows_release.write_content

    def wrong(content: Any, schema: Any, folder: Path) -> Path:
        path = real(content, schema, folder)
        text = path.read_text()
        path.write_text(text[: text.rindex(">")])
        return path

    monkeypatch.setattr(rows_release, "write_content", wrong)
    with pytest.raises(PromiseNotMet, match="does not hold the rows that were found"):
        released(job_in(tmp_path), tmp_path)
    assert not (tmp_path / "release").exists()


def test_what_a_reader_would_refute_is_not_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = rows_release.write_content

    def talking(content: Any, schema: Any, folder: Path) -> Path:
        path = real(content, schema, folder)
        path.write_text(path.read_text().replace(">1\n", ">1 ada\n"))
        return path

    monkeypatch.setattr(rows_release, "write_content", talking)
    with pytest.raises(PromiseNotMet, match="nothing else"):
        released(job_in(tmp_path), tmp_path)
    assert not (tmp_path / "release").exists()


@pytest.mark.parametrize("place", ["write_content", "gather_rows", "write_report", "verify_rows"])
def test_an_interrupted_run_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pipeline if place == "write_report" else rows_release, place, interrupted)
    with pytest.raises(KeyboardInterrupt):
        released(job_in(tmp_path), tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data.fasta", "recipe.yaml"]


def test_an_order_that_can_be_drawn_again_is_not_published(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="seeded generator"):
        released(job_in(tmp_path, random=SeededRandom(1)), tmp_path)


@settings(max_examples=25, deadline=None)
@given(
    texts=st.lists(st.text("ACGTRN-", min_size=4, max_size=4), min_size=4, max_size=12),
    people=st.integers(2, 6),
    k=st.integers(2, 3),
)
def test_every_published_row_holds_its_own_and_stands_for_k_persons(
    texts: list[str], people: int, k: int
) -> None:
    texts = ["A" + text for text in texts]
    whose = [str(at % people) for at in range(len(texts))]
    if len(set(whose)) < k:
        with pytest.raises(PromiseNotMet):
            protect_dna(texts, person=whose, models=SequenceKAnonymity(k))
        return
    release = protect_dna(texts, person=whose, models=SequenceKAnonymity(k))
    lattice = iupac()
    shown = [lattice.spelt(row) for row in release.published.cells]
    owners: dict[str, set[str]] = {}
    for row, original in zip(shown, release.kept.tolist(), strict=True):
        # Gaps are not published: what a reader sees is the text without them.
        owners.setdefault(row.replace("-", ""), set()).add(whose[original])
        for cell, base in zip(row, texts[original], strict=True):
            may_be = {"N": "ACGTRYN-", "R": "AGR"}.get(cell) or cell
            letters = lattice.masks[base]
            assert base in may_be or (letters | lattice.masks[cell]) == lattice.masks[cell]
    assert all(len(persons) >= k for persons in owners.values())
    assert sorted(release.data) == sorted(row.replace("-", "") for row in shown)
