"""The report on released DNA: rows or figures, two editions of one page, in the style of the house."""

from __future__ import annotations

import io
import math
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from sfumato.core.evidence import Bin
from sfumato.core.evidence_dna import (
    CurveEvidence,
    CurvePoint,
    DnaEvidence,
    FiguresEvidence,
    PeakEvidence,
    RowsEvidence,
    StewardDnaEvidence,
)
from sfumato.report import render, summary
from tests.oracles.html_document import read
from tests.report.dna_examples import (
    HOSTILE,
    private,
    promise,
    risk,
    rows,
    statistics,
    steward_rows,
    steward_statistics,
)
from tests.report.test_editions import holds, leaves, spellings, visible

ALL = {
    "rows": rows(),
    "genotypes": rows(form="genotypes"),
    "steward-rows": steward_rows(),
    "statistics": statistics(),
    "private": private(),
    "steward-statistics": steward_statistics(),
}
EVERY = pytest.mark.parametrize("evidence", ALL.values(), ids=ALL.keys())
STEWARD_ONLY = {"positions", "risk", "curves", "adversary", "loss", "read", "search", "source", "signature"}


def said(evidence: DnaEvidence, width: int = 200) -> str:
    out = io.StringIO()
    Console(file=out, width=width).print(summary(evidence))
    return " ".join(out.getvalue().split())


def secrets(evidence: StewardDnaEvidence) -> set[str | int | float]:
    own = [name for name in StewardDnaEvidence.model_fields if name not in DnaEvidence.model_fields]
    told = leaves([getattr(evidence, name) for name in DnaEvidence.model_fields])
    kept = leaves([getattr(evidence, name) for name in own]) - told
    return {value for value in kept if isinstance(value, str) or len(str(value)) > 3}


@pytest.mark.parametrize(
    ("public", "kept"),
    [(rows(), steward_rows()), (statistics(), steward_statistics())],
    ids=["rows", "sites"],
)
def test_the_public_edition_shows_nothing_that_only_the_steward_may_see(
    public: DnaEvidence, kept: StewardDnaEvidence
) -> None:
    document = visible(render(public))
    hidden = secrets(kept)
    assert len(hidden) > 20
    told = {value for value in hidden for word in spellings(value) if holds(document, word)}
    # These are words of the prose.
    assert told <= {"identity", "membership", "measured"}
    sections = {node.attributes.get("id") for node in read(render(public)).all("h2")}
    assert not sections & STEWARD_ONLY


def test_the_steward_sees_positions_groups_risk_attacks_loss_and_what_was_read() -> None:
    root = read(render(steward_rows()))
    assert {"shown", "positions", "groups", "risk", "adversary", "loss", "read", "signature"} <= {
        node.attributes.get("id") for node in root.all("h2")
    }
    assert "537 groups, the smallest of 2" in root.section("groups").text
    assert "promised: 2 or more" in root.section("groups").text
    assert len(root.section("positions").all("rect", "bar")) >= 400
    assert "82.3%" in root.section("risk").text
    assert "no relatives were given" in root.section("adversary").text
    assert "Left out: sites with three alleles" in root.section("read").text


def test_the_curve_of_an_attacker_is_drawn_with_the_promised_bound() -> None:
    part = read(render(steward_statistics())).section("curves")
    assert len(part.all("circle")) == 7
    assert len(part.all("polyline")) == 2
    assert len(part.all("line", "mark")) == 1
    assert "promised at most" in part.text
    assert "Members named, with 5% of strangers" in part.text
    key = " ".join(node.text for node in part.all("ul", "key"))
    assert "homer, all sites" in key
    assert "dotted" not in key


def test_two_attackers_of_the_same_figures_have_two_kinds_of_line() -> None:
    points = [CurvePoint(sites=10, auc=0.6), CurvePoint(sites=20, auc=0.7)]
    curves = [CurveEvidence(attack=name, what="released sites", points=points) for name in ("homer", "x")]
    part = read(render(steward_statistics(curves=curves))).section("curves")
    assert len(part.all("polyline", "dotted")) == 1
    assert "x, released sites (dotted)" in part.text


