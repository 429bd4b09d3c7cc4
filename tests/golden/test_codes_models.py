"""Worked examples of set-valued data: what a correct check answers about the tables of the literature.

Five of the tables were printed with mistakes; the file says which, and a check has to see some of them.
"""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from sfumato.codes import models as m
from sfumato.codes.check import answer
from sfumato.codes.published import PublishedSets
from sfumato.codes.question import Family, Question

pytestmark = pytest.mark.golden

CHECKED = {
    "complete-k-2",
    "km-4-2",
    "km-5-3-abcdefgh",
    "policy-abc-defgh",
    "policy-401.2-401.4",
    "ugaclip-296",
    "cba-296-literal",
    "cba-296-corrected",
    "hkp-2-2-2",
    "ps-rule-401.2-295",
    "rbat-cd-hi",
    "set-based-493-296",
    "identity-disclosure-mary",
    "sensitive-disclosure-295",
    "he-naughton-ex1",
    "he-naughton-ex2-partition",
    "terrovitis-2-2",
    "disassociation-jbi2014",
    "rho-uncertainty-constructed",
}
ELSEWHERE = {"avgre-401.2"}
"""cases that hold figures of utility alone"""


@pytest.fixture(scope="module")
def cases(shared: Path) -> dict[str, Any]:
    recorded = json.loads((shared / "golden" / "codes.json").read_text(encoding="utf-8"))
    return {case["id"]: case for case in recorded["cases"]}


def both(case: dict[str, Any], sensitive: list[str] | None = None) -> tuple[PublishedSets, PublishedSets]:
    original = PublishedSets.of(case["original"], sensitive=sensitive or [])
    return original, PublishedSets.of(case["anonymised"], sensitive=sensitive or [])


def support(published: PublishedSets, codes: list[str]) -> int:
    found = answer(published, Question(Family.LISTED, listed=(tuple(codes),), leaves=True)).support
    return found or 0


def test_every_case_is_checked_here_or_elsewhere(cases: dict[str, Any]) -> None:
    assert set(cases) == CHECKED | ELSEWHERE


def test_complete_2_anonymity_of_four_records(cases: dict[str, Any]) -> None:
    case = cases["complete-k-2"]
    original, published = both(case)
    for model in (m.CompleteKAnonymity(2), m.CompleteItemsetAnonymity(2)):
        assert not model.check(original).holds
        assert model.check(published).holds
    found = answer(original, Question(Family.RECORD, 2))
    assert found.violations == len(case["expect"]["original"]["unique_records"])
    assert found.witness is not None
    assert found.witness.rows[0] - 1 in case["expect"]["original"]["unique_records"]
    for items in range(1, 6):
        assert m.KmAnonymity(2, items, "leaf").check(published).holds


def test_4_2_anonymity_of_four_records(cases: dict[str, Any]) -> None:
    case = cases["km-4-2"]
    original, published = both(case)
    found = answer(original, Question(Family.UP_TO, 4, 2), every=True)
    assert found.violations == len(case["expect"]["original"]["violating_itemsets"])
    assert m.KmAnonymity(4, 2).check(published).holds
    assert m.CompleteKAnonymity(4).check(published).holds
    assert not m.KmAnonymity(2, 1).check(original).holds


def test_5_3_anonymity_of_ten_records(cases: dict[str, Any]) -> None:
    case = cases["km-5-3-abcdefgh"]
    original, published = both(case)
    expected = case["expect"]
    assert (
        dict(zip(original.items.labels, original.supports.tolist(), strict=True))
        == (expected["original"]["item_support"])
    )
    found = answer(original, Question(Family.UP_TO, 5, 3), every=True)
    assert found.violations == expected["original"]["n_violating"] == 85
    assert m.KmAnonymity(5, 3).check(published).holds
    for items in range(1, 9):
        assert m.KmAnonymity(7, items).check(published).holds
        assert not m.KmAnonymity(8, max(items, 2)).check(published).holds
    assert not m.CompleteKAnonymity(5).check(published).holds
    assert answer(published, Question(Family.RECORD, 5)).support == 1
    assert m.KmAnonymity(5, 3).check(published).achieved == "k = 7"


