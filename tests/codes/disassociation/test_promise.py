"""The model against all possible worlds: what it accepts is safe there, and each condition is needed."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sfumato.codes.disassociated import Disassociated
from sfumato.codes.models.disassociated_anonymity import DisassociatedAnonymity
from sfumato.codes.models.k_m_anonymity import KmAnonymity
from sfumato.codes.published import PublishedSets
from sfumato.core.errors import BadInput
from tests.oracles.possible_worlds import broken_promises, confidences, size_of, worlds

Told = dict[str, Any]


@st.composite
def bags(draw: st.DrawFn, codes: str, records: int) -> list[list[str]]:
    kinds = draw(st.lists(st.sets(st.sampled_from(codes), min_size=1), min_size=1, max_size=2))
    chosen = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=records))
    return [sorted(one) for one in chosen]


@st.composite
def clusters(draw: st.DrawFn, codes: str, most: int) -> Told:
    pool = draw(st.permutations(codes))
    records = draw(st.integers(2, most))
    cuts = sorted(draw(st.lists(st.integers(0, len(pool)), min_size=2, max_size=2)))
    parts = ["".join(pool[: cuts[0]]), "".join(pool[cuts[0] : cuts[1]])]
    return {
        "records": records,
        "chunks": [draw(bags(part, records)) for part in parts if part],
        "terms": pool[cuts[1] :][:1] if draw(st.booleans()) else [],
    }


@st.composite
def releases(draw: st.DrawFn) -> Told:
    if draw(st.booleans()):
        return draw(clusters("abcd", 4))
    inside = [draw(clusters("ab", 3)), draw(clusters("bc", 3))]
    records = sum(one["records"] for one in inside)
    joint = {
        "clusters": inside,
        "shared": [draw(bags(draw(st.sampled_from(["b", "cd", "d", "ad"])), records))],
    }
    if draw(st.booleans()):
        return joint
    return {"clusters": [joint, draw(clusters("e", 2))], "shared": [draw(bags("d", 4))]}


@settings(max_examples=250, deadline=None)
@given(releases(), st.integers(1, 3))
def test_what_the_model_accepts_holds_in_all_possible_worlds(told: Told, m: int) -> None:
    line = json.dumps(told)
    assume(size_of(line) <= 3000)
    shown = Disassociated.from_lines([line])
    if DisassociatedAnonymity(2, m).check(shown).holds and shown.domain:
        assert broken_promises(line, 2, m) == []
        assert any(all(held for _, _, held in world) for world in worlds(line))


def verdict(told: Told, k: int = 2, m: int = 2, *, safe: bool = False) -> bool:
    return DisassociatedAnonymity(k, m, safe).check(Disassociated.from_lines([json.dumps(told)])).holds


BREAKING = {
    "two codes that one sub-record holds together": {
        "records": 3,
        "chunks": [[["a", "b"], ["a"], ["b"]]],
        "terms": ["c"],
    },
    "a term in a cluster of one record": {"records": 1, "chunks": [], "terms": ["a"]},
    "too few sub-records to fill all records without terms": {
        "records": 3,
        "chunks": [[["a"], ["a"]], [["b"], ["b"]]],
        "terms": [],
    },
    "a shared chunk of two kinds, one of which can only go to one cluster": {
        "clusters": [
            {"records": 2, "chunks": [[["u"], ["u"]]], "terms": []},
            {"records": 3, "chunks": [[["x"], ["x"]]], "terms": ["y"]},
        ],
        "shared": [[["t"], ["t"], ["u"], ["u"]]],
    },
    "a shared chunk whose only sub-record without a code of one cluster is unique": {
        "clusters": [
            {"records": 2, "chunks": [[["t"], ["t"]]], "terms": []},
            {"records": 2, "chunks": [[["x"], ["x"]]], "terms": []},
        ],
        "shared": [[["t", "u"], ["u"]]],
    },
}


@pytest.mark.parametrize("why", BREAKING)
def test_each_condition_is_needed(why: str) -> None:
    told = BREAKING[why]
    assert broken_promises(json.dumps(told), 2, 2)
    assert not verdict(told)


def test_a_shared_chunk_with_k_equal_sub_records_of_each_kind_is_not_enough() -> None:
    # The paper's condition holds: every kind stands twice. Yet {t, x} is possible in one record alone.
    line = json.dumps(BREAKING["a shared chunk of two kinds, one of which can only go to one cluster"])
    assert "['t', 'x'] in 1 records" in broken_promises(line, 2, 2)
    found = DisassociatedAnonymity(2, 2).check(Disassociated.from_lines([line]))
    assert "codes that stand in chunks below, beside others" in str(found.witness)


def test_a_shared_chunk_of_one_kind_may_show_a_code_of_another_cluster() -> None:
    told = {
        "clusters": [
            {"records": 2, "chunks": [[["u"], ["u"]]], "terms": []},
            {"records": 3, "chunks": [[["x"], ["x"]]], "terms": ["y"]},
        ],
        "shared": [[["u"], ["u"]]],
    }
    assert verdict(told)
    assert broken_promises(json.dumps(told), 2, 2) == []


def test_a_release_that_no_original_could_have_given_does_not_hold() -> None:
    told = {
        "clusters": [
            {"records": 2, "chunks": [[["u"], ["u"]]], "terms": []},
            {"records": 2, "chunks": [[["x"], ["x"]]], "terms": []},
        ],
        "shared": [[["u"], ["u"], ["u"]]],
    }
    assert not any(True for _ in worlds(json.dumps(told)))
    assert not verdict(told)


def test_the_number_of_sub_records_is_exact() -> None:
    told: Told = {"records": 3, "chunks": [[["a"], ["a"], ["a"]], [["b"], ["b"]]], "terms": []}
    assert verdict(told)
    told["chunks"][0].pop()
    assert not verdict(told)
    assert verdict(told | {"terms": ["c"]})


@settings(max_examples=150, deadline=None)
@given(clusters("abcd", 4))
def test_a_safe_cluster_makes_no_code_of_another_chunk_certain(told: Told) -> None:
    line = json.dumps(told)
    assume(size_of(line) <= 3000)
    if verdict(told, 1, 2, safe=True):
        assert all(sure <= 1 - Fraction(1, told["records"]) for sure in confidences(line).values())


def test_a_code_that_everybody_of_a_cluster_holds_is_a_cover() -> None:
    told: Told = {"records": 4, "chunks": [[["a"]] * 4, [["b"], ["b"]]], "terms": []}
    assert verdict(told)
    assert not verdict(told, safe=True)
    assert confidences(json.dumps(told))["b", "a"] == 1
    told["chunks"][0] = [["a"]] * 2
    told["terms"] = ["c"]
    assert verdict(told, safe=True)


def test_a_code_in_every_sub_record_of_a_chunk_is_a_cover() -> None:
    told = {"records": 9, "chunks": [[["a", "b"], ["a", "b"], ["a"]]], "terms": ["c"]}
    assert verdict(told)
    assert not verdict(told, safe=True)


def test_the_verdict_says_where_it_breaks_without_naming_a_code() -> None:
    line = '{"records": 4, "chunks": [[["secret", "b"], ["secret"], ["b"], ["b"]]], "terms": ["c"]}'
    found = DisassociatedAnonymity(2, 2).check(Disassociated.from_lines([line]))
    assert str(found) == (
        "disassociated-k-m-anonymity does not hold: required k ≥ 2 for any 2 codes, "
        "achieved less in 1 place; cluster 1: 2 codes of a chunk held by 1 of 4 sub-records"
    )


def test_nothing_to_know_is_safe() -> None:
    found = DisassociatedAnonymity(5, 2).check(
        Disassociated.from_lines(['{"records": 2, "chunks": [], "terms": []}'])
    )
    assert (found.holds, found.achieved) == (True, "no codes to know")


def test_models_of_sets_and_of_chunks_refuse_each_other() -> None:
    shown = Disassociated.from_lines(['{"records": 2, "chunks": [], "terms": []}'])
    with pytest.raises(BadInput, match="shown in parts"):
        KmAnonymity(2, 2).check(shown)
    with pytest.raises(BadInput, match="not disassociated"):
        DisassociatedAnonymity(2, 2).check(PublishedSets.of([["a"]]))


@pytest.mark.parametrize(("k", "m"), [(0, 2), (2, 0), (True, 2), (2, 1.5)])
def test_parameters_are_whole_numbers(k: Any, m: Any) -> None:
    with pytest.raises(BadInput, match="whole number"):
        DisassociatedAnonymity(k, m)


@pytest.mark.golden
def test_the_chunks_of_the_paper_on_health_records_hold(shared: Any) -> None:
    cases = json.loads((shared / "golden" / "codes.json").read_text(encoding="utf-8"))
    cases = cases["cases"] if isinstance(cases, dict) else cases
    told = next(case for case in cases if case["id"] == "disassociation-jbi2014")
    first, second = told["output"]["clusters"]
    line = {
        "clusters": [
            {"records": 5, "chunks": first["record_chunks"], "terms": first["item_chunk"][0]},
            {"records": 5, "chunks": [second["record_chunks"]], "terms": second["item_chunk"][0]},
        ],
        "shared": [first["shared_chunks"] + second["shared_chunks"]],
    }
    assert verdict(line, 3, 2)
    assert not verdict(line, 4, 2)
    assert not verdict(line, 3, 3)
    assert not verdict(line, 3, 2, safe=True)
