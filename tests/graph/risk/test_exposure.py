"""Exposure: candidates counted for every knowledge, and nothing that was not looked at reads as safe."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput, MissingPart
from sfumato.graph.canonical import bliss
from sfumato.graph.network import Network
from sfumato.graph.risk import CandidateSets, exposure
from sfumato.graph.risk import exposure as risk_function
from tests.graph.drawn import Drawn, drawn_networks, network_of
from tests.graph.real import KNOWN, real_network
from tests.oracles.graph_isomorphism import neighbourhoods_alike, refinement, stable_refinement

ROUNDS = {"degree": 1, "H2": 2, "H3": 3}


def counted(values: list[object]) -> tuple[int, int, int, dict[int, int], float]:
    """Count by hand: classes, uniques, smallest, nodes with few candidates, the mean of 1/candidates."""
    sizes = [sum(other == value for other in values) for value in values]
    classes = len(Counter(repr(value) for value in values))
    below = {k: sum(size < k for size in sizes) for k in (2, 5, 10)}
    return classes, sizes.count(1), min(sizes), below, sum(1 / size for size in sizes) / len(sizes)


def check(found: CandidateSets, values: list[object]) -> None:
    classes, unique, smallest, below, expected = counted(values)
    assert (found.classes, found.unique, found.smallest) == (classes, unique, smallest)
    assert found.below == below
    assert found.expected == pytest.approx(expected)
    assert sum(found.histogram.values()) == found.nodes == len(values)
    assert found.histogram["1"] == unique


@given(drawn_networks(most=6, least=2), st.data())
def test_figures_are_those_counted_by_hand(drawn: Drawn, data: st.DataObject) -> None:
    nodes, edges = drawn
    labels = data.draw(st.lists(st.integers(0, 1), min_size=nodes, max_size=nodes))
    risk = exposure(network_of(drawn, labels), neighbourhood=True)
    for name, rounds in ROUNDS.items():
        check(risk[name], refinement(nodes, edges, rounds))
    check(risk["H*"], stable_refinement(nodes, edges))
    degrees = refinement(nodes, edges, 1)
    check(risk["degree and label"], list(zip(degrees, labels, strict=True)))
    check(risk["H2 and labels"], refinement(nodes, edges, 2, labels))
    for name, known in (("neighbourhood", None), ("neighbourhood and labels", labels)):
        firsts: list[object] = [
            next(one for one in range(nodes) if neighbourhoods_alike(nodes, edges, one, node, known))
            for node in range(nodes)
        ]
        check(risk[name], firsts)
    assert risk.isolated == sum(not any(node in edge for edge in edges) for node in range(nodes))


@given(drawn_networks(most=9, least=2))
def test_more_knowledge_never_leaves_more_candidates(drawn: Drawn) -> None:
    risk = exposure(network_of(drawn), neighbourhood=True)
    order = [risk[name].classes for name in ("degree", "H2", "H3", "H*")]
    assert order == sorted(order)
    assert risk["neighbourhood"].classes >= risk["degree"].classes


def test_the_histogram_counts_nodes_by_their_candidates() -> None:
    sizes = [1, 2, 4, 5, 9, 10, 19, 20, 99, 100, 250]
    found = CandidateSets.of("degree", np.repeat(np.arange(len(sizes)), sizes))
    assert dict(found.histogram) == {
        "1": 1,
        "2 to 4": 6,
        "5 to 9": 14,
        "10 to 19": 29,
        "20 to 99": 119,
        "100 or more": 350,
    }


def test_a_network_without_labels_has_no_figures_about_them() -> None:
    risk = exposure(network_of((3, [(0, 1)])), neighbourhood=True)
    assert [one.knowledge for one in risk.by] == ["degree", "H2", "H3", "H*", "neighbourhood"]
    with pytest.raises(KeyError):
        risk["degree and label"]


def test_hubs_are_those_with_the_most_neighbours() -> None:
    edges = [(0, leaf) for leaf in range(1, 150)] + [(1, 2), (3, 4)]
    risk = exposure(Network.of_edges(200, np.array(edges)), neighbourhood=False)
    assert (risk.hubs.nodes, risk.hubs.unique, risk.hubs.least) == (5, 1, 2)
    assert "20.0 % unique" in str(risk.hubs)


@pytest.mark.parametrize("nodes", [0, 1])
def test_nobody_to_be_told_apart_is_no_exposure_of_nothing(nodes: int) -> None:
    with pytest.raises(BadInput, match="nobody"):
        exposure(network_of((nodes, [])))


class TestNeighbourhoodsLeftOut:
    network = Network.of_edges(3, np.array([[0, 1], [1, 2]]))

    def assert_not_known(self, risk: object) -> None:
        assert isinstance(risk, type(exposure(self.network, neighbourhood=False)))
        assert all(one.knowledge != "neighbourhood" for one in risk.by)
        (missing,) = [one for one in risk.figures() if one.name == "neighbourhood-unique"]
        assert missing.value is None
        assert "not looked at" in missing.said
        assert "neighbourhood_unique" not in risk.to_dict()

    def test_they_are_missing_and_not_nought_where_nobody_asked(self) -> None:
        self.assert_not_known(exposure(self.network, neighbourhood=False))

    def test_they_are_missing_where_it_takes_too_long(self, monkeypatch: pytest.MonkeyPatch) -> None:
        module = sys.modules[risk_function.__module__]
        monkeypatch.setattr(module, "MOST_WORK", 1)
        risk = exposure(self.network)
        self.assert_not_known(risk)
        assert "takes up to 2 steps" in str(risk)
        assert exposure(self.network, neighbourhood=True)["neighbourhood"].classes == 2

    def test_they_are_missing_without_igraph_and_refused_where_asked_for(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "igraph", None)
        bliss.igraph.cache_clear()
        try:
            risk = exposure(self.network)
            self.assert_not_known(risk)
            assert "sfumato[graph]" in str(risk)
            with pytest.raises(MissingPart):
                exposure(self.network, neighbourhood=True)
        finally:
            bliss.igraph.cache_clear()


def test_figures_and_numbers_hold_counts_and_shares_alone() -> None:
    labelled = Network.of_edges(3, np.array([[0, 1]]), np.array([0, 1, 1], np.int32), ("nurse", "doctor"))
    risk = exposure(labelled, neighbourhood=True)
    shown = str(risk) + "".join(map(str, risk.figures())) + str(risk.to_dict())
    assert "nurse" not in shown
    assert "doctor" not in shown
    assert all(figure.value is not None and 0 <= figure.value <= 1 for figure in risk.figures())
    assert len({figure.name for figure in risk.figures()}) == len(risk.figures())
    assert risk.to_dict()["degree_and_label_unique"] == 3


@pytest.mark.golden
@pytest.mark.parametrize("name", ["polbooks.gml.gz", "hamsterster.gml.gz", "ca-GrQc.txt.gz"])
def test_uniques_of_real_networks(shared: Path, name: str) -> None:
    risk = exposure(real_network(shared, name))
    uniques = tuple(risk[knowledge].unique for knowledge in ("degree", "H2", "neighbourhood"))
    assert (risk.nodes, risk.edges, *uniques) == KNOWN[name]
