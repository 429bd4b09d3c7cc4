"""Utility constraints and the counts of cases that they keep."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.codes.published import PublishedSets
from sfumato.codes.sets import CodeSets
from sfumato.codes.utility import CaseCounts, ConstraintsBroken, constraints_kept, truthful
from sfumato.core.errors import BadInput
from tests.codes.utility.releases import any_pairs, itemsets, published_of, sets_of, truthful_pairs
from tests.oracles import codes_utility as oracle


@settings(deadline=None)
@given(any_pairs(), st.lists(itemsets, min_size=1, max_size=3), st.sampled_from([0, 0.5, Fraction(1, 3), 1]))
def test_constraints_are_judged_as_defined(pair, constraints, share):
    originals, release = pair
    found = constraints_kept(sets_of(originals), published_of(release), constraints, share)
    shown_items = {item for shown in release for item in shown}
    for one, codes in zip(found.constraints, constraints, strict=True):
        crossing = sum(bool(item & codes) and not item <= codes for item in shown_items)
        total = sum(len(record & codes) for record in originals)
        lost = oracle.suppressed(originals, release, codes)
        assert (one.crossing, one.occurrences, one.suppressed) == (crossing, total, lost)
        assert one.before == sum(bool(record & codes) for record in originals)
        assert one.after == sum(any(item <= codes for item in shown) for shown in release)
        assert one.possible == sum(any(item & codes for item in shown) for shown in release)
        assert one.satisfied == (not crossing and lost <= Fraction(str(share)) * total)
    outside = sum(len(item) > 1 and not any(item <= codes for codes in constraints) for item in shown_items)
    assert found.merged_outside == outside


@settings(deadline=None)
@given(truthful_pairs(), itemsets)
def test_a_satisfied_constraint_without_suppression_keeps_its_number_of_cases(pair, codes):
    originals, release = pair
    sets, published = sets_of(originals), published_of(release)
    assert truthful(sets, published).holds
    kept = constraints_kept(sets, published, [codes]).constraints[0]
    if kept.satisfied and not kept.suppressed:
        assert kept.same_count


def test_the_share_of_broken_constraints_is_a_measure():
    original = CodeSets.of([["a", "b"], ["a", "c"]])
    published = PublishedSets.of([[["a", "b"]], [["a", "b"], "c"]])
    found = ConstraintsBroken((("a", "b"), ("a", "c"))).of(original, published)
    assert found.value == 0.5
    assert found.details["satisfied"] == 1
    assert ConstraintsBroken(()).of(original, published) is None


def test_exactly_the_allowed_share_may_be_suppressed():
    original = CodeSets.of([["a"]] * 5)
    published = PublishedSets.of([["a"]] * 4 + [[]])
    assert constraints_kept(original, published, [["a"]], 0.2).satisfied == 1
    assert constraints_kept(original, published, [["a"]], 0.19).satisfied == 0


def test_case_counts_tell_sure_cases_from_possible_ones():
    original = CodeSets.of([["a"], ["b"], ["c"]])
    published = PublishedSets.of([[["a", "b"]], [["a", "b"]], ["c"]])
    found = CaseCounts({"first": ("a",), "both": ("a", "b"), "absent": ("z",)}).of(original, published)
    assert found.value == 0.5
    assert found.details["cases of first"] == "1 before, 0 to 2 after"
    assert found.details["cases of both"] == "2 before, 2 after"
    assert found.details["not in the data"] == 1
    assert CaseCounts({"absent": ("z",)}).of(original, published) is None


def test_a_share_above_one_is_refused():
    with pytest.raises(BadInput, match="between 0 and 1"):
        constraints_kept(CodeSets.of([["a"]]), PublishedSets.of([["a"]]), [], 2)