def test_without_a_bound_no_line_is_drawn() -> None:
    part = read(render(steward_statistics(verdicts=[]))).section("curves")
    assert part.all("line", "mark") == []


def test_epsilon_is_told_as_a_bound_on_any_attacker() -> None:
    part = read(render(private())).section("meaning")
    # e^½ / (1 + e^½), rounded up; two relatives have ε = 1, which bounds the AUC by e / (1 + e).
    bound, two = (math.exp(x) / (1 + math.exp(x)) for x in (0.5, 1.0))
    cells = [cell.text for cell in part.all("td")]
    assert cells[1] == f"{math.ceil(bound * 1000) / 1000:.4g}" == "0.623"
    assert cells[4] == f"{math.ceil(two * 1000) / 1000:.4g}"


def test_one_person_more_or_less_is_two_steps_from_a_member_to_a_stranger() -> None:
    figures = FiguresEvidence(
        sites=9, columns=["frequency"], epsilon="0.5", neighbours="one person more or less"
    )
    cells = [cell.text for cell in read(render(private(figures=figures))).section("meaning").all("td")]
    assert cells[0] == "0.5"
    assert float(cells[1]) >= math.e / (1 + math.e)


def test_delta_loosens_the_bound_and_never_tightens_it() -> None:
    def bound(delta: str | None) -> float:
        figures = FiguresEvidence(
            sites=9,
            columns=["frequency"],
            epsilon="0.5",
            delta=delta,
            neighbours="one person replaced by another",
        )
        cells = read(render(private(figures=figures))).section("meaning").all("td")
        return float(cells[1].text)

    assert bound(None) <= bound("1e-6") < bound("0.1") < bound("1") == 1.0


def test_p_values_stand_along_the_genome_chromosome_by_chromosome() -> None:
    part = read(render(statistics())).section("shown")
    assert len(part.all("circle")) == 396
    (behind,) = part.all("details")
    assert len(behind.all("tr")) == 1 + 22
    assert read(render(private())).section("shown").all("svg") == []


def test_the_summary_says_what_a_release_holds_and_what_it_risks() -> None:
    text = said(steward_rows())
    assert "✓ holds: required k ≥ 2, achieved k = 2" in text
    assert "1,074 sequences with 2,586 positions" in text
    assert "97.2% exact, 2.5% partly open, 0.3% open" in text
    assert "Whole row, unique 82.3% → 0%" in text
    assert "sequence-linkage 88.1% → 49.2%" in text
    assert "an AUC of 0.604 at best" in said(steward_statistics())
    assert "ε = 0.5; compared: one person replaced by another" in said(private())
    assert "risk" not in said(rows())


def test_a_broken_promise_comes_first_and_leaves_nothing_to_sign() -> None:
    broken = [promise("sequence-k-anonymity", "k ≥ 2", "k = 1", holds=False, k=2)]
    root = read(render(steward_rows(verdicts=broken)))
    assert "Do not share this file: 1 promise does not hold." in root.section("answer").text
    assert "There is nothing to sign" in root.section("signature").text
    assert "Do not share this file" in said(steward_rows(verdicts=broken))


EMPTY_ROWS = RowsEvidence(
    rows=0, positions=None, different=0, smallest=0, groups=[], exact=0, partly=0, open=0
)
NO_FIGURES = FiguresEvidence(sites=0, columns=[], epsilon="a lot", delta="?")
HUGE = RowsEvidence(
    rows=10**12,
    positions=10**15,
    different=1,
    smallest=10**12,
    groups=[Bin(low=1000, high=None, classes=1, records=10**12)],
    exact=1,
    partly=0,
    open=10**18,
    letters={"N": 10**18, HOSTILE: 1},
)


def test_rows_of_which_most_is_open_come_with_advice() -> None:
    assert "figures of sites in place of rows keep more" in said(rows(rows=HUGE))
    assert "figures of sites" not in said(rows())


