"""The report on sets of codes: two editions of one page, in the style of the house."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from sfumato.core.evidence import DataEvidence, InputEvidence, MeasureEvidence, RiskFigure
from sfumato.core.evidence_codes import (
    BecameEvidence,
    CodesEvidence,
    OriginalEvidence,
    PolicyFileEvidence,
    ShownEvidence,
    SizeBin,
    StewardCodesEvidence,
)
from sfumato.report import render, summary
from tests.oracles.html_document import read
from tests.report.examples import verdict
from tests.report.test_editions import holds, leaves, spellings, visible

HOSTILE = "<script>alert(1)</script>"


def figure(name: str, value: float | None, **more: Any) -> RiskFigure:
    return RiskFigure(
        name=name, title=f"title of {name}", threat="identity", value=value, meaning="m", **more
    )


def public_fields(**changes: Any) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "title": "Diagnoses",
        "created": "2026-11-16",
        "software": {"sfumato": "9.9"},
        "recipe": {"models": []},
        "data": DataEvidence(file="data.csv", sha256="ab" * 32, rows=6031, bytes=70_001),
        "verdicts": [verdict()],
        "people": "distinct persons were counted",
        "order": "shuffled",
        "truthful": True,
        "method": "apriori",
        "warnings": ["whoever knows more may find their record"],
        "layout": "cells",
        "schema_sha256": "cd" * 32,
        "shown": ShownEvidence(
            records=6031,
            empty=17,
            items=83,
            occurrences=40_123,
            sensitive=4,
            sizes=[
                SizeBin(low=1, high=1, items=60, occurrences=30_000),
                SizeBin(low=1000, high=None, items=23, occurrences=10_123),
            ],
        ),
    }
    return fields | changes


def public(**changes: Any) -> CodesEvidence:
    return CodesEvidence(**public_fields(**changes))


def steward(**changes: Any) -> StewardCodesEvidence:
    own: dict[str, Any] = {
        "input": InputEvidence(rows=99_173, fingerprint="hmac-sha256:77aa", key="steward/fingerprint.key"),
        "utility": [
            MeasureEvidence(
                name="ncp",
                title="certainty penalty",
                value=0.0273,
                range="0 … 1",
                meaning="how wide items are",
                details={"far apart": 3.75},
            )
        ],
        "seconds": {"protect": 12.25},
        "original": OriginalEvidence(records=6031, empty=1093, codes=497, occurrences=50_777, visits=8123),
        "became": BecameEvidence(
            kept=30_001, generalised=20_555, suppressed=221, codes_suppressed=13, emptied=37
        ),
        "notes": ["272 codes stood in the record already"],
        "risk_before": [
            figure("worst-2-below-k", 0.912),
            figure("visit-unique", 0.456, said="of 129 visits"),
        ],
        "risk_after": [figure("worst-2-below-k", 0.0312)],
        "risk_said": ["sets of 3 codes were drawn"],
        "search": {"orders_tried": 3},
        "policies": [
            PolicyFileEvidence(what="privacy constraints", file="privacy-constraints.txt", constraints=10_109)
        ],
        "truth": "truthful: every item covers a code of its record",
    }
    return StewardCodesEvidence(**public_fields(edition="steward", **(own | changes)))


BOTH = pytest.mark.parametrize("evidence", [public(), steward()], ids=["public", "steward"])


def secrets() -> set[str | int | float]:
    evidence = steward()
    own = [name for name in StewardCodesEvidence.model_fields if name not in CodesEvidence.model_fields]
    told = leaves([getattr(evidence, name) for name in CodesEvidence.model_fields])
    kept = leaves([getattr(evidence, name) for name in own]) - told
    return {value for value in kept if isinstance(value, str) or len(str(value)) > 1}


def test_the_public_edition_shows_nothing_that_only_the_steward_may_see() -> None:
    document = visible(render(public()))
    assert len(secrets()) > 20
    told = {value for value in secrets() for word in spellings(value) if holds(document, word)}
    # The name of a step is also a word of the prose.
    assert told == {"protect"}


def test_the_steward_s_edition_shows_what_the_public_one_must_not() -> None:
    document = visible(render(steward()))
    hidden = {value for value in secrets() if not any(holds(document, word) for word in spellings(value))}
    # It is written as words: orders tried.
    assert hidden == {"orders_tried"}


@BOTH
def test_every_link_leads_somewhere_and_every_id_is_used_once(evidence: CodesEvidence) -> None:
    nodes = read(render(evidence)).walk()
    ids = [node.attributes["id"] for node in nodes if "id" in node.attributes]
    assert len(ids) == len(set(ids))
    targets = [(node.attributes["href"] or "")[1:] for node in nodes if "href" in node.attributes]
    named = " ".join(node.attributes.get("aria-labelledby") or "" for node in nodes).split()
    assert set(targets) | set(named) <= set(ids)


@BOTH
def test_every_plot_has_its_numbers_in_a_table(evidence: CodesEvidence) -> None:
    figures = read(render(evidence)).all("figure")
    assert len(figures) == (3 if isinstance(evidence, StewardCodesEvidence) else 1)
    for one in figures:
        assert one.all("svg")[0].all("desc")[0].text
        assert len(one.all("details")[0].all("tr")) > 1


def test_editions_have_their_sections() -> None:
    keys = {node.attributes.get("id") for node in read(render(public())).all("h2")}
    assert keys == {"answer", "promises", "learned", "items", "verify", "provenance"}
    own = {"became", "risk", "loss", "search", "source", "signature"}
    assert {node.attributes.get("id") for node in read(render(steward())).all("h2")} == keys | own


def test_a_figure_that_could_not_be_computed_is_called_unknown_and_not_drawn() -> None:
    evidence = steward(
        risk_before=[figure("worst-2-below-k", None)], risk_after=[figure("worst-2-below-k", None)]
    )
    section = read(render(evidence)).section("risk")
    assert section.all("svg") == []
    assert "not known" in section.text
    assert "0%" not in section.text


def test_chunks_are_explained_as_chunks() -> None:
    shown = ShownEvidence(records=9, empty=0, items=4, occurrences=20, clusters=3)
    page = render(steward(form="disassociated", layout="chunks", shown=shown, became=None, risk_after=[]))
    assert "term chunk" in page
    assert "What became of the codes that people had" not in page


def test_hostile_texts_are_shown_and_never_run() -> None:
    page = render(steward(title=HOSTILE, notes=[HOSTILE], warnings=[HOSTILE], method=HOSTILE))
    assert "<script" not in page
    assert "&lt;script&gt;" in page


@BOTH
def test_the_terminal_shows_the_same_in_a_few_lines(evidence: CodesEvidence) -> None:
    console = Console(file=io.StringIO(), width=160)
    console.print(summary(evidence))
    printed = console.file.getvalue()  # type: ignore[attr-defined]
    assert "6,031 records with 83 different items, 17 of them show none" in printed
    kept = "30,001 shown as they were" in printed and "title of worst-2-below-k 91.2% → 3.1%" in printed
    assert kept == isinstance(evidence, StewardCodesEvidence)
