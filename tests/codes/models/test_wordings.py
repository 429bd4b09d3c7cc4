"""How models differ: the tables that tell them apart, and what implies what."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.codes import models as m
from sfumato.codes.published import PublishedSets
from tests.codes.check.sets import SENSITIVE, Listed, any_sets, with_sensitive

BEER: Listed = [["beer", "nappies"], ["nappies", "towels", "wine"], ["beer", "towels", "wine"]]
ALL_FOUR: list[str | tuple[str, ...]] = ["beer", "nappies", "towels", "wine"]


def holds(model: Any, listed: Listed) -> bool:
    verdict = model.check(PublishedSets.of(listed, sensitive=SENSITIVE))
    return bool(verdict.holds)


def test_every_itemset_may_be_shared_while_no_record_looks_like_another() -> None:
    listed = [*BEER, ALL_FOUR, ALL_FOUR]
    assert holds(m.CompleteItemsetAnonymity(2), listed)
    assert not holds(m.CompleteKAnonymity(2), listed)


@settings(deadline=None)
@given(any_sets, st.integers(1, 4), st.integers(1, 5))
def test_looking_alike_implies_any_itemset_implies_m_items_implies_m_codes(
    listed: Listed, k: int, items: int
) -> None:
    chain = [
        m.CompleteKAnonymity(k),
        m.CompleteItemsetAnonymity(k),
        m.KmAnonymity(k, items),
        m.KmAnonymity(k, items, "leaf"),
    ]
    kept = [holds(model, listed * 2) for model in chain]
    assert kept == sorted(kept)


@settings(deadline=None)
@given(with_sensitive, st.integers(1, 3))
def test_coherence_and_lkc_ask_the_same(listed: Listed, size: int) -> None:
    assert holds(m.HkpCoherence(0.5, 2, size), listed) == holds(m.LkcPrivacy(size, 2, 0.5), listed)


@settings(deadline=None)
@given(with_sensitive)
def test_uncertainty_below_a_bound_implies_confidences_below_it(listed: Listed) -> None:
    if holds(m.RhoUncertainty(0.6), listed):
        assert holds(m.HkpCoherence(0.6, 1, 3), listed)


@settings(deadline=None)
@given(any_sets, st.integers(2, 4))
def test_the_strict_wording_implies_the_plain_one(listed: Listed, k: int) -> None:
    policy = [["a", "b"], ["c", "d", "e"], ["a", "e"]]
    if holds(m.PrivacyConstraints(k, policy), listed):
        assert holds(m.PrivacyConstraints(k, policy, "plain"), listed)


def test_a_cohort_without_a_sensitive_code_tells_something_too() -> None:
    listed: Listed = [["a"], ["a"], ["b", "s"], ["b", "s"]]
    assert holds(m.CohortCloseness(0.5, 1), listed)
    assert not holds(m.CohortCloseness(0.49, 1), listed)
    only_a = PublishedSets.of([["a"], ["a"], ["s"], ["s"]], sensitive=SENSITIVE)
    verdict = m.CohortCloseness(0.49, 1).check(only_a)
    assert not verdict.holds
    assert str(verdict.witness) == "1 item held by 2 records, 0 of them with a sensitive item (row 1, 2)"


def test_sensitive_codes_that_were_all_suppressed_tell_nothing() -> None:
    shown = PublishedSets.of([["a", "s"], ["a"], ["a"]], sensitive=SENSITIVE)
    nothing = PublishedSets(shown.items, np.array([0, 1, 2, 3]), np.zeros(3, np.int32))
    assert m.RhoUncertainty(0.1).check(nothing).holds
    assert m.RhoUncertainty(0.1).check(nothing).achieved == "nothing sensitive is shown"
    assert m.HkpCoherence(0.1, 3, 1).check(nothing).achieved == "k = 3, confidence 0"
    assert m.CohortCloseness(0.1, 1).check(nothing).achieved == "distance 0"


def test_a_known_sensitive_code_breaks_uncertainty_where_coherence_holds() -> None:
    listed: Listed = [["a", "s", "t"], ["a"], ["a"], ["a"]]
    assert holds(m.HkpCoherence(0.25, 4, 2), listed)
    assert not holds(m.RhoUncertainty(0.9), listed)


def test_a_verdict_reads_as_a_sentence() -> None:
    sets = PublishedSets.of([["a", "b"], ["a", "b"], ["b", "c"]])
    assert str(m.KmAnonymity(2, 2).check(sets)) == (
        "k-m-anonymity does not hold: required k ≥ 2 for any 2 items, achieved k = 1; "
        "1 item held by 1 record (row 3)"
    )
    assert m.KmAnonymity(5, 1).in_words() == "any code of a person is shared with at least 4 others"