@pytest.mark.parametrize("name", ["policy-abc-defgh", "policy-401.2-401.4"])
def test_constraints_have_the_recorded_support(cases: dict[str, Any], name: str) -> None:
    case = cases[name]
    k = case["params"]["k"]
    for published, side in zip(both(case), ("original", "anonymised"), strict=True):
        recorded = list(case["expect"][side].values())
        assert len(recorded) == len(case["params"]["privacy_constraints"])
        for codes, (number, protected) in zip(case["params"]["privacy_constraints"], recorded, strict=True):
            assert support(published, codes) == number
            assert m.PrivacyConstraints(k, [codes]).check(published).holds == protected
            assert m.PrivacyConstraints(k, [codes], "plain").check(published).holds == protected
    if name == "policy-401.2-401.4":
        assert m.CompleteKAnonymity(2).check(both(case)[1]).holds


@pytest.mark.parametrize("name", ["ugaclip-296", "cba-296-literal", "cba-296-corrected"])
def test_a_profile_of_three_codes_is_protected_except_as_printed(cases: dict[str, Any], name: str) -> None:
    case = cases[name]
    original, published = both(case)
    policy = case["params"]["privacy_constraints"]
    expected = case["expect"]["anonymised"]
    assert support(original, policy[0]) == 1
    assert support(published, policy[0]) == expected["support"]
    assert not m.PrivacyConstraints(2, policy).check(original).holds
    assert m.PrivacyConstraints(2, policy).check(published).holds == expected["protected"]
    assert expected["protected"] == (name != "cba-296-literal")


def test_coherence_of_four_records(cases: dict[str, Any]) -> None:
    case = cases["hkp-2-2-2"]
    parameters, expected = case["params"], case["expect"]
    private = parameters["private"]
    original, published = both(case, private)
    bound = Fraction(1, parameters["h_inverse"])
    assert bound == Fraction(str(parameters["max_confidence"]))
    model = m.HkpCoherence(bound, parameters["k"], parameters["p"])
    assert not model.check(original).holds
    moles = answer(original, model.question(), every=True)
    assert moles.violations == len(expected["original"]["moles"])
    verdict = model.check(published)
    assert verdict.holds
    assert verdict.achieved == "k = 2, confidence 0.5"
    assert not m.HkpCoherence(0.49, 2, 2).check(published).holds
    suppressed = PublishedSets.of(expected["global_suppression"]["output"], sensitive=private)
    assert model.check(suppressed).holds == expected["global_suppression"]["coherent"]


def test_a_rule_holds_on_its_borders_and_not_beyond(cases: dict[str, Any]) -> None:
    case = cases["ps-rule-401.2-295"]
    rules = [tuple(case["params"]["rule"])]
    original, published = both(case)
    assert not m.PsRules(2, 0.5, rules).check(original).holds
    assert m.PsRules(2, 0.5, rules).check(published).holds
    assert m.PsRules(2, 0.49, rules).check(published).holds == case["expect"]["c049"]
    assert m.PsRules(3, 0.5, rules).check(published).holds == case["expect"]["k3"]
    found = answer(original, m.PsRules(2, 0.5, rules).question())
    assert (found.support, found.confidence) == (1, Fraction(1))


def test_one_fifth_is_not_above_two_tenths(cases: dict[str, Any]) -> None:
    case = cases["rbat-cd-hi"]
    published = PublishedSets.of(case["anonymised"])
    rules = [tuple(case["params"]["rule"])]
    verdict = m.PsRules(case["params"]["k"], case["params"]["c"], rules).check(published)
    assert verdict.holds == case["expect"]["anonymised"]["protected"]
    assert verdict.achieved == "k = 5, confidence 0.2"
    assert not m.PsRules(6, 0.2, rules).check(published).holds
    assert not m.PsRules(5, 0.1999, rules).check(published).holds


def test_a_set_of_codes_gathers_support(cases: dict[str, Any]) -> None:
    case = cases["set-based-493-296"]
    expected = case["expect"]["k_policy_493_00_493_01"]
    original, published = both(case)
    assert support(original, ["493.00", "493.01"]) == expected["orig"]
    assert support(published, ["493.00", "493.01"]) == expected["anon"]


def test_one_code_finds_mary(cases: dict[str, Any]) -> None:
    case = cases["identity-disclosure-mary"]
    published = PublishedSets.of(case["original"])
    assert support(published, case["params"]["known"]) == case["expect"]["support"]
    assert support(published, ["401.0"]) == case["expect"]["min_support_401_0"]
    verdict = m.PrivacyConstraints(2, [case["params"]["known"]]).check(published)
    assert verdict.witness is not None
    assert verdict.witness.rows == tuple(row + 1 for row in case["expect"]["matching_records"])
    found = answer(published, Question(Family.RECORD, 2))
    assert found.violations == case["expect"]["rows_unique_on_full_record"]


