"""Itemsets that a policy lists, against the oracle: both wordings, rules, codes that never occur."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.codes.check import answer
from sfumato.codes.published import PublishedSets
from sfumato.codes.question import Family, Question
from tests.codes.check.sets import CODES, SENSITIVE, Listed, any_sets, with_sensitive
from tests.oracles import codes as oracle

constraint = st.lists(st.sampled_from([*CODES, "never"]), min_size=1, max_size=4, unique=True).map(tuple)
constraints = st.lists(constraint, min_size=1, max_size=5).map(tuple)


@settings(deadline=None)
@given(any_sets, constraints, st.integers(1, 5), st.booleans())
def test_constraints_in_both_wordings(
    listed: Listed, policy: tuple[tuple[str, ...], ...], k: int, strict: bool
) -> None:
    records = oracle.records_of(listed)
    question = Question(Family.LISTED, k, listed=policy, leaves=True, all_or_subsets=strict)
    found = answer(PublishedSets.of(listed), question)
    unprotected = [one for one in policy if not oracle.constraint_protected(records, one, k, strict)]
    assert found.violations == len(unprotected)
    assert found.holds == (not unprotected)
    assert found.looked_at == len(policy)
    if not strict:
        held = [oracle.leaf_support(records, one) for one in policy]
        assert found.support == min((number for number in held if number), default=None)
    elif found.support is not None:
        assert found.holds == (found.support >= k)


@settings(deadline=None)
@given(any_sets, constraints, st.integers(1, 5), st.booleans())
def test_a_witness_is_real(listed: Listed, policy: tuple[tuple[str, ...], ...], k: int, strict: bool) -> None:
    published = PublishedSets.of(listed)
    question = Question(Family.LISTED, k, listed=policy, leaves=True, all_or_subsets=strict)
    found = answer(published, question)
    if found.witness is None:
        assert found.support is None
        return
    codes = [published.items.domain[position] for position in found.witness.items]
    rows = [row for row, record in enumerate(oracle.records_of(listed), 1) if oracle.covers(record, codes)]
    assert found.witness.rows == tuple(rows[:5])
    assert found.witness.size == found.support == len(rows)


@settings(deadline=None)
@given(with_sensitive, st.lists(constraint, min_size=1, max_size=4), st.data())
def test_rules(listed: Listed, known: list[tuple[str, ...]], data: st.DataObject) -> None:
    records = oracle.records_of(listed)
    told = [tuple(data.draw(st.lists(st.sampled_from(["s", "t"]), min_size=1, unique=True))) for _ in known]
    k = data.draw(st.integers(1, 4))
    bound = data.draw(st.sampled_from([Fraction(1, 5), Fraction(1, 3), Fraction(1, 2), Fraction(1)]))
    counted = [oracle.rule(records, one, other) for one, other in zip(known, told, strict=True)]
    unprotected = [
        number for number, joint in counted if number and (number < k or Fraction(joint, number) > bound)
    ]
    question = Question(
        Family.LISTED, k, listed=tuple(known), told=tuple(told), confidence=bound, leaves=True
    )
    found = answer(PublishedSets.of(listed, sensitive=SENSITIVE), question)
    assert found.violations == len(unprotected)
    assert found.holds == (not unprotected)
    shares = [Fraction(joint, number) for number, joint in counted if number]
    assert found.confidence == max(shares, default=None)


@settings(deadline=None)
@given(with_sensitive, constraints, st.sampled_from([Fraction(1, 3), Fraction(1, 2)]))
def test_listed_itemsets_against_every_sensitive_item(
    listed: Listed, policy: tuple[tuple[str, ...], ...], bound: Fraction
) -> None:
    records = oracle.records_of(listed)
    shares = []
    for codes in policy:
        holders = [record for record in records if oracle.covers(record, codes)]
        if holders:
            both = [sum(frozenset([code]) in record for record in holders) for code in SENSITIVE]
            shares.append(Fraction(max(both), len(holders)))
    question = Question(Family.LISTED, listed=policy, confidence=bound, leaves=True)
    found = answer(PublishedSets.of(listed, sensitive=SENSITIVE), question)
    assert found.confidence == max(shares, default=None)
    assert found.holds == all(share <= bound for share in shares)


def test_the_plain_wording_lets_a_suppressed_code_hide_a_rare_rest() -> None:
    published = PublishedSets.of([["a"], ["b"], ["b"]], domain=["c"])
    plain = Question(Family.LISTED, 2, listed=(("a", "c"),), leaves=True)
    strict = Question(Family.LISTED, 2, listed=(("a", "c"),), leaves=True, all_or_subsets=True)
    assert answer(published, plain).holds
    assert not answer(published, strict).holds


def test_short_and_long_constraints_do_not_disturb_each_other() -> None:
    published = PublishedSets.of([["a", "b", "c", "d", "e"], ["a"], ["a", "b"]])
    policy = (("a", "b", "c", "d", "e"), ("a",), ("a", "b"), ("a", "c"), ("a",))
    question = Question(Family.LISTED, 3, listed=policy, leaves=True)
    found = answer(published, question)
    assert found.violations == 3
    assert found.support == 1
