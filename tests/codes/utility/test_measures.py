"""NCP, UL, occurrences and truthfulness against slow oracles."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.codes.published import Items, PublishedSets
from sfumato.codes.sets import CodeSets
from sfumato.codes.tree import CodeTree
from sfumato.codes.utility import (
    MEASURES,
    SET_MEASURES,
    CertaintyPenalty,
    HiddenCounts,
    Occurrences,
    UtilityLoss,
    truthful,
)
from sfumato.codes.utility.utility_loss import log2_sum, semantic_weights
from sfumato.core.errors import BadInput
from sfumato.core.evidence import MeasureEvidence
from sfumato.hierarchy import Tree
from tests.codes.utility.releases import CODES, any_pairs, published_of, sets_of, truthful_pairs
from tests.oracles import codes_utility as oracle


@settings(deadline=None)
@given(any_pairs())
def test_ncp_charges_every_occurrence_of_the_original(pair):
    originals, release = pair
    found = CertaintyPenalty().of(sets_of(originals), published_of(release))
    expected = oracle.certainty_penalty(originals, release, len(CODES))
    assert found.value == pytest.approx(float(expected), abs=1e-12)


@settings(deadline=None)
@given(any_pairs())
def test_utility_loss_is_the_sum_over_distinct_items(pair):
    originals, release = pair
    found = UtilityLoss().of(sets_of(originals), published_of(release))
    expected = float(oracle.utility_loss(release, len(CODES)))
    if not expected:
        assert found is None
    else:
        assert found.details["loss"] == pytest.approx(expected, rel=1e-9)
        assert found.value == pytest.approx(math.log2(expected), rel=1e-9, abs=1e-9)


@settings(deadline=None)
@given(any_pairs(), st.floats(0.01, 10))
def test_suppressed_occurrences_cost_what_was_asked(pair, penalty):
    originals, release = pair
    sets, published = sets_of(originals), published_of(release)
    lost = oracle.suppressed(originals, release)
    expected = float(oracle.utility_loss(release, len(CODES))) + penalty * lost / len(originals)
    found = UtilityLoss(suppressed=penalty).of(sets, published)
    assert (0 if found is None else found.details["loss"]) == pytest.approx(expected, rel=1e-9)


def test_utility_loss_of_thousands_of_codes_stays_finite():
    domain = tuple(f"{number:05d}" for number in range(5830))
    narrow = Items.of_groups(domain, [range(2)])
    wide = Items.of_groups(domain, [range(3)])
    original = CodeSets.of([[domain[0]]])
    values = []
    for items in (narrow, wide):
        published = PublishedSets(items, np.array([0, 1]), np.array([0], np.int32))
        found = UtilityLoss().of(original, published)
        assert "loss" not in found.details
        values.append(found.value)
    assert values[0] == pytest.approx(math.log2(3) - 5830)
    assert values[1] - values[0] == pytest.approx(math.log2(7 / 3))


def test_codes_shown_as_they_were_can_be_left_out_of_the_loss():
    original = CodeSets.of([["a", "b"], ["c"]])
    published = PublishedSets.of([[["a", "b"]], ["c"]])
    every = UtilityLoss().of(original, published)
    wide = UtilityLoss(generalised_only=True).of(original, published)
    assert every.details["loss"] == pytest.approx((3 + 1) / 7 / 2)
    assert wide.details["loss"] == pytest.approx(3 / 7 / 2)


def test_weights_by_hierarchy_let_distant_codes_cost_more():
    domain = ("a1", "a2", "b1", "b2")
    tree = CodeTree.of(Tree({"any": {"A": ["a1", "a2"], "B": ["b1", "b2"]}}), domain)
    original = CodeSets.of([["a1"], ["b1", "a2", "b2"]])
    near = PublishedSets.of([[["a1", "a2"]], []], domain=domain)
    far = PublishedSets.of([[["a1", "b1"]], []], domain=domain)
    measure = UtilityLoss(tree=tree)
    assert measure.of(original, near).value == pytest.approx(math.log2(3 / 15 / 2 * 2 / 3))
    assert measure.of(original, far).value > measure.of(original, near).value
    plain = UtilityLoss()
    assert plain.of(original, far).value == plain.of(original, near).value


def test_weights_can_be_given_by_label():
    original = CodeSets.of([["a"], ["b"]])
    published = PublishedSets.of([["a"], ["b"]])
    found = UtilityLoss(weights={"a": 3.0}).of(original, published)
    assert found.details["loss"] == pytest.approx((3 + 1) / 3 / 2)


@settings(deadline=None)
@given(st.lists(st.integers(-30, 30), min_size=1, max_size=6))
def test_log2_sums_are_sums(terms):
    assert 2 ** log2_sum([float(term) for term in terms]) == pytest.approx(sum(2.0**term for term in terms))


@settings(deadline=None)
@given(any_pairs())
def test_truthfulness_finds_exactly_the_rows_that_say_too_much(pair):
    originals, release = pair
    found = truthful(sets_of(originals), published_of(release))
    rows = oracle.untrue_rows(originals, release)
    assert found.holds == (not rows)
    assert list(found.rows) == rows[:10]
    assert found.records == len(rows)
    assert found.suppressed == oracle.suppressed(originals, release)


@settings(deadline=None)
@given(truthful_pairs())
def test_truthful_releases_are_truthful(pair):
    originals, release = pair
    assert truthful(sets_of(originals), published_of(release)).holds


@settings(deadline=None)
@given(any_pairs())
def test_occurrences_are_kept_generalised_or_suppressed(pair):
    originals, release = pair
    found = Occurrences().of(sets_of(originals), published_of(release))
    slots = [(code, shown) for codes, shown in zip(originals, release, strict=True) for code in codes]
    kept = [code for code, shown in slots if frozenset([code]) in shown]
    assert found.details["kept"] == len(kept)
    assert found.details["suppressed"] == oracle.suppressed(originals, release)
    assert found.details["kept"] + found.details["generalised"] + found.details["suppressed"] == len(slots)
    assert found.details["distinct codes kept"] == len(set(kept))
    emptied = sum(bool(codes) and not shown for codes, shown in zip(originals, release, strict=True))
    assert found.details["emptied records"] == emptied
    assert found.value == pytest.approx(1 - len(kept) / len(slots))


def test_the_original_as_it_is_loses_nothing():
    original = CodeSets.of([["a", "b"], ["c"], []])
    published = PublishedSets.as_it_is(original)
    assert CertaintyPenalty().of(original, published).value == 0
    assert Occurrences().of(original, published).value == 0
    assert str(truthful(original, published)).startswith("truthful")


def test_a_code_that_no_item_knows_is_suppressed():
    original = CodeSets.of([["a", "z"]])
    published = PublishedSets.of([["a"]])
    assert CertaintyPenalty().of(original, published).value == 0.5
    assert CertaintyPenalty(suppressed=0).of(original, published).value == 0


def test_a_node_counts_codes_that_never_occur():
    original = CodeSets.of([["a1"], ["b1"]])
    tree = CodeTree.of(Tree({"any": {"A": ["a1", "a2"], "B": ["b1", "b2"]}}), original.domain)
    items = Items.of_nodes(original.domain, tree, [tree.root])
    published = PublishedSets.by_code(original, items, np.array([0, 0]))
    assert CertaintyPenalty().of(original, published).value == 1.0


def test_measures_without_parameters_are_evidence_of_every_release():
    original = CodeSets.of([["a", "b"], ["c"]])
    published = PublishedSets.of([[["a", "b"]], ["c"]])
    for measure in MEASURES:
        assert SET_MEASURES[measure.name] is type(measure)
        found = measure.of(original, published)
        if isinstance(measure, HiddenCounts):
            assert found is None
            continue
        MeasureEvidence(
            name=measure.name,
            title=measure.title,
            value=found.value,
            range=measure.range,
            meaning=measure.meaning,
            details=dict(found.details),
        )


def test_nothing_is_measured_where_there_are_no_codes():
    original, published = CodeSets.of([[], []]), PublishedSets.of([[], []])
    assert CertaintyPenalty().of(original, published) is None
    assert Occurrences().of(original, published) is None
    assert UtilityLoss().of(original, published) is None


def test_a_release_with_other_records_is_refused():
    with pytest.raises(BadInput, match="2 records and the release 1"):
        truthful(CodeSets.of([["a"], ["b"]]), PublishedSets.of([["a"]]))


def test_bad_parameters_are_refused():
    with pytest.raises(BadInput, match="negative"):
        CertaintyPenalty(suppressed=-1)
    with pytest.raises(BadInput, match="negative"):
        UtilityLoss(suppressed=-1)
    tree = CodeTree.of(Tree({"any": ["a", "b"]}), ("a", "b"))
    with pytest.raises(BadInput, match="hierarchy or from a list"):
        UtilityLoss(tree=tree, weights={"a": 1.0})
    with pytest.raises(BadInput, match="does not lie over"):
        semantic_weights(Items.of_groups(("a",), [[0]]), tree)