@pytest.mark.parametrize("side", ["literal", "corrected"])
def test_everybody_with_the_known_codes_has_the_sensitive_one(cases: dict[str, Any], side: str) -> None:
    case = cases["sensitive-disclosure-295"]
    expected = case["expect"][side]
    published = PublishedSets.of(case[side], sensitive=[case["params"]["sensitive"]])
    rules = [(case["params"]["known"], [case["params"]["sensitive"]])]
    model = m.PsRules(1, case["params"]["c"], rules)
    found = answer(published, model.question())
    assert (found.support, found.confidence) == (expected["support"], Fraction(expected["conf"]))
    assert model.check(published).holds == expected["protected"]


def test_shared_itemsets_and_equal_records_are_two_promises(cases: dict[str, Any]) -> None:
    case = cases["he-naughton-ex1"]
    expected = case["expect"]
    original, published = both(case)
    assert m.CompleteKAnonymity(2).check(original).holds == expected["original"]["complete_k_identical"]
    assert m.KmAnonymity(2, 2).check(original).holds == expected["original"]["km_2_2"]
    assert m.KmAnonymity(2, 3).check(original).holds == expected["original"]["km_2_3"]
    assert m.CompleteKAnonymity(2).check(published).holds == expected["anonymised"]["complete_k_identical"]
    five = PublishedSets.of([*case["original"], case["original"][3]])
    for items in range(1, 6):
        assert m.KmAnonymity(2, items).check(five).holds
    assert m.CompleteItemsetAnonymity(2).check(five).holds == expected["with_T5_equal_T4"]["km_2_any_m"]
    assert m.CompleteKAnonymity(2).check(five).holds == expected["with_T5_equal_T4"]["complete_k_identical"]


def test_three_recodings_of_the_same_records(cases: dict[str, Any]) -> None:
    case = cases["he-naughton-ex2-partition"]
    expected = case["expect"]
    sides = {"original": "original", "partition": "partition_output", "global_2_2": "global_2_2"}
    for side, key in {**sides, "global_2": "global_2"}.items():
        published = PublishedSets.of(case[key])
        assert m.CompleteKAnonymity(2).check(published).holds == expected[side]["complete_k_identical"]
    assert (
        m.KmAnonymity(2, 2).check(PublishedSets.of(case["global_2_2"])).holds == expected["global_2_2"]["km"]
    )


def test_cuts_of_a_small_hierarchy(cases: dict[str, Any]) -> None:
    case = cases["terrovitis-2-2"]
    original, published = both(case)
    found = answer(original, Question(Family.UP_TO, 2, 2), every=True)
    assert found.violations == len(case["expect"]["original"]["violations"])
    assert not found.holds
    assert m.KmAnonymity(2, 2).check(published).holds == case["expect"]["cut_A_b1_b2"]["km"]
    other = [
        [["b1", "b2"] if code.startswith("b") else code for code in record] for record in case["original"]
    ]
    verdict = m.KmAnonymity(2, 2).check(PublishedSets.of(other))
    assert verdict.holds == case["expect"]["cut_a1_a2_B"]["km"]


def test_chunks_are_anonymous_where_whole_records_are_not(cases: dict[str, Any]) -> None:
    case = cases["disassociation-jbi2014"]
    model = m.KmAnonymity(case["params"]["k"], case["params"]["m"])
    assert model.check(PublishedSets.of(case["original"])).holds == case["expect"]["original_km_3_2"]
    first, second = case["output"]["clusters"]
    # A cluster with one record chunk is recorded without the list around it.
    chunks = [
        *first["record_chunks"],
        second["record_chunks"],
        [*first["shared_chunks"], *second["shared_chunks"]],
    ]
    assert [model.check(PublishedSets.of(chunk)).holds for chunk in chunks] == case["expect"]["chunk_km_3_2"]


def test_uncertainty_is_strict(cases: dict[str, Any]) -> None:
    case = cases["rho-uncertainty-constructed"]
    published = PublishedSets.of(case["original"], sensitive=case["params"]["sensitive"])
    assert m.RhoUncertainty(case["params"]["rho"]).check(published).holds == case["expect"]["original"]["ok"]
    assert not m.RhoUncertainty(0.6).check(published).holds
    assert not m.RhoUncertainty(Fraction(2, 3)).check(published).holds
    found = answer(published, m.RhoUncertainty(0.6).question(), every=True)
    assert found.violations == len(case["expect"]["original"]["violations_at_0_6"])
    assert float(found.confidence or 0) == case["expect"]["original"]["conf_a"]
