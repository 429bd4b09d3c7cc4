"""The parts of DNALA: bits and distances, neighbours, blocked and whole searches, and real sequences."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.dna.aligned import Aligned
from sfumato.dna.contract import Problem
from sfumato.dna.methods.dnala import Dnala
from sfumato.dna.methods.pairing import exact as exactly
from sfumato.dna.methods.pairing.closest_first import identical
from sfumato.dna.methods.pairing.distances import Bits, weights
from sfumato.dna.methods.pairing.neighbours import points_of
from sfumato.dna.models.sequence_k_anonymity import SequenceKAnonymity
from sfumato.hierarchy.iupac import Lattice, genotypes, iupac
from tests.oracles import dnala as oracle

LATTICES = [iupac(1), iupac(2), iupac(3), iupac(4), genotypes()]


def odd_lattice() -> Lattice:
    """Genotypes whose 0/1 leaves much open on its own and little more with others: no metric."""
    levels = genotypes().levels.copy()
    levels[2] = 3
    return replace(genotypes(), levels=levels)


@st.composite
def tables(draw: st.DrawFn, lattices: list[Lattice] = LATTICES) -> tuple[NDArray[np.uint8], Lattice]:
    lattice = draw(st.sampled_from(lattices))
    masks = sorted(lattice.masks.values())
    n, m = draw(st.integers(2, 7)), draw(st.integers(1, 70))
    seed = draw(st.integers(0, 2**32))
    return np.array(masks, np.uint8)[np.random.default_rng(seed).integers(0, len(masks), (n, m))], lattice


@settings(max_examples=60, deadline=None)
@given(tables([*LATTICES, odd_lattice()]))
def test_distances_of_bits_are_those_of_the_lattice(table: tuple[NDArray[np.uint8], Lattice]) -> None:
    cells, lattice = table
    found = Bits.of(cells, lattice).distances()
    for i in range(len(cells)):
        for j in range(i):
            expected = oracle.distance(lattice, cells[i].tolist(), cells[j].tolist())
            assert found[i, j] == found[j, i] == expected


def test_distances_are_a_metric_where_no_weight_is_negative() -> None:
    for lattice in LATTICES:
        everything = np.bitwise_or.reduce(list(lattice.masks.values()))
        assert all(weight > 0 for met, weight in weights(lattice).items() if met != everything)
        table = lattice.distances()
        for x in lattice.masks.values():
            for y in lattice.masks.values():
                assert all(table[x, y] <= table[x, z] + table[z, y] for z in lattice.masks.values())
    cells = np.array([[1], [2], [4]], np.uint8)
    assert Bits.of(cells, genotypes()).metric
    assert not Bits.of(cells, odd_lattice()).metric


@settings(max_examples=40, deadline=None)
@given(tables([odd_lattice()]))
def test_exact_pairing_is_right_where_the_distance_is_no_metric(
    table: tuple[NDArray[np.uint8], Lattice],
) -> None:
    cells, lattice = table
    cells = cells[: len(cells) // 2 * 2]
    found = Dnala(pairing="exact").protect(Problem(Aligned(cells, lattice), (SequenceKAnonymity(2),)))
    assert found.details["distance"] == oracle.least_pairing(lattice, cells.tolist(), range(len(cells)))


@settings(max_examples=40, deadline=None)
@given(tables(), st.integers(1, 8))
def test_neighbours_are_the_nearest_distinct_rows(
    table: tuple[NDArray[np.uint8], Lattice], number: int
) -> None:
    cells, lattice = table
    bits = Bits.of(np.concatenate([cells, cells[:1]]), lattice)
    points = points_of(bits, number)
    far = bits.distances()
    first = points.rows[:, 0]
    assert len(first) == len(np.unique(bits.words, axis=0))
    for point, near in enumerate(points.near):
        expected = sorted(far[first[point], other] for other in first if other != first[point])
        assert [far[first[point], first[other]] for other in near] == expected[:number]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5)), min_size=1, max_size=30), st.integers(2, 4))
def test_identical_rows_are_dealt_to_groups_of_enough_persons(rows: list[tuple[int, int]], k: int) -> None:
    _, points = np.unique([point for point, _ in rows], return_inverse=True)
    owners = np.array([owner for _, owner in rows])
    dealt = identical(points, owners, k)
    for group in np.unique(dealt):
        inside = dealt == group
        assert len(set(points[inside])) == 1
        alike = points == points[inside][0]
        if len(set(owners[alike])) >= k:
            assert len(set(owners[inside])) >= k
        else:
            assert (alike == inside).all()


def made_up(people: int, sites: int, seed: int) -> Aligned:
    """Sequences with common ancestors: each is a copy of an earlier one with a few changes."""
    chance = np.random.default_rng(seed)
    cells = np.uint8(1) << chance.integers(0, 4, (people, sites)).astype(np.uint8)
    for row in range(1, people):
        cells[row] = cells[chance.integers(0, row)]
        changed = chance.integers(0, sites, chance.poisson(3))
        cells[row, changed] = np.uint8(1) << chance.integers(0, 4, len(changed)).astype(np.uint8)
    return Aligned(cells)


@pytest.mark.parametrize("k", [2, 5])
def test_a_search_among_few_neighbours_loses_at_most_two_per_cent_more(k: int) -> None:
    rows = made_up(300, 200, seed=2)
    few, all_of_them = (
        Dnala(neighbours=many, effort=8).protect(Problem(rows, (SequenceKAnonymity(k),)))
        for many in (16, len(rows))
    )
    assert int(few.details["loss"]) <= 1.02 * int(all_of_them.details["loss"])


def test_local_search_never_loses_more_than_the_best_pairing_by_a_hundredth() -> None:
    rows = made_up(300, 200, seed=3)
    default, best = (
        Dnala(pairing=pairing).protect(Problem(rows, (SequenceKAnonymity(2),)))
        for pairing in ("closest-first", "exact")
    )
    assert int(default.details["loss"]) <= 1.01 * int(best.details["loss"])


def test_networkx_finds_no_better_pairing() -> None:
    networkx = pytest.importorskip("networkx", reason="networkx comes with PyMatching")
    rows = made_up(60, 80, seed=4)
    far = Bits.of(rows.cells, rows.lattice).distances()
    graph = networkx.Graph()
    graph.add_weighted_edges_from((i, j, int(far[i, j])) for i in range(60) for j in range(i))
    theirs = sum(int(far[i, j]) for i, j in networkx.min_weight_matching(graph))
    ours = Dnala(pairing="exact").protect(Problem(rows, (SequenceKAnonymity(2),)))
    assert ours.details["distance"] == theirs


def test_exact_pairing_refuses_more_rows_than_it_can_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exactly, "MOST_ROWS", 10)
    with pytest.raises(BadInput, match="for 10 different rows at most"):
        Dnala(pairing="exact").protect(Problem(made_up(60, 80, seed=4), (SequenceKAnonymity(2),)))


def mitochondria(shared: Path) -> Aligned:
    """The single nucleotide variants of 1000 Genomes' mitochondria, one haplotype for each person."""
    cyvcf2 = pytest.importorskip("cyvcf2", reason="comes with the extra dna")
    masks = {"A": 1, "C": 2, "G": 4, "T": 8}
    columns = []
    for record in cyvcf2.VCF(str(shared / "data" / "dna" / "1000G.ALL.chrMT.phase1.vcf.gz")):
        alleles = [record.REF, *record.ALT]
        if all(allele in masks for allele in alleles):
            # A genotype of −1 is missing and takes the last of these, N.
            sets = np.array([*(masks[allele] for allele in alleles), 15], np.uint8)
            columns.append(sets[record.genotype.array()[:, 0]])
    cells = np.stack(columns, axis=1)
    return Aligned(cells[:, (cells != cells[0]).any(axis=0)])


@pytest.mark.golden
def test_mitochondria_lose_less_than_the_measured_references(shared: Path) -> None:
    rows = mitochondria(shared)
    assert rows.cells.shape == (1074, 2586)
    losses = {
        (pairing, k): int(
            Dnala(pairing=pairing).protect(Problem(rows, (SequenceKAnonymity(k),))).details["loss"]
        )
        for pairing, k in [
            ("input-order", 2),
            ("exact", 2),
            ("closest-first", 2),
            ("closest-first", 3),
            ("closest-first", 5),
        ]
    }
    assert losses["input-order", 2] == 11_977
    assert losses["exact", 2] == 9_765
    # Groups of three where they help: less than any pairing can lose.
    assert losses["closest-first", 2] < 9_500
    assert losses["closest-first", 3] < 0.85 * 20_571
    assert losses["closest-first", 5] < 0.85 * 38_202
