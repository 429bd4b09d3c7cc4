"""What private statistics of networks share: what may be spent, on which neighbours, and from what chance.

Neighbouring networks differ in one **edge** (the nodes are the same, and their number is public), or in one
**node** with all its edges (the number of nodes is not public). M. Hay, C. Li, G. Miklau & D. Jensen,
"Accurate estimation of the degree distribution of private networks" (2009). Edge privacy hides each
friendship, not a person: somebody with d neighbours is hidden as a group of d edges is, at d·ε. Node privacy
hides people. Noise is drawn by ``dp/mechanisms`` alone: whole numbers, exact probabilities, the operating
system's randomness.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.randomness import Random
from sfumato.dp.exact import Number, exact
from sfumato.dp.mechanisms.parameters import exact_epsilon
from sfumato.graph.contract import Demand, Figure, Model
from sfumato.graph.models.private import NEIGHBOURS, NOT_SECRET

MOST_NODES = 2**31 - 1


class Differing(StrEnum):
    """What two neighbouring networks differ in."""

    EDGE = "edge"
    """one edge more or less among the same nodes"""
    NODE = "node"
    """one node more or less, with all its edges"""


def differing(given: Differing | str, where: str) -> Differing:
    """Read what neighbours differ in, or refuse it."""
    try:
        return Differing(given)
    except ValueError:
        raise BadInput(
            "neighbouring networks differ in neither", where=where, remedy="choose 'edge' or 'node'"
        ) from None


def check_theta(theta: int | None, *, needed: bool, least: int, where: str) -> None:
    """Refuse a bound of neighbours that makes no sense, or none where one is needed."""
    if theta is None:
        if needed:
            raise BadInput(
                "a bound of neighbours is needed",
                where=where,
                remedy="give theta, chosen without looking at the data",
            )
        return
    if isinstance(theta, bool) or not isinstance(theta, int) or not least <= theta <= MOST_NODES:
        raise BadInput(
            f"theta must be a whole number of at least {least}", where=where, remedy="try a usual degree"
        )


def can_keep(demand: Demand, epsilon: Number | None, neighbours: Differing) -> bool:
    """Say whether a method with this ε, for these neighbours, keeps what is asked.

    ε for nodes is no promise of ε for edges: to take an edge away is to take a node away and to add it again
    without the edge, two steps, 2ε.
    """
    return (
        demand.by == "noise"
        and demand.epsilon is not None
        and demand.neighbours == neighbours
        and (epsilon is None or exact(epsilon) <= exact(demand.epsilon))
    )


def allowed(epsilon: Number | None, neighbours: Differing, models: tuple[Model, ...], where: str) -> Fraction:
    """Return what may be spent: what the method was given, or else the least that the promises allow."""
    demands = [model.demand() for model in models]
    if not all(can_keep(demand, epsilon, neighbours) for demand in demands):
        raise PromiseNotMet(
            "the method cannot keep all that is promised",
            where=where,
            remedy="promise differential privacy alone, for the method's neighbours and no less epsilon than "
            "its own",
        )
    if epsilon is not None:
        return exact_epsilon(epsilon)
    if not demands:
        raise BadInput(
            "there is no epsilon to spend",
            where=where,
            remedy="give epsilon, or promise differential privacy",
        )
    return exact_epsilon(min(exact(demand.epsilon) for demand in demands if demand.epsilon is not None))


def described(
    mechanism: str, neighbours: Differing, random: Random | None, *, scale: Fraction | None = None
) -> dict[str, Figure]:
    """Return what a solution says of its noise: nothing of it is computed from the data."""
    details: dict[str, Figure] = {"mechanism": mechanism, NEIGHBOURS: neighbours.value}
    if scale is not None:
        details["scale"] = float(scale)
    return marked(details, random)


def marked(details: Mapping[str, Figure], random: Random | None) -> dict[str, Figure]:
    """Return the details, with the mark of a release whose chance is not secret."""
    if random is None or random.secret:
        return dict(details)
    return {**details, NOT_SECRET: "drawn from a test's generator: not to be published"}
