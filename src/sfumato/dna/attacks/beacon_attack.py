"""The Beacon attack: is somebody in a database that only says whether it has seen an allele?

S. S. Shringarpure and C. D. Bustamante, "Privacy risks from genomic data-sharing beacons", American Journal
of Human Genetics 97(5), 2015.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import AttackResult, Need
from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.dna.attacks.beacon_model import BeaconModel
from sfumato.dna.attacks.contract import (
    Knowledge,
    check_count,
    check_share,
    common_sites,
    left_out,
    people_to_attack,
    places,
    population_of,
    published_column,
)
from sfumato.dna.attacks.frequencies import floor_of
from sfumato.dna.attacks.scoring import Scores, auc, membership_result
from sfumato.dna.contract import Statistics
from sfumato.dna.sites import Sites
from sfumato.dna.source import GenotypeSource

ORDERS = ("rarest", "random")
MARKS = (10, 100, 1000, 10_000)
"""after so many questions the area under the curve is told"""


class Asked(Protocol):
    """A Beacon as somebody sees who asks it."""

    def ask(self, chromosome: str, position: int, allele: str) -> bool | None:
        """Say whether anybody carries the allele; None is a refusal."""


class Seats(Protocol):
    """A Beacon that knows askers by name."""

    @property
    def people(self) -> int:
        """How many people there are in it."""

    def seat(self, asker: str) -> Asked:
        """Return it as this asker sees it."""


@dataclass(frozen=True)
class BeaconAttack:
    """Ask for alleles that a person carries, and add up what the answers say.

    Λ = Σ ln P(answer | not in it) / P(answer | in it) over the questions (``beacon_model``); small Λ says *in
    the Beacon*. ``order`` says what is asked first: the person's **rarest** alleles, which tells most, or any
    in **random** order, by ``seed``; at most ``queries`` of them.

    The target is published answers (a column ``present`` of 0 and 1 about alternate alleles), or a Beacon
    that is really asked: where an allele is the commoner one, the other is asked for. A refusal ends the
    questions about a person; of somebody about whom no question was answered, or who carries nothing that
    could be asked for, Λ is 0. A whole Beacon (``dna.beacon``) is asked about everybody by a new asker, who
    has a budget of their own; one seat at it is one asker, who asks about all and remembers the answers.

    ``people`` is how many are in the Beacon (published with the answers, or given). ``flip`` and ``least``
    are what the Beacon says of its randomised answers and of the rare alleles that it hides (each with chance
    ``hidden``). Hiding alleles that one person carries does not stop the attack, even of somebody who does
    not know of it: the person's other rare alleles still tell.

    >>> from sfumato.dna.attacks.contract import Population
    >>> from sfumato.dna.sites import numbered
    >>> from sfumato.dna.source import InMemory
    >>> sites, chance = numbered(2000), np.random.default_rng(1)
    >>> rare = chance.uniform(0.001, 0.02, 2000)
    >>> drawn = chance.binomial(2, rare[:, None], (2000, 80)).astype(np.int8)
    >>> inside = drawn[:, :40]
    >>> answers = Statistics(sites, {"present": inside.any(axis=1).astype(float)}, people=40)
    >>> known = Knowledge(InMemory(inside, sites), InMemory(drawn[:, 40:], sites), Population(rare, sites))
    >>> BeaconAttack().run(answers, known).details["auc"] > 0.95
    True
    """

    queries: int = 100
    order: str = "rarest"
    people: int | None = None
    error: float = 0.001
    flip: float = 0.0
    least: int = 1
    hidden: float = 1.0
    false_positives: float = 0.05
    seed: int = 0
    name: ClassVar[str] = "beacon"
    title: ClassVar[str] = "asks a Beacon for a person's alleles to tell whether they are in it"
    threat: ClassVar[Threat] = Threat.MEMBERSHIP
    needs: ClassVar[frozenset[Need]] = frozenset({Need.PEOPLE, Need.POPULATION})

    def __post_init__(self) -> None:
        check_count(self.queries, "queries", self.name)
        check_count(self.seed, "seed", self.name, least=0)
        check_share(self.false_positives, "false_positives", self.name)
        if self.order not in ORDERS:
            raise BadInput(
                "there is no such order of questions",
                where=self.name,
                remedy=nearest(str(self.order), ORDERS),
            )
        self._model(1 if self.people is None else self.people)

    def run(
        self,
        target: Statistics | Asked | Seats,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Ask about members and about people outside, in an order that mixes them."""
        members, outside = people_to_attack(knowledge, self.name)
        model = self._model(self._people(target))
        questions = self._questions(target, knowledge, model, progress)
        chance = np.random.default_rng(self.seed)
        carried, known = (
            np.concatenate(both, axis=-1)
            for both in zip(*(questions.carried(one, progress) for one in (members, outside)), strict=True)
        )
        marks = [mark for mark in MARKS if mark < self.queries] + [self.queries]
        # Without an answer nothing speaks for either; not a number where not even a genotype is known.
        scores = np.where(known, 0.0, np.full((len(marks), 1), np.nan))
        asked = np.zeros(carried.shape[1], np.int64)
        answers = _Answers(target, questions)
        everybody = chance.permutation(carried.shape[1])
        for done, person in enumerate(everybody):
            if done % 64 == 0:
                progress.update(done / len(everybody), "asking")
            told = answers.about(self._chosen(carried[:, person], questions.frequency, chance))
            asked[person] = len(told)
            if len(told):
                grown = -np.cumsum(told)
                scores[:, person] = [grown[min(mark, len(told)) - 1] for mark in marks]
        if not asked.any():
            raise BadInput(
                "the Beacon answered no question", where=self.name, remedy="ask one whose budget is not spent"
            )
        split = members.people
        curve = {
            f"auc after {mark:,} questions": auc(row[:split][known[:split]], row[split:][known[split:]])
            for mark, row in zip(marks[:-1], scores[:-1], strict=True)
            if known[:split].any() and known[split:].any()
        }
        return membership_result(
            self.name,
            Scores(scores[-1, :split], scores[-1, split:]),
            self.false_positives,
            details={
                "sites": len(questions.frequency),
                "questions about a person": float(asked.mean()),
                "refused": answers.refused,
                **left_out(knowledge, outside),
                **curve,
            },
            victims=victims,
        )

    def _model(self, people: int) -> BeaconModel:
        return BeaconModel(people, self.error, self.flip, self.least, self.hidden)

    def _people(self, target: object) -> int:
        people = self.people if self.people is not None else getattr(target, "people", None)
        if not isinstance(people, int) or people < 1:
            raise BadInput(
                "it is not known how many people the Beacon is about",
                where=self.name,
                remedy="give 'people', or a guess of it",
            )
        return people

    def _questions(
        self, target: object, knowledge: Knowledge, model: BeaconModel, progress: Progress
    ) -> _Questions:
        population = population_of(knowledge, self.name, progress)
        frequency = population.frequency
        usable = np.isfinite(frequency)
        live = not isinstance(target, Statistics)
        if isinstance(target, Statistics):
            found = places(population.sites, target.sites)
            present = published_column(target, "present", self.name)
            told = np.where(found.place >= 0, present[found.place], np.nan)
            # An answer about the other allele says nothing about this one.
            usable &= np.isfinite(told) & ~found.swapped
        common_sites(usable, self.name)
        which = np.flatnonzero(usable)
        frequency = frequency[which]
        other = (frequency > 0.5) & live
        floor = floor_of(population.people)
        rare = np.clip(np.where(other, 1 - frequency, frequency), floor, 1 - floor)
        no, yes = model.evidence(rare)
        answered = None if not isinstance(target, Statistics) else told[which] > 0.5
        return _Questions(population.sites.some(which), rare, other, no, yes, answered)

    def _chosen(
        self, carried: NDArray[np.bool_], frequency: NDArray[np.float64], chance: np.random.Generator
    ) -> NDArray[np.int64]:
        which = chance.permutation(np.flatnonzero(carried))
        if self.order == "rarest":
            # Ties in frequency stay in the random order that they were drawn in.
            which = which[np.argsort(frequency[which], kind="stable")]
        return which[: self.queries]


