"""Promises against their definitions, and methods against promises: everything small, and what is awkward."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.graph.canonical import neighbourhood_forms
from sfumato.graph.contract import Demand, Method, Model, Problem
from sfumato.graph.grouped import Grouped
from sfumato.graph.methods.degree import REALISATIONS, KDegreeMethod
from sfumato.graph.methods.grouping import KGroupingMethod
from sfumato.graph.methods.neighbourhood import KNeighbourhoodMethod
from sfumato.graph.models import (
    KAutomorphism,
    KDegree,
    KGrouping,
    KIsomorphism,
    KNeighbourhood,
    automorphisms,
)
from sfumato.graph.network import Network
from tests.oracles import graph_models as oracle
from tests.oracles.graph_degree import degrees_of, smallest_class
from tests.oracles.graph_neighbourhood import fewest_alike
from tests.oracles.graph_worlds import counts_of

Edges = list[tuple[int, int]]


def named(nodes: int, edges: Sequence[tuple[int, int]], labels: Sequence[int] | None = None) -> Network:
    kept = None if labels is None else np.array(labels, np.int32)
    words = () if labels is None else tuple("abcdef")
    return Network.of_edges(nodes, np.array(edges, np.int64).reshape(-1, 2), kept, words)


def edges_of(network: Network) -> Edges:
    return [(int(one), int(other)) for one, other in network.pairs()]


def every_network(most: int) -> list[tuple[int, Edges]]:
    """Return one of each that differ, with up to six nodes, its nodes numbered by chance."""
    chance = np.random.default_rng(7)
    found = []
    for graph in networkx.graph_atlas_g():
        nodes = graph.number_of_nodes()
        if 1 <= nodes <= most:
            number = chance.permutation(nodes).tolist()
            found.append((nodes, [(number[one], number[other]) for one, other in graph.edges()]))
    return found


def test_of_every_network_of_six_nodes_every_promise_holds_as_it_is_defined() -> None:
    networks = every_network(6)
    assert len(networks) == 1 + 2 + 4 + 11 + 34 + 156
    for nodes, edges in networks:
        network = named(nodes, edges)
        degree, neighbourhood = oracle.degree_k(nodes, edges), fewest_alike(nodes, edges)
        disjoint = 1
        while oracle.has_automorphisms(nodes, edges, disjoint + 1):
            disjoint += 1
        for k in range(1, nodes + 2):
            verdict = KAutomorphism(k).check(network)
            assert verdict.holds == (k <= disjoint), (nodes, edges, k)
            assert "decided" not in verdict.note
            assert KDegree(k).check(network).holds == (k <= degree), (nodes, edges, k)
            assert KNeighbourhood(k).check(network).holds == (k <= neighbourhood), (nodes, edges, k)
        for k in (2, 3):
            assert KIsomorphism(k).check(network).holds == oracle.falls_into_lots(nodes, edges, k)


def test_components_are_not_run_together() -> None:
    """Neighbours a–b and c of the one, a and b–c of the other: the same letters in the same order."""
    edges = [(0, 1), (0, 2), (0, 3), (1, 2), (4, 5), (4, 6), (4, 7), (6, 7)]
    labels = [0, 1, 2, 3, 0, 1, 2, 3]
    alike = neighbourhood_forms(named(8, edges, labels), labelled=True)
    assert alike[0] != alike[4]
    assert neighbourhood_forms(named(8, edges))[0] == neighbourhood_forms(named(8, edges))[4]


def test_neighbourhoods_of_several_parts_that_refinement_confuses_are_told_apart() -> None:
    """Strongly regular networks on 16 nodes with the same figures, alone and in pairs, under a hub each."""
    rook = [
        (4 * a + b, 4 * c + d)
        for (a, b), (c, d) in itertools.combinations(itertools.product(range(4), repeat=2), 2)
        if (a == c) != (b == d)
    ]
    steps = [(1, 0), (0, 1), (1, 1)]
    shrikhande = [
        (4 * a + b, 4 * ((a + x) % 4) + (b + y) % 4) for a in range(4) for b in range(4) for x, y in steps
    ]
    kinds = [[rook], [shrikhande], [rook, rook], [rook, shrikhande], [shrikhande, rook]]
    edges, hubs, at = [], [], 0
    for kind in kinds:
        hub = at + 16 * len(kind)
        for part in kind:
            edges += [(one + at, other + at) for one, other in part]
            edges += [(hub, node) for node in range(at, at + 16)]
            at += 16
        hubs.append(hub)
        at += 1
    number = np.random.default_rng(2).permutation(at)
    classes = neighbourhood_forms(named(at, number[np.array(edges)].tolist()))[number[hubs]].tolist()
    assert len(set(classes)) == 4
    assert classes[3] == classes[4]


def test_a_long_ring_is_decided_without_writing_all_its_turns_down() -> None:
    ring = named(4000, [(at, (at + 1) % 4000) for at in range(4000)])
    assert KAutomorphism(4000).check(ring).holds
    assert not KAutomorphism(4001).check(ring).holds


@st.composite
def awkward(draw: st.DrawFn) -> tuple[int, Edges]:
    """Draw networks that methods stumble over: stars, all but complete ones, parts, nodes without edges."""
    size = draw(st.integers(1, 9))
    edges: Edges = []
    nodes = 0
    for kind in draw(
        st.lists(st.sampled_from(["star", "complete", "ring", "chance"]), min_size=1, max_size=2)
    ):
        pairs = list(itertools.combinations(range(size), 2))
        inside = {
            "star": [(0, at) for at in range(1, size)],
            "complete": pairs,
            "ring": [pair for pair in pairs if pair[1] - pair[0] in (1, size - 1)],
            "chance": pairs if not pairs else draw(st.lists(st.sampled_from(pairs), unique=True)),
        }[kind]
        edges += [(one + nodes, other + nodes) for one, other in inside]
        nodes += size
    for _ in range(draw(st.integers(0, min(2, len(edges))))):
        edges.pop(draw(st.integers(0, len(edges) - 1)))
    return nodes + draw(st.integers(0, 3)), edges


METHODS: list[Method] = [
    *(KDegreeMethod(realise=way, search=by) for way in REALISATIONS for by in ("exact", "greedy")),
    KGroupingMethod(search=50),
    KNeighbourhoodMethod(tries=2),
]


KINDS: dict[str, st.SearchStrategy[Model]] = {
    "degree": st.builds(KDegree, st.integers(1, 12)),
    "neighbourhood": st.builds(KNeighbourhood, st.integers(1, 12), labelled=st.booleans()),
    "group": st.builds(KGrouping, st.integers(1, 12)),
    "automorphism": st.builds(KAutomorphism, st.integers(1, 12)),
    "isomorphism": st.builds(KIsomorphism, st.integers(1, 12)),
}


@st.composite
def asked(draw: st.DrawFn) -> tuple[Method, tuple[Model, ...]]:
    """Draw a method and one promise or several, mostly such as it can keep."""
    method = draw(st.sampled_from(METHODS))
    kept = [kind for by, kind in KINDS.items() if method.enforces(Demand(by, 2))]
    kinds = st.one_of(list(KINDS.values()) if draw(st.integers(0, 9)) == 0 else kept)
    return method, tuple(draw(st.lists(kinds, min_size=1, max_size=3)))


def holds_by_hand(model: Model, published: Network | Grouped) -> bool:
    """Count again, without anything that methods or models use."""
    k = model.demand().people
    if isinstance(published, Grouped):
        return isinstance(model, KGrouping) and min(published.sizes.tolist()) >= k
    edges = edges_of(published)
    if isinstance(model, KDegree):
        return smallest_class(degrees_of(published.nodes, edges)) >= k
    assert isinstance(model, KNeighbourhood)
    labels = None
    if model.labelled and published.labels is not None:
        labels = [published.words.index(published.words[label]) for label in published.labels]
    return fewest_alike(published.nodes, edges, labels) >= k


@settings(deadline=None, max_examples=120)
@given(awkward(), asked(), st.booleans())
def test_every_method_keeps_every_promise_or_says_that_it_does_not(
    drawn: tuple[int, Edges], wanted: tuple[Method, tuple[Model, ...]], labelled: bool
) -> None:
    nodes, edges = drawn
    method, models = wanted
    network = named(nodes, edges, [node % 2 for node in range(nodes)] if labelled else None)
    try:
        found = method.protect(Problem(network, models))
    except (BadInput, PromiseNotMet):
        known = all(method.enforces(model.demand()) for model in models)
        people = max(model.demand().people for model in models)
        by_label = labelled and any(model.demand().labelled for model in models)
        assert not known or people > nodes or (by_label and people > nodes // 2)
        return
    published = found.published
    assert isinstance(published, Network | Grouped)
    assert published.nodes == nodes
    assert all(holds_by_hand(model, published) and model.check(published).holds for model in models)
    if isinstance(published, Network):
        before, after = set(map(frozenset, edges)), set(map(frozenset, edges_of(published)))
        assert found.details["edges added"] == len(after - before)
        assert found.details.get("edges removed", 0) == len(before - after)
        if not isinstance(method, KDegreeMethod) or method.realise == "supergraph":
            assert before <= after
        return
    assert found.group is not None
    group = found.group.tolist()
    assert Counter(group) == dict(enumerate(published.sizes.tolist()))
    told = Counter({(at, at): inner for at, inner in enumerate(published.inside.tolist()) if inner})
    told.update(
        {
            (a, b): count
            for (a, b), count in zip(published.links.tolist(), published.between.tolist(), strict=True)
        }
    )
    assert told == counts_of(edges, group)


@pytest.mark.parametrize("realise", REALISATIONS)
def test_everybody_alike_but_for_one_edge(realise: str) -> None:
    """n = k and n = k + 1 where nearly all are connected: no degree can rise above n − 1."""
    for nodes in range(2, 12):
        pairs = list(itertools.combinations(range(nodes), 2))
        for missing in ([(0, 1)], [(0, 1), (0, nodes - 1)], pairs[: nodes - 1]):
            network = named(nodes, [pair for pair in pairs if pair not in missing])
            for k in {nodes, nodes - 1}:
                found = KDegreeMethod(realise=realise).protect(Problem(network, (KDegree(k),)))  # type: ignore[arg-type]
                assert isinstance(found.published, Network)
                degrees = degrees_of(nodes, edges_of(found.published))
                assert smallest_class(degrees) >= k
                assert max(degrees) <= nodes - 1


def test_a_grouping_that_is_too_small_is_not_handed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a search does, what it found is asked again."""
    method = KGroupingMethod()
    monkeypatch.setattr(
        KGroupingMethod, "_groups", lambda self, network, k, progress: (np.array([0, 0, 0, 1]), {})
    )
    with pytest.raises(PromiseNotMet, match="k-grouping does not hold: required k ≥ 2, achieved k = 1"):
        method.protect(Problem(named(4, [(0, 1), (1, 2)]), (KGrouping(2),)))


