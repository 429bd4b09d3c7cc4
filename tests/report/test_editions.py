"""Two editions: what the steward keeps never shows in the public one; both stand on their own."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from sfumato.core.evidence import PublicEvidence, StewardEvidence
from sfumato.report import render, write
from sfumato.report.words import capital, number, percent
from tests.oracles.html_document import read
from tests.report.examples import broken_steward, public, steward

BOTH = pytest.mark.parametrize("evidence", [public(), steward()], ids=["public", "steward"])


def leaves(value: Any) -> set[str | int | float]:
    """Return every text and number inside; the keys of dictionaries too, the names of fields not."""
    if isinstance(value, BaseModel):
        return leaves([getattr(value, name) for name in type(value).model_fields])
    if isinstance(value, dict):
        return leaves([*value.keys(), *value.values()])
    if isinstance(value, list):
        return {leaf for part in value for leaf in leaves(part)}
    return set() if value is None or isinstance(value, bool) else {value}


def spellings(value: str | int | float) -> set[str]:
    """Return the ways in which a value could be written."""
    if isinstance(value, str):
        return {value, capital(value)}
    return {str(value), number(value), f"{value:.4g}", f"{value:,}"} | (
        {percent(value)} if isinstance(value, float) and 0 < value < 1 else set()
    )


def visible(document: str) -> str:
    """Return texts and attributes of the body: all that a reader could find, without the style sheet."""
    return document[document.index("<body>") :]


def holds(document: str, spelling: str) -> bool:
    """Say whether a spelling stands in a document as a whole word."""
    edge = r"(?<![\w.,])", r"(?![\w%]|[.,]\d)"
    return re.search(edge[0] + re.escape(spelling) + edge[1], document) is not None


def secrets() -> set[str | int | float]:
    """What only the steward's evidence has, and cannot be computed from the public evidence."""
    evidence = steward()
    own = [name for name in StewardEvidence.model_fields if name not in PublicEvidence.model_fields]
    told = leaves([getattr(evidence, name) for name in PublicEvidence.model_fields])
    told.add(evidence.data.rows + evidence.suppressed_records)
    kept = leaves([getattr(evidence, name) for name in own]) - told
    # A digit alone says nothing and is everywhere.
    return {value for value in kept if isinstance(value, str) or len(str(value)) > 1}


def test_the_public_edition_shows_nothing_that_only_the_steward_may_see() -> None:
    document = visible(render(public()))
    assert len(secrets()) > 50
    assert {value for value in secrets() for word in spellings(value) if holds(document, word)} == set()


def test_the_steward_s_edition_shows_all_that_the_public_one_must_not() -> None:
    document = visible(render(steward()))
    hidden = {value for value in secrets() if not any(holds(document, word) for word in spellings(value))}
    # The mean is rounded in the text.
    assert hidden == {steward().risk_before.classes.mean}


def test_the_public_edition_has_no_section_of_the_steward() -> None:
    keys = {node.attributes.get("id") for node in read(render(public())).all("h2")}
    assert keys == {"answer", "promises", "learned", "changes", "groups", "verify", "provenance"}


def test_the_steward_s_edition_has_a_section_for_everything() -> None:
    keys = [node.attributes.get("id") for node in read(render(steward())).all("h2")]
    own = {"risk", "loss", "search", "source", "signature"}
    assert set(keys) == {"answer", "promises", "learned", "changes", "groups", "verify", "provenance"} | own


def test_the_type_of_the_evidence_decides_the_edition_and_not_what_it_says_of_itself() -> None:
    mislabelled = render(steward(edition="public"))
    assert "Steward’s edition" in mislabelled
    assert "Public edition" not in mislabelled
    assert "Public edition" in render(public(edition="steward"))


def test_a_release_that_breaks_a_promise_cannot_be_signed() -> None:
    section = read(render(broken_steward())).section("signature")
    assert "nothing to sign" in section.text
    assert section.all("div", "line-to-sign") == []
    lines = read(render(steward())).section("signature").all("div", "line-to-sign")
    assert [line.text for line in lines] == ["Name", "Function", "Place and date", "Signature"]


@BOTH
def test_the_document_forbids_itself_every_network_and_script(evidence: PublicEvidence) -> None:
    root = read(render(evidence))
    (policy,) = [m for m in root.all("meta") if m.attributes.get("http-equiv") == "Content-Security-Policy"]
    assert policy.attributes["content"] == "default-src 'none'; style-src 'unsafe-inline'"
    assert not {node.tag for node in root.walk()} & {
        "script",
        "link",
        "img",
        "iframe",
        "object",
        "form",
        "base",
    }
    for node in root.walk():
        assert not {name for name in node.attributes if name.startswith("on") or name in ("src", "style")}
        assert (node.attributes.get("href") or "#").startswith("#")
    (style,) = root.all("style")
    assert "url(" not in style.text
    assert "@import" not in style.text


@BOTH
def test_every_link_leads_somewhere_and_every_id_is_used_once(evidence: PublicEvidence) -> None:
    nodes = read(render(evidence)).walk()
    ids = [node.attributes["id"] for node in nodes if "id" in node.attributes]
    assert len(ids) == len(set(ids))
    targets = [(node.attributes["href"] or "")[1:] for node in nodes if "href" in node.attributes]
    named = " ".join(node.attributes.get("aria-labelledby") or "" for node in nodes).split()
    assert targets
    assert set(targets) | set(named) <= set(ids)


@BOTH
def test_those_who_cannot_see_a_plot_can_hear_it_and_read_its_numbers(evidence: PublicEvidence) -> None:
    root = read(render(evidence))
    figures = root.all("figure")
    assert len(figures) == (3 if isinstance(evidence, StewardEvidence) else 1)
    for figure in figures:
        (svg,) = figure.all("svg")
        assert svg.attributes["role"] == "img"
        assert svg.all("title")[0].text
        assert svg.all("desc")[0].text
        (details,) = figure.all("details")
        assert len(details.all("tr")) > 1
    for table in root.all("table"):
        assert table.all("caption")[0].text
        assert all(cell.attributes.get("scope") in ("row", "col") for cell in table.all("th"))


@BOTH
def test_headings_go_down_one_step_at_a_time(evidence: PublicEvidence) -> None:
    tags = [node.tag for node in read(render(evidence)).walk() if re.fullmatch("h[1-6]", node.tag)]
    assert tags[0] == "h1"
    assert set(tags[1:]) == {"h2"}


def test_the_written_file_is_the_rendered_document_in_utf_8(tmp_path: Path) -> None:
    write(steward(), tmp_path / "report.html")
    assert (tmp_path / "report.html").read_bytes() == render(steward()).encode("utf-8")


@BOTH
def test_the_same_evidence_gives_the_same_bytes(evidence: PublicEvidence) -> None:
    assert render(evidence) == render(evidence.model_copy(deep=True))
