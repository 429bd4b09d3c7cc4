"""What a steward reads first: plain, true, and not by colour alone."""

from __future__ import annotations

import re
from typing import Any

import pytest

from sfumato.core.evidence import DataEvidence, PublicEvidence, SearchEvidence, VerdictEvidence
from sfumato.report import render
from tests.oracles.html_document import Node, read
from tests.report.examples import (
    AFTER,
    broken,
    broken_steward,
    classes,
    column,
    columns,
    public,
    public_fields,
    steward,
    verdict,
)

FILE: dict[str, Any] = {"file": "a.csv", "sha256": "0" * 64, "bytes": 1}


def box(evidence: PublicEvidence) -> Node:
    return read(render(evidence)).section("answer")


def prose(node: Node) -> str:
    return re.sub(r"\s+", " ", node.text)


def test_five_anonymity_hides_everybody_among_four_others_on_the_named_columns() -> None:
    said = prose(box(public()))
    assert "Every person in this file looks the same as at least 4 others on age, zip and sex" in said
    assert "required k ≥ 5, achieved k = 7" in said


def test_without_a_column_that_names_the_person_the_claim_is_about_records() -> None:
    unnamed = [one for one in columns() if one.role != "person"]
    said = prose(box(public(columns=unnamed, people="rows were taken as people: no column names the person")))
    assert "Every record in this file looks the same as at least 4 others" in said
    assert "Rows were taken as people: no column names the person." in said


def test_two_anonymity_hides_everybody_behind_one_other() -> None:
    assert "at least 1 other on" in prose(box(public(verdicts=[verdict(k=2)])))


def test_records_left_out_are_counted_against_all_records_there_were() -> None:
    evidence = public(suppressed_records=312, data=DataEvidence(rows=29_850, **FILE))
    assert "312 of 30,162 records (1%) were left out." in prose(box(evidence))


def test_blanked_records_are_among_those_in_the_file() -> None:
    evidence = public(suppressed_records=1, suppressed_policy="star", data=DataEvidence(rows=200, **FILE))
    assert "1 of 200 records (0.5%) was blanked." in prose(box(evidence))


def test_no_record_left_out_is_said_in_words() -> None:
    assert "No record was left out." in prose(box(public(suppressed_records=0)))


@pytest.mark.parametrize("evidence", [public(**broken()), broken_steward()], ids=["public", "steward"])
def test_a_broken_promise_is_said_in_words_with_a_sign_and_in_red(evidence: PublicEvidence) -> None:
    root = read(render(evidence))
    answer = root.section("answer")
    assert answer.attributes["class"] == "answer bad"
    assert answer.all("h2")[0].text.startswith("✗Do not share this file: 1 promise does not hold.")
    assert "can be singled out" in prose(answer)
    assert "before you share" not in prose(answer)
    (outcome,) = root.section("promises").all("span", "outcome")
    assert outcome.text == "✗ does not hold"


def test_one_broken_promise_among_others_makes_the_whole_answer_bad() -> None:
    answer = box(public(verdicts=[verdict(), verdict(k=9, holds=False), verdict(k=3)]))
    assert answer.attributes["class"] == "answer bad"
    assert len(answer.all("strong")) == 3


def test_a_file_without_promises_is_not_called_good() -> None:
    answer = box(public(verdicts=[]))
    assert answer.attributes["class"] == "answer open"
    assert "No promise was checked" in prose(answer)
    assert "nothing to sign" in read(render(steward(verdicts=[]))).section("signature").text


def test_an_empty_file_is_called_empty() -> None:
    evidence = public(data=DataEvidence(rows=0, **FILE), classes=classes({}), suppressed_records=9)
    assert "The file is empty: every record was left out." in prose(box(evidence))
    assert "9 of 9 records (100%) were left out" in prose(box(evidence))


def test_a_model_without_words_of_its_own_is_named_with_what_was_measured() -> None:
    other = VerdictEvidence(
        model="t-closeness",
        parameters={"t": 0.2},
        holds=True,
        required="t ≤ 0.2",
        achieved="t = 0.17",
        basis="release",
        protects_from=["attribute", "skewness"],
        does_not_protect_from=[],
    )
    document = read(render(public(verdicts=[other])))
    assert "t-closeness holds: required t ≤ 0.2, achieved t = 0.17." in prose(document.section("answer"))
    assert "skewness" in document.section("promises").text


@pytest.mark.parametrize(
    ("holds", "said"),
    [
        (True, "t-closeness holds: values are much alike everywhere (required t ≤ 0.2, achieved t = 0.17)."),
        (
            False,
            "t-closeness does not hold: promised was that values are much alike everywhere "
            "(required t ≤ 0.2, achieved t = 0.17).",
        ),
    ],
)
def test_a_promise_is_said_in_its_own_words(holds: bool, said: str) -> None:
    other = VerdictEvidence(
        model="t-closeness",
        parameters={"t": 0.2},
        holds=holds,
        required="t ≤ 0.2",
        achieved="t = 0.17",
        basis="release",
        protects_from=["attribute"],
        does_not_protect_from=[],
        meaning="values are much alike everywhere",
    )
    assert said in prose(read(render(public(verdicts=[other]))).section("answer"))