def test_automorphisms_that_agree_somewhere_prove_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two turns of a ring over, each without a fixed node, that take two nodes to the same places."""
    turned = [np.array([1, 0, 3, 2]), np.array([1, 2, 3, 0])]
    monkeypatch.setattr(automorphisms, "shortest_cycle", lambda permutation: 0)
    monkeypatch.setattr(
        automorphisms, "_differing", lambda nodes, known, wanted: ([np.arange(4), *turned], True)
    )
    ring = named(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
    assert automorphisms.disjoint_automorphisms(ring, 3).least == 1


def test_orbits_that_are_large_enough_are_not_enough_and_that_is_decided() -> None:
    """Three points, the six ways from one to another, two senses of rotation.

    Every node has another that looks the same; but what leaves no point where it is keeps the sense.
    """
    ways = list(itertools.permutations(range(3), 2))
    number = {way: 5 + at for at, way in enumerate(ways)}
    edges = [(number[way], way[0]) for way in ways]
    edges += [(number[way], 3 if (way[1] - way[0]) % 3 == 1 else 4) for way in ways]
    edges += [(number[a, b], number[b, a]) for a, b in itertools.combinations(range(3), 2)]
    verdict = KAutomorphism(2).check(named(11, edges))
    assert not verdict.holds
    assert verdict.achieved == "k = 1"
    assert not verdict.note


def test_labels_that_lie_too_far_apart_for_refinement_are_told_apart() -> None:
    """Rings of 24 around a hub, two nodes labelled otherwise: ten steps apart, twelve, and ten elsewhere."""
    marked = [(0, 10), (0, 12), (7, 21)]
    edges, labels = [], []
    for at, two in enumerate(marked):
        first = 25 * at
        edges += [(first + one, first + (one + 1) % 24) for one in range(24)]
        edges += [(first + 24, first + one) for one in range(24)]
        labels += [int(one in two) for one in range(24)] + [2]
    network = named(75, edges, labels)
    with_labels = neighbourhood_forms(network, labelled=True)[[24, 49, 74]].tolist()
    assert with_labels[0] != with_labels[1]
    assert with_labels[0] == with_labels[2]
    without = neighbourhood_forms(network)[[24, 49, 74]].tolist()
    assert len(set(without)) == 1
