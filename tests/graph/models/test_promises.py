"""Each promise against brute force, at its boundary, and what its verdict tells."""

from __future__ import annotations

import itertools
import json
import math
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput, MissingPart
from sfumato.graph.canonical import bliss
from sfumato.graph.contract import Statistics
from sfumato.graph.grouped import Grouped
from sfumato.graph.models import (
    DifferentialPrivacy,
    KAutomorphism,
    KDegree,
    KGrouping,
    KIsomorphism,
    KNeighbourhood,
    automorphisms,
)
from sfumato.graph.models.private import NOT_SECRET
from sfumato.graph.network import Network
from tests.graph.drawn import Drawn, drawn_networks, network_of
from tests.oracles import graph_models as oracle


def ring(length: int, start: int = 0) -> list[tuple[int, int]]:
    return [(start + at, start + (at + 1) % length) for at in range(length)]


class TestKDegree:
    @given(drawn_networks(most=9, least=1), st.integers(1, 10))
    def test_it_holds_where_counting_by_hand_says_so(self, drawn: Drawn, k: int) -> None:
        verdict = KDegree(k).check(network_of(drawn))
        reached = oracle.degree_k(*drawn)
        assert verdict.holds == (reached >= k)
        assert verdict.achieved == f"k = {reached}"
        assert (verdict.violations == 0) == verdict.holds == (verdict.witness is None)

    def test_the_witness_is_a_class_that_is_too_small(self) -> None:
        star = network_of((6, [(0, 1), (0, 2), (0, 3), (4, 5)]))
        verdict = KDegree(2).check(star)
        assert verdict.witness is not None
        assert (verdict.witness.rows, verdict.witness.size, verdict.violations) == ((1,), 1, 1)
        assert str(verdict).endswith("a class of 1 alike by degree (node 1)")

    @pytest.mark.golden
    def test_brute_forced_cases_have_the_anonymity_that_is_written(self, shared: Path) -> None:
        cases = json.loads((shared / "golden" / "graph.json").read_text())["min_edge_additions"]
        assert cases
        for case in cases:
            network = Network.of_edges(case["n"], np.array(case["edges"]))
            assert KDegree(1).check(network).achieved == f"k = {case['degree_anonymity_now']}"
            assert KNeighbourhood(1).check(network).achieved == f"k = {case['neighbourhood_anonymity_now']}"


class TestKNeighbourhood:
    @given(drawn_networks(most=6, least=1), st.integers(1, 6), st.booleans(), st.data())
    def test_it_holds_where_every_permutation_says_so(
        self, drawn: Drawn, k: int, labelled: bool, data: st.DataObject
    ) -> None:
        labels = data.draw(st.lists(st.integers(0, 1), min_size=drawn[0], max_size=drawn[0]))
        verdict = KNeighbourhood(k, labelled).check(network_of(drawn, labels))
        reached = oracle.neighbourhood_k(*drawn, labels if labelled else None)
        assert verdict.holds == (reached >= k)
        assert verdict.achieved == f"k = {reached}"

    @given(drawn_networks(most=9, least=1), st.integers(1, 5))
    def test_it_implies_k_degree(self, drawn: Drawn, k: int) -> None:
        network = network_of(drawn)
        assert KDegree(k).check(network).holds or not KNeighbourhood(k).check(network).holds

    def test_who_is_labelled_otherwise_is_not_alike(self) -> None:
        network = network_of((4, ring(4)), [0, 1, 0, 1])
        assert KNeighbourhood(4).check(network).holds
        assert KNeighbourhood(2, labelled=True).check(network).holds
        verdict = KNeighbourhood(3, labelled=True).check(network)
        assert not verdict.holds
        assert verdict.violations == 2
        assert not verdict.note

    def test_labelled_is_true_or_false(self) -> None:
        with pytest.raises(BadInput, match="labelled is true or false"):
            KNeighbourhood(2, labelled="yes")  # type: ignore[arg-type]

    def test_without_igraph_there_is_a_remedy(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "igraph", None)
        bliss.igraph.cache_clear()
        try:
            with pytest.raises(MissingPart, match=r"sfumato\[graph\]"):
                KNeighbourhood(2).check(network_of((2, [(0, 1)])))
            assert KDegree(2).check(network_of((2, [(0, 1)]))).holds
        finally:
            bliss.igraph.cache_clear()


