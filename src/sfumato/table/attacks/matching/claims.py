"""What an adversary of fuzzy linkage claims: a record for each known person, and how surely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import MOST_VICTIMS, Victim
from sfumato.table.attacks.matching.compatible import Ints
from sfumato.table.attacks.matching.fellegi_sunter import weigh
from sfumato.table.attacks.matching.two_files import TwoFiles

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Claims:
    """For each row of the identified file the record that it was given (−1: none), and how surely."""

    adversary: str
    records: Ints = field(repr=False)
    weights: Floats = field(repr=False)
    confidence: Floats = field(repr=False)

    def right(self, sides: TwoFiles) -> Bools:
        """Return for each row of the identified file whether the claim is right; never so if nobody knows."""
        if sides.ids is None:
            return np.zeros(len(self.records), np.bool_)
        who, owner, _ = sides.ids
        theirs = who == owner[np.maximum(self.records, 0)]
        found: Bools = theirs & (self.records >= 0) & (who >= 0)
        return found

    @property
    def number(self) -> int:
        """How many people were given a record."""
        return int((self.records >= 0).sum())

    def share_right(self, right: Bools) -> float:
        """Return which share of all claims is right."""
        return float(right.sum()) / max(1, self.number)

    def links(self, threshold: float) -> Bools:
        """Return which claims weigh enough to be links, and are likelier right than wrong."""
        found: Bools = (self.weights >= threshold) & (self.confidence > 0.5)
        return found


@dataclass(frozen=True)
class Weighed:
    """Pairs with the weight of each, by one way to weigh, and what all pairs of a person weigh together.

    Somebody is taken to be in the data or not with even odds, and every record to be theirs alike: then the
    record of weight w is theirs with chance 2^w / (Σ 2^w + number of records), over their pairs. Of somebody
    who is in the data for sure (``inside``), the record is one of these: 2^w / Σ 2^w.
    """

    sides: TwoFiles = field(repr=False)
    m: Sequence[Floats] = field(repr=False)
    u: Sequence[Floats] = field(repr=False)
    left: Ints = field(repr=False)
    right: Ints = field(repr=False)
    weights: Floats = field(repr=False)
    inside: bool

    @classmethod
    def of(
        cls,
        sides: TwoFiles,
        pair: Ints,
        levels: Sequence[NDArray[np.int8]],
        m: Sequence[Floats],
        u: Sequence[Floats],
        least: float,
        *,
        inside: bool,
    ) -> Weighed:
        """Weigh pairs, given by person · records + record in order, and keep those above ``least``."""
        weights = weigh(levels, m, u)
        kept = weights > least
        left, right = np.divmod(pair[kept], sides.records)
        return cls(sides, m, u, left, right, weights[kept], inside)

    def claims(self, adversary: str, records: Ints) -> Claims:
        """Turn the record that each person was given into claims; it need not be among the pairs."""
        weight, confidence = np.full(len(records), -np.inf), np.zeros(len(records))
        some = np.flatnonzero(records >= 0)
        given = records[some]
        weight[some] = weigh(self.sides.levels(some, given), self.m, self.u)
        pair = self.left * self.sides.records + self.right
        mine = some * self.sides.records + given
        at = np.minimum(np.searchsorted(pair, mine), max(0, len(pair) - 1))
        listed = pair[at] == mine if len(pair) else np.zeros(len(mine), np.bool_)
        odds = np.bincount(self.left, np.exp2(self.weights), minlength=self.sides.people).astype(np.float64)
        odds = odds if self.inside else odds + self.sides.records
        against = odds[some] + np.where(listed, 0.0, np.exp2(weight[some]))
        confidence[some] = np.exp2(weight[some]) / against
        return Claims(adversary, records, weight, confidence)

    def best(self, random: np.random.Generator, *, one_to_one: bool) -> Ints:
        """Return the heaviest record of each person (−1: none), from the heaviest pair down.

        With ``one_to_one`` each record is given once. Equal weights are a coin.
        """
        order = np.lexsort((random.random(len(self.weights)), -self.weights)).astype(np.int64)
        given = np.full(self.sides.people, -1, np.int64)
        if one_to_one:
            from sfumato.table.attacks.matching._kernels_fuzzy import assign

            taken, chosen = np.full(self.sides.records, -1, np.int64), given.copy()
            assign(order, self.left, self.right, given, taken, chosen)
            return given
        backwards = order[::-1]
        given[self.left[backwards]] = self.right[backwards]
        return given

    def ties(self) -> int:
        """Return of how many people several records weigh most."""
        best = np.full(self.sides.people, -np.inf)
        np.maximum.at(best, self.left, self.weights)
        equally = np.bincount(self.left[self.weights == best[self.left]], minlength=self.sides.people)
        return int((equally > 1).sum())


def met_their_own(sides: TwoFiles, pair: Ints) -> Bools:
    """Return for each row of the identified file whether it was compared with a record of its own person.

    Without ids: with any record. Somebody of whom the release has no record cannot be missed by not looking.
    """
    left, right = np.divmod(pair, sides.records)
    met = np.zeros(sides.people, np.bool_)
    if sides.ids is None:
        met[left] = True
        return met
    who, owner, _ = sides.ids
    met[left[(who[left] == owner[right]) & (who[left] >= 0)]] = True
    released = np.isin(who, owner[owner >= 0])
    found: Bools = met | ~released
    return found


def victims_of(hit: Bools, confidence: Floats) -> tuple[Victim, ...]:
    """Return the rows that were hit, those first about whom the adversary is surest."""
    rows = np.flatnonzero(hit)
    surest = rows[np.argsort(-confidence[rows], kind="stable")][:MOST_VICTIMS]
    return tuple(Victim(int(row) + 1, float(confidence[row])) for row in surest)
