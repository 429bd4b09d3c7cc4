"""The report on released networks: edges, groups or figures, two editions of one page."""

from __future__ import annotations

import io
import math
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from sfumato.core.evidence import Bin, DataEvidence
from sfumato.core.evidence_graph import (
    Curve,
    GraphEvidence,
    GraphFiguresEvidence,
    GroupingEvidence,
    NetworkEvidence,
    ReadNetworkEvidence,
    StewardGraphEvidence,
)
from sfumato.report import render, summary
from tests.oracles.html_document import read
from tests.report.dna_examples import promise, risk
from tests.report.graph_examples import (
    HOSTILE,
    figures,
    grouping,
    network,
    steward_figures,
    steward_grouping,
    steward_network,
    table,
)
from tests.report.test_editions import holds, leaves, spellings, visible

ALL = {
    "network": network(),
    "steward-network": steward_network(),
    "network-and-table": network(table=table()),
    "grouping": grouping(),
    "steward-grouping": steward_grouping(),
    "figures": figures(),
    "steward-figures": steward_figures(),
}
STEWARD_ONLY = {
    "degrees",
    "risk",
    "candidates",
    "adversary",
    "loss",
    "read",
    "search",
    "source",
    "signature",
}


def said(evidence: GraphEvidence, width: int = 200) -> str:
    out = io.StringIO()
    Console(file=out, width=width).print(summary(evidence))
    return " ".join(out.getvalue().split())


def headings(evidence: GraphEvidence) -> set[str | None]:
    return {node.attributes.get("id") for node in read(render(evidence)).all("h2")}


@pytest.mark.parametrize(
    ("public", "kept"),
    [(network(), steward_network()), (grouping(), steward_grouping()), (figures(), steward_figures())],
    ids=["network", "grouping", "figures"],
)
def test_the_public_edition_shows_nothing_that_only_the_steward_may_see(
    public: GraphEvidence, kept: StewardGraphEvidence
) -> None:
    document = visible(render(public))
    own = [name for name in StewardGraphEvidence.model_fields if name not in GraphEvidence.model_fields]
    told = leaves([getattr(kept, name) for name in GraphEvidence.model_fields])
    secret = leaves([getattr(kept, name) for name in own]) - told
    hidden = {value for value in secret if isinstance(value, str) or len(str(value)) > 3}
    assert len(hidden) > 15
    found = {value for value in hidden for word in spellings(value) if holds(document, word)}
    # Words of the prose.
    assert found <= {"identity", "degree", "before", "after", "added", "measured"}
    assert not headings(public) & STEWARD_ONLY


def test_the_steward_sees_degrees_candidates_risk_attacks_loss_and_what_was_read() -> None:
    root = read(render(steward_network()))
    assert {"shown", "degrees", "risk", "candidates", "adversary", "loss", "read", "signature"} <= headings(
        steward_network()
    )
    assert len(root.section("degrees").all("polyline")) == 2
    assert len(root.section("candidates").all("polyline")) == 3
    assert "promised: 3 or more" in root.section("candidates").text
    assert "67.7%" in root.section("risk").text
    assert "before: hubs first" in root.section("risk").text
    # Bars stand for who is unique; the rest is in the table.
    assert len(root.section("risk").all("rect", "track")) == 4
    assert "no other network was given" in root.section("adversary").text
    assert "Left out: many loops" in root.section("read").text


def test_degrees_of_a_network_are_drawn_for_everybody() -> None:
    part = read(render(network())).section("shown")
    assert len(part.all("rect", "bar")) == 2
    assert "5.059" in part.text
    labels = read(render(network(network=ODD_NETWORK))).section("shown")
    assert "(none)" in labels.text


def test_a_grouping_tells_its_worlds_in_words_and_how_to_draw_them() -> None:
    part = read(render(grouping())).section("shown")
    assert "about 10262" in part.text
    assert "30 (6.8%)" in part.text
    assert "sfumato graph worlds release/" in part.text
    groups = read(render(grouping())).section("groups")
    assert "promised: 5 or more" in groups.text


def test_of_a_grouping_the_steward_sees_what_was_there_before() -> None:
    root = read(render(steward_grouping()))
    assert len(root.section("risk").all("rect", "bar")) == 2
    assert root.section("degrees").all("h2")[0].text == "Degrees"
    assert "group, after" in root.section("candidates").text


