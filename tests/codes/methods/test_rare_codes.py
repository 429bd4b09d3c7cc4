"""Suppression of the rarest codes: the fewest that keep the promise, exactly."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.codes.contract import Problem
from sfumato.codes.methods.rare_codes import RareCodes
from sfumato.codes.models.complete_k_anonymity import CompleteKAnonymity
from sfumato.codes.models.hkp_coherence import HkpCoherence
from sfumato.codes.models.k_m_anonymity import KmAnonymity
from sfumato.codes.models.privacy_constraints import PrivacyConstraints
from sfumato.codes.published import PublishedSets
from sfumato.codes.sets import CodeSets
from sfumato.core.errors import BadInput, PromiseNotMet
from tests.codes.methods.small_sets import is_truthful, problem_of, records_of_codes, shown
from tests.oracles.codes import constraint_protected, look_alikes, records_of, supports

LISTED = (("a1", "b1", "c1"), ("a1", "a2"), ("b2",), ("a1", "never"))


def holds(records: list[set[str]], what: str, k: int) -> bool:
    listed = records_of(records)
    if what == "km":
        return all(number >= k for number in supports(listed, 2).values())
    if what == "record":
        return min(look_alikes(listed)) >= k
    return all(constraint_protected(listed, codes, k, what == "strict") for codes in LISTED)


def model_of(what: str, k: int) -> KmAnonymity | CompleteKAnonymity | PrivacyConstraints:
    if what == "km":
        return KmAnonymity(k, 2)
    if what == "record":
        return CompleteKAnonymity(k)
    return PrivacyConstraints(k, LISTED, "strict" if what == "strict" else "plain")


@given(records_of_codes, st.integers(1, 4), st.sampled_from(["km", "record", "strict", "plain"]))
@settings(max_examples=200, deadline=None)
def test_the_fewest_rare_codes_go_that_keep_the_promise(records: list[set[str]], k: int, what: str) -> None:
    problem = problem_of(records, model_of(what, k))
    if len(records) < k:
        with pytest.raises(PromiseNotMet):
            RareCodes().protect(problem)
        return
    solution = RareCodes().protect(problem)
    published = solution.published
    assert isinstance(published, PublishedSets)
    assert is_truthful(records, published, int(solution.details["suppressed_occurrences"]))
    sets = problem.sets
    order = sorted(range(len(sets.domain)), key=lambda code: (int(sets.supports[code]), code))
    good = [
        holds([record - {sets.domain[code] for code in order[:number]} for record in records], what, k)
        for number in range(len(order) + 1)
    ]
    fewest = good.index(True)
    assert all(good[fewest:])
    assert solution.details["suppressed_codes"] == fewest
    kept = {sets.domain[code] for code in order[fewest:]}
    assert shown(published) == [{frozenset({code}) for code in record & kept} for record in records]


def test_a_share_that_is_too_small_is_refused_with_the_one_that_works() -> None:
    sets = CodeSets.of([["a", "b"], ["a", "b"], ["a", "c"], ["a", "d"]])
    problem = Problem(sets, (KmAnonymity(2, 2),))
    with pytest.raises(PromiseNotMet, match=r"1 of 4 codes does not keep the promise, 2 would.*0\.5"):
        RareCodes(0.25).protect(problem)
    assert RareCodes(0.5).protect(problem).details["suppressed_codes"] == 2
    assert RareCodes(Fraction(51, 100)).protect(problem).details["suppressed_codes"] == 3


def test_equally_rare_codes_go_in_the_order_of_their_text() -> None:
    sets = CodeSets.of([["b"], ["a"], ["c"], ["c"]])
    published = RareCodes(0.34).protect(Problem(sets, (CompleteKAnonymity(2),))).published
    assert isinstance(published, PublishedSets)
    assert [published.record(row) for row in range(4)] == [(), (), ("c",), ("c",)]


def test_it_refuses_bounds_on_confidence_and_strange_shares() -> None:
    with pytest.raises(BadInput, match="does not enforce hkp-coherence"):
        RareCodes().protect(problem_of([{"a1"}], HkpCoherence(0.5, 1, 1), sensitive=("a1",)))
    with pytest.raises(BadInput, match="between 0 and 1"):
        RareCodes(5)
