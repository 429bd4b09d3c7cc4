"""What a coalition finds: the places where it may stand, the neighbours it can tell, the edges among them.

L. Backstrom, C. Dwork and J. Kleinberg, "Wherefore art thou R3579X? Anonymized social networks, hidden
patterns, and structural steganography", WWW 2007.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sfumato.graph.attacks.subgraph import hardest_first
from sfumato.graph.network import Network

MOST_PLACES = 1000
"""places in the network at which a coalition may stand, past which the search ends"""

Pair = tuple[int, int]


@dataclass(frozen=True, eq=False)
class View:
    """A network as a coalition knows it, and who its nodes are."""

    network: Network = field(repr=False)
    published: NDArray[np.int64] = field(repr=False)
    """the published node of each of its nodes, −1 for none"""
    person: NDArray[np.int64] = field(repr=False)
    """the node of the original, −1 for nobody"""


@dataclass(frozen=True)
class Findings:
    """What one coalition found. People are nodes of the original; of pairs the smaller number is first."""

    places: int
    """places in the published network at which the coalition may stand"""
    cut: bool
    """whether the search ended before all were found: nothing is then sure, and shares are upper bounds"""
    there: bool
    """whether the right place is among them"""
    targets: tuple[int, ...]
    """the people next to the coalition"""
    identified: tuple[int, ...]
    """those of them whose node is claimed rightly, at the right place"""
    wrongly: int
    """people for whom a wrong node is claimed, at the right place"""
    read: dict[Pair, Fraction]
    """for two targets, the share of places at which an edge between them is read off, where it is not 0"""
    hidden: tuple[Pair, ...]
    """the true edges between two targets"""

    @property
    def chance(self) -> Fraction:
        """The chance that the coalition takes the right place for its own; an upper bound if cut."""
        return Fraction(1, self.places) if self.there else Fraction(0)

    def guesses(self) -> dict[int, Fraction]:
        """The chance that a target drawn at random is a neighbour of each target who has one among them."""
        edges = Counter(person for pair in self.hidden for person in pair)
        return {person: Fraction(many, len(self.targets) - 1) for person, many in edges.items()}

    def claims(self) -> dict[int, tuple[Fraction, Fraction]]:
        """The best claim about each target: how often it is read off, and the share of such that are true.

        The best is the edge that is read off at the most places; among several, any of them.
        """
        of_person: defaultdict[int, list[Pair]] = defaultdict(list)
        for pair in self.read:
            for person in pair:
                of_person[person].append(pair)
        true, found = set(self.hidden), {}
        for person, pairs in of_person.items():
            most = max(self.read[pair] for pair in pairs)
            best = [pair for pair in pairs if self.read[pair] == most]
            found[person] = most, Fraction(sum(pair in true for pair in best), len(best))
        return found


def conspire(
    target: Network, original: Network, view: View, members: list[int], *, steps: int = 1_000_000
) -> Findings:
    """Let the people at some nodes of the view, who hang together, compare notes.

    >>> kite = Network.of_edges(4, np.array([[0, 1], [1, 2], [2, 0], [2, 3]]))
    >>> found = conspire(kite, kite, View(kite, np.arange(4), np.arange(4)), [2, 3])
    >>> found.places, found.targets, found.identified
    (1, (0, 1), ())
    """
    chosen, places, cut = _places(target, view.network, members, steps)
    own = view.published[chosen]
    there = bool((places == own).all(axis=1).any())
    if cut:
        # Only the right place is looked at, as if the coalition were sure: more cannot be learned.
        there = there or _stands(target, own, view.network, chosen)
        places_read = own[None, :] if there else places[:0]
    else:
        places_read = places
    around = _by_contacts(view.network, chosen)
    told = {contacts: who[0] for contacts, who in around.items() if len(who) == 1}
    votes: Counter[Pair] = Counter()
    rightly: list[int] = []
    wrongly = 0
    for place in places_read.tolist():
        seen = _by_contacts(target, place)
        claimed = {told[contacts]: seen[contacts][0] for contacts in told if len(seen.get(contacts, ())) == 1}
        for one, other in combinations(sorted(claimed), 2):
            if target.connected(claimed[one], claimed[other]):
                votes[_people(view, one, other)] += 1
        if place == own.tolist():
            rightly = [one for one, at in claimed.items() if view.published[one] == at]
            wrongly = len(claimed) - len(rightly)
    everybody = sorted(int(view.person[one]) for who in around.values() for one in who)
    targets = tuple(person for person in everybody if person >= 0)
    return Findings(
        len(places) + (there and cut and not (places == own).all(axis=1).any()),
        cut,
        there,
        targets,
        tuple(sorted(int(view.person[one]) for one in rightly if view.person[one] >= 0)),
        wrongly,
        {pair: Fraction(many, len(places_read)) for pair, many in votes.items() if pair[0] >= 0},
        _edges_among(original, targets),
    )


def _places(
    target: Network, near: Network, members: list[int], steps: int
) -> tuple[list[int], NDArray[np.int64], bool]:
    """Return the members in the order of the search, the places found in that order, whether it was cut."""
    from sfumato.graph.attacks._kernels_subgraph import occurrences

    degree = near.degrees()[members]
    many = np.bincount(target.degrees(), minlength=int(degree.max()) + 1)[degree]
    first = [members[at] for at in np.argsort(many, kind="stable").tolist()]
    chosen = [first[at] for at in hardest_first(_among(near, first))]
    found = np.empty((MOST_PLACES, len(chosen)), np.int64)
    wanted = np.ascontiguousarray(near.degrees()[chosen])
    rows, cut = occurrences(
        target.offsets, target.neighbours, _among(near, chosen), wanted, np.int64(steps), found
    )
    return chosen, found[:rows], cut


def _among(network: Network, nodes: list[int]) -> NDArray[np.uint8]:
    return np.array([[network.connected(one, other) for other in nodes] for one in nodes], np.uint8)


def _stands(target: Network, own: NDArray[np.int64], near: Network, chosen: list[int]) -> bool:
    """Say whether the coalition's own nodes look in what was published as the coalition knows them."""
    if (own < 0).any() or (target.degrees()[own] != near.degrees()[chosen]).any():
        return False
    return bool((_among(target, own.tolist()) == _among(near, chosen)).all())


def _by_contacts(network: Network, members: list[int]) -> dict[frozenset[int], list[int]]:
    """Return the neighbours of a coalition by the set of members that each is connected to."""
    contacts: defaultdict[int, list[int]] = defaultdict(list)
    for at, one in enumerate(members):
        for other in network.neighbours_of(one).tolist():
            contacts[other].append(at)
    for one in members:
        contacts.pop(one, None)
    sets: defaultdict[frozenset[int], list[int]] = defaultdict(list)
    for other, some in contacts.items():
        sets[frozenset(some)].append(other)
    return dict(sets)


def _people(view: View, one: int, other: int) -> Pair:
    """Return two people, the smaller number first: −1 where one of them is nobody."""
    here, there = int(view.person[one]), int(view.person[other])
    return min(here, there), max(here, there)


def _edges_among(original: Network, people: tuple[int, ...]) -> tuple[Pair, ...]:
    chosen = np.array(people, np.int64)
    found: list[Pair] = []
    for one in people:
        near = original.neighbours_of(one)
        near = near[near > one]
        found += [(one, other) for other in near[np.isin(near, chosen)].tolist()]
    return tuple(found)