def test_the_price_is_told_in_words_and_the_rest_is_not_said_of_it() -> None:
    root = read(render(figures()))
    assert "ε = 0.5; compared: one edge more or less" in root.section("meaning").text
    assert "sure to at most 0.623" in root.section("meaning").text
    # What somebody knows besides does not weaken differential privacy.
    assert "What is known besides" not in root.section("learned").text
    assert "What is known besides" in read(render(network())).section("learned").text


def test_a_promise_about_membership_is_not_denied() -> None:
    hides = promise("differential-privacy", "ε ≤ 1", "ε = 1").model_copy(
        update={"protects_from": ["membership"]}
    )
    assert "in the network at all" not in read(render(figures(verdicts=[hides]))).section("learned").text
    assert "in the network at all" in read(render(figures())).section("learned").text


def test_the_table_about_nodes_stands_apart() -> None:
    part = read(render(network(table=table()))).section("people")
    assert "people.csv" in part.text
    assert "neither counts with somebody who knows both" in part.text
    assert "people" not in headings(network())


def test_the_summary_says_what_a_release_holds_and_what_it_risks() -> None:
    text = said(steward_network())
    assert "34 nodes, 86 edges in 1 connected part" in text
    assert "unique by degree 17.6% → 0%, by H2 67.7% → 55.9%" in text
    assert "3,401 nodes, 7,802 edges" in text
    assert "many loops: 3,711" in text
    assert "21 groups of 5 to 6, for 105 nodes and 441 edges" in said(grouping())
    assert "1e262 networks have these counts; 30 edges certain" in said(grouping())
    assert "17.6% were unique by degree before; no node is released" in said(steward_grouping())
    assert "ε = 0.5; compared: one edge more or less" in said(figures())
    assert "34 rows about nodes, 2 of them blanked" in said(network(table=table()))
    assert "risk" not in said(network())


def test_a_broken_promise_comes_first_and_leaves_nothing_to_sign() -> None:
    broken = [promise("k-degree", "k ≥ 3", "k = 1", holds=False, k=3)]
    root = read(render(steward_network(verdicts=broken)))
    assert "Do not share this file: 1 promise does not hold." in root.section("answer").text
    assert "There is nothing to sign" in root.section("signature").text


def test_a_network_without_edges_is_not_called_empty() -> None:
    evidence = network(network=EDGELESS, data=DataEvidence(file="data.csv", sha256="ab", rows=0, bytes=14))
    assert "The promise was checked and holds." in read(render(evidence)).section("answer").text
    assert "3 nodes and 0 edges" in read(render(evidence)).section("answer").text


EDGELESS = NetworkEvidence(
    nodes=3,
    edges=0,
    isolated=3,
    components=3,
    highest=0,
    different=1,
    smallest=3,
    degrees=[Bin(low=0, high=0, classes=1, records=3)],
)
NOBODY = NetworkEvidence(
    nodes=0, edges=0, isolated=0, components=0, highest=0, different=0, smallest=0, degrees=[]
)
ODD_NETWORK = NetworkEvidence(
    nodes=10**12,
    edges=10**15,
    isolated=1,
    components=10**12,
    highest=10**9,
    different=40,
    smallest=1,
    degrees=[Bin(low=2**i, high=2 ** (i + 1) - 1, classes=3, records=10**i) for i in range(30)],
    labels={"": 10**6, HOSTILE: 10**12} | {f"label {i}": i for i in range(40)},
)
ONE_GROUP = GroupingEvidence(
    groups=1,
    nodes=1,
    edges=0,
    smallest=1,
    largest=1,
    links=0,
    log_worlds=0.0,
    sizes=[Bin(low=1, high=1, classes=1, records=1)],
)
NO_GROUP = GroupingEvidence(
    groups=0, nodes=0, edges=0, smallest=0, largest=0, links=0, log_worlds=math.nan, sizes=[]
)
ODD_LINES = [
    Curve(title="nowhere before", x=[], y=[]),
    Curve(title="one point before", x=[1.0], y=[1.0]),
    Curve(title="zero after", x=[0.0], y=[1.0]),
    Curve(title="huge after", x=[1.0, 1e300], y=[1.0, 1e-300]),
    Curve(title="not numbers after", x=[math.nan, math.inf, -3.0, 2.0], y=[0.5, 0.5, 0.5, math.nan]),
    Curve(title="out of range after", x=[3.0, 4.0], y=[7.0, -2.0]),
]
ODD: dict[str, GraphEvidence] = {
    "nothing known": network(network=None, verdicts=[], warnings=[], stripped=[]),
    "no edges": steward_network(network=EDGELESS, degrees=[Curve(title="before", x=[0.0], y=[1.0])]),
    "nobody": steward_network(network=NOBODY, read=ReadNetworkEvidence(nodes=0, edges=0)),
    "huge": network(network=ODD_NETWORK),
    "odd lines": steward_network(degrees=ODD_LINES, candidates=ODD_LINES),
    "no lines": steward_network(degrees=[], candidates=[]),
    "k of a million": steward_network(verdicts=[promise("k-degree", "k ≥ 10^6", "k = 10^6", k=10**6)]),
    "nothing measured": steward_network(
        risk_before=[], risk_after=[], risk_said=[], attacks=[], utility=[], seconds={}, search={}
    ),
    "one side": steward_network(
        risk_before=[risk("a-unique", None, said="why")], risk_after=[risk("b", 3.0, people=True)]
    ),
    "one group": steward_grouping(grouping=ONE_GROUP),
    "no group": grouping(grouping=NO_GROUP),
    "no grouping": grouping(grouping=None),
    "no figures": figures(figures=None),
    "figures of nothing": steward_figures(
        figures=GraphFiguresEvidence(statistic="", columns=[], rows=0, delta="?"), degrees=[], risk_said=[]
    ),
    "hostile": steward_network(title=HOSTILE, method=HOSTILE, stripped=[HOSTILE], table=table(file=HOSTILE)),
}


