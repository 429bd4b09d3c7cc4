"""Counting records against the oracle: up to m items, any items, whole records, codes under items."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.codes.check import answer
from sfumato.codes.check import known as layout
from sfumato.codes.check import support as counting
from sfumato.codes.published import PublishedSets
from sfumato.codes.question import Family, Question
from sfumato.core.errors import BadInput
from tests.codes.check.sets import CODES, SENSITIVE, Listed, any_sets, plain, with_sensitive
from tests.oracles import codes as oracle

wanted = st.integers(1, 6)
sizes = st.integers(1, 6)


@settings(deadline=None)
@given(any_sets, wanted, sizes)
def test_every_itemset_up_to_m_is_counted(listed: Listed, k: int, m: int) -> None:
    counted = oracle.supports(oracle.records_of(listed), m)
    found = answer(PublishedSets.of(listed), Question(Family.UP_TO, k, m, sensitive_known=True), every=True)
    assert found.exact
    assert found.looked_at == len(counted)
    assert found.violations == sum(number < k for number in counted.values())
    assert found.holds == (found.violations == 0)
    assert found.support == min(counted.values(), default=None)


@settings(deadline=None)
@given(any_sets, wanted, sizes)
def test_ending_early_says_the_same_and_bounds_the_worst(listed: Listed, k: int, m: int) -> None:
    counted = oracle.supports(oracle.records_of(listed), m)
    found = answer(PublishedSets.of(listed), Question(Family.UP_TO, k, m, sensitive_known=True))
    worst = min(counted.values(), default=None)
    assert found.holds == all(number >= k for number in counted.values())
    if worst is not None and found.support is not None:
        assert found.support == worst if found.exact else worst <= found.support < k
    if found.holds:
        assert found.support == worst


@settings(deadline=None)
@given(any_sets, sizes)
def test_the_border_lies_between_k_and_one_more(listed: Listed, m: int) -> None:
    published = PublishedSets.of(listed)
    found = answer(published, Question(Family.UP_TO, 1, m, sensitive_known=True))
    if found.support is not None:
        assert answer(published, Question(Family.UP_TO, found.support, m, sensitive_known=True)).holds
        assert not answer(published, Question(Family.UP_TO, found.support + 1, m, sensitive_known=True)).holds


@settings(deadline=None)
@given(any_sets, wanted)
def test_any_itemset_is_the_limit_of_up_to_m(listed: Listed, k: int) -> None:
    counted = oracle.supports(oracle.records_of(listed))
    published = PublishedSets.of(listed)
    found = answer(published, Question(Family.ANY, k, sensitive_known=True), every=True)
    assert found.holds == all(number >= k for number in counted.values())
    assert found.support == min(counted.values(), default=None)
    assert answer(published, Question(Family.UP_TO, k, 50, sensitive_known=True)).holds == found.holds
    assert answer(published, Question(Family.ANY, k, sensitive_known=True)).holds == found.holds


@settings(deadline=None)
@given(any_sets, wanted)
def test_whole_records_are_compared_as_they_are_shown(listed: Listed, k: int) -> None:
    alike = oracle.look_alikes(oracle.records_of(listed))
    found = answer(PublishedSets.of(listed), Question(Family.RECORD, k, sensitive_known=True))
    assert found.holds == all(number >= k for number in alike)
    assert found.support == min(alike, default=None)
    assert found.violations == len(
        {record for record, number in zip(oracle.records_of(listed), alike, strict=True) if number < k}
    )


@settings(deadline=None)
@given(any_sets, wanted, st.integers(1, 4))
def test_codes_known_match_the_items_above_them(listed: Listed, k: int, m: int) -> None:
    counted = oracle.leaf_supports(oracle.records_of(listed), m)
    question = Question(Family.UP_TO, k, m, sensitive_known=True, leaves=True)
    found = answer(PublishedSets.of(listed), question, every=True)
    assert found.support == min(counted.values(), default=None)
    assert found.holds == all(number >= k for number in counted.values())
    assert answer(PublishedSets.of(listed), question).holds == found.holds


@settings(deadline=None)
@given(any_sets, wanted, st.integers(1, 4))
def test_node_support_implies_leaf_support(listed: Listed, k: int, m: int) -> None:
    published = PublishedSets.of(listed)
    nodes = answer(published, Question(Family.UP_TO, k, m, sensitive_known=True))
    leaves = answer(published, Question(Family.UP_TO, k, m, sensitive_known=True, leaves=True))
    assert leaves.holds or not nodes.holds


@settings(deadline=None)
@given(any_sets, wanted)
def test_any_codes_known_match_the_items_above_them(listed: Listed, k: int) -> None:
    counted = oracle.leaf_supports(oracle.records_of(listed), 5)
    found = answer(PublishedSets.of(listed), Question(Family.ANY, k, sensitive_known=True, leaves=True))
    assert found.holds == all(number >= k for number in counted.values())


@settings(deadline=None)
@given(with_sensitive, wanted, sizes)
def test_what_is_sensitive_is_not_known_unless_it_is_said_so(listed: Listed, k: int, m: int) -> None:
    published = PublishedSets.of(listed, sensitive=SENSITIVE)
    records = oracle.public(oracle.records_of(listed), SENSITIVE)
    up_to = answer(published, Question(Family.UP_TO, k, m), every=True)
    assert up_to.support == min(oracle.supports(records, m).values(), default=None)
    any_size = answer(published, Question(Family.ANY, k), every=True)
    assert any_size.support == min(oracle.supports(records).values(), default=None)
    assert answer(published, Question(Family.RECORD, k)).support == min(oracle.look_alikes(records))


def test_too_many_codes_under_items_are_asked_for_as_items(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "MOST_SLOTS", 2)
    wide = tuple(f"{number:03}" for number in range(40))
    question = Question(Family.UP_TO, 2, 2, leaves=True)
    found = answer(PublishedSets.of([[wide], [wide], [wide, "x"], [wide, "x"]]), question)
    assert found.holds
    assert not found.exact
    with pytest.raises(BadInput, match="could not be checked"):
        answer(PublishedSets.of([[wide], [wide], [wide, "x"]]), question)


def test_codes_under_the_same_items_are_counted_as_one() -> None:
    wide = tuple(f"{number:03}" for number in range(40))
    published = PublishedSets.of([[wide], [wide, "x"], ["x", wide[0]]])
    found = answer(published, Question(Family.UP_TO, 2, 2, leaves=True), every=True)
    # Three things (the first code, the other 39, x) and their three pairs.
    assert found.looked_at == 6
    assert found.support == 1


def test_leaf_support_does_not_imply_node_support() -> None:
    published = PublishedSets.of([[("a", "b")], ["a"], ["b"], ["a"], ["b"]])
    assert answer(published, Question(Family.UP_TO, 2, 1, leaves=True)).holds
    assert not answer(published, Question(Family.UP_TO, 2, 1)).holds


@settings(deadline=None)
@given(plain, wanted, sizes)
def test_codes_that_always_become_the_same_item_count_alike(listed: Listed, k: int, m: int) -> None:
    groups = {"a": ("a", "b"), "b": ("a", "b"), "c": ("c",), "d": ("d", "e"), "e": ("d", "e")}
    published = PublishedSets.of([[groups[str(code)] for code in record] for record in listed])
    for leaves in (False, True):
        question = Question(Family.UP_TO, k, m, sensitive_known=True, leaves=leaves)
        assert (
            answer(published, question).support
            == answer(published, Question(Family.UP_TO, k, m, sensitive_known=True)).support
        )


@settings(deadline=None)
@given(any_sets, wanted, sizes, st.sampled_from(list(Family)[:3]), st.booleans())
def test_a_witness_is_real(listed: Listed, k: int, m: int, family: Family, leaves: bool) -> None:
    published = PublishedSets.of(listed)
    leaves = leaves and family is not Family.RECORD
    question = Question(family, k, m if family is Family.UP_TO else None, sensitive_known=True, leaves=leaves)
    found = answer(published, question)
    if found.witness is None:
        assert found.support is None or (found.holds and not found.exact)
        return
    assert found.witness.size == found.support
    shown = [
        set(published.shown[a:b].tolist())
        for a, b in zip(published.starts, published.starts[1:], strict=False)
    ]
    items = set(found.witness.items)
    if leaves:
        under = [{code for item in record for code in published.items.under(item)} for record in shown]
        holders = [row for row, codes in enumerate(under, 1) if items <= codes]
    elif family is Family.RECORD:
        holders = [row for row, record in enumerate(shown, 1) if items == record]
    else:
        holders = [row for row, record in enumerate(shown, 1) if items <= record]
    assert len(holders) == found.witness.size
    assert found.witness.rows == tuple(holders[:5])
    if family is Family.UP_TO and m < 5:
        assert len(items) <= m


def test_long_records_are_counted_without_writing_their_itemsets_down() -> None:
    long = [f"{number:03}" for number in range(150)]
    published = PublishedSets.of([long, long, long[:80], ["x"], ["x"]])
    found = answer(published, Question(Family.UP_TO, 2, 4), every=True)
    assert found.holds
    assert found.looked_at == 150 + 150 * 149 // 2 + 150 * 149 * 148 // 6 + 150 * 149 * 148 * 147 // 24 + 1


def test_more_itemsets_than_can_be_counted_are_never_said_to_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "MOST_WORK", 100)
    pairs = [[f"{code:02}" for code in range(12) if code != left] for left in range(12)]
    published = PublishedSets.of(pairs)
    with pytest.raises(BadInput, match="could not be checked"):
        answer(published, Question(Family.UP_TO, 5, 5))
    again = PublishedSets.of(pairs * 5)
    found = answer(again, Question(Family.UP_TO, 5, 5))
    assert found.holds
    assert not found.exact
    assert found.support == 5


def test_a_violation_that_was_seen_counts_even_when_the_rest_could_not_be_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(counting, "MOST_WORK", 10)
    published = PublishedSets.of([*[list(chosen) for chosen in combinations(CODES, 4)], ["x"]])
    found = answer(published, Question(Family.UP_TO, 2, 3), every=True)
    assert not found.holds
    assert found.support == 1
