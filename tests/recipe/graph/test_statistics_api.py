"""Statistics of a network from Python: the same job as a recipe."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sfumato.core.errors import BadInput
from sfumato.core.randomness import SeededRandom
from sfumato.graph.methods import DpCounts, DpDegreeHistogram, DpDegreeSequence
from sfumato.graph.methods.private_counts import Count
from sfumato.graph.methods.private_noise import Differing
from sfumato.graph.models import DifferentialPrivacy
from sfumato.graph.network import Network
from sfumato.recipe.graph.statistics_api import protect_graph_statistics
from tests.recipe.graph.network_examples import EDGES, NAMES, gml

PAIRS = np.array(EDGES)
NETWORK = Network.of_edges(len(NAMES), PAIRS)


def test_figures_come_as_a_table_with_their_verdict() -> None:
    release = protect_graph_statistics(NETWORK, epsilon=1)
    assert release.data.num_rows == len(NAMES)
    assert release.verdicts[0].holds
    degrees = release.statistics.columns["degree"]
    assert bool((np.diff(degrees) >= 0).all())
    assert "mean-absolute-error" in release.utility


def test_pairs_do_not_tell_who_has_no_edge() -> None:
    with pytest.raises(BadInput, match="does not tell who has no edge"):
        protect_graph_statistics(PAIRS, epsilon=1)
    method = {"dp-counts": {"count": "edges", "theta": 5}}
    assert protect_graph_statistics(PAIRS, epsilon=1, neighbours="node", method=method).verdicts[0].holds


def test_a_file_gives_what_a_recipe_gives(tmp_path: Path) -> None:
    release = protect_graph_statistics(
        str(tmp_path / gml(tmp_path)), models=DifferentialPrivacy("0.5"), method=DpDegreeSequence()
    )
    assert release.public.figures is not None
    assert release.public.figures.epsilon == "0.5"
    assert not any(name in release.evidence.model_dump_json() for name in NAMES)
    assert release.report(tmp_path / "report.html").exists()


def test_neighbours_of_the_promise_are_those_of_a_method_that_is_spelt() -> None:
    release = protect_graph_statistics(
        NETWORK, epsilon=2, neighbours="node", method={"dp-degree-histogram": {"theta": 5}}
    )
    assert release.data.column("degree").to_pylist() == [0, 1, 2, 3, 4, 5]
    assert release.public.figures is not None
    assert release.public.figures.nodes is None


def test_what_is_drawn_from_a_seed_is_marked_and_can_be_drawn_again() -> None:
    found = [protect_graph_statistics(NETWORK, epsilon=1, random=SeededRandom(3)) for _ in range(2)]
    assert found[0].data.equals(found[1].data)
    assert not found[0].verdicts[0].holds
    assert "do not publish this" in found[0].public.warnings[0]


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "no promise": ({}, "nothing would be promised"),
    "another method": ({"epsilon": 1, "method": object()}, "makes no statistics"),
    "a method of networks": ({"epsilon": 1, "method": "k-degree"}, "k-degree makes no statistics"),
    "an object that hides edges": (
        {"epsilon": 1, "neighbours": "node", "method": DpDegreeHistogram(theta=3)},
        "hides one edge",
    ),
    "an object that hides nodes": (
        {"epsilon": 1, "method": DpCounts(Count.NODES, neighbours=Differing.NODE)},
        "hides one node",
    ),
    "an option that is not there": ({"epsilon": 1, "loop": "drop"}, "'loop' is not understood"),
    "a model of networks": ({"models": {"k-degree": {"k": 2}}}, "k-degree"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_is_refused(case: str) -> None:
    options, words = BAD[case]
    with pytest.raises(BadInput, match=words):
        protect_graph_statistics(NETWORK, **options)
