"""Published r²: who is behind it, and which counts of haplotypes it gives away."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.dna.attacks import (
    LikelihoodRatio,
    LinkageDisequilibrium,
    Population,
    PublishedLinkage,
    recovered,
)
from sfumato.dna.attacks.haplotype_counts import has_table
from sfumato.dna.attacks.linkage_disequilibrium import correlations
from sfumato.dna.source import InMemory
from tests.dna.attacks.people import Split, with_alleles_swapped
from tests.oracles.dna_attacks import compositions, haplotype_tables, r_squared

KINDS = list(product((0, 1), repeat=3))


def linked(sites: int, sizes: tuple[int, int, int], seed: int) -> Split:
    """People whose chromosomes are copied from a few ancestors, changing over now and then."""
    chance = np.random.default_rng(seed)
    ancestors = chance.random((12, sites)) < 0.4
    haplotypes = np.empty((2 * sum(sizes), sites), np.int8)
    for row in haplotypes:
        change = chance.random(sites) < 0.08
        change[0] = True
        source = chance.integers(0, 12, sites)
        row[:] = ancestors[
            source[np.maximum.accumulate(np.where(change, np.arange(sites), 0))], np.arange(sites)
        ]
    dosages = (haplotypes[0::2] + haplotypes[1::2]).T
    varies = (dosages.std(axis=1) > 0.2) & (dosages[:, : sizes[0]].std(axis=1) > 0)
    return Split.of(np.ascontiguousarray(dosages[varies]), np.arange(sum(sizes)), sizes)


def all_pairs(split: Split, *, signed: bool = False) -> PublishedLinkage:
    pairs = np.array(list(combinations(range(len(split.sites)), 2)))
    first, second = pairs[:, 0].copy(), pairs[:, 1].copy()
    r, _ = correlations(split.pool, first, second)
    signs = np.sign(r).astype(np.int64) if signed else None
    return PublishedLinkage(split.sites, first, second, r**2, signs)


@given(st.integers(0, 1000))
def test_correlations_are_those_of_numpy(seed: int) -> None:
    chance = np.random.default_rng(seed)
    dosages = chance.integers(-1, 3, (3, 20)).astype(np.int8)
    found, _ = correlations(dosages, np.array([0, 0]), np.array([1, 2]))
    for at, other in enumerate((1, 2)):
        both = (dosages[0] >= 0) & (dosages[other] >= 0)
        x, y = dosages[0, both].astype(float), dosages[other, both].astype(float)
        if len(x) < 2 or x.std() == 0 or y.std() == 0:
            assert np.isnan(found[at])
        else:
            assert found[at] == pytest.approx(np.corrcoef(x, y)[0, 1])


def test_pairs_of_few_sites_tell_more_than_their_frequencies_do() -> None:
    areas = []
    for seed in range(3):
        split = linked(80, (50, 200, 200), seed)
        known = split.knowledge()
        areas.append(
            [
                LinkageDisequilibrium().run(all_pairs(split, signed=True), known).details["auc"],
                LinkageDisequilibrium().run(all_pairs(split), known).details["auc"],
                LikelihoodRatio().run(split.statistics(), known).details["auc"],
            ]
        )
    signed, unsigned, frequencies = np.mean(areas, axis=0)
    assert signed > unsigned > frequencies
    assert unsigned > 0.75


def test_strangers_to_the_pool_are_not_found_in_its_linkage() -> None:
    split = linked(60, (50, 300, 200), 4)
    known = replace(
        split.knowledge(),
        members=split.source(split.outside[:, :150]),
        outside=split.source(split.outside[:, 150:]),
    )
    found = LinkageDisequilibrium().run(all_pairs(split), known).details
    assert found["auc from"] < 0.5 < found["auc to"]


def test_neighbouring_r2_is_read_as_it_is_published() -> None:
    split = linked(30, (40, 100, 100), 5)
    neighbours = np.full((len(split.sites), 2), np.nan)
    for step in (1, 2):
        at = np.arange(len(split.sites) - step)
        neighbours[: len(at), step - 1] = correlations(split.pool, at, at + step)[0] ** 2
    target = PublishedLinkage.of_neighbours(split.sites, neighbours)
    assert len(target.first) == 2 * len(split.sites) - 3
    assert set((target.second - target.first).tolist()) == {1, 2}
    assert LinkageDisequilibrium().run(target, split.knowledge()).details["pairs"] <= len(target.first)


def test_it_does_not_matter_which_allele_a_file_of_people_calls_the_reference() -> None:
    split = linked(30, (40, 60, 100), 7)
    known = split.knowledge()
    assert isinstance(known.members, InMemory)
    assert isinstance(known.outside, InMemory)
    missing = known.members.dosages.copy()
    missing[::3, ::4] = -1
    known = replace(known, members=InMemory(missing, split.sites))
    turned = replace(known, members=with_alleles_swapped(InMemory(missing, split.sites)))
    attack = LinkageDisequilibrium()
    assert attack.run(all_pairs(split), turned) == attack.run(all_pairs(split), known)


def test_three_sites_have_a_table_exactly_when_one_exists() -> None:
    carried = [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]
    found = {
        tuple(
            sum(many for many, kind in zip(counts, KINDS, strict=True) if all(kind[at] for at in sites))
            for sites in carried
        )
        for counts in compositions(4, 8)
    }
    for case in product(range(5), repeat=6):
        ci, cj, ck, ij, ik, jk = case
        # Counts of pairs that fit their two sites are what the narrowing starts from.
        if all(max(0, a + b - 4) <= x <= min(a, b) for a, b, x in ((ci, cj, ij), (ci, ck, ik), (cj, ck, jk))):
            assert has_table(4, *case) == (case in found)


def test_frequencies_alone_are_no_reference_for_linkage() -> None:
    split = linked(20, (20, 30, 40), 6)
    known = replace(split.knowledge(), reference=Population.of(split.source(split.panel)))
    with pytest.raises(BadInput, match="not only frequencies"):
        LinkageDisequilibrium().run(all_pairs(split), known)


@st.composite
def small_tables(draw: st.DrawFn) -> tuple[int, list[int], dict[tuple[int, int], int], int]:
    rows = draw(st.lists(st.tuples(*[st.integers(0, 1)] * 3), min_size=3, max_size=6))
    table = np.array(rows)
    alleles = table.sum(axis=0).tolist()
    both = {(i, j): int((table[:, i] & table[:, j]).sum()) for i, j in combinations(range(3), 2)}
    return len(rows), alleles, both, draw(st.integers(1, 4))


@given(small_tables().filter(lambda one: all(0 < count < one[0] for count in one[1])))
def test_exactly_the_counts_of_some_table_that_fits_are_left(
    case: tuple[int, list[int], dict[tuple[int, int], int], int],
) -> None:
    haplotypes, alleles, both, decimals = case
    shown = {
        (i, j): round(float(r_squared(haplotypes, alleles[i], alleles[j], count)), decimals)
        for (i, j), count in both.items()
    }
    found = recovered(haplotypes, alleles, shown, decimals=decimals).counts
    fitting = [
        table
        for table in haplotype_tables(haplotypes, alleles)
        if all(
            abs(float(r_squared(haplotypes, alleles[i], alleles[j], table[i, j])) - shown[i, j])
            <= 0.5 * 10**-decimals + 1e-12
            for i, j in shown
        )
    ]
    assert {pair: set(counts) for pair, counts in found.items()} == {
        pair: {table[pair] for table in fitting} for pair in shown
    }


def _haplotypes(sites: int, many: int, seed: int) -> NDArray[np.int64]:
    chance = np.random.default_rng(seed)
    ancestors = chance.integers(0, 2, (6, sites))
    drawn = ancestors[chance.integers(0, 6, many)]
    return np.asarray(drawn ^ (chance.random(drawn.shape) < 0.05), np.int64)


def test_most_counts_of_a_small_study_are_recovered_and_rounding_hides_more() -> None:
    haplotypes = _haplotypes(10, 80, 1)
    alleles = haplotypes.sum(axis=0).tolist()
    both = {(i, j): int((haplotypes[:, i] & haplotypes[:, j]).sum()) for i, j in combinations(range(10), 2)}
    exact = {(i, j): float(r_squared(80, alleles[i], alleles[j], count)) for (i, j), count in both.items()}
    shares = []
    for decimals in (None, 3, 1):
        shown = exact if decimals is None else {pair: round(r, decimals) for pair, r in exact.items()}
        found = recovered(80, alleles, shown, decimals=decimals)
        assert all(both[pair] in counts for pair, counts in found.counts.items())
        for (i, j), sign in found.signs.items():
            assert sign in (0, np.sign(80 * both[i, j] - alleles[i] * alleles[j]))
        shares.append(found.known / found.pairs)
    assert shares[0] > 0.8
    assert shares[0] >= shares[1] > shares[2]
    rounded = {pair: round(r, 2) for pair, r in exact.items()}
    alone, together = (recovered(80, alleles, rounded, decimals=2, triples=one) for one in (False, True))
    assert (alone.known, together.known, together.pairs) == (26, 31, 45)


def test_figures_that_nothing_fits_are_refused() -> None:
    with pytest.raises(BadInput, match="no counts fit"):
        recovered(20, [6, 8], {(0, 1): 0.9}, decimals=3)
    with pytest.raises(BadInput, match="does not vary"):
        recovered(20, [0, 8], {(0, 1): 0.0})
    with pytest.raises(BadInput, match="no r²"):
        recovered(20, [6, 8], {})
    with pytest.raises(BadInput, match="too many"):
        recovered(20, [6] * 61, {(0, 1): 0.0})
    with pytest.raises(BadInput, match="at least 1"):
        recovered(20, [6, 8], {(0, 1): 0.0}, decimals=0)
    with pytest.raises(BadInput, match="numbered from 0"):
        recovered(20, [6, 8], {(1, 0): 0.0})
