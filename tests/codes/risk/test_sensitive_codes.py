"""Which sensitive codes follow from a few public ones."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.codes.risk import exposure, told_by_release, told_in_file
from sfumato.codes.sets import CodeSets
from sfumato.core.errors import BadInput
from sfumato.core.verdict import Threat
from tests.codes.utility.releases import CODES, filled_records, published_of, sets_of, truthful_pairs
from tests.oracles import codes_risk as oracle

SENSITIVE = {"f", "g"}
thresholds = st.sampled_from([0.0, 0.5, Fraction(1, 3), 0.75])


@settings(deadline=None)
@given(filled_records, st.integers(1, 3), thresholds)
def test_sensitive_codes_follow_as_a_full_count_says(originals, m, threshold):
    sets = sets_of(originals)
    marked = sets.sensitive(SENSITIVE & set(sets.domain))
    found = told_in_file(sets, marked, m, threshold)
    best = [oracle.told(row, m, originals, SENSITIVE) for row in range(len(originals))]
    assert found.certain == best.count(1)
    assert found.above == sum(confidence > Fraction(str(threshold)) for confidence in best)
    assert found.concerned == sum(bool(person & SENSITIVE) for person in originals)


@st.composite
def releases_with_sensitive_items(draw):
    """Public codes are generalised among themselves; sensitive ones are shown or left out."""
    public = "".join(code for code in CODES if code not in SENSITIVE)
    originals, release = draw(truthful_pairs(codes=public))
    cleaned = []
    for person, shown in zip(originals, release, strict=True):
        items = {frozenset(item - SENSITIVE) for item in shown} - {frozenset()}
        items = {item for item in items if item & person}
        items |= {frozenset([code]) for code in person & SENSITIVE if draw(st.booleans())}
        cleaned.append(frozenset(items))
    return originals, cleaned


@settings(max_examples=80, deadline=None)
@given(releases_with_sensitive_items(), st.integers(1, 3), thresholds)
def test_releases_tell_sensitive_items_by_leaf_match(pair, m, threshold):
    originals, release = pair
    published = published_of(release, sensitive="fg")
    found = told_by_release(sets_of(originals), published, m, threshold)
    rows = range(len(originals))
    best = [oracle.told_by_release(row, m, originals, release, SENSITIVE) for row in rows]
    assert found.certain == best.count(1)
    assert found.above == sum(confidence > Fraction(str(threshold)) for confidence in best)


def test_the_boundary_itself_is_not_above():
    sets = CodeSets.of([["p", "s"], ["p"], ["p"], ["p"], ["p"]])
    marked = sets.sensitive(["s"])
    assert told_in_file(sets, marked, 1, 0.2).above == 0
    assert told_in_file(sets, marked, 1, 0.19).above == 1


def test_the_slide_on_sensitive_disclosure_tells_everybody():
    sets = CodeSets.of([["401.0", "401.1", "295"], ["401.0", "401.1", "303", "295"]])
    risk = exposure(sets, k=2, m=2, sensitive=["295"])
    assert risk.sensitive.certain == 2
    figures = {figure.name: figure for figure in risk.figures()}
    assert figures["sensitive-certain"].threat == Threat.ATTRIBUTE.value
    assert figures["sensitive-certain"].value == 1.0


def test_without_sensitive_codes_nothing_is_said_of_them():
    risk = exposure(CodeSets.of([["a"], ["b"]]))
    assert risk.sensitive is None
    assert not any(figure.threat == Threat.ATTRIBUTE.value for figure in risk.figures())


def test_unknown_sensitive_codes_and_thresholds_are_refused():
    sets = CodeSets.of([["a"], ["b"]])
    with pytest.raises(BadInput, match="never occur"):
        exposure(sets, sensitive=["z"])
    with pytest.raises(BadInput, match="below 1"):
        exposure(sets, sensitive=["a"], threshold=1)