class TestKGrouping:
    @given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.integers(1, 10))
    def test_it_holds_where_the_smallest_group_is_large_enough(self, sizes: list[int], k: int) -> None:
        number = len(sizes)
        grouped = Grouped(
            np.array(sizes), np.zeros(number, np.int64), np.zeros((0, 2), np.int64), np.zeros(0, np.int64)
        )
        verdict = KGrouping(k).check(grouped)
        assert verdict.holds == (min(sizes) >= k)
        assert verdict.achieved == f"k = {min(sizes)}"
        assert verdict.violations == sum(size < k for size in sizes)
        if verdict.witness is not None:
            assert sizes[verdict.witness.rows[0] - 1] == verdict.witness.size == min(sizes)

    def test_a_network_is_no_grouping(self) -> None:
        with pytest.raises(BadInput, match="about groups"):
            KGrouping(2).check(network_of((2, [(0, 1)])))


class TestKIsomorphism:
    @settings(max_examples=60, deadline=None)
    @given(drawn_networks(most=6, least=1), st.integers(1, 3))
    def test_it_holds_where_some_deal_of_nodes_says_so(self, drawn: Drawn, k: int) -> None:
        assert KIsomorphism(k).check(network_of(drawn)).holds == oracle.falls_into_lots(*drawn, k)

    @pytest.mark.parametrize("k", [1, 2, 3, 6])
    def test_six_copies_fall_into_as_many_lots_as_divide_six(self, k: int) -> None:
        copies = network_of((18, [edge for at in range(6) for edge in ring(3, 3 * at)]))
        assert KIsomorphism(k).check(copies).holds
        for other in (4, 5, 7, 12):
            verdict = KIsomorphism(other).check(copies)
            assert not verdict.holds
            assert verdict.achieved == "6 equal lots"
            assert verdict.witness is not None
            assert verdict.witness.size == 6

    def test_subgraphs_may_have_several_components(self) -> None:
        edges = ring(3) + ring(3, 3) + [(6, 7), (8, 9), (10, 11), (12, 13)]
        assert KIsomorphism(2).check(network_of((14, edges))).holds
        assert (
            not KIsomorphism(2)
            .check(network_of((12, ring(3) + ring(3, 3) + [(6, 7), (8, 9), (10, 11)])))
            .holds
        )

    def test_components_that_only_look_alike_are_told_apart(self) -> None:
        """A hexagon, and two triangles with as many nodes and edges of the same degrees."""
        assert not KIsomorphism(2).check(network_of((12, ring(6) + ring(3, 6) + ring(3, 9)))).holds

    def test_it_implies_k_automorphism(self) -> None:
        copies = network_of(
            (15, [edge for at in range(3) for edge in [*ring(4, 5 * at), (5 * at, 5 * at + 4)]])
        )
        assert KIsomorphism(3).check(copies).holds
        assert KAutomorphism(3).check(copies).holds


