"""Coalition: a few people who know each other find themselves, then their neighbours, then what these hide.

The passive attack of L. Backstrom, C. Dwork and J. Kleinberg, "Wherefore art thou R3579X? Anonymized social
networks, hidden patterns, and structural steganography", WWW 2007. Nobody plants anything: Alice, with three
neighbours, and Cathy, with five, compare notes after the network was published.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from sfumato.core.attack import MOST_VICTIMS, AttackResult, Need, Scored, Victim
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.graph.attacks.candidates import Knows, check_knows, check_whole, people_behind
from sfumato.graph.attacks.coalition_findings import Findings, View, conspire
from sfumato.graph.attacks.contract import Knowledge, original_of
from sfumato.graph.contract import Figure, Publishable
from sfumato.graph.network import Network


def view_of(target: Network, knowledge: Knowledge, knows: Knows, where: str) -> View:
    """Return the network in which people know their neighbours."""
    original, _ = original_of(knowledge, where)
    node = people_behind(target, knowledge, where)
    if knows == "original":
        return View(original, node, np.arange(original.nodes))
    person = np.full(target.nodes, -1, np.int64)
    person[node[node >= 0]] = np.flatnonzero(node >= 0)
    return View(target, np.arange(target.nodes), person)


@dataclass(frozen=True)
class Coalition:
    """Some people who hang together find themselves by their degrees and the edges among them.

    A coalition knows its members' degrees and who of them are connected, and looks for all places in the
    published network where nodes with these degrees have exactly these edges: one of them is its own. At each
    place, a neighbour who is connected to a set of members to which nobody else is connected can be told,
    and **edges between two who can be told are read off**, which is what the attack is after.

    ``coalitions`` of ``members`` people are drawn by chance (``seed``): somebody, then again and again any
    neighbour of those. Attacked is everybody next to a coalition who has an edge to another of them, once
    for each coalition. The claim about a person is the edge that is read off at the greatest share of the
    places; the coalition believes it with that share, and guesses among the other targets else. The baseline
    is that guess for everybody. ``certain`` counts people about whom all places agree, rightly; ``highest``
    is the greatest share for a true edge. ``knows`` says in which network people know their neighbours,
    ``published`` being the worst case. A search that takes more than ``steps`` or finds more than 1,000
    places is cut; the coalition is then taken to know its place, and success is an upper bound.

    No model of this room stops it. Where every node has k − 1 images (k-automorphism, k-isomorphism), a
    coalition finds its place with chance 1 / k at most; but at all these places it may read off the same
    edge, and then needs not know at which it stands. A grouping shows no places to stand at.

    >>> house = Network.of_edges(5, np.array([[0, 1], [0, 2], [1, 3], [2, 3], [0, 3], [3, 4]]))
    >>> everybody = Knowledge(house, node=np.arange(5))
    >>> print(Coalition(members=2, coalitions=20).run(house, everybody).column)
    edges
    """

    members: int = 5
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
        attempts = certain = maybe = false = 0
        gained = guessed = lower = highest = Fraction(0)
        hit: list[Victim] = []
        for one in found:
            blind, claims = one.guesses(), one.claims()
            attempts += len(blind)
            guessed += sum(blind.values())
            false += sum(pair not in one.hidden for pair in one.read)
            for person in sorted(blind.keys() & claims.keys()):
                share, true = claims[person]
                more = share * (true - blind[person])
                # Who can be told in a search that was cut might as well guess.
                gained += max(more, Fraction(0)) if one.cut else more
                lower += 0 if one.cut else more
                if true:
                    highest = max(highest, share)
                    hit.append(Victim(person + 1, float(share * true), one.places))
                    certain += share * true == 1 and not one.cut
                    # A search that was cut might have ended at one place.
                    maybe += share * true == 1
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
            "of these, edges read off at some place": sum(
                pair in one.read for one in found for pair in one.hidden
            ),
            "edges read off that are not there": false,
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
            certain_at_most=maybe,
            highest=float(highest),
            column="edges",
            scored=Scored.MEASURED,
            details=details,
            note="an upper bound: some searches were cut" if cut else "",
            victims=tuple(hit[:MOST_VICTIMS]) if victims else (),
        )
