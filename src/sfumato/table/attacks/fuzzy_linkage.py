"""Fuzzy linkage: find people in a release whose values were changed, misspelt or rounded.

I. P. Fellegi and A. B. Sunter, "A theory for record linkage", Journal of the American Statistical Association
64, 1969, with Jaro's estimate by expectation maximisation (1989) and the Jaro–Winkler comparison of texts
(Winkler 1990). As a measure of disclosure: J. Domingo-Ferrer and V. Torra, "Distance-based and probabilistic
record linkage for re-identification of records with categorical variables", Butlletí de l'ACIA 28, 2002.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import MOST_VICTIMS, AttackResult, Need, Scored, Victim
from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.table.attacks.contract import Knowledge, People
from sfumato.table.attacks.matching.blocking import Pass, passes
from sfumato.table.attacks.matching.compatible import Ints
from sfumato.table.attacks.matching.fellegi_sunter import Estimate, agreeing, estimate, share_of_levels, weigh
from sfumato.table.attacks.matching.similarity_scores import Kind
from sfumato.table.attacks.matching.two_files import TwoFiles
from sfumato.table.attacks.matching.who import is_original, people_of
from sfumato.table.published import PublishedTable

Floats = NDArray[np.float64]
_UNSETTLED = "the weights had not settled when the estimate was stopped, and may be too low"
_SAMPLE = 200_000
"""random pairs that show how often values agree by chance"""


@dataclass(frozen=True)
class FuzzyLinkage:
    """Weigh pairs by log2 m/u over the columns, and give each known person the best record that is left.

    How alike values are is told in levels, by what they are: numbers by distance, dates by days (and day and
    month exchanged), texts by Jaro–Winkler, categories by agreement; ``kinds`` says otherwise, such as
    ``{"zip": "text"}``. How often levels occur by chance is counted on random pairs; how often for one and
    the same person is estimated from the pairs themselves. Pairs are compared only where they share a
    ``blocking`` key, such as ``[["zip"], ["birth_date", "sex"]]``; left open, all keys that keep blocks small
    and a grid over numbers and dates.

    Pairs with a positive weight are taken from the heaviest down, each person and each record once
    (``one_to_one``); equal weights are a coin, tossed with ``seed``. A claim whose weight is at least the
    ``threshold`` is a *link*: left open, log2 of the number of records, where it is as likely right as
    wrong. ``certain`` counts links, with person ids on both sides only right ones. With such ids two
    adversaries are compared with the truth, and the better one counts: one who weighs by what was estimated,
    and one who takes it that agreement is three times as likely at each level as at the next.

    Noise, microaggregation and typing errors of independent columns do not stop it; columns that were
    shuffled or swapped among people do. It takes columns as independent, and ignores that agreement on a
    rare value says more than on a frequent one, so it is a lower bound of what an adversary can do. Records
    are held in memory.

    >>> import pyarrow as pa
    >>> from sfumato.engine import open_engine
    >>> from sfumato.engine.sources import Frame
    >>> from sfumato.table.attacks.contract import Knowledge, People
    >>> engine = open_engine()
    >>> exact = {"height": [150.0 + i for i in range(40)], "weight": [90.0 - i for i in range(40)]}
    >>> noisy = {name: [value + 0.2 for value in values] for name, values in exact.items()}
    >>> voters, patients = (
    ...     engine.read(Frame(pa.table(columns | {"id": list(range(40))}))) for columns in (exact, noisy)
    ... )
    >>> known = Knowledge(People(voters, {"height": "height", "weight": "weight"}, person="id"))
    >>> FuzzyLinkage().run(PublishedTable(patients, ("height", "weight"), person="id"), known).success
    1.0
    """

    columns: Sequence[str] | None = None
    kinds: Mapping[str, str] = field(default_factory=dict)
    blocking: Sequence[Sequence[str]] | None = None
    threshold: float | None = None
    one_to_one: bool = True
    day_first: bool | None = None
    seed: int = 0
    name: ClassVar[str] = "fuzzy-linkage"
    title: ClassVar[str] = "finds people by values that nearly agree"
    threat: ClassVar[Threat] = Threat.IDENTITY
    needs: ClassVar[frozenset[Need]] = frozenset({Need.PEOPLE})

    def __post_init__(self) -> None:
        for name, kind in self.kinds.items():
            if kind not in tuple(Kind):
                raise BadInput(
                    f"there is no kind '{kind}'",
                    where=f"{self.name}, column '{name}'",
                    remedy=nearest(kind, Kind),
                )
        if self.blocking is not None and (not self.blocking or not all(self.blocking)):
            raise BadInput(
                "blocking must be a list of keys, each a list of columns",
                where=self.name,
                remedy="for example [[zip], [birth_date, sex]]",
            )
        if self.threshold is not None and not math.isfinite(self.threshold):
            raise BadInput("threshold must be a number", where=self.name, remedy="or leave it out")

    def run(
        self,
        target: PublishedTable,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Compare, weigh, assign and score."""
        people = people_of(self.name, target, knowledge, self.columns)
        progress.step("comparing records")
        sides = TwoFiles.read(target, people, knowledge, self.kinds, self.day_first)
        blocks = passes(sides.keys, self.blocking)
        tried = self._claims(sides, blocks, inside=is_original(people, knowledge))
        claims = max(tried, key=lambda each: int(_right(sides, each).sum()))
        return self._scored(target, people, knowledge, sides, blocks, claims, victims)

    def _claims(self, sides: TwoFiles, blocks: Sequence[Pass], *, inside: bool) -> list[_Claims]:
        """Claim by estimated weights; where claims can be compared with the truth, by the usual ones too.

        With few columns that tell anything, an estimate may take something else for a match. The usual
        weights take the best record that there is, however little it agrees.
        """
        random = np.random.default_rng(self.seed)
        by_chance = sides.levels(
            *(random.integers(0, size, _SAMPLE) for size in (sides.people, sides.records))
        )
        outcomes = [each.outcomes for each in sides.comparisons]
        u = [share_of_levels(found, number) for found, number in zip(by_chance, outcomes, strict=True)]
        found = [self._estimate(sides, block, outcomes, u) for block in blocks]
        weighed_by = [(_mean_m(found, u), 0.0)]
        if sides.ids is not None:
            weighed_by.append(([agreeing(number - 1) for number in outcomes], -np.inf))
        pair = np.unique(np.concatenate([block.left * sides.records + block.right for block in blocks]))
        settled = all(each.settled for each, _ in found)
        levels = sides.levels(pair // sides.records, pair % sides.records)
        tried = []
        for m, least in weighed_by:
            weights = weigh(levels, m, u)
            kept = weights > least
            left, right, weights = pair[kept] // sides.records, pair[kept] % sides.records, weights[kept]
            order = np.lexsort((random.random(len(weights)), -weights)).astype(np.int64)
            chosen = _assigned(left, right, order, sides.people, sides.records, self.one_to_one)
            odds = np.bincount(left, np.exp2(weights), minlength=sides.people).astype(np.float64)
            against = odds if inside else odds + sides.records
            tried.append(_Claims.of(left, right, weights, chosen, against, len(pair), settled))
        return tried

    def _estimate(
        self, sides: TwoFiles, block: Pass, outcomes: Sequence[int], u: Sequence[Floats]
    ) -> tuple[Estimate, list[int]]:
        """Estimate from one pass without what its key holds equal; say also which columns took part."""
        levels = sides.levels(block.left, block.right)
        free = [j for j, name in enumerate(sides.columns) if name not in block.columns]
        some = free or list(range(len(sides.columns)))
        share = min(sides.people, sides.records) / max(1, len(block.left))
        if not len(block.left):
            return Estimate(0.0, tuple(u[j] for j in some), tuple(u[j] for j in some), 0, True), some
        found = estimate([levels[j] for j in some], [outcomes[j] for j in some], [u[j] for j in some], share)
        return found, some

    def _scored(
        self,
        target: PublishedTable,
        people: People,
        knowledge: Knowledge,
        sides: TwoFiles,
        blocks: Sequence[Pass],
        claims: _Claims,
        victims: bool,
    ) -> AttackResult:
        threshold = math.log2(max(2, sides.records)) if self.threshold is None else self.threshold
        link = (claims.weights >= threshold) & (claims.confidence > 0.5)
        details: dict[str, int | float | str] = {
            "people in the file": sides.people,
            "records": sides.records,
            "pairs compared": claims.pairs,
            "claims": int((claims.records >= 0).sum()),
            "links": int(link.sum()),
            "best records that are a tie": claims.ties,
            "blocking": "; ".join(dict.fromkeys(block.title for block in blocks)),
            "columns": ", ".join(sides.columns),
        }
        notes = [] if claims.settled else [_UNSETTLED]
        baseline = 1 / sides.records
        if sides.ids is None:
            notes.insert(0, "claims that nobody could compare with a truth")
            hit, told = link, claims.confidence
            attempts, success, certain = sides.people, float(claims.confidence.mean()), int(link.sum())
        else:
            who, _, inside = sides.ids
            right = _right(sides, claims)
            attacked = np.unique(who[(who >= 0) & inside[np.maximum(who, 0)]])
            if not len(attacked):
                raise BadInput(
                    "nobody of the identified file is in the data, by their ids",
                    where=self.name,
                    remedy="check that the person columns hold the same ids, or leave them out",
                )
            hit, told = right, np.where(right, claims.confidence, 0.0)
            attempts = len(attacked)
            success = len(np.unique(who[right])) / attempts
            certain = len(np.unique(who[right & link]))
            details["right links"] = int((right & link).sum())
        return AttackResult(
            self.name,
            self.threat,
            attempts,
            success,
            baseline,
            baseline,
            certain=certain,
            highest=float(told.max(initial=0.0)),
            scored=Scored.CLAIMED if sides.ids is None else Scored.MEASURED,
            details=details,
            note="; ".join(notes),
            victims=_victims(hit, claims.confidence) if victims else (),
        )


@dataclass(frozen=True)
class _Claims:
    """For each row of the identified file the record that it was given (−1: none), and how surely."""

    records: Ints
    weights: Floats
    confidence: Floats
    ties: int
    pairs: int
    settled: bool

    @classmethod
    def of(
        cls,
        left: Ints,
        right: Ints,
        weights: Floats,
        chosen: Ints,
        against: Floats,
        pairs: int,
        settled: bool,
    ) -> _Claims:
        """Turn chosen pairs into claims.

        Somebody is taken to be in the data or not with even odds, and every record to be theirs alike: then
        the record of weight w is theirs with chance 2^w / (Σ 2^w + number of records), over their pairs. Of
        somebody who is in the data for sure, the record is one of these: 2^w / Σ 2^w.
        """
        given = np.full(len(chosen), -1, np.int64)
        weight, confidence = np.full(len(chosen), -np.inf), np.zeros(len(chosen))
        some = chosen >= 0
        pair = chosen[some]
        given[some], weight[some] = right[pair], weights[pair]
        confidence[some] = np.exp2(weights[pair]) / against[some]
        best = np.full(len(chosen), -np.inf)
        np.maximum.at(best, left, weights)
        equally = np.bincount(left[weights == best[left]], minlength=len(chosen))
        return cls(given, weight, confidence, int((equally > 1).sum()), pairs, settled)


def _right(sides: TwoFiles, claims: _Claims) -> NDArray[np.bool_]:
    """Say for each row of the identified file whether the claim is right; never so if nobody knows."""
    if sides.ids is None:
        return np.zeros(len(claims.records), np.bool_)
    who, owner, _ = sides.ids
    theirs = who == owner[np.maximum(claims.records, 0)]
    found: NDArray[np.bool_] = theirs & (claims.records >= 0) & (who >= 0)
    return found


def _assigned(left: Ints, right: Ints, order: Ints, people: int, records: int, one_to_one: bool) -> Ints:
    """Return the pair that each person is given, or −1."""
    chosen = np.full(people, -1, np.int64)
    if one_to_one:
        from sfumato.table.attacks.matching._kernels_fuzzy import assign

        given, taken = np.full(people, -1, np.int64), np.full(records, -1, np.int64)
        assign(order, left, right, given, taken, chosen)
        return chosen
    backwards = order[::-1]
    chosen[left[backwards]] = backwards
    return chosen


def _mean_m(found: Sequence[tuple[Estimate, list[int]]], u: Sequence[Floats]) -> list[Floats]:
    """Average what the passes say of m, each by the matches that it sees."""
    sums = [np.full(len(part), 1e-9) for part in u]
    for each, columns in found:
        for m, j in zip(each.m, columns, strict=True):
            sums[j] += m * max(each.matches * each.pairs, 1e-9)
    return [total / total.sum() for total in sums]


def _victims(hit: NDArray[np.bool_], confidence: Floats) -> tuple[Victim, ...]:
    rows = np.flatnonzero(hit)
    surest = rows[np.argsort(-confidence[rows], kind="stable")][:MOST_VICTIMS]
    return tuple(Victim(int(row) + 1, float(confidence[row])) for row in surest)
