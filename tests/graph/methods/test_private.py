"""Statistics with noise: the noise that was promised, what is published, and what is refused.

The false alarms of this file: each audit of a sound method is refuted with probability 1e-8 at most, and each
test of draws fails with probability below 1e-7.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import pytest
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.randomness import SeededRandom
from sfumato.dp.audit.auditor import audit
from sfumato.dp.mechanisms.laplace import DiscreteLaplace
from sfumato.graph import simulate
from sfumato.graph.contract import Demand, Method, Problem, Statistics
from sfumato.graph.methods import METHODS
from sfumato.graph.methods.private_counts import Count, DpCounts
from sfumato.graph.methods.private_degree_histogram import DpDegreeHistogram
from sfumato.graph.methods.private_degree_sequence import DpDegreeSequence
from sfumato.graph.methods.private_ladder import Ladder
from sfumato.graph.methods.private_noise import Differing
from sfumato.graph.models.private import DifferentialPrivacy
from sfumato.graph.network import Network
from sfumato.graph.statistics import degree_histogram, triangle_count, wedges
from tests.oracles import dp_noise
from tests.oracles import graph_private as oracle

CONFIDENCE = 1 - 1e-8
NODE = Differing.NODE
MANY = simulate.barabasi_albert(300, 4)
Private = DpDegreeSequence | DpDegreeHistogram | DpCounts
EVERY: list[Private] = [
    DpDegreeSequence(1),
    DpDegreeSequence(1, graphic=True),
    DpDegreeHistogram(1),
    DpDegreeHistogram(1, theta=20),
    DpDegreeHistogram(1, cumulative=False),
    DpDegreeHistogram(1, NODE, 10),
    DpDegreeHistogram(1, NODE, 10, cumulative=False),
    DpCounts(Count.NODES, 1, NODE),
    DpCounts(Count.EDGES, 1),
    DpCounts(Count.EDGES, 1, NODE, 10),
    DpCounts(Count.WEDGES, 1, theta=10),
    DpCounts(Count.WEDGES, 1, NODE, 10),
    DpCounts(Count.TRIANGLES, 1),
]


def network(nodes: int, *edges: tuple[int, int]) -> Network:
    return Network.of_edges(nodes, np.array(edges, np.int64).reshape(-1, 2))


def figures(method: Method, on: Network, random: Any = None) -> dict[str, NDArray[np.float64]]:
    made = method.protect(Problem(on, ()), random=random)  # type: ignore[call-arg]  # all of ours take it
    assert isinstance(made.published, Statistics)
    return dict(made.published.columns)


def differs(method: Private) -> Literal["edge", "node"]:
    return "edge" if isinstance(method, DpDegreeSequence) or method.neighbours == "edge" else "node"


@pytest.mark.parametrize("method", EVERY, ids=repr)
class TestEveryMethod:
    def test_columns_are_of_equal_length_and_never_negative(self, method: Private) -> None:
        for on in (MANY, network(3), network(5, (0, 1), (3, 4))):
            columns = figures(method, on)
            assert len({len(column) for column in columns.values()}) == 1
            assert all((column >= 0).all() for column in columns.values())

    def test_noise_is_secret_unless_a_test_says_otherwise(self, method: Private) -> None:
        def told() -> list[list[float]]:
            return [column.tolist() for column in figures(method, MANY).values()]

        first = told()
        assert any(told() != first for _ in range(60))
        seeded = [figures(method, MANY, SeededRandom(4)) for _ in range(2)]
        assert all(seeded[0][name].tolist() == seeded[1][name].tolist() for name in seeded[0])

    def test_the_promise_holds_for_its_neighbours_unless_a_seed_was_used(self, method: Private) -> None:
        promise = DifferentialPrivacy(1, neighbours=differs(method))
        other = DifferentialPrivacy(1, neighbours="node" if promise.neighbours == "edge" else "edge")
        made = method.protect(Problem(MANY, (promise,)))
        assert made.spent == {"epsilon": 1.0}
        assert promise.check(made.published, spent=made.spent, details=made.details).holds
        assert not other.check(made.published, spent=made.spent, details=made.details).holds
        seeded = method.protect(Problem(MANY, (promise,)), random=SeededRandom(1))
        assert not promise.check(made.published, spent=seeded.spent, details=seeded.details).holds

    def test_it_never_spends_more_than_is_promised(self, method: Private) -> None:
        kind = differs(method)
        assert method.enforces(DifferentialPrivacy(1, neighbours=kind).demand())
        less = DifferentialPrivacy("0.99", neighbours=kind)
        other = DifferentialPrivacy(1, neighbours="node" if kind == "edge" else "edge")
        for promise in (less, other):
            assert not method.enforces(promise.demand())
            with pytest.raises(PromiseNotMet):
                method.protect(Problem(MANY, (promise,)))
        assert not method.enforces(Demand("degree", 5))
        assert not method.enforces(Demand("noise"))

    def test_what_it_says_of_itself_does_not_depend_on_the_data(self, method: Private) -> None:
        said = [method.protect(Problem(on, ())).details for on in (MANY, network(300))]
        assert said[0] == said[1]
        assert METHODS[method.name] is type(method)
        assert not method.truthful


SCALES: list[tuple[Private, Fraction]] = [
    (DpDegreeSequence("0.1"), Fraction(20)),
    (DpDegreeHistogram("0.1"), Fraction(20)),
    (DpDegreeHistogram("0.1", cumulative=False), Fraction(40)),
    (DpDegreeHistogram("0.1", NODE, 7), Fraction(80)),
    (DpDegreeHistogram("0.1", NODE, 7, cumulative=False), Fraction(150)),
    (DpCounts(Count.NODES, "0.1", NODE), Fraction(10)),
    (DpCounts(Count.EDGES, "0.1"), Fraction(10)),
    (DpCounts(Count.EDGES, "0.1", NODE, 7), Fraction(70)),
    (DpCounts(Count.WEDGES, "0.1", theta=7), Fraction(120)),
    (DpCounts(Count.WEDGES, "0.1", NODE, 7), Fraction(630)),
]


@pytest.mark.parametrize(("method", "scale"), SCALES, ids=repr)
def test_noise_is_drawn_with_sensitivity_over_epsilon(
    method: Private, scale: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Fraction] = []

    def add(self: DiscreteLaplace, values: NDArray[np.int64], random: Any = None) -> NDArray[np.int64]:
        asked.append(self.scale)
        return values

    monkeypatch.setattr(DiscreteLaplace, "add", add)
    made = method.protect(Problem(MANY, ()))
    assert asked == [scale]
    assert made.details["scale"] == float(scale)


class TestBudget:
    @pytest.mark.parametrize("make", [DpDegreeSequence, DpDegreeHistogram, lambda: DpCounts(Count.EDGES)])
    def test_without_an_epsilon_the_least_that_is_promised_is_spent(
        self, make: Callable[[], Private]
    ) -> None:
        promises = (DifferentialPrivacy(2), DifferentialPrivacy("0.5"))
        assert make().protect(Problem(MANY, promises)).spent == {"epsilon": 0.5}
        with pytest.raises(BadInput, match="no epsilon"):
            make().protect(Problem(MANY, ()))

    @pytest.mark.parametrize("epsilon", [0, -1, "many", float("nan"), 10**4, True])
    def test_an_epsilon_that_makes_no_sense_is_refused(self, epsilon: Any) -> None:
        for make in (DpDegreeSequence, DpDegreeHistogram, lambda given: DpCounts(Count.EDGES, given)):
            with pytest.raises(BadInput):
                make(epsilon)


class TestDegreeSequence:
    def test_much_budget_gives_the_degrees_themselves(self) -> None:
        found = figures(DpDegreeSequence(200), MANY)
        assert found["degree"].tolist() == np.sort(MANY.degrees()).tolist()

    def test_order_takes_most_of_the_noise_away(self) -> None:
        exact = np.sort(MANY.degrees())
        noise = 2 * (2 / 0.5) ** 2 * MANY.nodes
        found = figures(DpDegreeSequence("0.5"), MANY, SeededRandom(1))
        assert ((found["degree"] - exact) ** 2).sum() < noise / 5

    def test_numbers_ascend_and_stay_within_what_nodes_can_have(self) -> None:
        found = figures(DpDegreeSequence("0.01"), MANY)["degree"]
        assert (np.diff(found) >= 0).all()
        assert found.max() <= MANY.nodes - 1

    def test_graphic_numbers_are_degrees_of_a_network(self) -> None:
        import networkx as nx

        for epsilon in ("0.05", 1):
            found = figures(DpDegreeSequence(epsilon, graphic=True), MANY)["degree"]
            assert nx.is_graphical(found.astype(int).tolist())

    def test_nobody_at_all_is_refused(self) -> None:
        with pytest.raises(BadInput, match="no nodes"):
            figures(DpDegreeSequence(1), network(0))


class TestDegreeHistogram:
    @pytest.mark.parametrize("cumulative", [True, False])
    @pytest.mark.parametrize("neighbours", list(Differing))
    def test_much_budget_gives_the_histogram_itself(self, neighbours: Differing, cumulative: bool) -> None:
        most = int(MANY.degrees().max())
        found = figures(DpDegreeHistogram(1000, neighbours, most + 2, cumulative=cumulative), MANY)
        assert found["degree"].tolist() == list(range(most + 3))
        exact = np.append(degree_histogram(MANY), [0, 0])
        assert np.abs(found["nodes"] - exact).max() <= (0 if neighbours is Differing.EDGE else 2)

    def test_degrees_beyond_the_bound_count_as_the_bound(self) -> None:
        found = figures(DpDegreeHistogram(1000, theta=6), MANY)["nodes"]
        exact = degree_histogram(MANY)
        assert found.tolist() == [*exact[:6].tolist(), exact[6:].sum()]

    def test_the_number_of_nodes_is_public_for_edges_alone(self) -> None:
        for_edges = figures(DpDegreeHistogram("0.1"), MANY)["nodes"].sum()
        assert for_edges == pytest.approx(300)
        for_people = {figures(DpDegreeHistogram("0.1", NODE, 10), MANY)["nodes"].sum() for _ in range(4)}
        assert len(for_people) > 1

    def test_an_empty_network_is_published_like_any_other_where_people_are_hidden(self) -> None:
        assert len(figures(DpDegreeHistogram(1, NODE, 4), network(0))["nodes"]) == 5

    @pytest.mark.parametrize("theta", [None, 0, -1, 2.5, True])
    def test_people_need_a_bound_that_makes_sense(self, theta: Any) -> None:
        with pytest.raises(BadInput, match="theta"):
            DpDegreeHistogram(1, NODE, theta)

    def test_other_neighbours_are_refused(self) -> None:
        with pytest.raises(BadInput, match="edge"):
            DpDegreeHistogram(1, "person")  # type: ignore[arg-type]


class TestCounts:
    def test_much_budget_gives_the_counts_themselves(self) -> None:
        most = int(MANY.degrees().max())
        exact = {
            "nodes": (DpCounts(Count.NODES, 1000, NODE), 300),
            "edges": (DpCounts(Count.EDGES, 1000), MANY.edges),
            "wedges": (DpCounts(Count.WEDGES, 1000, theta=most), int(wedges(MANY).sum())),
            "triangles": (DpCounts(Count.TRIANGLES, 1000), triangle_count(MANY)),
        }
        for name, (method, wanted) in exact.items():
            assert abs(figures(method, MANY)[name][0] - wanted) <= 3

    @pytest.mark.parametrize(
        ("method", "exact"),
        [
            (DpCounts(Count.EDGES, "0.5"), 100),
            (DpCounts(Count.EDGES, "0.5", NODE, 3), 100),
            (DpCounts(Count.WEDGES, 1, theta=3), 100),
        ],
        ids=repr,
    )
    def test_noise_is_discrete_laplace_of_the_scale_that_is_said(self, method: DpCounts, exact: int) -> None:
        ring, source = simulate.watts_strogatz(100, 2, 0.0), SeededRandom(11)
        made = [method.protect(Problem(ring, ()), random=source) for _ in range(2000)]
        drawn = np.array([int(m.published.columns[method.count.value][0]) - exact for m in made])  # type: ignore[union-attr]
        scale = Fraction(method.sensitivity() or 0) / Fraction(str(method.epsilon))
        assert made[0].details["scale"] == float(scale)
        assert dp_noise.looks_like(drawn, dp_noise.laplace(scale, int(30 * scale)))

    @pytest.mark.parametrize(("nodes", "shared", "epsilon"), [(6, 2, "1"), (40, 3, "0.5"), (100, 0, "2")])
    def test_rungs_are_drawn_as_the_ladder_says(self, nodes: int, shared: int, epsilon: str) -> None:
        source, rate = SeededRandom(5), Fraction(epsilon)
        drawn = np.array([Ladder(nodes, shared).draw(100, rate, source) for _ in range(1200)]) - 100
        assert dp_noise.looks_like(drawn, oracle.ladder(nodes, shared, rate, 1500))

    def test_counts_stay_within_what_nodes_allow(self) -> None:
        full = network(4, (0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
        limits = {Count.EDGES: 6, Count.WEDGES: 12, Count.TRIANGLES: 4}
        for count, most in limits.items():
            theta = 3 if count is Count.WEDGES else None
            found = [figures(DpCounts(count, "0.1", theta=theta), full)[count.value][0] for _ in range(50)]
            assert 0 <= min(found) <= max(found) == most

    def test_two_people_have_no_triangles_and_none_are_made_up(self) -> None:
        assert figures(DpCounts(Count.TRIANGLES, "0.1"), network(2, (0, 1)))["triangles"].tolist() == [0.0]

    @pytest.mark.parametrize(
        ("count", "neighbours", "theta", "said"),
        [
            ("nodes", "edge", None, "public"),
            ("triangles", "node", 5, "no bound"),
            ("edges", "node", None, "theta"),
            ("edges", "edge", 5, "needs no bound"),
            ("wedges", "edge", 1, "at least 2"),
            ("triangle", "edge", None, "triangles"),
        ],
    )
    def test_what_cannot_be_kept_is_refused(
        self, count: Any, neighbours: Any, theta: int | None, said: str
    ) -> None:
        with pytest.raises(BadInput, match=said):
            DpCounts(count, 1, neighbours, theta)


K4 = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
AUDITED: list[tuple[Callable[[Any], Private], Network, Network]] = [
    (DpDegreeSequence, network(2), network(2, (0, 1))),
    (DpDegreeHistogram, network(3, (0, 1)), network(3, (0, 1), (0, 2))),
    (lambda e: DpDegreeHistogram(e, cumulative=False), network(2), network(2, (0, 1))),
    (lambda e: DpDegreeHistogram(e, NODE, 2), network(8), network(9)),
    (lambda e: DpCounts(Count.EDGES, e, NODE, 2), network(8, *K4), network(9, *K4, (4, 8), (5, 8))),
    (lambda e: DpCounts(Count.TRIANGLES, e), network(20, *K4[1:]), network(20, *K4)),
]


def repeatedly(method: Private) -> Callable[[Network, int], NDArray[np.float64]]:
    def draw(on: Network, runs: int) -> NDArray[np.float64]:
        return np.array([np.concatenate(list(figures(method, on).values())) for _ in range(runs)])

    return draw


@pytest.mark.parametrize(("make", "one", "other"), AUDITED)
def test_an_audit_of_neighbours_refutes_nothing(
    make: Callable[[Any], Private], one: Network, other: Network
) -> None:
    found = audit(repeatedly(make(1)), (one, other), 1, samples=800, confidence=CONFIDENCE)
    assert not found.refuted


@pytest.mark.parametrize(("make", "one", "other"), AUDITED[:4])
def test_an_audit_finds_what_is_claimed_too_low(
    make: Callable[[Any], Private], one: Network, other: Network
) -> None:
    """The same runs, with noise for ε = 6, do not pass for ε = 1."""
    assert audit(repeatedly(make(6)), (one, other), 1, samples=800, confidence=CONFIDENCE).refuted
