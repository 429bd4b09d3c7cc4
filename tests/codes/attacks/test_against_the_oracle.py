"""Attacks find exactly what asking every record about every choice of codes finds."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sfumato.codes.attacks import KnownCodes, KnownVisit, LinkedCodes, SensitiveCode, WholeSet
from sfumato.codes.attacks.contract import Identified, Knowledge
from sfumato.codes.published import PublishedSets
from sfumato.codes.sets import CodeSets, Visits
from tests.codes.attacks.releases import SENSITIVE, as_records, in_house, recoded
from tests.oracles.code_attacks import agreeing, fewest_candidates, greatest_confidence, whole_set

Drawn = tuple[list[set[str]], PublishedSets]


def mean(candidates: list[int]) -> float:
    return float(sum(Fraction(1, many) for many in candidates if many) / len(candidates))


@given(recoded(), st.integers(1, 4), st.booleans())
@settings(max_examples=150, deadline=None)
def test_known_codes_knows_the_codes_that_the_fewest_records_agree_with(
    drawn: Drawn, m: int, public: bool
) -> None:
    people, published = drawn
    result = KnownCodes(m, public=public).run(published, in_house(people), victims=True)
    expected = fewest_candidates(people, as_records(published), m, {*SENSITIVE} if public else set())
    assert result.success == mean(expected)
    assert result.certain == expected.count(1)
    assert result.details["fewest candidates"] == min(expected)
    assert {victim.row: victim.candidates for victim in result.victims} == dict(enumerate(expected, 1))


@given(recoded(), st.integers(1, 3), st.integers(0, 5))
@settings(max_examples=60, deadline=None)
def test_codes_known_by_chance_never_tell_more_than_the_worst(drawn: Drawn, m: int, seed: int) -> None:
    people, published = drawn
    by_chance = KnownCodes(m, "random", seed=seed).run(published, in_house(people))
    assert by_chance.success <= KnownCodes(m).run(published, in_house(people)).success + 1e-12
    again = KnownCodes(m, "random", seed=seed).run(published, in_house(people))
    assert by_chance == again


@given(recoded(), st.integers(1, 3))
@settings(max_examples=60, deadline=None)
def test_an_adversary_without_the_houses_order_is_never_scored_lower(drawn: Drawn, m: int) -> None:
    people, published = drawn
    outside = KnownCodes(m).run(published, Knowledge(CodeSets.of(people)))
    assert outside.success >= KnownCodes(m).run(published, in_house(people)).success - 1e-12


@given(recoded())
@settings(max_examples=150, deadline=None)
def test_whole_set_takes_the_records_that_account_for_most(drawn: Drawn) -> None:
    people, published = drawn
    expected = whole_set(people, as_records(published))
    result = WholeSet().run(published, in_house(people))
    assert (result.success, result.certain) == (mean(expected), expected.count(1))


@given(recoded(), st.integers(1, 4), st.booleans())
@settings(max_examples=150, deadline=None)
def test_the_surest_claim_about_a_sensitive_code_is_found(drawn: Drawn, m: int, public: bool) -> None:
    people, published = drawn
    assume(published.items.sensitive.any())
    result = SensitiveCode(m, public=public).run(published, in_house(people))
    found = Fraction(
        int(result.details["of them with what is claimed"]),
        int(result.details["records that agree with the surest claim"]),
    )
    assert found == greatest_confidence(people, as_records(published), {*SENSITIVE}, m, public=public)
    assert result.highest == float(found)


@given(recoded())
@settings(max_examples=60, deadline=None)
def test_without_anybodys_record_the_claims_are_those_of_a_release_without_it(drawn: Drawn) -> None:
    people, published = drawn
    assume(published.items.sensitive.any())
    # With every code known there is one choice, so that the same attack can be run without each person.
    result = SensitiveCode(9, "random").run(published, in_house(people))
    records = as_records(published)
    items = [frozenset({"s"}), frozenset({"t"}), frozenset({"s", "t"})]
    order = {
        frozenset(published.items.domain[c] for c in published.items.under(i)): i
        for i in range(len(published.items))
    }
    items = sorted((item for item in items if item in order), key=order.__getitem__)
    guess = max(items, key=lambda item: (sum(item in r for r in records), -order[item]))
    right = 0
    for own, person in enumerate(people):
        known = [c for c in person - {*SENSITIVE} if any(c in item for r in records for item in r)]
        others = [r for r in agreeing(records, known) if r != own]
        counts = {item: sum(item in records[r] for r in others) for item in items}
        claim = max(items, key=lambda item: (counts[item], -order[item])) if others else guess
        right += bool(claim & person) and (not others or counts[claim] > 0)
    assert result.baseline == right / len(people)


@given(recoded(), st.data())
@settings(max_examples=60, deadline=None)
def test_a_visit_is_looked_for_as_a_whole(drawn: Drawn, data: st.DataObject) -> None:
    people, published = drawn
    visits, owner = [], []
    for person, codes in enumerate(people):
        for _ in range(2):
            visits.append(data.draw(st.sets(st.sampled_from(sorted(codes)))) if codes else set())
            owner.append(person)
    held = Knowledge(CodeSets.of(people), True, Visits(CodeSets.of(visits), np.array(owner)))
    records = as_records(published)
    expected = []
    for person in range(len(people)):
        counts = []
        for visit in (visits[2 * person], visits[2 * person + 1]):
            of_use = [code for code in visit if any(code in item for record in records for item in record)]
            found = agreeing(records, of_use)
            counts.append(len(found) if person in found else 0)
        expected.append(min((count for count in counts if count), default=0))
    assert KnownVisit().run(published, held).success == mean(expected)


@given(recoded(), st.data())
@settings(max_examples=60, deadline=None)
def test_people_of_a_file_are_found_by_all_that_it_lists(drawn: Drawn, data: st.DataObject) -> None:
    people, published = drawn
    rows = data.draw(st.lists(st.integers(0, len(people) - 1), min_size=1, max_size=6))
    listed = [
        data.draw(st.sets(st.sampled_from(sorted(people[row])))) if people[row] else set() for row in rows
    ]
    records = as_records(published)
    shown = {code for record in records for item in record for code in item}
    assume(any(codes & shown for codes in listed))
    held = Knowledge(CodeSets.of(people), True, people=Identified(CodeSets.of(listed), np.array(rows)))
    expected = []
    for row, codes in zip(rows, listed, strict=True):
        found = agreeing(records, codes & shown)
        expected.append(len(found) if row in found else 0)
    assert LinkedCodes().run(published, held).success == mean(expected)
