"""Where attacks on sets succeed, where they fail, what each promise leaves open, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sfumato.codes.attacks import (
    ATTACKS,
    CoverProblem,
    KnownCodes,
    KnownVisit,
    LinkedCodes,
    SensitiveCode,
    WholeSet,
)
from sfumato.codes.attacks.contract import Identified, Knowledge
from sfumato.codes.disassociated import Disassociated
from sfumato.codes.models import CompleteItemsetAnonymity, HkpCoherence, KmAnonymity, RhoUncertainty
from sfumato.codes.published import PublishedSets
from sfumato.codes.sets import CodeSets, Visits
from sfumato.core.attack import Scored
from sfumato.core.errors import BadInput
from tests.codes.attacks.releases import in_house, raw

UNIQUE = [{"a", "b"}, {"a", "c"}, {"b", "c", "d"}]
ALIKE = [{"a", "b"}] * 4


def chunks(told: dict[str, Any]) -> Disassociated:
    return Disassociated.from_lines([json.dumps(told)])


@pytest.mark.parametrize("attack", [KnownCodes(2), WholeSet()])
def test_people_with_codes_of_their_own_are_found_and_people_alike_are_not(attack: Any) -> None:
    found = attack.run(raw(UNIQUE), in_house(UNIQUE))
    assert (found.success, found.certain, found.scored) == (1.0, 3, Scored.MEASURED)
    failed = attack.run(raw(ALIKE), in_house(ALIKE))
    assert (failed.success, failed.baseline, failed.certain) == (0.25, 0.25, 0)


def test_a_visit_finds_a_history_and_a_common_one_does_not() -> None:
    visits = Visits(CodeSets.of([{"a"}, {"b", "c"}, {"a"}, {"a"}]), np.array([0, 0, 1, 2]))
    people = [{"a", "b", "c"}, {"a"}, {"a"}]
    held = Knowledge(CodeSets.of(people), True, visits)
    found = KnownVisit().run(raw(people), held, victims=True)
    assert found.certain == 1
    assert [(victim.row, victim.candidates) for victim in found.victims] == [(1, 1), (2, 3), (3, 3)]
    assert (
        KnownVisit().run(raw(ALIKE), Knowledge(CodeSets.of(ALIKE), True, _each_a_visit(ALIKE))).certain == 0
    )


def _each_a_visit(people: list[set[str]]) -> Visits:
    return Visits(CodeSets.of(people), np.arange(len(people)))


def test_an_identified_file_finds_people_and_one_of_strangers_is_refused() -> None:
    file = Identified(CodeSets.of([{"d"}, {"a"}]))
    found = LinkedCodes().run(raw(UNIQUE), Knowledge(people=file))
    assert (found.success, found.certain, found.scored) == (0.75, 1, Scored.CLAIMED)
    with pytest.raises(BadInput, match="no code of the identified file"):
        LinkedCodes().run(raw(UNIQUE), Knowledge(people=Identified(CodeSets.of([{"x"}]))))
    with pytest.raises(BadInput, match="agrees with any record"):
        LinkedCodes().run(raw(UNIQUE), Knowledge(people=Identified(CodeSets.of([{"a", "d"}]))))


def test_people_of_a_file_who_cannot_be_told_apart_share_a_claim() -> None:
    file = Identified(CodeSets.of([{"d"}] * 4))
    assert LinkedCodes().run(raw(UNIQUE), Knowledge(people=file)).success == 0.25


def test_a_code_that_all_candidates_have_is_learned_and_one_that_half_have_is_not_certain() -> None:
    shared = [{"a", "s"}, {"a", "s"}, {"b"}, {"b", "s"}]
    found = SensitiveCode(1).run(raw(shared, ("s",)), in_house(shared))
    assert (found.certain, found.highest, found.success) == (2, 1.0, 0.75)
    half = [{"a", "s"}, {"a"}, {"b", "s"}, {"b"}]
    failed = SensitiveCode(1).run(raw(half, ("s",)), in_house(half))
    assert (failed.certain, failed.highest) == (0, 0.5)


def test_the_gain_over_a_release_without_the_person_is_due_to_their_record() -> None:
    alone = [{"a", "s"}, {"b", "t"}, {"b", "t"}]
    found = SensitiveCode(1).run(raw(alone, ("s", "t")), in_house(alone))
    assert (found.success, found.guessing) == (1.0, 2 / 3)
    assert found.baseline == 2 / 3


def test_k_m_anonymity_leaves_those_who_know_more_than_m_codes() -> None:
    people = [{"a", "b"}, {"a", "c"}, {"b", "c"}, {"a", "b", "c"}]
    assert KmAnonymity(2, 2).check(raw(people)).holds
    assert KnownCodes(2).run(raw(people), in_house(people)).highest == 0.5
    assert KnownCodes(3).run(raw(people), in_house(people)).highest == 1.0


def test_coherence_leaves_what_the_release_tells_of_everybody() -> None:
    people = [{"s"}, {"s"}, {"a"}, {"a", "s"}]
    shown = raw(people, ("s",))
    assert HkpCoherence(0.5, 2, 2).check(shown).holds
    assert SensitiveCode(2).run(shown, in_house(people)).highest == 0.75


def test_k_m_anonymity_leaves_what_all_candidates_share() -> None:
    people = [{"a", "s"}] * 2 + [{"b"}] * 2
    assert KmAnonymity(2, 2).check(raw(people)).holds
    assert SensitiveCode(1).run(raw(people, ("s",)), in_house(people)).certain == 2


def test_complete_anonymity_of_itemsets_leaves_who_has_no_more_than_others() -> None:
    people = [{"a", "b"}, {"a", "b"}, {"a"}]
    assert CompleteItemsetAnonymity(2).check(raw(people)).holds
    assert WholeSet().run(raw(people), in_house(people)).certain == 1


def test_rho_uncertainty_leaves_records_to_be_found() -> None:
    people = [{"a", "s"}, {"a", "b"}, {"a", "b", "c"}, {"b"}]
    shown = raw(people, ("s",))
    assert RhoUncertainty(0.5).check(shown).holds
    assert KnownCodes(2).run(shown, in_house(people)).highest == 1.0


def test_a_code_left_out_of_everybodys_record_does_not_mislead_the_adversary() -> None:
    people = [{"a", "x"}, {"a"}, {"b"}]
    shown = PublishedSets.of([["a"], ["a"], ["b"]], domain=["a", "b", "x"])
    assert KnownCodes(2, "random").run(shown, in_house(people)).success == 2 / 3


def test_a_code_left_out_of_ones_own_record_leads_astray() -> None:
    people = [{"a", "b"}, {"a", "b"}]
    shown = PublishedSets.of([["a"], ["a", "b"]], domain=["a", "b"])
    found = WholeSet().run(shown, in_house(people))
    assert (found.success, found.details["people whose own record is not taken"]) == (0.5, 1)


def test_sub_records_that_only_one_person_can_have_are_found_in_chunks() -> None:
    people = [{"a", "b"}, {"a"}, {"a"}]
    bad = chunks({"records": 3, "chunks": [[["a", "b"], ["a"], ["a"]]], "terms": []})
    found = KnownCodes(2).run(bad, in_house(people))
    assert (found.certain, found.scored) == (1, Scored.EXPECTED)
    good = chunks({"records": 3, "chunks": [[["a"], ["a"], ["a"]]], "terms": ["b"]})
    assert KnownCodes(2).run(good, in_house(people)).highest == 1 / 3


def test_sub_records_of_a_shared_chunk_are_not_counted_for_each_cluster() -> None:
    one = {"records": 2, "chunks": [[["a"], ["a"]]], "terms": []}
    other = {"records": 2, "chunks": [[["b"], ["b"]]], "terms": []}
    shown = chunks({"clusters": [one, other], "shared": [[["c"], ["c"]]]})
    people = [{"a", "c"}, {"a", "c"}, {"b"}, {"b"}]
    assert KnownCodes(1).run(shown, in_house(people)).highest == 0.5


def test_a_code_that_covers_a_cluster_is_certain_and_one_that_does_not_is_not() -> None:
    cover = chunks({"records": 4, "chunks": [[["a"]] * 4, [["b"], ["b"]]], "terms": []})
    assert CoverProblem().run(cover, Knowledge()).certain == 4
    safe = chunks({"records": 4, "chunks": [[["a"]] * 2, [["b"], ["b"]]], "terms": ["c"]})
    assert (CoverProblem().run(safe, Knowledge()).certain, CoverProblem().run(safe, Knowledge()).highest) == (
        0,
        0.5,
    )


@pytest.mark.parametrize("name", ATTACKS)
def test_every_attack_says_what_it_does_and_needs(name: str) -> None:
    attack = ATTACKS[name]()
    assert attack.name == name
    assert attack.title
    assert attack.threat
    assert isinstance(attack.needs, frozenset)


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        (KnownCodes, {"m": 0}),
        (KnownCodes, {"m": True}),
        (KnownCodes, {"choose": "wurst"}),
        (SensitiveCode, {"m": "2"}),
        (SensitiveCode, {"seed": -1}),
        (KnownVisit, {"choose": "all"}),
    ],
)
def test_parameters_that_cannot_be_are_refused(kind: Any, given: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        kind(**given)


@pytest.mark.parametrize("attack", [KnownCodes(), WholeSet(), KnownVisit(), SensitiveCode(), LinkedCodes()])
def test_nothing_is_reported_where_there_is_nobody_to_attack(attack: Any) -> None:
    empty = CodeSets.of([])
    with pytest.raises(BadInput):
        attack.run(raw(UNIQUE), Knowledge(empty, people=Identified(empty)))
    with pytest.raises(BadInput):
        attack.run(raw([]), in_house(UNIQUE))


def test_what_an_attack_cannot_read_is_refused() -> None:
    parts = chunks({"records": 2, "chunks": [[["a"], ["a"]]], "terms": []})
    for attack in (WholeSet(), SensitiveCode()):
        with pytest.raises(BadInput, match="in parts"):
            attack.run(parts, in_house([{"a"}, {"a"}]))
    with pytest.raises(BadInput, match="not disassociated"):
        CoverProblem().run(raw(UNIQUE), in_house(UNIQUE))
    with pytest.raises(BadInput, match="marked as sensitive"):
        SensitiveCode().run(raw(UNIQUE), in_house(UNIQUE))
    with pytest.raises(BadInput, match="3 records and the original 4 people"):
        KnownCodes().run(raw(UNIQUE), in_house(ALIKE))


def test_no_code_stands_in_a_result() -> None:
    people = [{"secret-1", "secret-2"}, {"secret-1"}, {"secret-3"}]
    for attack in (KnownCodes(), WholeSet(), SensitiveCode()):
        found = attack.run(raw(people, ("secret-2",)), in_house(people), victims=True)
        assert "secret" not in repr(found)
    assert KnownCodes().run(raw(people), in_house(people)).victims == ()


@pytest.mark.golden
def test_the_records_of_the_mimic_demo_are_found_by_two_of_their_codes(shared: Path) -> None:
    from sfumato.codes.reading import Long, read_codes

    file = shared / "data" / "codes" / "clinical" / "MIMIC3demo_DIAGNOSES_ICD.csv.gz"
    sets = read_codes(file, Long("SUBJECT_ID", "ICD9_CODE")).sets
    held = Knowledge(sets, aligned=True)
    found = KnownCodes(2).run(PublishedSets.as_it_is(sets), held)
    assert (found.attempts, found.certain) == (100, 100)
    assert WholeSet().run(PublishedSets.as_it_is(sets), held).success == 1.0