ODD: dict[str, DnaEvidence] = {
    "nothing known": rows(rows=None, verdicts=[], warnings=[], stripped=[]),
    "no rows": steward_rows(rows=EMPTY_ROWS, sizes_before=[], by_position=[], open_by_position=[]),
    "huge": rows(rows=HUGE),
    "one position": steward_rows(by_position=[0.5], open_by_position=[]),
    "not a number": steward_rows(by_position=[math.nan, math.inf, -1.0], open_by_position=[math.nan] * 3),
    "nothing measured": steward_rows(
        risk_before=[], risk_after=[], risk_said=["too many cells"], attacks=[], utility=[], seconds={}
    ),
    "one side": steward_rows(
        risk_before=[risk("a", None, said="why")], risk_after=[risk("b", 3.0, people=True)]
    ),
    "no figures": statistics(figures=None),
    "figures of nothing": statistics(figures=NO_FIGURES),
    "one site": steward_statistics(
        figures=FiguresEvidence(
            sites=1, columns=["p"], peaks=[PeakEvidence(chromosome=HOSTILE, sites=1, highest=400.0)]
        ),
        curves=[CurveEvidence(attack=HOSTILE, what="all", points=[CurvePoint(sites=0, auc=math.nan)])],
    ),
    "no points": steward_statistics(curves=[CurveEvidence(attack="homer", what="all sites", points=[])]),
    "below a guess": steward_statistics(
        curves=[CurveEvidence(attack="homer", what="released", points=[CurvePoint(sites=1, auc=0.1)])]
    ),
    "no p": statistics(
        figures=FiguresEvidence(
            sites=1, columns=["p"], peaks=[PeakEvidence(chromosome="1", sites=1, highest=None)]
        )
    ),
    "epsilon of a million": private(
        figures=FiguresEvidence(sites=1, columns=["p"], epsilon="1000000", delta="0.1")
    ),
}


@pytest.mark.parametrize("evidence", [*ALL.values(), *ODD.values()], ids=[*ALL, *ODD])
def test_odd_evidence_renders_without_scripts_or_numbers_that_are_none(evidence: DnaEvidence) -> None:
    document = render(evidence)
    root = read(document)
    assert "<script" not in document
    texts = [part for node in root.all("main")[0].walk() for part in node.children if isinstance(part, str)]
    assert [part for part in texts if re.search(r"\b(nan|inf)\b", part, re.IGNORECASE)] == []
    for node in root.walk():
        for key in ("x", "y", "cx", "cy", "width", "height", "points"):
            assert "nan" not in (node.attributes.get(key) or "")
    ids = [node.attributes["id"] for node in root.walk() if "id" in node.attributes]
    assert len(ids) == len(set(ids))
    assert said(evidence)


@EVERY
def test_every_plot_has_a_title_a_description_and_its_numbers(evidence: DnaEvidence) -> None:
    for drawn in read(render(evidence)).all("figure"):
        (plot,) = drawn.all("svg")
        assert plot.all("title")[0].text
        assert plot.all("desc")[0].text
        assert drawn.all("details")[0].all("table")


def test_names_of_a_hostile_file_stay_texts() -> None:
    evidence = steward_statistics(
        title=HOSTILE,
        method=HOSTILE,
        figures=FiguresEvidence(sites=3, columns=[HOSTILE], neighbours=HOSTILE, epsilon="1"),
    )
    assert "<script" not in render(evidence)


@settings(deadline=None, max_examples=15)
@given(
    exact=st.lists(st.floats(0, 1), max_size=5),
    nothing=st.lists(st.floats(0, 1), max_size=5),
    auc=st.lists(st.tuples(st.integers(0, 10**9), st.floats(0, 1)), max_size=4),
)
def test_bars_and_points_stay_inside_the_plot(
    exact: list[float], nothing: list[float], auc: list[tuple[int, float]]
) -> None:
    curves = [
        CurveEvidence(attack="a", what="b", points=[CurvePoint(sites=at, auc=value) for at, value in auc])
    ]
    pages: list[Any] = [
        read(render(steward_rows(by_position=exact, open_by_position=nothing))),
        read(render(steward_statistics(curves=curves))),
    ]
    for root in pages:
        for bar in root.all("rect", "bar"):
            assert 0 <= float(bar.attributes["y"]) <= 262
            assert float(bar.attributes["height"]) >= 0
        for point in root.all("circle"):
            assert 0 <= float(point.attributes["cx"]) <= 560
            assert 0 <= float(point.attributes["cy"]) <= 262
