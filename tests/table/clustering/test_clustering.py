"""What every clustering must do, and the examples of the literature."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.table.methods import _kernels_hilbert
from sfumato.table.methods.clustering import (
    BottomUp,
    KMember,
    TopDown,
    _kernels_clusters,
    _kernels_division,
    _kernels_order,
)
from sfumato.table.methods.hilbert import Hilbert
from sfumato.table.solution import Solution
from sfumato.table.utility.measures import normalised_certainty_penalty
from tests.oracles import clustering as oracle
from tests.oracles.mondrian import covers
from tests.table.mondrian_tables import Record, boxes_of, labels_of, paths_of, problem_of, published, tables

PLAIN: list[Any] = [
    BottomUp(),
    BottomUp(rounds=0),
    BottomUp(block=3),
    TopDown(),
    TopDown(rounds=0, seed=5),
    TopDown(block=3),
    KMember(),
    KMember(rounds=0),
]
METHODS: list[Any] = [*PLAIN, BottomUp(output="hierarchy"), TopDown(output="hierarchy")]
PROPERTY = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
LECTURE = [(20, "M"), (23, "F"), (25, "M"), (27, "F"), (28, "F"), (29, "F")]
every_method = pytest.mark.parametrize("method", METHODS, ids=str)


def search(records: list[Record], k: int, method: Any) -> Solution:
    found: Solution = method.search(problem_of(records, k))
    return found


def own_domains(records: list[Record]) -> list[list[Any]]:
    """The values of each column that occur."""
    return [sorted({record[j] for record in records}, key=str) for j in range(len(records[0]))]


@pytest.mark.parametrize("rounds", [0, 6])
def test_bottom_up_gives_the_three_groups_of_the_lecture(rounds: int) -> None:
    solution = search(LECTURE, 2, BottomUp(rounds=rounds))
    assert set(published(solution, LECTURE)) == {("[20-25]", "M"), ("[23-27]", "F"), ("[28-29]", "F")}


@every_method
def test_as_many_persons_as_k_make_one_class(method: Any) -> None:
    assert search(LECTURE, 6, method).boxes.shape == (2, 1)


@every_method
def test_k_of_one_changes_nothing(method: Any) -> None:
    solution = search(LECTURE, 1, method)
    assert published(solution, LECTURE) == [(str(age), sex) for age, sex in LECTURE]


@every_method
def test_a_k_above_the_number_of_persons_is_refused(method: Any) -> None:
    with pytest.raises(PromiseNotMet, match="needs 7 persons and the data have 6"):
        search(LECTURE, 7, method)


@every_method
def test_a_table_without_quasi_identifiers_is_refused(method: Any) -> None:
    with pytest.raises(BadInput, match="needs a quasi-identifier"):
        search([(), ()], 2, method)


def test_options_that_cannot_be_are_refused() -> None:
    with pytest.raises(BadInput, match="did you mean 'centres'"):
        BottomUp(output="centre")  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="block must be a positive number"):
        TopDown(block=0)
    with pytest.raises(BadInput, match="rounds cannot be negative"):
        KMember(rounds=-1)


@every_method
@PROPERTY
@given(data=st.data())
def test_every_class_has_k_persons_and_a_truthful_label(method: Any, data: st.DataObject) -> None:
    records = data.draw(tables)
    people = data.draw(st.none() | st.lists(st.integers(0, 12), min_size=len(records), max_size=len(records)))
    who = people or list(range(len(records)))
    k = data.draw(st.integers(1, max(1, len(set(who)))))
    solution = method.search(problem_of(records, k, people))
    persons: dict[tuple[str | None, ...], set[int]] = {}
    for record, person, labels in zip(records, who, published(solution, records), strict=True):
        persons.setdefault(labels, set()).add(person)
        for domain, value, label in zip(solution.cells.domains, record, labels, strict=True):
            paths = paths_of(domain)
            if method.output == "hierarchy" and paths is not None:
                assert label in paths[value]
            else:
                assert covers(label, value)
    assert min(map(len, persons.values())) >= k
    assert len(persons) == solution.boxes.shape[1]


@every_method
@PROPERTY
@given(records=tables, k=st.integers(1, 6))
def test_the_same_cells_give_the_same_classes(method: Any, records: list[Record], k: int) -> None:
    k = min(k, len(records))
    one, other = search(records, k, method), search(records, k, method)
    assert np.array_equal(one.classes, other.classes)
    assert np.array_equal(one.boxes, other.boxes)
    assert one.columns == other.columns


small = st.lists(
    st.tuples(st.integers(0, 9), st.sampled_from("ABC"), st.none() | st.integers(0, 3)),
    min_size=1,
    max_size=7,
)


@pytest.mark.parametrize("method", PLAIN, ids=str)
@PROPERTY
@given(records=small, k=st.integers(1, 4))
def test_no_clustering_beats_the_best_of_all_partitions(method: Any, records: list[Record], k: int) -> None:
    k = min(k, len(records))
    solution = search(records, k, method)
    found = oracle.loss(boxes_of(solution, records), own_domains(records))
    best = oracle.least_loss(Counter(records), k, own_domains(records))
    assert found >= best - 1e-9
    if all(column.span != 0 for column in solution.columns):
        assert normalised_certainty_penalty(solution) == pytest.approx(found)


@PROPERTY
@given(records=tables, k=st.integers(1, 6))
def test_exchange_never_loses_more(records: list[Record], k: int) -> None:
    k = min(k, len(records))
    for kind in (BottomUp, TopDown, KMember):
        losses = [normalised_certainty_penalty(search(records, k, kind(rounds=r))) for r in (0, 1, 6)]
        assert losses[0] >= losses[1] - 1e-9 >= losses[2] - 2e-9


def test_a_cell_is_never_divided() -> None:
    records = [(1, "A")] * 9 + [(2, "A"), (3, "B")]
    for method in METHODS:
        solution = search(records, 2, method)
        assert len({labels_of(solution, box) for box in range(solution.boxes.shape[1])}) == 2


def test_top_down_depends_on_its_seed_alone() -> None:
    random = np.random.default_rng(3)
    records = [(int(a), int(b)) for a, b in random.integers(0, 50, (300, 2))]
    classes = [search(records, 5, TopDown(seed=seed)).classes for seed in (0, 0, 1)]
    assert np.array_equal(classes[0], classes[1])
    assert not np.array_equal(classes[0], classes[2])


def test_every_kernel_is_compiled_for_one_signature() -> None:
    for method in [*METHODS, BottomUp(output="centres"), Hilbert(), Hilbert("hierarchy")]:
        search([*LECTURE, (20, "M"), (None, "F")], 2, method)
        search([("p",), ("q",), ("r",), ("t",)], 2, method)
        method.search(problem_of([(1,), (2,), (2,), (3,)], 1, [7, 7, 8, 7]))
    entries = {"nearest_of_each", "exchange_cells", "gather", "divide_ranges", "match", "cut_order"}
    for module in (_kernels_clusters, _kernels_division, _kernels_order, _kernels_hilbert):
        kernels = [found for found in vars(module).values() if hasattr(found, "signatures")]
        for kernel in [found for found in kernels if found.py_func.__module__ == module.__name__]:
            name = kernel.py_func.__name__
            # Kernels that are only called by others are compiled into these, as often as they must be.
            assert name not in entries or len(kernel.signatures) == 1, name
            entries.discard(name)
    assert not entries
