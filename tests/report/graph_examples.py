"""Evidence of released networks that never were: made up, but consistent in itself."""

from __future__ import annotations

from typing import Any

from sfumato.core.evidence import AttackEvidence, Bin, DataEvidence, InputEvidence, MeasureEvidence
from sfumato.core.evidence_graph import (
    Curve,
    GraphEvidence,
    GraphFiguresEvidence,
    GroupingEvidence,
    NetworkEvidence,
    PeopleTableEvidence,
    ReadNetworkEvidence,
    StewardGraphEvidence,
)
from tests.report.dna_examples import figures_of, promise, risk

HOSTILE = "<script>alert(1)</script>"


def shared_fields(**changes: Any) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "title": "Friends of friends",
        "created": "2026-11-16",
        "software": {"sfumato": "9.9"},
        "recipe": {"models": []},
        "data": DataEvidence(file="data.csv", sha256="ab" * 32, rows=86, bytes=70_001),
        "people": "each node was taken as another person",
        "order": "shuffled",
        "truthful": False,
        "warnings": ["accounts may find themselves"],
        "schema_sha256": "cd" * 32,
        "stripped": ["names of nodes"],
    }
    return fields | changes


def network_fields(**changes: Any) -> dict[str, Any]:
    own = {
        "form": "network",
        "method": "k-degree",
        "verdicts": [promise("k-degree", "k ≥ 3", "k = 3", k=3)],
        "network": NetworkEvidence(
            nodes=34,
            edges=86,
            isolated=0,
            components=1,
            highest=17,
            different=6,
            smallest=3,
            degrees=[Bin(low=2, high=2, classes=1, records=31), Bin(low=17, high=17, classes=1, records=3)],
        ),
    }
    return shared_fields(**(own | changes))


def grouping_fields(**changes: Any) -> dict[str, Any]:
    own = {
        "form": "grouping",
        "method": "k-grouping",
        "truthful": True,
        "data": DataEvidence(file="groups.csv", sha256="ab" * 32, rows=21, bytes=70_001),
        "verdicts": [promise("k-grouping", "k ≥ 5", "k = 5", k=5)],
        "grouping": GroupingEvidence(
            groups=21,
            nodes=105,
            edges=441,
            smallest=5,
            largest=6,
            links=68,
            log_worlds=602.7,
            certain=30,
            sizes=[Bin(low=5, high=9, classes=21, records=105)],
        ),
    }
    return shared_fields(**(own | changes))


def figures_fields(**changes: Any) -> dict[str, Any]:
    own = {
        "form": "statistics",
        "method": "dp-degree-sequence",
        "verdicts": [promise("differential-privacy", "ε ≤ 0.5", "ε = 0.5", epsilon=0.5)],
        "figures": GraphFiguresEvidence(
            statistic="degree-sequence",
            columns=["degree"],
            rows=105,
            epsilon="0.5",
            nodes=105,
            neighbours="one edge more or less",
            meaning=["whoever guesses is sure to at most 0.623 afterwards"],
            randomness="noise came from the operating system",
        ),
    }
    return shared_fields(**(own | changes))


def table(**changes: Any) -> PeopleTableEvidence:
    fields: dict[str, Any] = {
        "file": "people.csv",
        "rows": 34,
        "columns": ["age", "zip"],
        "blanked": 2,
        "sha256": "ef" * 32,
    }
    return PeopleTableEvidence(**(fields | changes))


def kept_fields(**changes: Any) -> dict[str, Any]:
    own: dict[str, Any] = {
        "edition": "steward",
        "input": InputEvidence(rows=7811, fingerprint="hmac-sha256:77aa", key="steward/fingerprint.key"),
        "utility": [
            MeasureEvidence(
                name="edges-changed",
                title="edges added and removed",
                value=0.1026,
                range="0 … ∞",
                meaning="how many edges were added",
                details={"added": 8013},
            )
        ],
        "seconds": {"protecting": 12.25},
        "read": ReadNetworkEvidence(
            nodes=3401, edges=7802, isolated=1203, components=1207, left_out={"many loops": 3711}
        ),
        "notes": ["12,345 loops were dropped"],
        "search": {"probes": 4321},
        "degrees": [
            Curve(title="before", x=[0, 1, 9, 1700], y=[1.0, 0.9713, 0.2611, 0.0294]),
            Curve(title="after", x=[2, 10, 1700], y=[1.0, 0.2717, 0.0473]),
        ],
        "candidates": [
            Curve(title="degree, before", x=[1, 2, 6, 1137], y=[0.1765, 0.2353, 0.6765, 1.0]),
            Curve(title="degrees of neighbours, before", x=[1, 5], y=[0.6771, 1.0]),
            Curve(title="degree, after", x=[3, 1137], y=[0.1767, 1.0]),
        ],
        "risk_before": [
            risk("degree-unique", 0.1765, "degree, unique"),
            risk("degree-below-5", 0.3219, "degree, fewer than 5"),
            risk("h2-unique", 0.6768, "H2, unique", said="hubs first"),
        ],
        "risk_after": [
            risk("degree-unique", 0.0, "degree, unique"),
            risk("degree-below-5", 0.3118, "degree, fewer than 5"),
            risk("h2-unique", 0.5588, "H2, unique", said="hubs still"),
        ],
        "risk_said": ["neighbourhoods were not looked at for lack of time"],
        "attacks": [
            AttackEvidence(
                name="degree",
                title="counts neighbours",
                threat="identity",
                knows="a number",
                before=figures_of(0.3235),
                after=figures_of(0.1764),
            ),
            AttackEvidence(
                name="active",
                title="creates accounts",
                threat="identity",
                before=figures_of(0.9876),
                after=figures_of(0.9013),
            ),
            AttackEvidence(
                name="seed-and-propagate",
                title="maps a network",
                threat="identity",
                not_run="no other network was given",
            ),
        ],
    }
    return own | changes


def network(**changes: Any) -> GraphEvidence:
    return GraphEvidence(**network_fields(**changes))


def grouping(**changes: Any) -> GraphEvidence:
    return GraphEvidence(**grouping_fields(**changes))


def figures(**changes: Any) -> GraphEvidence:
    return GraphEvidence(**figures_fields(**changes))


def steward_network(**changes: Any) -> StewardGraphEvidence:
    return StewardGraphEvidence(**network_fields(**kept_fields(**changes)))


def steward_grouping(**changes: Any) -> StewardGraphEvidence:
    lines = [Curve(title="degree, before", x=[1, 5], y=[0.2, 1.0]), Curve(title="group, after", x=[5], y=[1])]
    own = {"risk_after": [], "candidates": lines, "degrees": kept_fields()["degrees"][:1]}
    return StewardGraphEvidence(**grouping_fields(**kept_fields(**(own | changes))))


def steward_figures(**changes: Any) -> StewardGraphEvidence:
    own: dict[str, Any] = {"risk_before": [], "risk_after": [], "candidates": [], "attacks": []}
    return StewardGraphEvidence(**figures_fields(**kept_fields(**(own | changes))))
