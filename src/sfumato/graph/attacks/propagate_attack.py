"""Seed-and-propagate: somebody who holds another network of the same people, with names, finds them here.

A. Narayanan and V. Shmatikov, "De-anonymizing social networks", IEEE Symposium on Security and Privacy, 2009.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import MOST_VICTIMS, AttackResult, Need, Scored, Victim
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.graph.attacks.candidates import check_whole
from sfumato.graph.attacks.contract import Knowledge
from sfumato.graph.attacks.propagate import Matching, propagate
from sfumato.graph.contract import Figure, Publishable
from sfumato.graph.network import Network

BANDS = (1, 5, 10, 50)
"""where bands of degrees begin for which success is told"""


@dataclass(frozen=True)
class SeedAndPropagate:
    """Hold a second network of some of the same people, with names, and spread from a few who are known.

    Takes ``Knowledge.other``, the network with names, and ``Knowledge.same``, the truth. The people who are
    known from the start are ``Knowledge.seeds``; where none are given, ``seeds`` people are drawn by ``seed``
    among the ``among`` people (10 × seeds unless given) with the most neighbours in both networks, as the
    adversary would take care to know well-connected people. See ``propagate`` for how it goes on, and for
    ``threshold``, ``witnesses`` and ``rounds``.

    Success is the share of people in both networks, seeds aside, who are mapped to their own node. The
    details tell precision (claims that are right), coverage (people about whom something is claimed) and
    success by degree: the smaller of a person's degrees in the two networks. Without ``same`` only claims
    are counted. A victim's ``row`` is the number of the node of ``other``, from 1.

    No model for networks bounds this attack. It lives on edges that stay where they were, and k-degree
    anonymity leaves most of them; methods that move many hide people from it without a promise. A grouping
    and statistics publish no nodes to map. Nobody is found who shares fewer than ``witnesses`` neighbours in
    both networks.

    >>> from sfumato.graph.simulate import barabasi_albert, two_copies
    >>> copies = two_copies(barabasi_albert(400, 6), nodes=1.0, edges=0.9)
    >>> found = SeedAndPropagate(seeds=20).run(copies.one, Knowledge(other=copies.other, same=copies.same))
    >>> found.success > 0.8, found.baseline
    (True, 0.0025)
    """

    seeds: int = 50
    among: int | None = None
    threshold: float = 0.5
    witnesses: int = 2
    rounds: int = 40
    seed: int = 0
    name: ClassVar[str] = "seed-and-propagate"
    title: ClassVar[str] = "maps a network with names onto the published one, from a few people who are known"
    threat: ClassVar[Threat] = Threat.IDENTITY
    needs: ClassVar[frozenset[Need]] = frozenset({Need.PEOPLE})

    def __post_init__(self) -> None:
        least = {"seeds": 1, "witnesses": 1, "rounds": 1, "seed": 0}
        for what, fewest in least.items():
            check_whole(getattr(self, what), fewest, f"{self.name}, {what}")
        if self.among is not None:
            check_whole(self.among, self.seeds, f"{self.name}, among")
        if not 0 <= self.threshold < math.inf:
            raise BadInput("this is a number from 0", where=f"{self.name}, threshold", remedy="try 0.5")

    def run(
        self,
        target: Publishable,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Map the network with names onto what was published, and compare with the truth."""
        if not isinstance(target, Network):
            raise BadInput(
                "this adversary maps nodes onto nodes, and none are published",
                where=self.name,
                remedy="attack a network; of a grouping, a possible world that analysts may draw",
            )
        other = knowledge.other
        if other is None or not other.nodes:
            raise BadInput("there is nobody to attack", where=self.name, remedy="give a network with names")
        same = self._truth(target, other, knowledge.same)
        seeds = knowledge.seeds
        if seeds is None:
            seeds = self._drawn(target, other, same)
        found = propagate(
            target,
            other,
            np.asarray(seeds, np.int64),
            threshold=self.threshold,
            witnesses=self.witnesses,
            rounds=self.rounds,
            progress=progress,
        )
        known = np.zeros(other.nodes, np.bool_)
        known[np.asarray(seeds)[:, 0]] = True
        if same is None:
            return self._claimed(target, found, known, victims)
        return self._measured(target, other, found, same, known, victims)

    def _truth(
        self, target: Network, other: Network, same: NDArray[np.int64] | None
    ) -> NDArray[np.int64] | None:
        if same is None:
            return None
        truth = np.asarray(same, np.int64)
        there = truth[truth >= 0]
        if len(truth) != other.nodes or len(np.unique(there)) != len(there):
            raise AssertionError(
                "the truth has one published node, or none, for each node of the other network"
            )
        if len(there) and there.max() >= target.nodes:
            raise AssertionError("the truth leads to nodes that were not published")
        if not len(there):
            raise BadInput(
                "nobody is in both networks",
                where=self.name,
                remedy="give a second network of some of the same people",
            )
        return truth

    def _drawn(self, target: Network, other: Network, same: NDArray[np.int64] | None) -> NDArray[np.int64]:
        """Draw people with many neighbours in both networks."""
        if same is None:
            raise BadInput(
                "nobody is known from the start",
                where=self.name,
                remedy="give seeds, or the truth to draw them from",
            )
        people = np.flatnonzero(same >= 0)
        if len(people) < self.seeds:
            raise BadInput(
                f"{len(people):,} people are in both networks, fewer than the {self.seeds:,} seeds",
                where=self.name,
                remedy="take fewer seeds",
            )
        degree = _in_both(target, other, same)[people]
        ranked = people[np.argsort(-degree, kind="stable")]
        pool = ranked[: self.among or 10 * self.seeds]
        drawn = np.random.default_rng(self.seed).choice(pool, self.seeds, replace=False)
        return np.column_stack([drawn, same[drawn]])

    def _measured(
        self,
        target: Network,
        other: Network,
        found: Matching,
        same: NDArray[np.int64],
        known: NDArray[np.bool_],
        victims: bool,
    ) -> AttackResult:
        people = (same >= 0) & ~known
        attempts = int(people.sum())
        if not attempts:
            raise BadInput("everybody is known from the start", where=self.name, remedy="take fewer seeds")
        claimed = (found.mate >= 0) & ~known
        right = claimed & (found.mate == same)
        claims, hits = int(claimed.sum()), int(right.sum())
        precision = hits / claims if claims else 0.0
        details = self._details(found, known)
        details["right claims"] = hits
        if claims:
            details["precision"] = precision
        details["coverage"] = int((claimed & people).sum()) / attempts
        degree = _in_both(target, other, same)
        for low, high in zip(BANDS, (*BANDS[1:], None), strict=True):
            band = people & (degree >= low) & (degree < (high or other.nodes))
            name = f"{low} to {high - 1}" if high else f"at least {low}"
            if band.any():
                details[f"people of degree {name}"] = int(band.sum())
                details[f"success, degree {name}"] = int((right & band).sum()) / int(band.sum())
        connected = people & (degree >= 5)
        if connected.any():
            details["success, degree at least 5"] = int((right & connected).sum()) / int(connected.sum())
        hit = np.flatnonzero(right)[:MOST_VICTIMS] if victims else ()
        return AttackResult(
            self.name,
            self.threat,
            attempts,
            hits / attempts,
            1 / target.nodes,
            1 / target.nodes,
            certain=hits,
            highest=precision,
            scored=Scored.MEASURED,
            details=details,
            note="" if found.settled else f"ended after {found.rounds} rounds with pairs still changing",
            victims=tuple(Victim(int(node) + 1, precision) for node in hit),
        )

    def _claimed(
        self, target: Network, found: Matching, known: NDArray[np.bool_], victims: bool
    ) -> AttackResult:
        attempts = int((~known).sum())
        if not attempts:
            raise BadInput("everybody is known from the start", where=self.name, remedy="take fewer seeds")
        claimed = np.flatnonzero((found.mate >= 0) & ~known)
        return AttackResult(
            self.name,
            self.threat,
            attempts,
            len(claimed) / attempts,
            1 / target.nodes,
            1 / target.nodes,
            scored=Scored.CLAIMED,
            details=self._details(found, known),
            note="nobody could tell whether the claims are right",
            victims=tuple(Victim(int(node) + 1, 0.0) for node in claimed[:MOST_VICTIMS]) if victims else (),
        )

    def _details(self, found: Matching, known: NDArray[np.bool_]) -> dict[str, Figure]:
        seeds = int(known.sum())
        return {"seeds": seeds, "rounds": found.rounds, "claims": found.claims - seeds}


def _in_both(target: Network, other: Network, same: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the smaller of a person's degrees in the two networks, −1 for people of one alone."""
    there = target.degrees()[np.maximum(same, 0)]
    return np.where(same >= 0, np.minimum(other.degrees(), there), -1)
