"""Haplotype blocks: k people behind every row, truthful cells, blocks and weights as defined."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.dna.aligned import Aligned, aligned
from sfumato.dna.contract import Problem
from sfumato.dna.methods import Dnala
from sfumato.dna.methods.blocks import haplotype_blocks
from sfumato.dna.methods.grouping import _distinct
from sfumato.dna.methods.haplotype import POWERS, HaplotypeBlocks
from sfumato.dna.models import Bins, GenotypeKMap, SequenceKAnonymity, SnpExposure
from sfumato.hierarchy.iupac import genotypes, iupac
from tests.dna.methods.asking import Asks, alignments, demands
from tests.oracles.dna_methods import answers, holds_the_original, least_loss_of_pairs


def spelt(rows: Aligned) -> list[str]:
    return [rows.lattice.spelt(row) for row in rows.cells]


def loss(published: Aligned, original: Aligned) -> int:
    return int((original.lattice.levels[published.cells] - original.lattice.levels[original.cells]).sum())


@given(st.data(), st.sampled_from(sorted(POWERS)))
def test_promises_hold_and_rows_are_truthful(data: st.DataObject, weigh: str) -> None:
    rows = data.draw(alignments(most=12))
    asked = [data.draw(demands(rows)), data.draw(demands(rows))]
    method = HaplotypeBlocks(weigh, rounds=1, seed=data.draw(st.integers(0, 9)))
    solution = method.protect(Problem(rows, tuple(Asks(demand) for demand in asked)))
    assert all(answers(solution.published, demand) for demand in asked)
    assert holds_the_original(solution.published, rows)
    asked_columns = {
        column
        for demand in asked
        if demand.people > 1
        for column in (range(rows.width) if demand.positions is None else demand.positions)
    }
    others = [column for column in range(rows.width) if column not in asked_columns]
    assert (solution.published.cells[:, others] == rows.cells[:, others]).all()


@given(alignments(most=9, widest=5))
def test_every_published_row_is_the_join_of_a_group_and_no_more(rows: Aligned) -> None:
    k = min(2, len(set(rows.owners.tolist())))
    published = HaplotypeBlocks(rounds=1).protect(Problem(rows, (SequenceKAnonymity(k),))).published
    for row in published.cells:
        members = (published.cells == row).all(axis=1)
        joined = rows.lattice.join(rows.cells[members])
        # groups that happen to share a join are seen as one here, and their join is the same
        assert (joined == row).all()


def test_the_four_sequences_of_the_lecture_lose_four_levels() -> None:
    rows = aligned("AATTA", "AATGA", "ATTCA", "AATGA")
    published = HaplotypeBlocks().protect(Problem(rows, (SequenceKAnonymity(2),))).published
    assert spelt(published) == ["AWTYA", "AATGA", "AWTYA", "AATGA"]
    assert loss(published, rows) == 4


@given(alignments(most=12), st.integers(2, 3))
def test_no_more_is_lost_than_by_dnala(rows: Aligned, k: int) -> None:
    assume(len(set(rows.owners.tolist())) >= k)
    problem = Problem(rows, (SequenceKAnonymity(k),))
    plain = Dnala().protect(problem).published
    assert loss(HaplotypeBlocks("alike", rounds=1).protect(problem).published, rows) <= loss(plain, rows)
    varies = (rows.cells != rows.cells[0]).any(axis=0)
    if varies.any():
        linked = np.ones(rows.width)
        linked[varies] = haplotype_blocks(rows.columns(np.flatnonzero(varies))).linked
        levels = rows.lattice.levels
        ours, theirs = (
            float(((levels[cells] - levels[rows.cells]) / linked).sum())
            for cells in (HaplotypeBlocks(rounds=1).protect(problem).published.cells, plain.cells)
        )
        # weights are rounded to millionths
        assert ours <= theirs + 1e-3


@pytest.mark.parametrize("seed", range(40))
def test_six_rows_are_paired_as_well_as_any_pairing_does(seed: int) -> None:
    chance = np.random.default_rng(seed)
    rows = Aligned(chance.choice(np.array([1, 2], np.uint8), (6, 6), p=[0.7, 0.3]))
    published = HaplotypeBlocks("alike").protect(Problem(rows, (SequenceKAnonymity(2),))).published
    assert loss(published, rows) == least_loss_of_pairs(rows)


def test_each_snp_speaks_for_the_linked_ones_of_its_block() -> None:
    # Columns 1 to 3 are one block; 4 and 5 are independent of it and of each other.
    rows = aligned("AAAAA", "CCCAA", "AAACC", "CCCCC", "AAAAC", "CCCAC", "AAACA", "CCCCA")
    models = (SequenceKAnonymity(2, positions=[1, 2, 3, 4]),)
    alike = HaplotypeBlocks("alike").protect(Problem(rows, models)).published
    assert loss(alike, rows) == 0
    models = (SequenceKAnonymity(2),)
    linked = HaplotypeBlocks("linked").protect(Problem(rows, models)).published
    assert (linked.cells[:, :3] == rows.cells[:, :3]).all()
    weights = haplotype_blocks(rows).linked
    assert weights[:3] == pytest.approx(3.0)
    assert weights[3:].max() == 1.0


def test_weights_decide_who_is_grouped() -> None:
    # Of the first four two share the block of three, two both single SNPs; the others come in pairs.
    pairs = ["AAAGA", "CCCGA", "AAACT", "CCCCT"] * 2
    rows = aligned("AAAGT", "CCCGT", "AAACA", "CCCCA", *pairs)
    models = (SequenceKAnonymity(2),)
    alike, independent = (
        HaplotypeBlocks(weigh).protect(Problem(rows, models)).published.cells
        for weigh in ("alike", "independent")
    )
    assert (alike[:, :3] == rows.cells[:, :3]).all()
    assert (alike != rows.cells).any()
    assert (independent[:, 3:] == rows.cells[:, 3:]).all()
    assert (independent != rows.cells).any()


def test_four_gametes_end_a_block_of_sequences() -> None:
    together = aligned("AA", "AC", "CC", "CC")
    assert haplotype_blocks(together).starts.tolist() == [0]
    apart = aligned("AA", "AC", "CC", "CA")
    assert haplotype_blocks(apart).starts.tolist() == [0, 1]


def test_two_heterozygous_sites_do_not_tell_their_gametes() -> None:
    hidden = Aligned(np.array([[1, 1], [2, 2], [2, 2], [4, 4]], np.uint8), genotypes())
    assert haplotype_blocks(hidden).starts.tolist() == [0]
    shown = Aligned(np.array([[1, 1], [2, 1], [1, 2], [4, 4]], np.uint8), genotypes())
    assert haplotype_blocks(shown).starts.tolist() == [0, 1]


def test_unknown_cells_take_no_part_in_blocks() -> None:
    rows = aligned("AA", "AC", "CC", "NA", "-A")
    assert haplotype_blocks(rows).starts.tolist() == [0]


@given(alignments(widest=6))
def test_columns_searched_as_one_cost_the_same_in_every_group(rows: Aligned) -> None:
    cells, weights = _distinct(rows, np.full(rows.width, 1000, np.int64))
    assert weights.sum() == 1000 * rows.width
    levels = rows.lattice.levels[rows.lattice.closed]
    for members in combinations(range(len(rows)), 2):
        before = levels[np.bitwise_or.reduce(rows.cells[list(members)], axis=0)].sum()
        after = (weights * levels[np.bitwise_or.reduce(cells[list(members)], axis=0)]).sum()
        assert after == 1000 * before


def test_the_same_seed_gives_the_same_groups() -> None:
    rows = Aligned(np.random.default_rng(1).choice(np.array([1, 2, 4], np.uint8), (40, 30)), genotypes())
    first, second = (
        HaplotypeBlocks(seed=3).protect(Problem(rows, (SequenceKAnonymity(3),))).published.cells for _ in "ab"
    )
    assert (first == second).all()


def test_rows_of_one_person_do_not_make_a_group() -> None:
    rows = Aligned(aligned("AA", "AA", "AA", "CC", "CC").cells, iupac(), persons=np.array([1, 1, 1, 2, 3]))
    model = SequenceKAnonymity(2)
    published = HaplotypeBlocks().protect(Problem(rows, (model,))).published
    assert model.check(published).holds


def test_exposure_is_kept_by_more_than_it_asks_and_the_rest_refused() -> None:
    method = HaplotypeBlocks()
    rows = aligned("ACGT", "ACGA", "TCGT", "TCCA", "ACCT", "TCGA")
    model = SnpExposure(at_a_time=2, k=3)
    assert model.check(method.protect(Problem(rows, (model,))).published).holds
    assert not method.enforces(Bins(within=2).demand())
    assert not method.enforces(GenotypeKMap(2).demand())


def test_bad_parameters_and_too_few_people_are_refused() -> None:
    with pytest.raises(BadInput, match="did you mean 'linked'"):
        HaplotypeBlocks("linkd")
    with pytest.raises(BadInput, match="rounds is a whole number"):
        HaplotypeBlocks(rounds=-1)
    with pytest.raises(PromiseNotMet, match="there are 2; ask for 2 at most"):
        HaplotypeBlocks().protect(Problem(aligned("A", "C"), (SequenceKAnonymity(3),)))