def test_what_k_anonymity_does_not_bound_is_said_next_to_the_sensitive_columns() -> None:
    said = prose(read(render(public())).section("learned"))
    assert "have the same value in diagnosis" in said
    assert "covered by no promise: ward" in said
    assert "Whoever knows anything else about a person is not bound by it" in said
    assert "Warning: k-anonymity alone does not protect the sensitive column 'diagnosis'" in said


def test_a_kept_promise_on_attributes_silences_the_caveat_and_a_broken_one_does_not() -> None:
    for holds in (True, False):
        promise = verdict(holds=holds).model_copy(update={"protects_from": ["identity", "attribute"]})
        said = prose(read(render(public(verdicts=[promise]))).section("learned"))
        assert ("A value that a whole group shares" in said) is not holds


def test_many_quasi_identifiers_are_cut_and_the_rest_is_counted() -> None:
    said = prose(box(public(columns=[column(f"c{i}") for i in range(200)])))
    assert "on c0, c1, c2, c3, c4, c5 and 194 other columns" in said


def test_a_list_that_is_one_too_long_is_not_cut() -> None:
    assert "c4, c5 and c6 (" in prose(box(public(columns=[column(f"c{i}") for i in range(7)])))


@pytest.mark.parametrize("evidence", [public(), steward(), broken_steward()])
def test_the_report_never_claims_more_than_the_model(evidence: PublicEvidence) -> None:
    said = read(render(evidence)).all("body")[0].text.lower()
    assert "complian" not in said
    assert "anonym" not in said.replace("k-anonymity", "")
    assert "transformations applied" in said


def test_the_level_of_each_column_is_shown_as_steps_and_as_words() -> None:
    changes = read(render(public())).section("changes")
    (row,) = [row for row in changes.all("tr") if row.all("th")[0].text.startswith("zip")]
    assert len(row.all("span", "step")) == 5
    assert len(row.all("span", "on")) == 2
    assert "2 of 5" in row.text
    assert [mark.text for mark in row.all("mark")] == ["476**"]
    assert len(changes.all("tr")) == 1 + len(columns())


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({"score": 0.3, "bound": 0.3, "optimal": True}, "proved that no other choice of this method"),
        ({"score": 0.4, "bound": 0.3, "optimal": False}, "none can score below 0.3, so at most 25% is left"),
        ({"score": [2.0, 1.0], "bound": [1.0, 0.5], "optimal": False}, "none can score below 1, then 0.5."),
        ({"score": None, "bound": None, "optimal": False}, "makes no claim about it"),
    ],
)
def test_the_search_says_how_sure_it_is(found: dict[str, object], said: str) -> None:
    search = SearchEvidence.model_validate({"levels": None, "details": {}} | found)
    assert said in prose(read(render(steward(search=search))).section("search"))


def test_anybody_is_told_how_to_verify_and_file_names_cannot_smuggle_commands() -> None:
    data = public_fields()["data"].model_copy(update={"file": "a.csv; rm x"})
    codes = [code.text for code in read(render(public(data=data))).section("verify").all("code")]
    assert codes[:2] == ["sfumato verify release/", "sha256sum 'a.csv; rm x'"]


def test_a_path_that_begins_at_the_released_level_marks_its_first_step() -> None:
    path = ["476**", "47***", "4****", "*****"]
    changes = read(render(public(columns=[column("zip", height=5, example_path=path)]))).section("changes")
    assert [mark.text for mark in changes.all("mark")] == ["476**"]


def test_a_release_in_memory_has_no_fingerprint_and_says_so() -> None:
    data = DataEvidence(file="in memory", sha256="", rows=3, bytes=9)
    root = read(render(steward(data=data)))
    assert "it has no fingerprint" in root.section("verify").text
    assert "sha256sum" not in root.section("verify").text
    assert "fingerprint" not in root.section("signature").text


@pytest.mark.parametrize(
    ("order", "said"), [("shuffled", "says nothing about the source"), ("kept", "may link rows to people")]
)
def test_the_order_of_rows_is_explained(order: str, said: str) -> None:
    assert said in read(render(public(order=order))).section("changes").text


def test_the_smallest_group_of_the_example_is_what_the_key_figures_say() -> None:
    (figures,) = read(render(public())).all("dl", "figures")
    pairs = {node.all("dt")[0].text: node.all("dd")[0].text for node in figures.all("div")}
    assert pairs == {
        "records in the file": "25,343",
        "left out": "401",
        "groups of records that look alike": f"{sum(AFTER.values()):,}",
        "smallest group": "7",
    }
