"""Relatives: found among rows, through generalised rows, and in pools."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.dna.aligned import Aligned, aligned
from sfumato.dna.attacks import Kinship, Knowledge, LikelihoodRatio
from sfumato.dna.attacks.kinship import king
from sfumato.hierarchy.iupac import genotypes
from tests.dna.attacks.people import unlinked
from tests.oracles import dna_attacks as oracle

MASKS = np.array([1, 2, 4], np.uint8)
DOSAGE = {1: 0, 2: 1, 4: 2}


def rows_of(dosages: NDArray[np.int64]) -> Aligned:
    return Aligned(MASKS[dosages], genotypes())


def family(sites: int, seed: int) -> tuple[Aligned, Knowledge]:
    """Sixty released rows; children of the first thirty, and 120 strangers."""
    chance = np.random.default_rng(seed)
    frequency = chance.uniform(0.05, 0.95, sites)
    rows = chance.binomial(2, frequency, (60, sites))
    children = chance.binomial(1, rows[:30] / 2) + chance.binomial(1, frequency, (30, sites))
    strangers = chance.binomial(2, frequency, (120, sites))
    relatives = np.concatenate([np.arange(30), np.full(120, -1)])
    people = rows_of(np.concatenate([children, strangers]))
    return rows_of(rows), Knowledge(people=people, relatives=relatives)


def grouped(rows: Aligned, k: int) -> Aligned:
    cells = rows.cells.copy()
    for start in range(0, len(cells), k):
        cells[start : start + k] = rows.lattice.join(cells[start : start + k])
    return rows.with_cells(cells)


CELLS = st.lists(st.sampled_from([1, 2, 4, 3, 6, 7]), min_size=8, max_size=8)


@given(CELLS, CELLS)
def test_kinship_is_that_of_the_oracle_over_exact_genotypes(mine: list[int], theirs: list[int]) -> None:
    found = king(np.array([mine], np.uint8), np.array([theirs], np.uint8))[0, 0]
    slow = oracle.king([DOSAGE.get(cell) for cell in mine], [DOSAGE.get(cell) for cell in theirs])
    assert np.isnan(found) if slow is None else found == pytest.approx(slow)


def test_the_same_person_has_a_kinship_of_one_half_and_a_child_of_one_quarter() -> None:
    rows, known = family(4000, 1)
    assert known.people is not None
    found = king(known.people.cells[:30], rows.cells)
    assert found[np.arange(30), np.arange(30)].mean() == pytest.approx(0.25, abs=0.02)
    assert king(rows.cells[:1], rows.cells[:1])[0, 0] == pytest.approx(0.5)
    assert found[0, 31:].mean() == pytest.approx(0.0, abs=0.02)


@pytest.mark.parametrize("estimator", ["king", "relationship"])
def test_children_of_released_people_are_found_with_their_parents_row(estimator: str) -> None:
    rows, known = family(1000, 2)
    found = Kinship(estimator).run(rows, known, victims=True)
    assert found.details["auc"] == 1.0
    assert found.details["relative's row found"] == 1.0
    assert len(found.victims) == 30
    if estimator == "king":
        assert found.details["relatives called first degree"] == 1.0
        assert found.details["strangers called first degree"] == 0.0


def test_k_anonymous_rows_still_show_relatives_but_not_which_row() -> None:
    rows, known = family(1500, 3)
    areas = []
    for k in (2, 5, 20):
        found = Kinship().run(grouped(rows, k), known).details
        areas.append(float(found["auc"]))
        assert float(found["relative's row found"]) <= 1 / k + 1e-12
    assert areas[0] > 0.99
    assert areas[1] > 0.9
    assert areas[2] < areas[1]


def test_sets_tell_more_than_exact_genotypes_alone() -> None:
    rows, known = family(1000, 4)
    shown = grouped(rows, 5)
    with_sets, exact = (Kinship(one).run(shown, known).details["auc"] for one in ("relationship", "king"))
    assert with_sets > exact


def test_unrelated_people_are_not_called_relatives() -> None:
    rows, known = family(1000, 5)
    assert known.people is not None
    strangers = known.people.rows(np.arange(30, 150))
    nobody = Knowledge(people=strangers, relatives=np.where(np.arange(120) < 60, 0, -1))
    found = Kinship().run(rows, nobody).details
    assert found["auc from"] < 0.5 < found["auc to"]


def test_rows_that_tell_nothing_are_said_to_tell_nothing() -> None:
    rows, known = family(60, 6)
    with pytest.raises(BadInput, match="cannot be estimated"):
        Kinship().run(rows.with_cells(np.full_like(rows.cells, 7)), known)
    with pytest.raises(BadInput, match="cannot be estimated"):
        Kinship(least=61).run(rows, known)


def test_a_relative_in_a_pool_is_found_less_surely_than_the_person() -> None:
    chance = np.random.default_rng(7)
    split = unlinked(3000, (60, 300, 300), 7)
    frequency = split.panel.mean(axis=1, keepdims=True) / 2
    children = chance.binomial(1, split.pool / 2) + chance.binomial(
        1, np.broadcast_to(frequency, split.pool.shape)
    )
    known = replace(split.knowledge(), members=split.source(children.astype(np.int8)))
    found = Kinship().run(split.statistics(), known)
    person = LikelihoodRatio().run(split.statistics(), split.knowledge())
    assert found.attack == "kinship"
    assert 0.9 < found.details["auc"] < person.details["auc"]


def test_what_cannot_be_compared_is_refused() -> None:
    rows, known = family(60, 8)
    for wrong, words in (
        (Knowledge(), "who has a relative"),
        (replace(known, relatives=np.full(150, -1)), "all relatives, or none"),
        (replace(known, relatives=np.zeros(150, np.int64)), "all relatives, or none"),
        (replace(known, relatives=np.concatenate([[60], np.full(149, -1)])), "past the release"),
        (replace(known, people=aligned("ACGT"), relatives=np.array([0])), "all relatives"),
    ):
        with pytest.raises(BadInput, match=words):
            Kinship().run(rows, wrong)
    with pytest.raises(BadInput, match="from genotypes"):
        Kinship().run(aligned(*["A" * 60] * 60), known)
    with pytest.raises(BadInput, match="no such estimator"):
        Kinship("ibs")
