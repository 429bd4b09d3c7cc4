"""What the pages about networks say of promises is what the code does; every key and format is on them."""

from __future__ import annotations

import re
from typing import Any

import pytest

from sfumato import graph
from sfumato.core.verdict import Basis
from sfumato.graph.methods import METHODS
from sfumato.graph.reading.open import SUFFIXES
from sfumato.recipe.graph.network_job import FORMATS
from sfumato.recipe.model import GraphPart
from tests.docs.pages import page
from tests.docs.test_mentions import home_of, keys_of, spans


def made(kind: Any) -> Any:
    """Return a method as it comes by itself; one of them must be told what to count."""
    return kind("edges") if kind is graph.DpCounts else kind()


@pytest.mark.parametrize(
    "model",
    [
        graph.KDegree(2),
        graph.KNeighbourhood(2),
        graph.KGrouping(2),
        graph.KAutomorphism(2),
        graph.KIsomorphism(2),
        graph.DifferentialPrivacy(1),
    ],
    ids=lambda model: model.name,
)
def test_a_promise_about_networks_says_who_keeps_it_what_it_protects_from_and_what_it_stops(
    model: Any,
) -> None:
    section = home_of(model.name, page("docs/graph-models.md")).section(model.name)
    kept = re.search(r"^Kept by (.*?)[.:]\s", section, re.MULTILINE | re.DOTALL)
    assert kept, model.name
    able = {name for name, kind in METHODS.items() if made(kind).enforces(model.demand())}
    assert set(re.findall(r"\]\([\w.-]*#([\w-]+)\)", kept[1])) == able
    assert {str(threat) for threat in model.protects_from} <= spans(section)
    if model.basis is not Basis.RELEASE:
        assert str(model.basis) in spans(section)
    for attack in model.stops:
        assert f"(graph-attacks.md#{attack})" in section, attack


def test_every_key_of_a_network_and_every_format_is_on_its_page() -> None:
    overview = page("docs/graph.md")
    assert keys_of(GraphPart) <= spans(overview.section("Keys"))
    assert {*FORMATS} <= spans(overview.section("Keys"))
    assert {*SUFFIXES} <= spans(overview.section("Files"))
