"""The page about the risk of a table, and the risks of the steward's report."""

from __future__ import annotations

import pandas as pd
import pytest

import sfumato as sf
from sfumato.core.evidence import RiskEvidence
from sfumato.report import render
from sfumato.report.risk import before_and_after, render_risk
from tests.oracles.html_document import read
from tests.report.examples import steward

PEOPLE = pd.DataFrame({"age": [30, 30, 31, 40], "<sex>": list("ffmf"), "ill": list("aabc")})
LIST = pd.DataFrame({"age": [30, 30, 31, 31, 40], "<sex>": list("ffmmf")})


@pytest.fixture(scope="module")
def full() -> RiskEvidence:
    return sf.risk(
        PEOPLE,
        quasi=["age", "<sex>"],
        sensitive="ill",
        population=LIST,
        sampling_fraction=0.5,
        suda=True,
    )


def test_every_kind_of_disclosure_has_a_section(full: RiskEvidence) -> None:
    page = render_risk(full, title="Risk of a ward", created="2026-02-03")
    for heading in ("Identity: ", "Attribute: ", "Membership: ", "Inference: ", "Which columns identify?"):
        assert heading in page
    for figure in full.figures:
        assert figure.name in page
    assert "3 February 2026" in page


def test_what_was_not_measured_is_said_and_not_shown_as_no_risk() -> None:
    page = render_risk(sf.risk(PEOPLE, quasi="age", up_to=0), title="Risk", created="2026-02-03")
    assert page.count("Not measured") == 3
    assert "No list of people was given" in page
    assert "journalist-highest" not in page
    assert "Which columns identify?" not in page


def test_the_page_is_sound_html_and_shows_names_as_they_are(full: RiskEvidence) -> None:
    page = render_risk(full, title="<script>alert(1)</script>", created="2026-02-03")
    assert "<script" not in page
    assert "<sex>" not in page
    assert "&lt;sex&gt;" in page
    ids = [node.attributes["id"] for node in read(page).walk() if "id" in node.attributes]
    assert len(ids) == len({*ids})
    assert "default-src 'none'" in page.replace("&#x27;", "'")


def test_the_illustration_is_never_a_verdict(full: RiskEvidence) -> None:
    page = render_risk(full, title="Risk", created="2026-02-03")
    assert "for illustration only" in page
    assert "1/68" in page
    assert "complian" not in page


def test_a_figure_that_is_not_known_is_called_so() -> None:
    table = pd.DataFrame({"age": [1, 1, 2, 2]})
    page = render_risk(sf.risk(table, quasi="age", population=table), title="Risk", created="2026-02-03")
    assert "not known" in page
    assert "Not defined: nobody is alone in the table" in page


def test_the_stewards_report_compares_with_the_population_before_and_after(full: RiskEvidence) -> None:
    evidence = steward().model_copy(update={"risk_before": full, "risk_after": full})
    page = read(render(evidence))
    assert "λ1" in page.section("population").text
    assert "Which columns identify?" in page.section("identify").text
    ids = [node.attributes["id"] for node in page.walk() if "id" in node.attributes]
    assert len(ids) == len({*ids})


def test_a_report_without_a_population_has_no_such_section() -> None:
    plain = sf.risk(PEOPLE, quasi="age", up_to=0)
    evidence = steward().model_copy(update={"risk_before": plain, "risk_after": plain})
    assert before_and_after(evidence) is None
