from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sfumato.core.progress import SILENT, Progress
from sfumato.dna.sites import Sites, numbered
from sfumato.dna.source import Block, InMemory
from sfumato.dna.statistics import neighbouring_r2, r2_between
from sfumato.dna.statistics.selected import counts_of, dosages_of, selected
from tests.oracles import dna_statistics as oracle

ROWS = st.tuples(st.integers(1, 12), st.integers(1, 9)).flatmap(
    lambda shape: arrays(np.int8, shape, elements=st.integers(-1, 2))
)


class Direct(InMemory):
    """A source that reads some sites directly, and must never be gone through."""

    def dosages_at(self, which: np.ndarray) -> np.ndarray:
        return np.asarray(self.dosages[which])

    def blocks(self, *, at_once: int = 1, progress: Progress = SILENT) -> Iterator[Block]:
        raise AssertionError("all sites were read")


def on_two_chromosomes(count: int, first: int) -> Sites:
    sites = numbered(count)
    sites.chromosome[first:] = "2"
    return sites


@settings(max_examples=50)
@given(ROWS, st.integers(1, 4), st.integers(1, 5), st.integers(0, 12))
def test_linkage_in_blocks_is_that_of_all_pairs(
    rows: np.ndarray, neighbours: int, at_once: int, cut: int
) -> None:
    sites = on_two_chromosomes(len(rows), cut)
    found = neighbouring_r2(InMemory(rows, sites), neighbours=neighbours, at_once=at_once)
    for at in range(len(rows)):
        for step in range(neighbours):
            other = at + step + 1
            same = other < len(rows) and sites.chromosome[at] == sites.chromosome[other]
            expected = oracle.squared_correlation(rows[at].tolist(), rows[other].tolist()) if same else None
            if expected is None:
                assert math.isnan(found[at, step])
            else:
                assert math.isclose(found[at, step], expected, rel_tol=1e-12, abs_tol=1e-15)


@given(ROWS, st.data())
def test_chosen_sites_are_the_same_directly_and_by_going_through_all(
    rows: np.ndarray, data: st.DataObject
) -> None:
    which = np.array(sorted(data.draw(st.sets(st.integers(0, len(rows) - 1), min_size=1))), np.int64)
    at_once = data.draw(st.integers(1, 5))
    for source in (InMemory(rows, numbered(len(rows))), Direct(rows, numbered(len(rows)))):
        blocks = list(selected(source, which, at_once=at_once))
        assert np.array_equal(np.concatenate([block.dosages for block in blocks]), rows[which])
        starts = np.cumsum([0, *(len(block.dosages) for block in blocks)])
        assert [block.first for block in blocks] == starts[:-1].tolist()
        assert np.array_equal(dosages_of(source, which), rows[which])


@given(ROWS)
def test_counting_rows_in_memory_is_what_a_source_counts(rows: np.ndarray) -> None:
    source = InMemory(rows, numbered(len(rows)))
    assert np.array_equal(counts_of(rows), source.counts([np.ones(rows.shape[1], np.bool_)])[0])


def test_linkage_of_chosen_sites_is_between_them_alone() -> None:
    rows = np.array([[0, 1, 2, 0], [0, 0, 0, 0], [0, 1, 2, 0], [2, 1, 0, 1]], np.int8)
    found = r2_between(InMemory(rows, numbered(4)), np.array([0, 2, 3]))
    assert found[0] == 1.0
    assert math.isclose(found[1], oracle.squared_correlation(rows[2].tolist(), rows[3].tolist()) or 0)
    assert math.isnan(found[2])