class TestKAutomorphism:
    def test_all_networks_of_up_to_five_nodes_are_decided_as_brute_force_says(self) -> None:
        for nodes in range(1, 6):
            pairs = list(itertools.combinations(range(nodes), 2))
            for kept in itertools.product((0, 1), repeat=len(pairs)):
                edges = list(itertools.compress(pairs, kept))
                degrees = sorted(sum(v in edge for edge in edges) for v in range(nodes))
                if degrees != [sum(v in edge for edge in edges) for v in range(nodes)]:
                    # One numbering of each is enough, or nearly so.
                    continue
                for k in range(1, nodes + 2):
                    verdict = KAutomorphism(k).check(network_of((nodes, edges)))
                    assert verdict.holds == oracle.has_automorphisms(nodes, edges, k), (nodes, edges, k)
                    assert "decided" not in verdict.note

    @settings(max_examples=60, deadline=None)
    @given(drawn_networks(most=6, least=6), st.integers(2, 4))
    def test_larger_ones_are_decided_as_brute_force_says(self, drawn: Drawn, k: int) -> None:
        assert KAutomorphism(k).check(network_of(drawn)).holds == oracle.has_automorphisms(*drawn, k)

    @pytest.mark.parametrize(("length", "k"), [(7, 7), (12, 12), (60, 60), (500, 400)])
    def test_a_ring_is_turned(self, length: int, k: int) -> None:
        assert KAutomorphism(k).check(network_of((length, ring(length)))).holds
        assert not KAutomorphism(length + 1).check(network_of((length, ring(length)))).holds

    def test_copies_are_moved_on_even_if_nothing_moves_within_them(self) -> None:
        """The smallest networks without an automorphism have six nodes."""
        rigid = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (1, 3)]
        assert not oracle.has_automorphisms(6, rigid, 2)
        several = network_of((18, [(a + 6 * at, b + 6 * at) for at in range(3) for a, b in rigid]))
        assert not KAutomorphism(2).check(network_of((6, rigid))).holds
        assert KAutomorphism(3).check(several).holds
        assert not KAutomorphism(4).check(several).holds

    def test_the_petersen_network_has_rotations_and_more_than_its_nodes_it_cannot_have(self) -> None:
        outer, inner = ring(5), [(5 + at, 5 + (at + 2) % 5) for at in range(5)]
        petersen = network_of((10, outer + inner + [(at, at + 5) for at in range(5)]))
        assert KAutomorphism(5).check(petersen).holds
        assert not KAutomorphism(11).check(petersen).holds

    def test_what_is_not_decided_does_not_hold_and_says_so(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(automorphisms, "MOST_CELLS", 0)
        monkeypatch.setattr(automorphisms, "FEW", 0)
        monkeypatch.setattr(automorphisms, "DRAWN", 0)
        monkeypatch.setattr(automorphisms, "MOST_WORK", 0)
        verdict = KAutomorphism(12).check(network_of((12, ring(12))))
        assert not verdict.holds
        assert "not decided" in verdict.note
        assert "not decided" in verdict.achieved

    def test_a_map_that_is_no_automorphism_proves_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(automorphisms, "_generators", lambda network: [[1, 2, 3, 4, 5, 0]])
        assert automorphisms.disjoint_automorphisms(network_of((6, ring(3) + ring(3, 3))), 6).least == 1

    def test_refinement_alone_refuses_without_igraph(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "igraph", None)
        bliss.igraph.cache_clear()
        try:
            assert not KAutomorphism(2).check(network_of((3, [(0, 1), (1, 2)]))).holds
        finally:
            bliss.igraph.cache_clear()


class TestDifferentialPrivacy:
    FIGURES = Statistics({}, "degree-sequence")

    def test_the_comparison_is_exact_and_the_boundary_holds(self) -> None:
        edge = {"neighbours": "edge"}
        check = DifferentialPrivacy("0.3").check
        assert check(self.FIGURES, spent={"epsilon": 0.3}, details=edge).holds
        assert not check(self.FIGURES, spent={"epsilon": 0.1 + 0.2}, details=edge).holds
        both = DifferentialPrivacy(1, "1e-6")
        assert both.check(self.FIGURES, spent={"epsilon": 1, "delta": 1e-6}, details=edge).holds
        assert (
            not DifferentialPrivacy(1)
            .check(self.FIGURES, spent={"epsilon": 1, "delta": 1e-9}, details=edge)
            .holds
        )

    @pytest.mark.parametrize("spent", [{}, {"delta": 0.1}, {"epsilon": 0.0}, {"epsilon": math.inf}])
    def test_what_names_no_epsilon_holds_no_promise(self, spent: dict[str, float]) -> None:
        verdict = DifferentialPrivacy(1).check(self.FIGURES, spent=spent, details={"neighbours": "edge"})
        assert not verdict.holds
        assert verdict.achieved == "no ε"

    def test_noise_for_edges_is_none_for_nodes_nor_the_other_way(self) -> None:
        for asked, kept in itertools.permutations(("edge", "node")):
            model = DifferentialPrivacy(1, neighbours=asked)  # type: ignore[arg-type]
            assert not model.check(self.FIGURES, spent={"epsilon": 1}, details={"neighbours": kept}).holds
            assert not model.check(self.FIGURES, spent={"epsilon": 1}).holds
            assert model.check(self.FIGURES, spent={"epsilon": 1}, details={"neighbours": asked}).holds
            said = {"neighbours": f"one {asked} more or less"}
            assert model.check(self.FIGURES, spent={"epsilon": 1}, details=said).holds

    def test_noise_of_a_generator_holds_no_promise(self) -> None:
        details = {"neighbours": "edge", NOT_SECRET: "seeded"}
        verdict = DifferentialPrivacy(1).check(self.FIGURES, spent={"epsilon": 1}, details=details)
        assert not verdict.holds
        assert "not to be published" in str(verdict)

    @pytest.mark.parametrize(
        ("epsilon", "delta", "neighbours"),
        [(0, 0, "edge"), (-1, 0, "edge"), (1001, 0, "edge"), (1, 1, "edge"), (1, -1, "node"), (1, 0, "both")],
    )
    def test_parameters_that_promise_nothing_are_refused(
        self, epsilon: float, delta: float, neighbours: str
    ) -> None:
        with pytest.raises(BadInput):
            DifferentialPrivacy(epsilon, delta, neighbours)  # type: ignore[arg-type]

    def test_nodes_hide_more_than_edges(self) -> None:
        assert set(DifferentialPrivacy(1).protects_from) < set(
            DifferentialPrivacy(1, neighbours="node").protects_from
        )
