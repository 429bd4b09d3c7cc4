"""Neighbourhoods laid over each other: the edges that make those of some nodes alike.

As Zhou and Pei (2008) do: components that are alike are paired first; the others are paired by size, largest
first, and their nodes are mapped to each other one by one, those that fit best. What one neighbourhood has
and another lacks is added to the other: an edge, or a new neighbour. New neighbours are taken from far away
(``Lenders``), where a further edge changes the neighbourhoods of its two ends and no others.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from sfumato.graph.methods.neighbourhood_growing import Growing, Pair
from sfumato.graph.methods.neighbourhood_lenders import Lenders

CAREFUL = 100_000
"""components with more pairs of nodes than this are mapped by degree alone"""


@dataclass
class Piece:
    """A component: labels of its nodes, and for each node the others as bits."""

    labels: list[int]
    near: list[int]
    key: int | None
    """isomorphic components have the same; None once it was extended"""
    nodes: list[int] = field(default_factory=list)
    """whom it was made of"""

    @property
    def rank(self) -> Pair:
        """How large it is."""
        return len(self.labels), sum(bits.bit_count() for bits in self.near)

    def extended(self, other: Piece, place: list[int]) -> None:
        """Take in the nodes and edges of another, whose node i is node ``place[i]`` here."""
        for to, i in sorted((to, i) for i, to in enumerate(place)):
            if to >= len(self.labels):
                self.labels.append(other.labels[i])
                self.near.append(0)
                self.key = None
        for i, to in enumerate(place):
            bits = self.near[to]
            for j in _ones(other.near[i]):
                bits |= 1 << place[j]
            if bits != self.near[to]:
                self.near[to] = bits
                self.key = None


def pieces_of(growing: Growing, node: int) -> list[Piece]:
    """Return the components of a neighbourhood, largest first."""
    neighbours, component, key = growing.components(node)
    nodes: dict[int, list[int]] = defaultdict(list)
    keys: dict[int, int] = {}
    for other, number, whole in zip(neighbours, component, key, strict=True):
        nodes[number].append(other)
        keys[number] = whole
    found = []
    for number, members in nodes.items():
        members.sort()
        at = {other: place for place, other in enumerate(members)}
        near = [sum(1 << at[x] for x in growing.near[one] if x in at) for one in members]
        found.append(Piece([int(growing.labels[one]) for one in members], near, keys[number], members))
    return sorted(found, key=lambda piece: (piece.rank, piece.key), reverse=True)


def alignment(growing: Growing, members: list[int], lenders: Lenders, growable: int) -> list[Pair] | None:
    """Return edges that are to make the neighbourhoods of some nodes alike; None where none can be found.

    Only the first ``growable`` members may change what all are to look like; the others must fit in. As
    neighbourhoods overlap, an edge for one may spoil another: whoever asks looks at what came of it.
    """
    shape: list[Piece] = []
    laid: list[list[tuple[Piece, Piece, list[int] | None]]] = []
    for number, member in enumerate(members):
        mine = pieces_of(growing, member)
        if number == 0:
            shape = [Piece(piece.labels.copy(), piece.near.copy(), piece.key) for piece in mine]
            laid.append([(piece, to, None) for piece, to in zip(mine, shape, strict=True)])
            continue
        placed = _fold(shape, mine, number < growable)
        if placed is None:
            return None
        laid.append(placed)
    pairs: list[Pair] = []
    taken = set(members)
    for member, placed in zip(members, laid, strict=True):
        found = _filled(growing, member, shape, placed, lenders, taken)
        if found is None:
            return None
        pairs += found
    return pairs


def _fold(
    shape: list[Piece], mine: list[Piece], grow: bool
) -> list[tuple[Piece, Piece, list[int] | None]] | None:
    """Lay the pieces of a neighbourhood into the shape, and extend it by what does not fit."""
    placed: list[tuple[Piece, Piece, list[int] | None]] = []
    by_key = defaultdict[int, list[Piece]](list)
    for piece in shape:
        if piece.key is not None:
            by_key[piece.key].append(piece)
    rest = []
    used: set[int] = set()
    for piece in mine:
        same = by_key.get(piece.key, []) if piece.key is not None else []
        if same:
            to = same.pop()
            used.add(id(to))
            placed.append((piece, to, None))
        else:
            rest.append(piece)
    free = sorted((one for one in shape if id(one) not in used), key=lambda one: one.rank, reverse=True)
    for number, piece in enumerate(rest):
        if number < len(free):
            to = free[number]
        else:
            to = Piece([], [], None)
            shape.append(to)
        before = to.rank
        place = _mapped(piece, to)
        to.extended(piece, place)
        if not grow and to.rank != before:
            return None
        placed.append((piece, to, place))
    return placed


def _mapped(piece: Piece, to: Piece) -> list[int]:
    """Map the nodes of a component into another, one by one; places past its last are new nodes."""
    size = len(to.labels)
    order = sorted(range(len(piece.labels)), key=lambda i: -piece.near[i].bit_count())
    place = [-1] * len(order)
    free = set(range(size))
    new = size
    if len(order) * size > CAREFUL:
        at: dict[int, list[int]] = defaultdict(list)
        for j in sorted(free, key=lambda j: to.near[j].bit_count()):
            at[to.labels[j]].append(j)
        for i in order:
            if at[piece.labels[i]]:
                place[i] = at[piece.labels[i]].pop()
            else:
                place[i] = new
                new += 1
        return place
    placed = images = 0
    waiting = set(order)
    degree = [bits.bit_count() for bits in piece.near]
    theirs = [bits.bit_count() for bits in to.near]
    while waiting:
        i = max(waiting, key=lambda i: ((piece.near[i] & placed).bit_count(), degree[i], -i))
        waiting.remove(i)
        wanted = 0
        for j in _ones(piece.near[i] & placed):
            wanted |= 1 << place[j]
        best, least = -1, (0, 0, 0)
        for j in free:
            if to.labels[j] == piece.labels[i]:
                cost = (((to.near[j] & images) ^ wanted).bit_count(), abs(theirs[j] - degree[i]), j)
                if best < 0 or cost < least:
                    best, least = j, cost
        if best < 0:
            best, new = new, new + 1
        else:
            free.remove(best)
        place[i] = best
        placed |= 1 << i
        images |= 1 << best
    return place


def _filled(
    growing: Growing,
    member: int,
    shape: list[Piece],
    placed: list[tuple[Piece, Piece, list[int] | None]],
    lenders: Lenders,
    taken: set[int],
) -> list[Pair] | None:
    """Return the edges that a node's neighbourhood lacks to have the shape."""
    pairs: list[Pair] = []
    at: dict[int, tuple[Piece, list[int] | None]] = {id(to): (piece, place) for piece, to, place in placed}
    for to in shape:
        if id(to) not in at:
            clique = all(bits.bit_count() == len(to.near) - 1 for bits in to.near)
            lent = lenders.clique(member, to.labels, taken) if clique and len(to.near) > 1 else None
            who: dict[int, int] = dict(enumerate(lent)) if lent else {}
        else:
            piece, place = at[id(to)]
            if to.key is not None and to.key == piece.key:
                continue
            if place is None:
                place = _mapped(piece, to)
            who = {to_place: piece.nodes[i] for i, to_place in enumerate(place)}
        for number, label in enumerate(to.labels):
            if number not in who:
                lent_one = lenders.one(member, label, taken)
                if lent_one is None:
                    return None
                who[number] = lent_one
            if who[number] not in growing.near[member]:
                pairs.append((member, who[number]))
                taken.add(who[number])
        for one, bits in enumerate(to.near):
            for other in _ones(bits):
                if one < other and who[other] not in growing.near[who[one]]:
                    pairs.append((who[one], who[other]))
    return pairs


def _ones(bits: int) -> list[int]:
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found
