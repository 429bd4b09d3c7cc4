"""What is promised, spent and told of a price: exactly, and rounded to the safe side where a float is told.

False alarms: each audit of a sound method is refuted with probability 1e-8 at most.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.dp.audit.auditor import audit
from sfumato.dp.exact import exact, written_above, written_below
from sfumato.graph.contract import Problem, Statistics
from sfumato.graph.grouped import Grouped
from sfumato.graph.methods import DpCounts, DpDegreeHistogram, DpDegreeSequence
from sfumato.graph.methods.private_counts import Count
from sfumato.graph.methods.private_noise import Differing
from sfumato.graph.models import DifferentialPrivacy
from sfumato.graph.network import Network
from sfumato.recipe.graph.api import protect_graph

Private = DpDegreeSequence | DpDegreeHistogram | DpCounts
NODE = Differing.NODE
JUST_LESS = "0.09999999999999999999"
"""a float would be 0.1, which is more"""


def network(nodes: int, *edges: tuple[int, int]) -> Network:
    return Network.of_edges(nodes, np.array(edges, np.int64).reshape(-1, 2))


RING = network(4, (0, 1), (1, 2), (2, 3), (3, 0))
NONE = np.zeros(0, np.int64)
GROUPS = Grouped(np.array([4]), np.array([4]), NONE.reshape(0, 2), NONE)


@given(st.fractions(Fraction(1, 10**9), 1000))
def test_a_float_is_told_on_the_side_that_was_asked_for(price: Fraction) -> None:
    below, above = written_below(price), written_above(price)
    assert exact(below) <= price <= exact(above)
    assert above - below <= 4 * np.spacing(float(price))


@given(st.integers(1, 10**9), st.integers(0, 9))
def test_a_price_that_a_float_can_tell_is_told_as_it_is(units: int, places: int) -> None:
    price = Fraction(units, 10**places)
    assert written_below(price) == written_above(price) == float(price)


@pytest.mark.parametrize("epsilon", [Fraction(1, 3), Fraction(2, 7), "0.1000000000000000001"])
def test_no_less_is_said_to_be_spent_than_was(epsilon: Any) -> None:
    for method in (DpDegreeSequence(epsilon), DpDegreeHistogram(epsilon), DpCounts(Count.EDGES, epsilon)):
        made = method.protect(Problem(RING, ()))
        assert exact(made.spent["epsilon"]) >= exact(epsilon)


@pytest.mark.parametrize("neighbours", list(Differing))
def test_a_promise_between_two_floats_is_kept(neighbours: Differing) -> None:
    promise = DifferentialPrivacy(JUST_LESS, neighbours=neighbours.value)
    assert exact(promise.demand().epsilon or 0) <= exact(JUST_LESS)
    made = DpDegreeHistogram(neighbours=neighbours, theta=3).protect(Problem(RING, (promise,)))
    assert promise.check(made.published, spent=made.spent, details=made.details).holds
    assert not DpDegreeHistogram("0.1", neighbours, 3).enforces(promise.demand())


@pytest.mark.parametrize("published", [RING, GROUPS], ids=["a network", "groups"])
def test_nothing_but_figures_can_have_noise(published: Network | Grouped) -> None:
    """A network with a price written beside it is still the network."""
    verdict = DifferentialPrivacy(1).check(published, spent={"epsilon": 1}, details={"neighbours": "edge"})
    assert not verdict.holds
    assert "no figures" in str(verdict)


@pytest.mark.parametrize("method", [None, DpDegreeSequence(), "dp-degree-sequence", "k-degree"])
def test_a_network_is_not_released_under_a_promise_about_figures(method: Any) -> None:
    with pytest.raises(BadInput, match="protect_graph_statistics"):
        protect_graph(RING, models=DifferentialPrivacy(1), method=method)


FEW = ((0, 1), (2, 3), (4, 5))
WORST: dict[str, tuple[Private, Network, Network]] = {
    "graphic degrees, one edge": (DpDegreeSequence(1, graphic=True), network(2), network(2, (0, 1))),
    "edges, one edge": (DpCounts(Count.EDGES, 1), network(9, *FEW), network(9, *FEW, (6, 7))),
    "wedges, one edge between two that have θ − 1": (
        DpCounts(Count.WEDGES, 1, theta=2),
        network(9, *FEW),
        network(9, *FEW, (1, 2)),
    ),
    "people, one of them": (DpCounts(Count.NODES, 1, NODE), network(20), network(21)),
    "single counts, a hub of θ": (
        DpDegreeHistogram(1, NODE, 2, cumulative=False),
        network(9),
        network(10, (0, 9), (1, 9)),
    ),
    "cumulative counts, a hub of more than θ": (
        DpDegreeHistogram(1, NODE, 2),
        network(9),
        network(10, *((at, 9) for at in range(9))),
    ),
    "wedges, a hub between those that have θ − 1": (
        DpCounts(Count.WEDGES, 1, NODE, 2),
        network(9, *FEW),
        network(10, *FEW, (0, 9), (2, 9)),
    ),
    "triangles, an edge that closes the most": (
        DpCounts(Count.TRIANGLES, 1),
        network(8, *((one, other) for one in (0, 1) for other in range(2, 6))),
        network(8, (0, 1), *((one, other) for one in (0, 1) for other in range(2, 6))),
    ),
}


def repeatedly(method: Private) -> Callable[[Network, int], NDArray[np.float64]]:
    def draw(on: Network, runs: int) -> NDArray[np.float64]:
        rows = []
        for _ in range(runs):
            published = method.protect(Problem(on, ())).published
            assert isinstance(published, Statistics)
            rows.append(np.concatenate(list(published.columns.values())))
        return np.array(rows)

    return draw


@pytest.mark.parametrize("case", WORST)
def test_an_audit_of_the_worst_neighbours_refutes_nothing(case: str) -> None:
    method, one, other = WORST[case]
    found = audit(repeatedly(method), (one, other), 1, samples=600, confidence=1 - 1e-8)
    assert not found.refuted, str(found)
