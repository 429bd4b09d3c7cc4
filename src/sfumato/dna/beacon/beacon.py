"""A Beacon: it says whether anybody in it carries an allele, and tries not to say who.

The idea is the Global Alliance for Genomics and Health's (2014). That yes and no betray people was shown by
S. S. Shringarpure & C. D. Bustamante (2015); see ``attacks/beacon_attack``.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.progress import SILENT, Progress
from sfumato.core.randomness import Random
from sfumato.dna.beacon.contract import EVERYBODY, Account, Policy, Question
from sfumato.dna.beacon.policies import Open
from sfumato.dna.beacon.state import Entry, Told, read_state, write_state
from sfumato.dna.contract import Figure, Published, Statistics
from sfumato.dna.models.private import NOT_SECRET
from sfumato.dna.source import GenotypeSource

Key = tuple[str, int, str]


@dataclass(frozen=True)
class Seat:
    """A Beacon as one asker sees it."""

    beacon: Beacon
    asker: str

    @property
    def people(self) -> int:
        """How many people there are in it."""
        return self.beacon.people

    def ask(self, chromosome: str, position: int, allele: str) -> bool | None:
        """Say whether anybody carries the allele; None is a refusal."""
        return self.beacon.ask(self.asker, chromosome, position, allele)


@dataclass(eq=False)
class Beacon:
    """Answers about the alleles of some people, under a policy.

    ``ask`` says True or False, or None where the policy or ``questions`` (the different questions that each
    asker may ask; somebody with two names asks twice as many) refuses. A question that was asked before gets
    the same answer and costs nothing, so that asking again tells nothing. An allele that is not at one of the
    sites is carried by nobody. A missing genotype carries nothing.

    How many people are in it is public; fewer than ``least_people`` are refused, since a small Beacon betrays
    everybody at once. The genotypes lie in memory, a byte each. The log says who asked what, and never what
    was answered; ``state`` holds what budgets and memory need after a restart, and stays with the steward.
    **Without it a restart forgets**: every budget is full again, and randomised answers are drawn anew, which
    costs their ε once more. It is taken up again by the same people, sites and policy alone.

    However a question is spelt ("1", "chr1", "Chr1"; "M" and "MT"; "g" and "G"), it is the same question.

    A test may inject ``random``; what is then published holds no promise.

    >>> from sfumato.dna.sites import numbered
    >>> from sfumato.dna.source import InMemory
    >>> beacon = Beacon(InMemory(np.array([[0, 0, 1], [0, 0, 0]], np.int8), numbered(2)))
    >>> beacon.ask("ann", "1", 1, "G"), beacon.ask("ann", "1", 2, "G"), beacon.ask("ann", "7", 5, "T")
    (True, False, False)
    """

    source: GenotypeSource = field(repr=False)
    policy: Policy = field(default_factory=Open)
    questions: int | None = None
    least_people: int = 1
    random: Random | None = field(default=None, repr=False)
    state: Mapping[str, Any] | None = field(default=None, repr=False)
    progress: Progress = field(default=SILENT, repr=False)
    log: list[Entry] = field(default_factory=list, init=False, repr=False)
    _told: Told = field(default_factory=dict, init=False, repr=False)
    _accounts: dict[str, Account] = field(default_factory=dict, init=False, repr=False)
    _asked: dict[str, set[Key]] = field(default_factory=dict, init=False, repr=False)
    _places: dict[Key, tuple[bool, list[int]]] = field(default_factory=dict, init=False, repr=False)
    _dosages: NDArray[np.int8] = field(init=False, repr=False)
    _digest: str = field(init=False, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.source.people < max(1, self.least_people):
            raise PromiseNotMet(
                f"there are {self.source.people} people, fewer than {max(1, self.least_people)}",
                where="beacon",
                remedy="join it with others: a small Beacon betrays everybody in it",
            )
        if self.questions is not None and (isinstance(self.questions, bool) or self.questions < 1):
            raise BadInput("an asker may ask at least one question", where="beacon", remedy="try 100")
        self._places = _places(self.source)
        self.policy.start(self.people, len(self.source.sites))
        blocks = [block.dosages for block in self.source.blocks(progress=self.progress)]
        self._dosages = np.concatenate(blocks) if blocks else np.zeros((0, self.people), np.int8)
        self._digest = _digest(self._dosages, self._places)
        if self.state is not None:
            self._told, self._accounts, self._asked = read_state(self.state, self._fingerprint, self.people)
            self.state = None

    @property
    def people(self) -> int:
        """How many people there are in it."""
        return self.source.people

    def seat(self, asker: str) -> Seat:
        """Return the Beacon as this asker sees it."""
        return Seat(self, asker)

    def ask(self, asker: str, chromosome: str, position: int, allele: str) -> bool | None:
        """Say whether anybody carries the allele; None is a refusal."""
        if not asker or asker == EVERYBODY:
            raise BadInput("an asker needs a name", where="beacon", remedy="name the account that asks")
        key = _key(chromosome, position, allele)
        with self._lock:
            answer, outcome = self._answer(asker, key)
            self.log.append(Entry(len(self.log) + 1, asker, *key, outcome))
        return answer

    def exported(self) -> dict[str, Any]:
        """Return what must survive a restart, as JSON can hold it. It tells of people: keep it safe."""
        with self._lock:
            return write_state(self._told, self._accounts, self._asked, self._fingerprint)

    @property
    def spent(self) -> dict[str, float]:
        """ε of all answers so far, where the policy promises one."""
        account = self._accounts.get(EVERYBODY)
        return self.policy.spent(0 if account is None else account.answered)

    def published(self, asker: str = "publication") -> Published:
        """Ask for the alternate allele of every site and return the answers as a column ``present``.

        A refused answer is not a number.
        """
        sites = self.source.sites
        answers = [
            self.ask(asker, str(chromosome), int(position), str(allele))
            for chromosome, position, allele in zip(
                sites.chromosome, sites.position, sites.alternate, strict=True
            )
        ]
        present = np.array([np.nan if answer is None else float(answer) for answer in answers], np.float64)
        details: dict[str, Figure] = {"policy": self.policy.name}
        if self.spent:
            details["neighbours"] = "one person replaced by another"
        if self.policy.secret and self.random is not None and not self.random.secret:
            details[NOT_SECRET] = "drawn from a test's generator: not to be published"
        return Published(
            Statistics(sites, {"present": present}, people=self.people),
            np.arange(len(sites), dtype=np.int64),
            self.spent,
            details,
        )

    @property
    def _fingerprint(self) -> dict[str, str | int]:
        return {
            "policy": repr(self.policy),
            "people": self.people,
            "sites": len(self.source.sites),
            "genotypes": self._digest,
        }

    def _answer(self, asker: str, key: Key) -> tuple[bool | None, str]:
        scope = EVERYBODY if self.policy.together else asker
        # Which sites there are is public: that nobody carries anything elsewhere costs nothing.
        asked = self._asked.setdefault(asker, set())
        known = self._told.get((scope, key)) if key in self._places else False
        if known is not None and key in asked:
            return known, "again"
        if self.questions is not None and len(asked) >= self.questions:
            return None, "refused"
        if known is None:
            account = self._accounts.setdefault(scope, Account(np.zeros(self.people)))
            known = self.policy.answer(self._question(key), account, self.random)
            if known is None:
                return None, "refused"
            self._told[scope, key] = known
        asked.add(key)
        return known, "answered"

    def _question(self, key: Key) -> Question:
        reference, sites = self._places[key]
        dosages = self._dosages[sites]
        if reference:
            # With several alternate alleles at a place, a person has 2 alleles less those that are alternate.
            carry = (dosages >= 0).all(axis=0) & (dosages.sum(axis=0, dtype=np.int64) <= 1)
        else:
            carry = (dosages >= 1).any(axis=0)
        return Question(sites[0], reference, np.flatnonzero(carry))


def _key(chromosome: object, position: object, allele: object) -> Key:
    """Return a question in its one spelling: what is asked twice must not be answered twice."""
    chromosome = str(chromosome).strip().upper().removeprefix("CHR")
    try:
        place = int(position)  # type: ignore[call-overload]  # whatever is no number is refused
    except (TypeError, ValueError, OverflowError):
        place = -1
    if not chromosome or place < 0 or (isinstance(position, float) and position != place):
        raise BadInput(
            "a question is a chromosome, a position and an allele",
            where="beacon",
            remedy="ask like '1', 12345, 'G'",
        )
    return "MT" if chromosome == "M" else chromosome, place, str(allele).strip().upper()


def _digest(dosages: NDArray[np.int8], places: Mapping[Key, object]) -> str:
    """Tell people and sites from others, so that nobody takes over the budget of somebody else."""
    found = hashlib.blake2b(np.ascontiguousarray(dosages).ravel().data, digest_size=16)
    for key in places:
        found.update(repr(key).encode())
    return found.hexdigest()


def _places(source: GenotypeSource) -> dict[Key, tuple[bool, list[int]]]:
    """Return for each allele whether it is a reference allele, and the numbers of its sites."""
    found: dict[Key, tuple[bool, list[int]]] = {}
    sites = source.sites
    for at in range(len(sites)):
        for reference, allele in ((True, sites.reference[at]), (False, sites.alternate[at])):
            key = _key(sites.chromosome[at], sites.position[at], allele)
            known = found.setdefault(key, (reference, []))
            if known[0] != reference or (known[1] and not reference):
                raise BadInput(
                    "two sites have the same place and alternate allele",
                    where=f"site {at + 1}",
                    remedy="join them, or leave one out",
                )
            known[1].append(at)
    return found
