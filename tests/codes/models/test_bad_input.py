"""Parameters that make no sense are refused where they are given, in one sentence."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from sfumato.codes import models as m
from sfumato.codes.published import PublishedSets
from sfumato.core.errors import BadInput

# Types are wrong on purpose where a check of them is silenced.
WRONG: list[Callable[[], Any]] = [
    lambda: m.KmAnonymity(0, 2),
    lambda: m.KmAnonymity(2, 0),
    lambda: m.KmAnonymity(True, 2),
    lambda: m.KmAnonymity(2.0, 2),  # type: ignore[arg-type]
    lambda: m.KmAnonymity(2, 2, "code"),  # type: ignore[arg-type]
    lambda: m.CompleteItemsetAnonymity(0),
    lambda: m.CompleteKAnonymity("5"),  # type: ignore[arg-type]
    lambda: m.PrivacyConstraints(2, []),
    lambda: m.PrivacyConstraints(2, [[]]),
    lambda: m.PrivacyConstraints(2, ["ab"]),
    lambda: m.PrivacyConstraints(2, [["a", 1]]),  # type: ignore[list-item]
    lambda: m.PrivacyConstraints(2, "ab"),
    lambda: m.PrivacyConstraints(2, [["a"]], "seed"),  # type: ignore[arg-type]
    lambda: m.HkpCoherence(0, 2, 2),
    lambda: m.HkpCoherence(80, 2, 2),
    lambda: m.HkpCoherence(float("nan"), 2, 2),
    lambda: m.HkpCoherence(0.5, 2, 0),
    lambda: m.PsRules(2, 0.5, []),
    lambda: m.PsRules(2, 0.5, [(["a"], [])]),
    lambda: m.PsRules(2, 0.5, [(["a"], ["s"], ["t"])]),  # type: ignore[list-item]
    lambda: m.PsRules(2, 0.5, [(["a"], ["a", "s"])]),
    lambda: m.PsRules(2, 0.5, ["ab"]),  # type: ignore[list-item]
    lambda: m.PsRules(2, 0.5, 7),  # type: ignore[arg-type]
    lambda: m.PsRules(2, 1.5, [(["a"], ["s"])]),
    lambda: m.LkcPrivacy(2, 2, -0.1),
    lambda: m.RhoUncertainty("0.5"),  # type: ignore[arg-type]
    lambda: m.RhoUncertainty(0),
    lambda: m.CohortCloseness(0.2, 0),
    lambda: m.CohortCloseness(2, 1),
]


@pytest.mark.parametrize("make", WRONG)
def test_parameters_that_make_no_sense_are_refused(make: Callable[[], Any]) -> None:
    with pytest.raises(BadInput) as refused:
        make()
    assert refused.value.where
    assert refused.value.remedy


def test_a_bound_means_the_decimal_that_was_written() -> None:
    for written in (0.2, Decimal("0.2"), Fraction(1, 5)):
        assert m.RhoUncertainty(written).confidence == Fraction(1, 5)  # type: ignore[arg-type]
    sets = PublishedSets.of([["a", "s"], *[["a"]] * 4], sensitive=["s"])
    assert m.HkpCoherence(0.2, 5, 1).check(sets).holds
    assert not m.RhoUncertainty(0.2).check(sets).holds
    assert m.RhoUncertainty(0.2000000000000001).check(sets).holds
    assert not m.HkpCoherence(0.1999999999999999, 5, 1).check(sets).holds


def test_policies_keep_no_codes_twice_and_can_be_compared() -> None:
    policy = m.PrivacyConstraints(2, [["a", "b", "a"], ("c",)])
    assert policy == m.PrivacyConstraints(2, (("a", "b"), ("c",)))
    assert policy.question().listed == (("a", "b"), ("c",))


def test_codes_of_a_policy_that_never_occur_are_counted_in_a_note() -> None:
    sets = PublishedSets.of([["a", "b"], ["a", "b"]])
    verdict = m.PrivacyConstraints(2, [["a", "b"], ["a", "never"], ["nowhere"]]).check(sets)
    assert verdict.holds
    assert verdict.note == "2 constraints have a code that nobody shows"
    rules = m.PsRules(2, 0.5, [(["never"], ["s"])]).check(sets)
    assert rules.holds
    assert rules.note == "1 rule has a code that nobody shows"
    assert rules.achieved == "nobody has what they take as known"