@dataclass(frozen=True, eq=False)
class _Questions:
    """The sites that may be asked for: which allele, how frequent it is, what either answer says."""

    sites: Sites = field(repr=False)
    frequency: NDArray[np.float64] = field(repr=False)
    other: NDArray[np.bool_] = field(repr=False)
    """whether the reference allele is asked for, being the rarer one"""
    no: NDArray[np.float64] = field(repr=False)
    yes: NDArray[np.float64] = field(repr=False)
    answered: NDArray[np.bool_] | None = field(repr=False)

    def carried(
        self, people: GenotypeSource, progress: Progress
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return sites × people: who is known to carry the allele that is asked for; and of whom any genotype
        is known."""
        found = places(people.sites, self.sites)
        carried = np.zeros((len(self.sites), people.people), np.bool_)
        known = np.zeros(people.people, np.bool_)
        for block in people.blocks(progress=progress):
            where = slice(block.first, block.first + len(block.dosages))
            place, swapped = found.place[where], found.swapped[where]
            take = np.flatnonzero(place >= 0)
            dosages = block.dosages[take]
            known |= (dosages >= 0).any(axis=0)
            reference = (self.other[place[take]] != swapped[take])[:, None]
            carried[place[take]] = (dosages >= 0) & np.where(reference, dosages <= 1, dosages >= 1)
        return carried, known


class _Answers:
    """Asks, remembers, and stops when refused."""

    def __init__(self, target: Any, questions: _Questions) -> None:
        self._target = target
        self._questions = questions
        self._known: dict[int, bool] = {}
        self._askers = 0
        self.refused = 0

    def about(self, sites: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the evidence of the answers to these questions, until one is refused."""
        questions = self._questions
        if questions.answered is not None:
            said = questions.answered[sites]
        else:
            said = self._asked(sites)
            sites = sites[: len(said)]
        return np.where(said, questions.yes[sites], questions.no[sites])

    def _asked(self, sites: NDArray[np.int64]) -> NDArray[np.bool_]:
        target = self._target
        beacon: Asked = target
        known = self._known
        if hasattr(target, "seat"):
            self._askers += 1
            beacon, known = target.seat(f"adversary {self._askers}"), {}
        there = self._questions.sites
        said: list[bool] = []
        for site in sites.tolist():
            if site not in known:
                alleles = there.reference if self._questions.other[site] else there.alternate
                answer = beacon.ask(
                    str(there.chromosome[site]), int(there.position[site]), str(alleles[site])
                )
                if answer is None:
                    self.refused += 1
                    break
                known[site] = bool(answer)
            said.append(known[site])
        return np.array(said, np.bool_)
