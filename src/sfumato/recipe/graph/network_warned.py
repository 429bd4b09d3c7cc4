"""What a release of a network warns of: what no promise covers. All of it follows from what everybody can
read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sfumato.core.evidence_graph import GroupingEvidence
from sfumato.graph.contract import Demand, Model

NODES_AS_PEOPLE = "each node was taken as another person"
"""who was counted"""
SEVERAL_NODES = (
    "each node was taken as another person: whoever has several nodes is several people to the promises"
)
ONLY_DEGREES = (
    "bounded is what the number of somebody's neighbours tells, and no more: whoever also knows how many "
    "neighbours these have, or who of them know each other, may find a single node"
)
ONLY_NEIGHBOURS = (
    "bounded is what somebody's neighbours and the edges among them tell: whoever knows what lies two steps "
    "away, such as how many neighbours the neighbours have, may find a single node"
)
ACTIVE = (
    "accounts that somebody created before the release may find themselves in it by the edges among them, "
    "and then the people whom they are connected to (the active attack)"
)
SECOND_NETWORK = (
    "whoever holds another network of the same people, with names, can lay it over this one beginning with a "
    "few people whom they know (seed-and-propagate): no promise bounds how many they find"
)
COALITION = (
    "people who compare what they know of their own edges may find themselves, and edges among their "
    "neighbours"
)
EDGES = (
    "a promise about who is who does not hide edges: where all nodes that somebody may be are connected to "
    "the same ones, the edge is learned without finding anybody"
)
ADDED = (
    "edges were invented to keep the promise, and none was taken away: an edge may be untrue, and who is not "
    "connected here was not"
)
CHANGED = "edges were invented and others taken away to keep the promise: no single edge is sure to be true"
EARLIER = (
    "another release of the same network, or of what it grew into, makes candidates fewer: those who fit "
    "both remain"
)
LABELS = (
    "labels stand beside the nodes and no promise counts with them: whoever knows somebody's label and "
    "number of neighbours may find a single node"
)
MEMBERS = (
    "members of a group who compare what they know may find the others: all but one of them together find "
    "the last"
)
GROUPS_TOLD = (
    "groups are told apart by their counts: whoever learns in which group somebody is, for instance by their "
    "number of neighbours, learns how well connected the group is"
)
NOBODY_ALIKE = "no promise asks for two people who look alike: everybody may stand alone in the network"


def warnings_of(
    models: Sequence[Model],
    *,
    adds_only: bool,
    labelled: bool,
    grouping: GroupingEvidence | None = None,
) -> Iterable[str]:
    """Say it from what everybody knows of a release, so that nobody can strike a warning out."""
    demands = [model.demand() for model in models]
    alike = [demand for demand in demands if demand.people > 1]
    yield SEVERAL_NODES
    if not alike:
        yield NOBODY_ALIKE
    if grouping is not None:
        yield from _of_groups(grouping)
        yield EARLIER
        return
    whole = any(demand.by in ("automorphism", "isomorphism") for demand in alike)
    if not whole:
        yield from _of_places(alike)
        yield ACTIVE
    yield COALITION
    yield SECOND_NETWORK
    yield EDGES
    yield ADDED if adds_only else CHANGED
    if labelled and not any(demand.labelled for demand in alike):
        yield LABELS
    yield EARLIER


def _of_places(alike: Sequence[Demand]) -> Iterable[str]:
    by = {demand.by for demand in alike}
    if "neighbourhood" in by:
        yield ONLY_NEIGHBOURS
    elif "degree" in by:
        yield ONLY_DEGREES


def _of_groups(grouping: GroupingEvidence) -> Iterable[str]:
    yield MEMBERS
    yield GROUPS_TOLD
    if grouping.certain:
        one = grouping.certain == 1
        yield (
            f"{grouping.certain:,} edge{' is' if one else 's are'} certain: all pairs of a group, or of two "
            "groups, are connected, and whoever knows in which groups two people are knows that they are"
        )
