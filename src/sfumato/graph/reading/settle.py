"""From what a source lists to a simple undirected network: every reader ends here.

All decisions about loops, repeats and directions are made in this file, by the policy, and all are counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.graph.network import Network
from sfumato.graph.reading.naming import MOST, look_alikes, ranks
from sfumato.graph.reading.policy import ERROR, NOBODY, Policy
from sfumato.graph.reading.read import Read
from sfumato.graph.reading.told import Told


@dataclass(frozen=True, eq=False)
class Listing:
    """What a source says: names of nodes, distinct; and pairs of places among these names."""

    names: pa.StringArray = field(repr=False)
    source: NDArray[np.int64] = field(repr=False)
    target: NDArray[np.int64] = field(repr=False)
    where: str
    directed: bool | None = None
    """whether the source says that its edges have a direction; None where it says nothing"""
    beside: tuple[str, ...] = ()
    """columns or attributes beside the ends of edges"""
    counted: Mapping[str, int] = field(default_factory=dict)
    attributes: pa.Table | None = field(default=None, repr=False)
    """of nodes, in the order of ``names``"""
    listed: bool = False
    """whether the source lists nodes, those without edges too, and not only edges"""


def settle(listing: Listing, policy: Policy) -> Read:
    """Apply a policy to what a source lists. Raises ``BadInput`` for what the policy does not allow."""
    where, nodes = listing.where, len(listing.names)
    left_out = check_beside(listing.beside, policy, where)
    if not nodes and policy.edgeless != NOBODY:
        raise BadInput("there are no nodes", where=where, remedy="give a network with edges")
    if nodes > MOST or len(listing.source) > MOST:
        raise BadInput(
            f"there are more than {MOST:,} nodes or lines of edges",
            where=where,
            remedy="give a part of the network",
        )
    place = ranks(listing.names)
    pairs, counts = _simple(place[listing.source], place[listing.target], nodes, listing, policy)
    if not len(pairs) and policy.edgeless == ERROR:
        raise BadInput(
            "the network has no edges", where=where, remedy="give its edges, or say edgeless='keep'"
        )
    if 2 * len(pairs) > MOST:
        raise BadInput(
            f"the edges have more than {MOST:,} ends", where=where, remedy="give a part of the network"
        )
    network = Network.of_edges(nodes, pairs)
    order = pa.array(np.argsort(place))
    names = listing.names.take(order)
    told = Told(
        {
            **listing.counted,
            "columns": left_out,
            **counts,
            "isolated": int(np.count_nonzero(network.degrees() == 0)),
            "alike": look_alikes(names),
        }
    )
    attributes = None if listing.attributes is None else listing.attributes.take(order)
    return Read(network, names, told, attributes, listing.listed)


def check_beside(beside: tuple[str, ...], policy: Policy, where: str) -> int:
    """Refuse what stands beside the ends of edges unless it is left out; return how many columns are."""
    for name in policy.without:
        if name not in beside:
            raise BadInput(f"there is no '{name}' beside the ends of edges to leave out", where=where)
    more = [name for name in beside if name not in policy.without]
    if more and policy.weights == ERROR:
        # Only how many: what was taken for a header may be an edge, and its words the names of people.
        raise BadInput(
            f"{_many(len(more), 'column stands', 'columns stand')} beside the two ends of the edges "
            "(weights, dates, kinds), which a simple network cannot hold",
            where=where,
            remedy="say weights='drop', or name the columns to leave out in 'without'",
        )
    return len(beside)


def _simple(
    source: NDArray[np.int64], target: NDArray[np.int64], nodes: int, listing: Listing, policy: Policy
) -> tuple[NDArray[np.int64], dict[str, int]]:
    """Return each connected pair once, and what was counted on the way."""
    where, counts = listing.where, {}
    looped = source == target
    if looped.any():
        counts["loops"] = int(np.count_nonzero(looped))
        if policy.loops == ERROR:
            first = int(np.argmax(looped)) + 1
            raise BadInput(
                f"{_many(counts['loops'], 'edge leads', 'edges lead')} from a node to itself "
                f"(first: edge {first:,})",
                where=where,
                remedy="say loops='drop' if they mean nothing",
            )
        source, target = source[~looped], target[~looped]
    # One sort tells all: the pair in its upper bits, the direction in the lowest.
    keys = np.minimum(source, target) * nodes + np.maximum(source, target)
    if listing.directed is not False:
        keys = 2 * keys + (source > target)
    keys.sort()
    ways = keys[_firsts(keys)]
    repeated = len(keys) - len(ways)
    if repeated:
        counts["repeated"] = repeated
        if policy.repeated == ERROR:
            raise BadInput(
                f"{_many(repeated, 'edge is', 'edges are')} listed again",
                where=where,
                remedy="say repeated='merge' if they mean nothing",
            )
    pairs = ways
    if listing.directed is not False:
        ways //= 2
        pairs = ways[_firsts(ways)]
        both = len(ways) - len(pairs)
        _check_directions(len(pairs), both, listing, policy)
        counts["both_ways"] = both
        directed = listing.directed or 0 < both < len(pairs)
        counts["one_way"] = len(pairs) - both if directed else 0
    return np.column_stack([pairs // nodes, pairs % nodes]), counts


def _firsts(ordered: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark the first of equal numbers."""
    first = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return first


def _check_directions(pairs: int, both: int, listing: Listing, policy: Policy) -> None:
    if policy.directed != ERROR or both == pairs:
        return
    remedy = "say directed='ignore' to connect two nodes when either points to the other"
    if listing.directed:
        raise BadInput("the network is directed", where=listing.where, remedy=remedy)
    if both:
        raise BadInput(
            f"{both:,} of {pairs:,} pairs are listed in both directions, others in one: it is directed",
            where=listing.where,
            remedy=remedy,
        )


def _many(number: int, one: str, more: str) -> str:
    return f"{number:,} {one if number == 1 else more}"
