"""The report on a release under differential privacy: its price to everybody, the truth to the steward."""

from __future__ import annotations

from html.parser import HTMLParser
from io import StringIO
from pathlib import Path

import pyarrow as pa
import pytest
from rich.console import Console

from sfumato.core.evidence_query import (
    ErrorEvidence,
    HouseholdEvidence,
    QueryEvidence,
    StepEvidence,
    StewardQueryEvidence,
)
from sfumato.core.randomness import SeededRandom
from sfumato.query.metadata import Column, Metadata, Table, Type
from sfumato.recipe.query.api import QueryRelease, protect_query
from sfumato.report import render
from sfumato.report.terminal import summary

EVIL = "<script>alert(1)</script>"


def made(method: str = "independent-marginals", column: str = "sex", delta: float = 0.0) -> QueryRelease:
    public = Metadata(
        "clinic <b>",
        {
            "people": Table(
                "people", {column: Column(column, Type.CATEGORY, values=("f", "m"))}, None, 1, 1000
            )
        },
    )
    people = pa.table({column: ["f"] * 123 + ["m"] * 321})
    return protect_query(
        people,
        database=public,
        method=method,
        epsilon=0.5,
        delta=delta,
        random=SeededRandom(5),
        title="A & B",
    )


@pytest.fixture(scope="module")
def release() -> QueryRelease:
    return made()


class Words(HTMLParser):
    """All that a reader sees."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.tags: list[str] = []
        self.feed(page)

    def handle_data(self, data: str) -> None:
        self.found.append(data)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.found).split())


def test_the_price_and_what_it_means_are_told(release: QueryRelease) -> None:
    text = Words(render(release.public)).text
    assert "differential-privacy holds" in text
    assert "required ε ≤ 0.5" in text
    # Two people: 1 / (1 + e^-1), for one person more or less counts twice.
    assert "at most 73.2 %" in text
    assert "Households and relatives" in text
    assert "one person more or less" in text
    assert "does not hide what is learnt about them from others" in text


def test_the_expected_error_is_told_to_everybody(release: QueryRelease) -> None:
    (error,) = release.public.expected_error
    assert error.people > 2.5
    assert f"± {error.people:.4g}" in Words(render(release.public)).text


def test_the_truth_is_told_to_the_steward_alone(release: QueryRelease) -> None:
    public, steward = Words(render(release.public)).text, Words(render(release.evidence)).text
    for told in ("What was read", "Single columns, before and after", "Measured", "444"):
        assert told in steward, told
        assert told not in public.replace("Measured Protects", ""), told
    assert "27.7%" in steward
    assert "27.7%" not in public


def test_a_seeded_release_says_that_it_must_not_be_published(release: QueryRelease) -> None:
    assert "do not publish this" in Words(render(release.public)).text


def test_a_delta_is_told_beside_the_meaning() -> None:
    text = Words(render(made(delta=1e-9).public)).text
    assert "With δ = 1e-9, which is counted in, these bounds hold on average" in text
    assert "ε = 0.5 at δ = 1e-9" in text


def test_tables_alone_are_told_as_tables() -> None:
    text = Words(render(made("hierarchical-histogram").public)).text
    assert "The release holds 1 table of noisy counts" in text
    assert "records drawn" not in text


def test_names_are_shown_and_never_run() -> None:
    release = made(column=EVIL)
    for evidence in (release.public, release.evidence):
        page = render(evidence)
        assert EVIL not in page
        assert "script" not in Words(page).tags
        assert "alert(1)" in page


def odd(evidence: QueryEvidence) -> QueryEvidence:
    """Evidence at its edges: nothing promised to households, many steps, no errors, odd numbers."""
    return evidence.model_copy(
        update={
            "households": [HouseholdEvidence(people=8, epsilon=None, delta=None)],
            "steps": [StepEvidence(what=EVIL, rho="0.1")] * 500,
            "expected_error": [ErrorEvidence(what="x", people=float("nan"))],
            "meaning": [],
            "tables": [],
            "neighbours": "strange",
            "published": {"share": float("inf"), "pairs": ""},
            "data": evidence.data.model_copy(update={"rows": 0}),
        }
    )


@pytest.mark.parametrize("edition", ["public", "evidence"])
def test_odd_evidence_can_be_shown(release: QueryRelease, edition: str) -> None:
    text = Words(render(odd(getattr(release, edition)))).text
    assert "nothing is promised" in text
    assert "300 further steps" in text
    assert "not known" in text


def test_without_people_nothing_is_divided_by_them(tmp_path: Path) -> None:
    sex = Column("sex", Type.CATEGORY, values=("f", "m"))
    public = Metadata("clinic", {"people": Table("people", {"sex": sex}, None, 1, 1000)})
    nobody = pa.table({"sex": pa.array([], pa.string())})
    release = protect_query(nobody, database=public, method="independent-marginals", epsilon=1)
    assert release.evidence.read.people == 0
    assert release.evidence.marginals == []
    assert any("nobody to compare" in note for note in release.evidence.notes)
    assert release.report(tmp_path / "report.html").exists()


@pytest.mark.parametrize("edition", ["public", "evidence"])
def test_the_terminal_sums_it_up(release: QueryRelease, edition: str) -> None:
    evidence = getattr(release, edition)
    screen = Console(file=StringIO(), width=100)
    screen.print(summary(evidence))
    said = screen.file.getvalue()  # type: ignore[attr-defined]  # a StringIO
    assert "expected of one count" in said
    assert ("444" in said) == isinstance(evidence, StewardQueryEvidence)
