"""What is learned from an itemset, against the oracle: confidence and distance, borders included."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.codes.check import answer, told
from sfumato.codes.published import PublishedSets
from sfumato.codes.question import Family, Question
from sfumato.core.errors import BadInput
from tests.codes.check.sets import SENSITIVE, Listed, with_sensitive
from tests.oracles import codes as oracle

bounds = st.sampled_from([Fraction(1, 4), Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), Fraction(1)])
sizes = st.integers(1, 4)


def of(listed: Listed) -> PublishedSets:
    return PublishedSets.of(listed, sensitive=SENSITIVE)


def broken(value: Fraction, bound: Fraction, below: bool) -> bool:
    return value >= bound if below else value > bound


@settings(deadline=None)
@given(with_sensitive, st.integers(1, 4), sizes, bounds, st.booleans(), st.booleans())
def test_confidences_up_to_m_items(
    listed: Listed, k: int, m: int, bound: Fraction, below: bool, sensitive_known: bool
) -> None:
    records = oracle.records_of(listed)
    sure = oracle.confidences(records, SENSITIVE, m, sensitive_known)
    known = records if sensitive_known else oracle.public(records, SENSITIVE)
    few = {itemset for itemset, number in oracle.supports(known, m).items() if number < k}
    wrong = few | {itemset for (itemset, _), value in sure.items() if broken(value, bound, below)}
    question = Question(Family.UP_TO, k, m, confidence=bound, below=below, sensitive_known=sensitive_known)
    found = answer(of(listed), question, every=True)
    assert found.violations == len(wrong)
    assert found.holds == (not wrong)
    if sure:
        assert found.confidence == max(sure.values())
    assert answer(of(listed), question).holds == found.holds
    assert found.looked_at == len(oracle.itemsets(known, m))


@settings(deadline=None)
@given(with_sensitive, bounds, st.booleans(), st.booleans())
def test_confidences_of_any_itemset(
    listed: Listed, bound: Fraction, below: bool, sensitive_known: bool
) -> None:
    sure = oracle.confidences(oracle.records_of(listed), SENSITIVE, None, sensitive_known, empty=True)
    question = Question(Family.ANY, confidence=bound, below=below, sensitive_known=sensitive_known)
    found = answer(of(listed), question, every=True)
    assert found.holds == (not any(broken(value, bound, below) for value in sure.values()))
    assert found.confidence == max(sure.values(), default=None)
    assert answer(of(listed), question).holds == found.holds


@settings(deadline=None)
@given(with_sensitive, st.booleans())
def test_no_closed_itemset_is_looked_at_twice(listed: Listed, sensitive_known: bool) -> None:
    records = oracle.records_of(listed)
    closed = 0
    for item in {item for record in records for item in record if item <= SENSITIVE}:
        holders = [record for record in records if item in record]
        known = holders if sensitive_known else oracle.public(holders, SENSITIVE)
        kept = [record - {item} for record in known]
        closures = {
            frozenset.intersection(*[record for record in kept if itemset <= record])
            for itemset in oracle.itemsets(kept, empty=True)
        }
        closed += len(closures)
    question = Question(Family.ANY, confidence=Fraction(1), sensitive_known=sensitive_known)
    assert answer(of(listed), question, every=True).looked_at == closed


@settings(deadline=None)
@given(with_sensitive, st.integers(2, 4), bounds)
def test_any_itemset_with_both_bounds(listed: Listed, k: int, bound: Fraction) -> None:
    records = oracle.records_of(listed)
    few = any(number < k for number in oracle.supports(oracle.public(records, SENSITIVE)).values())
    sure = oracle.confidences(records, SENSITIVE, None, empty=True)
    found = answer(of(listed), Question(Family.ANY, k, confidence=bound))
    assert found.holds == (not few and all(value <= bound for value in sure.values()))


@settings(deadline=None)
@given(with_sensitive, sizes, st.sampled_from([Fraction(1, 5), Fraction(1, 3), Fraction(1, 2)]))
def test_distances_from_all_records(listed: Listed, m: int, bound: Fraction) -> None:
    far = oracle.distances(oracle.records_of(listed), SENSITIVE, m)
    question = Question(Family.UP_TO, size=m, spread=bound)
    found = answer(of(listed), question, every=True)
    assert found.holds == all(value <= bound for value in far.values())
    assert found.violations == len({itemset for (itemset, _), value in far.items() if value > bound})
    if far:
        assert found.spread == max(far.values())
    assert answer(of(listed), question).holds == found.holds


@settings(deadline=None)
@given(with_sensitive, sizes)
def test_the_borders_are_exact(listed: Listed, m: int) -> None:
    sets = of(listed)
    near = Fraction(1, 10**15)
    for family, size in ((Family.UP_TO, m), (Family.ANY, None)):
        reached = answer(sets, Question(family, size=size, confidence=Fraction(1)), every=True).confidence
        if reached:
            assert answer(sets, Question(family, size=size, confidence=reached)).holds
            assert not answer(sets, Question(family, size=size, confidence=reached, below=True)).holds
            assert answer(sets, Question(family, size=size, confidence=reached + near, below=True)).holds
            assert not answer(sets, Question(family, size=size, confidence=reached - near)).holds
    distance = answer(sets, Question(Family.UP_TO, size=m, spread=Fraction(1)), every=True).spread
    if distance:
        assert answer(sets, Question(Family.UP_TO, size=m, spread=distance)).holds
        assert not answer(sets, Question(Family.UP_TO, size=m, spread=distance - near)).holds


@settings(deadline=None)
@given(with_sensitive, sizes, st.booleans(), st.booleans())
def test_a_witness_is_real(listed: Listed, m: int, any_size: bool, sensitive_known: bool) -> None:
    sets = of(listed)
    question = (
        Question(Family.ANY, confidence=Fraction(1, 3), sensitive_known=sensitive_known)
        if any_size
        else Question(Family.UP_TO, size=m, confidence=Fraction(1, 3), sensitive_known=sensitive_known)
    )
    found = answer(sets, question)
    if found.witness is None:
        return
    records = [set(sets.shown[a:b].tolist()) for a, b in zip(sets.starts, sets.starts[1:], strict=False)]
    items = set(found.witness.items)
    holders = [row for row, record in enumerate(records, 1) if items <= record]
    assert found.witness.size == len(holders)
    assert found.witness.rows == tuple(holders[:5])
    both = [
        sum(item in records[row - 1] for row in holders)
        for item in range(len(sets.items))
        if sets.items.sensitive[item] and item not in items
    ]
    assert found.witness.joint in (both or [0])
    assert found.confidence == Fraction(found.witness.joint, len(holders))
    if found.exact:
        assert found.witness.joint == max(both, default=0)


@settings(deadline=None)
@given(with_sensitive, st.integers(1, 3), bounds, st.integers(1, 3))
def test_confidences_of_codes_that_lie_under_items(listed: Listed, m: int, bound: Fraction, k: int) -> None:
    recoded: Listed = [[("a", "b") if one == "a" else one for one in record] for record in listed]
    records = oracle.records_of(recoded)
    counted = oracle.leaf_supports(oracle.public(records, SENSITIVE), m)
    shares = [
        Fraction(oracle.rule(records, codes, [code])[1], number)
        for codes, number in counted.items()
        for code in SENSITIVE
    ]
    question = Question(Family.UP_TO, k, m, confidence=bound, leaves=True)
    found = answer(of(recoded), question, every=True)
    assert found.confidence == max(shares, default=None)
    assert found.holds == (
        all(share <= bound for share in shares) and all(number >= k for number in counted.values())
    )
    assert answer(of(recoded), question).holds == found.holds


def test_long_records_do_not_blow_up_what_a_sensitive_code_tells() -> None:
    long = [f"{number:03}" for number in range(120)]
    sets = PublishedSets.of([[*long, "s"], long, [*long[:60], "s"], long[:60]], sensitive=["s"])
    found = answer(sets, Question(Family.ANY, confidence=Fraction("0.6"), below=True, sensitive_known=True))
    assert found.holds
    assert found.confidence == Fraction(1, 2)
    assert found.looked_at == 2


def test_too_many_itemsets_are_never_said_to_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(told, "MOST_WORK", 50)
    listed = [[code for code in "abcdefgh" if code != left] for left in "abcdefgh"]
    sets = PublishedSets.of([*[[*record, "s"] for record in listed], *listed * 3], sensitive=["s"])
    for question in (
        Question(Family.ANY, confidence=Fraction(1, 2), sensitive_known=True),
        Question(Family.UP_TO, size=4, confidence=Fraction(1, 2)),
    ):
        with pytest.raises(BadInput, match="could not be checked"):
            answer(sets, question)


def test_what_was_seen_to_break_counts_when_the_rest_could_not_be_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(told, "MOST_WORK", 50)
    listed = [[code for code in "abcdefgh" if code != left] for left in "abcdefgh"]
    sets = PublishedSets.of([["z", "s"], *[[*record, "s"] for record in listed], *listed], sensitive=["s"])
    found = answer(sets, Question(Family.UP_TO, size=4, confidence=Fraction(1, 2)), every=True)
    assert not found.holds
    assert not found.exact
    assert found.confidence == 1


def test_bounds_of_many_digits_are_exact() -> None:
    third = Fraction("0.3333333333333333333333333")
    assert told.most_allowed(third, False, 4).tolist() == [0, 0, 0, 0, 1]
    assert told.most_allowed(Fraction(1, 3), False, 4).tolist() == [0, 0, 0, 1, 1]
    assert told.most_allowed(Fraction(1, 3), True, 4).tolist() == [-1, 0, 0, 0, 1]


@pytest.mark.parametrize(
    "question",
    [
        Question(Family.RECORD, 2, confidence=Fraction(1, 2)),
        Question(Family.RECORD, 2, leaves=True),
        Question(Family.ANY, spread=Fraction(1, 2)),
        Question(Family.ANY, confidence=Fraction(1, 2), leaves=True, sensitive_known=True),
    ],
    ids=str,
)
def test_questions_without_a_meaning_are_refused(question: Question) -> None:
    with pytest.raises(BadInput):
        answer(of([["a", "s"]]), question)