@pytest.mark.parametrize("evidence", [*ALL.values(), *ODD.values()], ids=[*ALL, *ODD])
def test_odd_evidence_renders_without_scripts_or_numbers_that_are_none(evidence: GraphEvidence) -> None:
    document = render(evidence)
    root = read(document)
    assert "<script" not in document
    texts = [part for node in root.all("main")[0].walk() for part in node.children if isinstance(part, str)]
    assert [part for part in texts if re.search(r"\b(nan|inf)\b", part, re.IGNORECASE)] == []
    for node in root.walk():
        for key in ("x", "y", "x1", "y1", "cx", "cy", "width", "height", "points"):
            assert not re.search("nan|inf", node.attributes.get(key) or "")
    ids = [node.attributes["id"] for node in root.walk() if "id" in node.attributes]
    assert len(ids) == len(set(ids))
    assert said(evidence)


@pytest.mark.parametrize("evidence", ALL.values(), ids=ALL.keys())
def test_every_plot_has_a_title_a_description_and_its_numbers(evidence: GraphEvidence) -> None:
    for drawn in read(render(evidence)).all("figure"):
        (plot,) = drawn.all("svg")
        assert plot.all("title")[0].text
        assert plot.all("desc")[0].text
        assert drawn.all("details")[0].all("table")


@settings(deadline=None, max_examples=25)
@given(
    points=st.lists(st.tuples(st.floats(0, 1e12), st.floats(0, 1)), max_size=6),
    k=st.integers(2, 10**9),
)
def test_lines_stay_inside_the_plot(points: list[tuple[float, float]], k: int) -> None:
    listed = sorted(points)
    lines = [
        Curve(title=title, x=[x for x, _ in listed], y=[y for _, y in listed]) for title in ("before", "b")
    ]
    evidence = steward_network(degrees=lines, candidates=lines, verdicts=[promise("k-degree", "k", "k", k=k)])
    root = read(render(evidence))
    for line in root.all("polyline"):
        for pair in (line.attributes["points"] or "").split():
            x, y = map(float, pair.split(","))
            assert 58 <= x <= 560
            assert 22 <= y <= 216


@settings(deadline=None, max_examples=25)
@given(st.lists(st.tuples(st.integers(1, 10**6), st.floats(0.001, 1)), min_size=1, max_size=8))
def test_lines_of_candidates_rise_and_lines_of_degrees_fall(points: list[tuple[int, float]]) -> None:
    xs = sorted({float(x) for x, _ in points})
    ys = sorted(y for _, y in points)[: len(xs)]
    evidence = steward_network(
        candidates=[Curve(title="degree, after", x=xs, y=ys)],
        degrees=[Curve(title="after", x=xs, y=ys[::-1])],
    )
    root = read(render(evidence))
    for key, falls in (("candidates", 1), ("degrees", -1)):
        for line in root.section(key).all("polyline"):
            corners = [
                tuple(map(float, pair.split(","))) for pair in (line.attributes["points"] or "").split()
            ]
            assert [x for x, _ in corners] == sorted(x for x, _ in corners)
            heights = [falls * y for _, y in corners]
            assert heights == sorted(heights, reverse=True)
