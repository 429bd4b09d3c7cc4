"""Coalition: a few people who know each other find themselves, then their neighbours, then what these hide.

The passive attack of L. Backstrom, C. Dwork and J. Kleinberg, "Wherefore art thou R3579X? Anonymized social
networks, hidden patterns, and structural steganography", WWW 2007. Nobody plants anything: Alice, with three
neighbours, and Cathy, with five, compare notes after the network was published.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import MOST_VICTIMS, AttackResult, Need, Scored, Victim
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.graph.attacks.candidates import Knows, check_knows, check_whole, people_behind
from sfumato.graph.attacks.contract import Knowledge, original_of
from sfumato.graph.attacks.subgraph import hardest_first
from sfumato.graph.contract import Figure, Publishable
from sfumato.graph.network import Network

MOST_PLACES = 1000
"""places in the network at which a coalition may stand, past which the search ends"""


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
    """What one coalition found. Pairs and people are nodes of the original."""

    places: int
    """places in the published network at which the coalition may stand"""
    cut: bool
    """whether the search ended before all were found"""
    there: bool
    """whether the right one is among them"""
    targets: tuple[int, ...] = ()
    """the people next to the coalition"""
    identified: tuple[int, ...] = ()
    """those of them who are found, once the coalition has found itself"""
    wrongly: int = 0
    """people for whom a wrong node is claimed"""
    learned: tuple[tuple[int, int], ...] = ()
    """edges between two of them that are read off rightly"""
    invented: int = 0
    """edges between two of them that are read off though they are not there"""
    hidden: tuple[tuple[int, int], ...] = ()
    """all edges between two targets"""

    @property
    def chance(self) -> Fraction:
        """The chance that the coalition takes the right place for its own; an upper bound if cut."""
        return Fraction(1, max(self.places, 1)) if self.there else Fraction(0)

    def guesses(self) -> dict[int, Fraction]:
        """The chance that a target drawn at random is a neighbour of each target who has one among them."""
        edges = Counter(person for pair in self.hidden for person in pair)
        return {person: Fraction(many, len(self.targets) - 1) for person, many in edges.items()}


def view_of(target: Network, knowledge: Knowledge, knows: Knows, where: str) -> View:
    """Return the network in which people know their neighbours."""
    original, _ = original_of(knowledge, where)
    node = people_behind(target, knowledge, where)
    if knows == "original":
        return View(original, node, np.arange(original.nodes))
    person = np.full(target.nodes, -1, np.int64)
    person[node[node >= 0]] = np.flatnonzero(node >= 0)
    return View(target, np.arange(target.nodes), person)


def conspire(
    target: Network, original: Network, view: View, members: list[int], *, steps: int = 1_000_000
) -> Findings:
    """Let the people at some nodes of the view, who hang together, compare notes.

    >>> kite = Network.of_edges(4, np.array([[0, 1], [1, 2], [2, 0], [2, 3]]))
    >>> everybody = View(kite, np.arange(4), np.arange(4))
    >>> found = conspire(kite, kite, everybody, [2, 3])
    >>> found.places, found.targets, found.identified
    (1, (0, 1), ())
    """
    from sfumato.graph.attacks._kernels_subgraph import occurrences

    near = view.network
    count = len(members)
    adjacent = np.array([[near.connected(one, other) for other in members] for one in members], np.uint8)
    degree = near.degrees()[members]
    rarest = int(np.argmin(np.bincount(target.degrees(), minlength=int(degree.max()) + 1)[degree]))
    first = [rarest, *(at for at in range(count) if at != rarest)]
    adjacent = np.ascontiguousarray(adjacent[np.ix_(first, first)])
    order = [first[at] for at in hardest_first(adjacent)]
    place = [first.index(at) for at in order]
    adjacent = np.ascontiguousarray(adjacent[np.ix_(place, place)])
    found = np.empty((MOST_PLACES, count), np.int64)
    many, cut = occurrences(
        target.offsets, target.neighbours, adjacent, degree[order], np.int64(steps), found
    )
    chosen = [members[at] for at in order]
    own = view.published[chosen]
    there = bool((found[:many] == own).all(axis=1).any())
    if cut and not there and (own >= 0).all() and _fits(target, own, adjacent, degree[order]):
        # The right place was not reached before the search was cut.
        there, many = True, many + 1
    targets = _next_to(near, chosen)
    people = tuple(int(view.person[one]) for one in targets if view.person[one] >= 0)
    hidden = _edges_among(original, people)
    if not there:
        return Findings(many, cut, False, people, hidden=hidden)
    claimed = _claimed(near, chosen, target, own.tolist())
    rightly = {one: at for one, at in claimed.items() if view.published[one] == at and view.person[one] >= 0}
    true, false = [], 0
    ends = sorted(claimed.items())
    for number, (one, at) in enumerate(ends):
        for other, there_at in ends[number + 1 :]:
            if not target.connected(at, there_at):
                continue
            pair = int(view.person[one]), int(view.person[other])
            if one in rightly and other in rightly and original.connected(*pair):
                true.append((min(pair), max(pair)))
            else:
                false += 1
    return Findings(
        many,
        cut,
        True,
        people,
        tuple(sorted(int(view.person[one]) for one in rightly)),
        len(claimed) - len(rightly),
        tuple(sorted(true)),
        false,
        hidden,
    )


def _fits(
    target: Network, own: NDArray[np.int64], adjacent: NDArray[np.uint8], degree: NDArray[np.int64]
) -> bool:
    nodes = own.tolist()
    among = [[target.connected(one, other) for other in nodes] for one in nodes]
    return bool((np.array(among) == adjacent).all() and (target.degrees()[own] == degree).all())


def _next_to(network: Network, members: list[int]) -> list[int]:
    around = {int(other) for one in members for other in network.neighbours_of(one)}
    return sorted(around - set(members))


def _claimed(near: Network, members: list[int], target: Network, own: list[int]) -> dict[int, int]:
    """Return the published node of each neighbour whom the coalition can tell from all others.

    A neighbour is told by which of the members are connected to it: those who alone have such a set, in what
    the coalition knows and in what was published.
    """
    known, seen = _by_contacts(near, members), _by_contacts(target, own)
    return {
        here[0]: seen[contacts][0]
        for contacts, here in known.items()
        if len(here) == 1 and len(seen.get(contacts, ())) == 1
    }


def _by_contacts(network: Network, members: list[int]) -> dict[frozenset[int], list[int]]:
    contacts: defaultdict[int, set[int]] = defaultdict(set)
    for at, one in enumerate(members):
        for other in network.neighbours_of(one).tolist():
            contacts[other].add(at)
    sets: defaultdict[frozenset[int], list[int]] = defaultdict(list)
    for other, some in contacts.items():
        if other not in members:
            sets[frozenset(some)].append(other)
    return dict(sets)


def _edges_among(original: Network, people: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    chosen = np.sort(np.array(people, np.int64))
    found = []
    for one in chosen.tolist():
        near = original.neighbours_of(one)
        found += [(one, int(other)) for other in near[near > one][np.isin(near[near > one], chosen)]]
    return tuple(found)


@dataclass(frozen=True)
class Coalition:
    """Some people who hang together find themselves by their degrees and the edges among them.

    A coalition knows its members' degrees and who of them are connected, and looks for all places in the
    published network where nodes with these degrees have exactly these edges. At one of them it stands: the
    right one with chance 1 / places. Then a neighbour who is connected to a set of members to which nobody
    else is connected is identified, and **an edge between two who are identified is read off**, which is what
    the attack is after.

    ``coalitions`` of ``members`` people are drawn by chance (``seed``): somebody, then again and again any
    neighbour of those. Attacked is everybody next to a coalition who has an edge to another of them, once
    for each coalition. The claim about a person is an edge that was read off, and else, or at a wrong place,
    a guess among the other targets; the baseline is that guess for everybody. ``certain`` counts people with
    an edge that was read off by a coalition sure of its place, ``highest`` is the greatest chance of a
    coalition that read one off. ``knows`` says in which network people know their neighbours, ``published``
    being the worst case. A search that takes more than ``steps`` or finds more than 1,000 places is cut:
    success is then an upper bound, and says so.

    k-automorphism and k-isomorphism bound the chance by 1 / k; anonymity of degrees or neighbourhoods does
    not stop people who combine what they know. A grouping shows no places to stand at.

    >>> house = Network.of_edges(5, np.array([[0, 1], [0, 2], [1, 3], [2, 3], [0, 3], [3, 4]]))
    >>> everybody = Knowledge(house, node=np.arange(5))
    >>> print(Coalition(members=2, coalitions=20).run(house, everybody).column)
    edges
    """

    members: int = 3
    coalitions: int = 100
    knows: Knows = "published"
    seed: int = 0
    steps: int = 1_000_000
    name: ClassVar[str] = "coalition"
    title: ClassVar[str] = "a few connected people find themselves, then the edges among their neighbours"
    threat: ClassVar[Threat] = Threat.ATTRIBUTE
    needs: ClassVar[frozenset[Need]] = frozenset({Need.ORIGINAL})

    def __post_init__(self) -> None:
        check_knows(self.knows, self.name)
        for what, least in (("members", 2), ("coalitions", 1), ("steps", 1), ("seed", 0)):
            check_whole(getattr(self, what), least, f"{self.name}, {what}")

    def run(
        self,
        target: Publishable,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Draw coalitions, and let each look for itself."""
        if not isinstance(target, Network):
            raise BadInput(
                "a coalition looks for its place among nodes, and none are published",
                where=self.name,
                remedy="attack a network",
            )
        original, _ = original_of(knowledge, self.name)
        view = view_of(target, knowledge, self.knows, self.name)
        generator = np.random.default_rng(self.seed)
        progress.step(self.title)
        found = []
        for at in range(self.coalitions):
            members = self._drawn(view, generator)
            found.append(conspire(target, original, view, members, steps=self.steps))
            progress.update((at + 1) / self.coalitions)
        return self._scored(found, victims)

    def _drawn(self, view: View, generator: np.random.Generator) -> list[int]:
        """Draw people who hang together; fewer than asked where they know nobody else."""
        real = view.person >= 0
        starts = np.flatnonzero(real & (view.network.degrees() > 0))
        for _ in range(100):
            if not len(starts):
                break
            members = [int(generator.choice(starts))]
            while len(members) < self.members:
                near = np.concatenate([view.network.neighbours_of(one) for one in members]).astype(np.int64)
                near = near[real[near] & ~np.isin(near, members)]
                if not len(near):
                    break
                members.append(int(generator.choice(near)))
            if len(members) > 1:
                return members
        raise BadInput("nobody is connected to anybody", where=self.name)

    def _scored(self, found: list[Findings], victims: bool) -> AttackResult:
        attempts = certain = 0
        gained = guessed = lower = highest = Fraction(0)
        hit: list[Victim] = []
        for one in found:
            blind = one.guesses()
            known = {person for pair in one.learned for person in pair}
            attempts += len(blind)
            guessed += sum(blind.values())
            more = one.chance * sum((1 - blind[person] for person in known), Fraction(0))
            gained += more
            lower += 0 if one.cut else more
            if known:
                highest = max(highest, one.chance)
                certain += len(known) if one.chance == 1 and not one.cut else 0
                hit += [Victim(person + 1, float(one.chance), one.places) for person in sorted(known)]
        if not attempts:
            raise BadInput(
                "no two people next to a coalition are connected: there is nothing to learn",
                where=self.name,
                remedy="take more members or coalitions",
            )
        cut = sum(one.cut for one in found)
        details: dict[str, Figure] = {
            "knows": self.knows,
            "coalitions": len(found),
            "coalitions that find themselves for certain": sum(
                one.chance == 1 and not one.cut for one in found
            ),
            "median places": float(np.median([one.places for one in found])),
            "people next to a coalition": sum(len(one.targets) for one in found),
            "people identified where the place is right": sum(len(one.identified) for one in found),
            "people for whom a wrong node is claimed": sum(one.wrongly for one in found),
            "edges between people next to a coalition": sum(len(one.hidden) for one in found),
            "edges learned where the place is right": sum(len(one.learned) for one in found),
            "edges learned that are not there": sum(one.invented for one in found),
        }
        if cut:
            least = float((guessed + lower) / attempts)
            details |= {"success at least": least, "coalitions whose search was cut": cut}
        hit.sort(key=lambda victim: (-victim.confidence, victim.row))
        return AttackResult(
            self.name,
            self.threat,
            attempts,
            float((guessed + gained) / attempts),
            float(guessed / attempts),
            float(guessed / attempts),
            certain=certain,
            highest=float(highest),
            column="edges",
            scored=Scored.MEASURED,
            details=details,
            note="an upper bound: some searches were cut" if cut else "",
            victims=tuple(hit[:MOST_VICTIMS]) if victims else (),
        )
