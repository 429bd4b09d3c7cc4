"""The Hilbert curve, the best cut of an order, and leaves that grow."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.table.methods._kernels_hilbert import hilbert_keys
from sfumato.table.methods.hilbert import Hilbert, curve_order
from sfumato.table.methods.mondrian_columns import columns_of
from sfumato.table.methods.rtree import WAITING, GrowingLeaves, singled_out
from tests.oracles import clustering as oracle
from tests.oracles.mondrian import covers
from tests.table.mondrian_tables import Record, boxes_of, problem_of, published, tables

PROPERTY = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
ages = st.tuples(st.integers(0, 99), st.sampled_from("FM"))


@pytest.mark.parametrize(("columns", "bits"), [(1, 3), (2, 3), (3, 2), (4, 2)])
def test_neighbours_along_the_curve_are_neighbours_in_space(columns: int, bits: int) -> None:
    points = np.array(list(product(range(1 << bits), repeat=columns)), np.int64)
    keys = np.empty((len(points), bits), np.int64)
    hilbert_keys(points, bits, keys)
    path = points[np.lexsort(keys.T[::-1])]
    assert len(np.unique(keys, axis=0)) == len(points)
    assert (np.abs(np.diff(path, axis=0)).sum(axis=1) == 1).all()


@PROPERTY
@given(records=tables, k=st.integers(1, 6), output=st.sampled_from(["tight", "hierarchy"]))
def test_every_run_has_k_persons_and_a_truthful_label(records: list[Record], k: int, output: str) -> None:
    k = min(k, len(records))
    solution = Hilbert(output).search(problem_of(records, k))  # type: ignore[arg-type]
    assert min(map(len, boxes_of(solution, records))) >= k
    if output == "tight":
        for record, labels in zip(records, published(solution, records), strict=True):
            assert all(map(covers, labels, record))


@PROPERTY
@given(
    records=st.lists(st.tuples(st.integers(0, 9), st.sampled_from("AB")), min_size=1, max_size=9),
    k=st.integers(1, 4),
)
def test_no_other_cut_of_the_order_loses_less(records: list[Record], k: int) -> None:
    k = min(k, len(records))
    problem = problem_of(records, k)
    solution = Hilbert().search(problem)
    domains = [list(domain.values) for domain in problem.cells.domains]
    order = curve_order(problem.cells.codes, columns_of(problem, hierarchical=False))
    sorted_cells = [
        [tuple(d[c] for d, c in zip(domains, problem.cells.codes[:, cell], strict=True))]
        * int(problem.cells.rows[cell])
        for cell in order
    ]
    best = np.inf
    for cuts in product([False, True], repeat=len(sorted_cells) - 1):
        classes: list[list[Record]] = [list(sorted_cells[0])]
        for cut, cell in zip(cuts, sorted_cells[1:], strict=True):
            if cut:
                classes.append([])
            classes[-1].extend(cell)
        if min(map(len, classes)) >= k:
            best = min(best, oracle.loss(classes, domains))
    assert oracle.loss(boxes_of(solution, records), domains) == pytest.approx(best)


@pytest.mark.parametrize("versions", ["guarded", "ignored"])
@PROPERTY
@given(batches=st.lists(st.lists(ages, min_size=1, max_size=12), min_size=1, max_size=4), k=st.integers(1, 4))
def test_no_leaf_is_ever_published_with_fewer_than_k(
    versions: str, batches: list[list[Record]], k: int
) -> None:
    leaves = GrowingLeaves(["age", "sex"], k, versions)  # type: ignore[arg-type]
    records: list[Record] = []
    before = None
    for batch in batches:
        leaves.insert(batch)
        records += batch
        if len(records) < k:
            with pytest.raises(PromiseNotMet, match="wait for more records"):
                leaves.release()
            continue
        version = leaves.release()
        placed = [leaf for leaf in version.leaves if leaf != WAITING]
        assert min(placed.count(leaf) for leaf in placed) >= k
        for record, labels in zip(records, version.published, strict=True):
            assert labels is None or all(map(covers, labels, record))
        if versions == "ignored":
            assert version.held_back == 0
        elif before is not None:
            assert singled_out(before, version) >= k
            for earlier, later in zip(before.published, version.published, strict=False):
                assert earlier is None or earlier == later
        before = version


def test_two_versions_that_ignore_each_other_single_a_newcomer_out() -> None:
    leaves = GrowingLeaves(["age"], k=3, versions="ignored")
    leaves.insert([(20,), (21,), (22,), (50,), (51,), (52,)])
    first = leaves.release()
    leaves.insert([(23,)])
    second = leaves.release()
    assert second.published[6] == ("[20-23]",)
    assert singled_out(first, second) == 1


def test_a_leaf_of_twice_k_is_divided() -> None:
    leaves = GrowingLeaves(["age"], k=2, versions="ignored")
    leaves.insert([(20,), (30,)])
    leaves.release()
    leaves.insert([(21,), (31,)])
    assert set(leaves.release().published) == {("[20-21]",), ("[30-31]",)}


def test_bad_input_to_leaves_is_refused() -> None:
    with pytest.raises(BadInput, match="need a quasi-identifier"):
        GrowingLeaves([], 2)
    with pytest.raises(BadInput, match="at least 1"):
        GrowingLeaves(["age"], 0)
    with pytest.raises(BadInput, match="did you mean 'guarded'"):
        GrowingLeaves(["age"], 2, "guard")  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="inserted row 2: it has 1 values"):
        GrowingLeaves(["age", "sex"], 2).insert([(1, "F"), (2,)])
    with pytest.raises(BadInput, match="did you mean 'tight'"):
        Hilbert("tigth")  # type: ignore[arg-type]
