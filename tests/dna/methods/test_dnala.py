"""DNALA keeps its promise on any lattice, says the truth, and loses little."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.dna.aligned import Aligned, aligned
from sfumato.dna.contract import Demand, Problem, Solution
from sfumato.dna.methods.dnala import PAIRINGS, Dnala
from sfumato.dna.models.bins import Bins
from sfumato.dna.models.sequence_k_anonymity import SequenceKAnonymity
from sfumato.hierarchy.iupac import Lattice, genotypes, iupac
from tests.oracles import dnala as oracle

LATTICES = [iupac(1), iupac(2), iupac(3), iupac(4), genotypes()]
SEED = ("AATTA", "AATGA", "ATTCA", "AATGA")


def protected(rows: Aligned, k: int, method: Dnala | None = None, **model: Any) -> Solution:
    return (method or Dnala()).protect(Problem(rows, (SequenceKAnonymity(k, **model),)))


def spelt(found: Solution) -> list[str]:
    return [found.published.lattice.spelt(row) for row in found.published.cells]


@st.composite
def alignments(draw: st.DrawFn, most: int = 8, plain: bool = False) -> Aligned:
    lattice: Lattice = draw(st.sampled_from(LATTICES))
    masks = sorted(lattice.masks.values())
    if plain:
        masks = masks[:3]
    n, m = draw(st.integers(2, most)), draw(st.integers(1, 6))
    cells = draw(st.lists(st.lists(st.sampled_from(masks), min_size=m, max_size=m), min_size=n, max_size=n))
    persons = draw(st.none() | st.lists(st.integers(10, 10 + n), min_size=n, max_size=n))
    owners = None if persons is None else np.array(persons, np.int64)
    return Aligned(np.array(cells, np.uint8), lattice, persons=owners)


def persons_behind(found: Solution, columns: NDArray[np.int64] | None = None) -> int:
    """The fewest persons that share a published row: the oracle of k-anonymity."""
    rows: dict[tuple[int, ...], set[int]] = {}
    for row, owner in zip(found.published.cells.tolist(), found.published.owners.tolist(), strict=True):
        seen = row if columns is None else [row[at] for at in columns]
        rows.setdefault(tuple(seen), set()).add(owner)
    return min(len(who) for who in rows.values())


def holds_the_original(original: Aligned, found: Solution) -> bool:
    """Every published cell is the original or above it; a gap is below N."""
    before, after = original.cells[found.kept], found.published.cells
    inside = (before & after) == before
    if original.lattice.gap is not None:
        inside |= (before == original.lattice.gap) & (after == original.lattice.top)
    return bool(inside.all())


def recounted_loss(original: Aligned, found: Solution) -> int:
    level = original.lattice.levels
    return int(level[found.published.cells].sum() - level[original.cells[found.kept]].sum())


def test_the_seed_is_published_as_in_the_lecture() -> None:
    for pairing in ("closest-first", "exact"):
        found = protected(aligned(*SEED), 2, Dnala(pairing=pairing))
        assert spelt(found) == ["AWTYA", "AATGA", "AWTYA", "AATGA"]
        assert (found.details["loss"], found.details["distance"]) == (4, 4)


def test_greedy_in_the_order_of_the_file_loses_six() -> None:
    found = protected(aligned(*SEED), 2, Dnala(pairing="input-order"))
    assert spelt(found) == ["AATKA", "AATKA", "AWTSA", "AWTSA"]
    assert (found.details["loss"], found.details["distance"]) == (6, 6)


@settings(max_examples=150, deadline=None)
@given(alignments(), st.integers(2, 4), st.sampled_from(PAIRINGS), st.integers(0, 3))
def test_any_rows_are_published_truthfully_for_k_persons(
    rows: Aligned, k: int, pairing: Any, seed: int
) -> None:
    k = 2 if pairing == "exact" else k
    method = Dnala(pairing=pairing, seed=seed)
    if len(np.unique(rows.owners)) < k:
        with pytest.raises(PromiseNotMet):
            protected(rows, k, method)
        return
    found = protected(rows, k, method)
    assert persons_behind(found) >= k
    assert SequenceKAnonymity(k).check(found.published).holds
    assert found.kept.tolist() == list(range(len(rows)))
    assert holds_the_original(rows, found)
    assert found.details["loss"] == recounted_loss(rows, found)
    best = oracle.least_loss(rows.lattice, rows.cells.tolist(), rows.owners.tolist(), k)
    assert best is not None
    assert int(found.details["loss"]) >= best


@settings(max_examples=100, deadline=None)
@given(alignments(plain=True) | alignments())
def test_exact_pairing_is_the_best_of_all_pairings(rows: Aligned) -> None:
    best = oracle.least_pairing(rows.lattice, rows.cells.tolist(), rows.owners.tolist())
    if best is not None:
        found = protected(rows, 2, Dnala(pairing="exact"))
        assert found.details["distance"] == best
        assert found.details["persons_in_the_largest_group"] == 2


@settings(max_examples=100, deadline=None)
@given(alignments(most=7), st.integers(2, 3))
def test_the_default_is_mostly_the_best_of_all_partitions_of_few_rows(rows: Aligned, k: int) -> None:
    best = oracle.least_loss(rows.lattice, rows.cells.tolist(), rows.owners.tolist(), k)
    if best is not None:
        loss = int(protected(rows, k, Dnala(effort=200)).details["loss"])
        assert best <= loss <= 1.5 * best + 2


def test_the_default_finds_the_best_partition_in_nearly_all_of_forty_tables() -> None:
    chance = np.random.default_rng(5)
    hits = 0
    for _ in range(40):
        cells = np.uint8(1) << chance.integers(0, 4, (7, 8)).astype(np.uint8)
        best = oracle.least_loss(iupac(), cells.tolist(), list(range(7)), 2)
        hits += protected(Aligned(cells), 2).details["loss"] == best
    assert hits >= 36


@settings(max_examples=60, deadline=None)
@given(alignments(), st.data())
def test_only_the_positions_of_the_promise_are_generalised(rows: Aligned, data: st.DataObject) -> None:
    asked = data.draw(st.lists(st.integers(1, rows.width), min_size=1, unique=True))
    if len(np.unique(rows.owners)) < 2:
        return
    found = protected(rows, 2, positions=asked)
    columns = np.array(asked, np.int64) - 1
    others = np.setdiff1d(np.arange(rows.width), columns)
    assert persons_behind(found, columns) >= 2
    assert (found.published.cells[:, others] == rows.cells[:, others]).all()


@settings(max_examples=60, deadline=None)
@given(alignments(most=9), st.integers(2, 4))
def test_no_more_rows_are_left_out_than_persons_are_over(rows: Aligned, k: int) -> None:
    people = len(np.unique(rows.owners))
    if people < k:
        return
    found = protected(rows, k, Dnala(leave_out=True))
    assert len(rows) - len(found.kept) == found.details["left_out"] <= people % k
    assert persons_behind(found) >= k
    assert found.details["loss"] == recounted_loss(rows, found)
    assert holds_the_original(rows, found)


def test_the_row_left_out_is_the_one_that_costs_most() -> None:
    rows = aligned("AAAA", "AAAA", "AAAA", "AAAT", "CCCC")
    found = protected(rows, 2, Dnala(leave_out=True))
    assert found.kept.tolist() == [0, 1, 2, 3]
    assert protected(rows, 2).kept.tolist() == [0, 1, 2, 3, 4]


def test_two_rows_of_one_person_are_no_pair() -> None:
    twice = Aligned(aligned("AA", "AA", "CC", "CC").cells, persons=np.array([7, 7, 8, 8]))
    for pairing in PAIRINGS:
        found = protected(twice, 2, Dnala(pairing=pairing))
        assert persons_behind(found) == 2
        assert set(spelt(found)) == {"MM"}


def test_identical_rows_of_enough_persons_cost_nothing() -> None:
    rows = aligned(*["ACGT"] * 5, *["TTTT"] * 3)
    assert protected(rows, 2).details["loss"] == 0
    assert protected(rows, 3).details["loss"] == 0


def test_the_level_of_a_gap_decides_what_it_is_paired_with() -> None:
    assert protected(aligned("AA", "--"), 2).details["distance"] == 8
    assert protected(aligned("AA", "--"), 2, Dnala(gap_level=1)).details["distance"] == 12
    assert spelt(protected(aligned("A-", "A-"), 2)) == ["A-", "A-"]


def test_the_same_seed_gives_the_same_groups() -> None:
    chance = np.random.default_rng(3)
    rows = Aligned(np.uint8(1) << chance.integers(0, 2, (41, 30)).astype(np.uint8))
    once, twice = (protected(rows, 3, Dnala(seed=4)) for _ in range(2))
    assert (once.published.cells == twice.published.cells).all()


def test_several_promises_are_kept_together() -> None:
    rows = aligned("AATT", "ACTT", "GATT", "GCTA", "AATA", "CCTT")
    models = (SequenceKAnonymity(3, positions=[1]), SequenceKAnonymity(2, positions=[1, 4]))
    found = Dnala().protect(Problem(rows, models))
    assert all(model.check(found.published).holds for model in models)
    assert (found.published.cells[:, 1:3] == rows.cells[:, 1:3]).all()


def test_what_it_cannot_promise_is_refused() -> None:
    assert Dnala().enforces(Demand(people=5, at_a_time=2))
    assert not Dnala().enforces(Demand(people=5, mapped=True))
    assert not Dnala().enforces(Demand(alike=2))
    with pytest.raises(BadInput, match="does not enforce bins"):
        Dnala().protect(Problem(aligned(*SEED), (Bins(within=2, across=2),)))
    with pytest.raises(PromiseNotMet, match="5 people must be alike and there are 4"):
        protected(aligned(*SEED), 5)
    with pytest.raises(BadInput, match="exact pairing makes pairs"):
        protected(aligned(*SEED), 3, Dnala(pairing="exact"))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"pairing": "closest"}, "did you mean 'closest-first'"),
        ({"seed": -1}, "seed must be a whole number of at least 0"),
        ({"neighbours": 0}, "neighbours must be a whole number of at least 1"),
        ({"effort": 1.5}, "effort must be a whole number"),
        ({"gap_level": 5}, "the level of a gap lies between 1"),
    ],
)
def test_wrong_parameters_are_refused_when_the_method_is_made(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        Dnala(**wrong)
