"""What released statistics of a network warn of: what no promise covers. It follows from what everybody can
read."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from sfumato.graph.methods import DpDegreeSequence
from sfumato.recipe.graph.statistics_methods import StatisticsMethod
from sfumato.recipe.graph.statistics_price import EDGE, neighbours_of, text_of
from sfumato.recipe.query.warned import ADDS_UP, LARGE_EPSILON
from sfumato.recipe.warned import OF_A_SEED

EDGES_ALONE = (
    "each edge is hidden, and not each person: somebody with d edges is hidden as well as d edges together, "
    "at d times the price"
)
NODES_PUBLIC = "how many nodes there are is public: the promise does not hide who takes part"
SEVERAL_NODES = (
    "each node is hidden: whoever has several nodes is hidden as well as that many people together"
)
NOT_WHOLE = "figures are means of noisy numbers: they need not be whole, and no network need have them"
CHOSEN = (
    "the bound of neighbours must have been chosen without looking at the data: else it tells of them "
    "without having been paid for"
)


def warnings_of_statistics(
    method: StatisticsMethod, epsilon: Fraction, *, secret: bool = True
) -> Iterator[str]:
    """Say what a reader must know, one sentence each, without its full stop."""
    if not secret:
        yield OF_A_SEED
    if neighbours_of(method) == EDGE:
        yield EDGES_ALONE
        yield NODES_PUBLIC
    else:
        yield SEVERAL_NODES
    theta = getattr(method, "theta", None)
    if theta is not None:
        yield (
            f"no node counts with more than {theta:,} neighbours: where nodes have more, figures are too low "
            "by more than noise"
        )
        yield CHOSEN
    if isinstance(method, DpDegreeSequence) and not method.graphic:
        yield NOT_WHOLE
    if epsilon > Fraction(LARGE_EPSILON):
        told = text_of(epsilon)
        yield f"ε = {told} is large: what somebody believes may change by a factor of e^{told}"
    yield ADDS_UP
