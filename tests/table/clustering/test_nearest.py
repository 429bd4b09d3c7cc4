"""The search for the nearest cluster is exact, whatever it leaves out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.table.methods.clustering._kernels_clusters import nearest_of_each
from sfumato.table.methods.clustering.space import Partition, Space
from sfumato.table.methods.mondrian import home_persons
from sfumato.table.methods.mondrian_columns import columns_of
from tests.oracles import clustering as oracle
from tests.table.mondrian_tables import Record, problem_of

ROWS = st.tuples(
    st.none() | st.integers(0, 30),
    st.sampled_from([chr(65 + i) for i in range(26)]),
    st.none() | st.booleans(),
)


def space_of(records: list[Record], *, hierarchical: bool = False) -> Space:
    problem = problem_of(records, 1)
    columns = columns_of(problem, hierarchical=hierarchical)
    persons = np.array(home_persons(problem.cells))
    return Space.of(problem.cells, persons, columns, np.arange(len(problem.cells)))


def found_by_kernel(space: Space, partition: Partition) -> tuple[np.ndarray, np.ndarray]:
    number = len(partition)
    clusters = space.clusters(partition)
    everybody = np.ones(number, np.bool_)
    partner, growth = np.full(number, -1), np.full(number, np.inf)
    hulls = space.hulls(clusters, everybody)
    nearest_of_each(np.arange(number), everybody, space.layout, clusters, hulls, partner, growth)
    return partner, growth


@settings(max_examples=40, deadline=None)
@given(records=st.lists(ROWS, min_size=2, max_size=60, unique=True), data=st.data())
def test_the_nearest_cluster_is_the_one_that_looking_at_all_finds(
    records: list[Record], data: st.DataObject
) -> None:
    space = space_of(records)
    number = data.draw(st.integers(2, len(records)))
    owners = np.array([i % number for i in range(len(records))])
    partition = Partition.of_owners(space.in_order(), owners)
    _, growth = found_by_kernel(space, partition)
    domains = [sorted({record[j] for record in records}, key=str) for j in range(3)]
    members = [
        [records[c] for c in partition.order[partition.starts[i] : partition.starts[i + 1]]]
        for i in range(number)
    ]
    for i in range(number):
        least = min(oracle.growth(members[i], members[b], domains) for b in range(number) if b != i)
        assert growth[i] == pytest.approx(least, abs=1e-9)


@settings(max_examples=15, deadline=None)
@given(
    records=st.lists(
        st.tuples(st.sampled_from("pqrst"), st.integers(0, 9)), min_size=2, max_size=40, unique=True
    )
)
def test_hulls_leave_nothing_out_along_hierarchies(records: list[Record]) -> None:
    space = space_of(records, hierarchical=True)
    single = Partition(space.in_order(), np.arange(len(records) + 1))
    partner, growth = found_by_kernel(space, single)
    for i, (b, found) in enumerate(zip(partner, growth, strict=True)):
        pairs = []
        for other in range(len(records)):
            if other != i:
                both = Partition.of_owners(
                    single.order, np.where(np.isin(np.arange(len(records)), [i, other]), 0, 1)
                )
                pairs.append(2 * space.clusters(both).width[0])
        assert found == pytest.approx(min(pairs))
        assert b != i


def test_the_order_of_cells_is_a_permutation() -> None:
    random = np.random.default_rng(1)
    records = [(int(a), chr(65 + int(b))) for a, b in random.integers(0, 20, (200, 2))]
    space = space_of(records)
    assert sorted(space.in_order()) == list(range(len(space)))
