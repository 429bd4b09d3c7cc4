"""COUNT queries over codes, frequent itemsets and their deviation, against slow oracles."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.codes.disassociated import Chunk, Cluster, Disassociated
from sfumato.codes.published import Items, PublishedSets
from sfumato.codes.sets import CodeSets
from sfumato.codes.utility import ItemsetDeviation, QueryError
from sfumato.codes.utility.frequent import Transactions, frequent_itemsets, most_frequent_itemsets
from sfumato.codes.utility.query_error import Reading, counted
from sfumato.codes.utility.workload import drawn_itemsets
from sfumato.core.errors import BadInput
from tests.codes.utility.releases import (
    any_pairs,
    filled_records,
    itemsets,
    published_of,
    sets_of,
    truthful_pairs,
)
from tests.oracles import codes_utility as oracle


@settings(deadline=None)
@given(any_pairs(), st.lists(itemsets, min_size=1, max_size=4))
def test_expected_counts_enumerate_what_items_may_stand_for(pair, queries):
    _, release = pair
    expected, possible = counted(published_of(release), [sorted(query) for query in queries])
    for place, query in enumerate(queries):
        assert expected[place] == pytest.approx(float(oracle.expected_count(release, query)), abs=1e-9)
        matches = sum(all(oracle.covering(shown, code) for code in query) for shown in release)
        assert possible[place] == matches


@settings(deadline=None)
@given(any_pairs(), itemsets)
def test_uniform_counts_take_codes_as_independent(pair, query):
    _, release = pair
    expected, _ = counted(published_of(release), [sorted(query)], Reading.UNIFORM)
    assert expected[0] == pytest.approx(float(oracle.uniform_count(release, query)), abs=1e-9)


@settings(deadline=None)
@given(filled_records, itemsets)
def test_counts_of_the_original_are_exact(originals, query):
    expected, possible = counted(PublishedSets.as_it_is(sets_of(originals)), [sorted(query)])
    truth = sum(query <= record for record in originals)
    assert expected[0] == truth
    assert possible[0] == truth


def test_items_of_thousands_of_codes_are_read_without_overflow():
    domain = tuple(f"{number:05d}" for number in range(5830))
    published = PublishedSets(
        Items.of_groups(domain, [range(5830)]), np.array([0, 1]), np.array([0], np.int32)
    )
    expected, _ = counted(published, [domain[:1], domain[:3]])
    assert expected.tolist() == [0.5, 0.125]


def test_codes_nobody_knows_are_held_by_nobody_and_no_codes_by_everybody():
    published = PublishedSets.of([["a"], ["a", "b"]])
    expected, possible = counted(published, [["z"], ["a", "z"], []])
    assert expected.tolist() == [0, 0, 2]
    assert possible.tolist() == [0, 0, 2]


@settings(deadline=None)
@given(any_pairs(), st.lists(itemsets, min_size=1, max_size=4), st.sampled_from([0.0, 0.25, 1.0]))
def test_query_error_averages_relative_errors_above_a_sanity_bound(pair, queries, sanity):
    originals, release = pair
    measure = QueryError(given=tuple(tuple(sorted(query)) for query in queries), sanity=sanity)
    errors = []
    for query in queries:
        actual = sum(query <= record for record in originals)
        scale = max(actual, sanity * len(originals)) or 1
        errors.append(abs(actual - float(oracle.expected_count(release, query))) / scale)
    found = measure.of(sets_of(originals), published_of(release))
    assert found.value == pytest.approx(sum(errors) / len(errors))
    assert found.details["worst"] == pytest.approx(max(errors))


@settings(deadline=None)
@given(filled_records, st.integers(0, 3))
def test_drawn_queries_occur_and_have_the_sizes_asked(originals, seed):
    sets = sets_of(originals)
    drawn = drawn_itemsets(sets, 5, (1, 2), seed)
    assert drawn == drawn_itemsets(sets, 5, (1, 2), seed)
    for itemset in drawn:
        assert len(itemset) in (1, 2)
        codes = {sets.domain[code] for code in itemset}
        assert any(codes <= record for record in originals)


@settings(deadline=None)
@given(filled_records, st.sampled_from([0.1, 0.5, 1.0]))
def test_frequent_workloads_hold_every_frequent_itemset(originals, share):
    found = QueryError(share=share, largest=3).workload(sets_of(originals))
    counts = Counter(
        itemset
        for record in originals
        for size in (1, 2, 3)
        for itemset in combinations(sorted(record), size)
    )
    assert sorted(found) == sorted(key for key, count in counts.items() if count >= share * len(originals))


def test_a_share_on_the_boundary_counts():
    sets = CodeSets.of([["a"]] + [["b"]] * 9)
    assert ("a",) in QueryError(share=0.1).workload(sets)
    sets = CodeSets.of([["a"]] + [["b"]] * 10)
    assert ("a",) not in QueryError(share=0.1).workload(sets)


def test_there_is_no_error_where_nothing_is_frequent():
    sets = CodeSets.of([["a"], ["b"]])
    assert QueryError(share=0.9).of(sets, PublishedSets.as_it_is(sets)) is None


def test_more_frequent_itemsets_than_asked_are_drawn_from_a_seed():
    sets = CodeSets.of([["a", "b", "c"]])
    first = QueryError(queries=3, share=0.5, seed=1).workload(sets)
    assert len(first) == 3
    assert first == QueryError(queries=3, share=0.5, seed=1).workload(sets)


def test_the_original_answers_every_query():
    sets = CodeSets.of([["a", "b"], ["b", "c"], ["a"]])
    assert QueryError(queries=50).of(sets, PublishedSets.as_it_is(sets)).value == 0


@settings(deadline=None)
@given(filled_records, st.integers(1, 12), st.integers(1, 4))
def test_the_most_frequent_itemsets_are_those_of_a_full_count(originals, number, largest):
    sets = sets_of(originals)
    data = Transactions(sets.starts, sets.codes, len(sets.domain))
    found = most_frequent_itemsets(data, number, largest)
    named = [tuple(sets.domain[code] for code in itemset) for itemset in found]
    assert named == oracle.most_frequent([frozenset(record) for record in originals], number, largest)


@settings(deadline=None)
@given(filled_records, st.integers(1, 4))
def test_frequent_itemsets_are_those_of_a_full_count(originals, support):
    sets = sets_of(originals)
    found = frequent_itemsets(Transactions(sets.starts, sets.codes, len(sets.domain)), support, 4)
    counts = Counter(
        itemset
        for record in originals
        for size in range(1, 5)
        for itemset in combinations(sorted(record), size)
    )
    named = {tuple(sets.domain[code] for code in itemset): count for itemset, count in found.items()}
    assert named == {itemset: count for itemset, count in counts.items() if count >= support}


def _nested(one: str, other: str) -> bool:
    left, right = set(one.strip("()").split(",")), set(other.strip("()").split(","))
    return left <= right or right <= left


def _top(records: list[frozenset[str]], number: int) -> set[tuple[str, ...]]:
    """The most frequent itemsets of items that do not hold one another."""
    counts = Counter(
        itemset
        for record in records
        for size in (1, 2, 3)
        for itemset in combinations(sorted(record), size)
        if not any(_nested(one, other) for one, other in combinations(itemset, 2))
    )
    return set(sorted(counts, key=lambda itemset: (-counts[itemset], len(itemset), itemset))[:number])


@settings(deadline=None)
@given(truthful_pairs(), st.integers(1, 8))
def test_itemset_deviation_compares_the_most_frequent_itemsets(pair, top):
    originals, release = pair
    published = published_of(release)
    before = _top([frozenset(record) for record in originals], top)
    after = _top([frozenset(published.record(row)) for row in range(len(published))], top)
    found = ItemsetDeviation(top=top).of(sets_of(originals), published)
    assert found.value == pytest.approx(1 - len(before & after) / len(before))


@settings(deadline=None)
@given(truthful_pairs(), st.integers(1, 8))
def test_itemset_deviation_in_the_words_of_the_release(pair, top):
    originals, release = pair
    published = published_of(release)
    items = {label: set(label.strip("()").split(",")) for label in published.items.labels}
    read = [frozenset(label for label, codes in items.items() if codes & record) for record in originals]
    before = _top(read, top)
    after = _top([frozenset(published.record(row)) for row in range(len(published))], top)
    found = ItemsetDeviation(top=top, level="items").of(sets_of(originals), published)
    if not before:
        assert found is None
    else:
        assert found.value == pytest.approx(1 - len(before & after) / len(before))


def test_merging_codes_everywhere_costs_nothing_in_the_words_of_the_release():
    original = CodeSets.of([["a"], ["b"], ["a", "c"], ["c"]])
    published = PublishedSets.by_code(
        original, Items.of_groups(original.domain, [[0, 1], [2]]), np.array([0, 0, 1])
    )
    assert ItemsetDeviation(level="items").of(original, published).value == 0
    assert ItemsetDeviation(level="codes").of(original, published).value > 0


def test_disassociated_sets_are_answered_by_the_mean_over_possible_originals():
    original = CodeSets.of([["a", "b"], ["a"], ["a", "c"]])
    chunk = Chunk.of([[0], [0], [0]])
    other = Chunk.of([[1]])
    published = Disassociated(original.domain, (Cluster(3, (chunk, other), (2,)),))
    found = QueryError(given=(("a",), ("b", "a"), ("c",))).of(original, published)
    # Wherever b and c go, everybody has a: every possible original gives the true counts.
    assert found.value == 0
    apart = QueryError(given=(("b", "c"),), worlds=400, seed=3).of(original, published)
    # In one of three worlds b and c meet; nobody of the original has both, so one record is the scale.
    assert apart.value == pytest.approx(1 / 3, abs=0.1)


def test_bad_parameters_are_refused():
    for wrong in (
        {"queries": 0},
        {"share": 0.0},
        {"sanity": 2.0},
        {"reading": "other"},
        {"given": ((),)},
    ):
        with pytest.raises(BadInput):
            QueryError(**wrong)
    with pytest.raises(BadInput):
        ItemsetDeviation(top=0)
    with pytest.raises(BadInput):
        ItemsetDeviation(level="nodes")
    with pytest.raises(BadInput, match="enough codes"):
        drawn_itemsets(CodeSets.of([["a"]]), 1, (2,), 0)
