"""Fuzzy linkage: find people in a release whose values were changed, misspelt or rounded.

I. P. Fellegi and A. B. Sunter, "A theory for record linkage", Journal of the American Statistical Association
64, 1969, with Jaro's estimate by expectation maximisation (1989) and the Jaro–Winkler comparison of texts
(Winkler 1990). As a measure of disclosure: J. Domingo-Ferrer and V. Torra, "Distance-based and probabilistic
record linkage for re-identification of records with categorical variables", Butlletí de l'ACIA 28, 2002.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import AttackResult, Need, Scored
from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.table.attacks.contract import Knowledge
from sfumato.table.attacks.matching.blocking import EVERY, MOST_PAIRS, Pass, all_pairs, passes
from sfumato.table.attacks.matching.claims import Claims, Weighed, met_their_own, victims_of
from sfumato.table.attacks.matching.distance_linkage import (
    MOST_ASSIGNED,
    along_each_axis,
    neighbours,
    number_of_neighbours,
    spaces,
)
from sfumato.table.attacks.matching.fellegi_sunter import Estimate, agreeing, estimate, share_of_levels
from sfumato.table.attacks.matching.similarity_scores import Kind, Texts
from sfumato.table.attacks.matching.two_files import TwoFiles
from sfumato.table.attacks.matching.who import is_original, people_of
from sfumato.table.published import PublishedTable

Floats = NDArray[np.float64]
_UNSETTLED = "the weights had not settled when the estimate was stopped, and may be too low"
_UNASSIGNED = (
    f"above {MOST_ASSIGNED:,} records the pairing that is nearest on the whole is not looked for: an "
    "adversary who finds it may do better"
)
_ESTIMATED = 10_000
"""pairs that weights are estimated from, drawn from a pass that has more"""
_SAMPLE = 200_000
"""random pairs that show how often values agree by chance"""


@dataclass(frozen=True)
class FuzzyLinkage:
    """Give each known person the record that agrees best: by weights, and by distance. The stronger counts.

    *By weights* log2 m/u over the columns. How alike values are is told in levels, by what they are:
    numbers by distance, dates by days (and day and month exchanged), texts by Jaro–Winkler, categories by
    agreement; ``kinds`` says otherwise, such as ``{"zip": "text"}``. How often levels occur by chance is
    counted on random pairs; how often for one and the same person is estimated from the pairs themselves.
    All pairs of small files are weighed; of larger ones those that share a key which keeps blocks small,
    and the nearest ten of each person. Pairs with a positive weight are taken from the heaviest down, each
    person and each record once (``one_to_one``); equal weights are a coin, tossed with ``seed``. A claim
    whose weight is at least the ``threshold`` is a *link*: left open, log2 of the number of records, where
    it is as likely right as wrong.

    *By distance*: the nearest record of all, in standard deviations and in ranks, and up to 4,000 people
    and records the pairing that is nearest on the whole (``matching/distance_linkage.py``).

    With person ids on both sides all these adversaries are compared with the truth, and besides one who
    takes it that agreement is three times as likely at each level as at the next: ``success`` is that of
    the best, and ``certain`` and ``highest`` are the greatest of any. ``certain`` counts links, with ids
    only right ones; where the claims of an adversary are right more often than a coin, and no ``threshold``
    is given, all of them are links, whatever they weigh.

    With ``blocking``, such as ``[["zip"], ["birth_date", "sex"]]``, only pairs that share one of these keys
    are compared, and nobody is looked for by distance. Who never met a record of their own is *not
    compared*; so is who did not, in files of many texts, of which only those pairs are compared that share
    a key or are near.

    Noise, microaggregation and typing errors of independent columns do not stop it; columns that were
    shuffled do. It takes columns as independent, and ignores that agreement on a rare value says more than
    on a frequent one, so it is a lower bound of what an adversary can do. Records are held in memory.

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
        if self.seed < 0:
            raise BadInput("seed must be a whole number from 0 on", where=self.name, remedy="try seed: 1")

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
        tried = self._tried(sides, progress, inside=is_original(people, knowledge))
        return self._scored(sides, tried, victims)

    def _tried(self, sides: TwoFiles, progress: Progress, *, inside: bool) -> _Tried:
        """Claim by estimated weights; where claims can be compared with the truth, in all other ways too.

        With few columns that tell anything, an estimate may take something else for a match. The usual
        weights, and distances, take the best record that there is, however little it agrees.
        """
        random = np.random.default_rng(self.seed)
        every_pair = self.blocking is None and all_pairs(sides.people, sides.records)
        blocks = passes(sides.keys, self.blocking)
        found_by = spaces(sides.keys) if self.blocking is None else ()
        number = number_of_neighbours(sides.people, MOST_PAIRS)
        nearest = [space.nearest(number, random, progress) for space in found_by]
        near = neighbours(nearest)
        if found_by and not every_pair:
            blocks += [*near, *along_each_axis(sides.keys, MOST_PAIRS // 6, random)]
        pair = np.unique(np.concatenate([block.left * sides.records + block.right for block in blocks]))
        levels = sides.levels(pair // sides.records, pair % sides.records)
        u = self._by_chance(sides, random)
        m, settled = self._estimated(sides, blocks, u, random)
        weighed = Weighed.of(sides, pair, levels, m, u, 0.0, inside=inside)
        claims = [weighed.claims("weights", weighed.best(random, one_to_one=self.one_to_one))]
        if sides.ids is not None:
            others = {
                "usual weights": (Weighed.of(sides, pair, levels, _usual(sides), u, -np.inf, inside=inside))
            }
            if near:
                m = self._estimated(sides, near, u, random)[0]
                others["weights of the nearest"] = Weighed.of(sides, pair, levels, m, u, 0.0, inside=inside)
            for name, other in others.items():
                claims.append(other.claims(name, other.best(random, one_to_one=self.one_to_one)))
            surest = others.get("weights of the nearest", weighed)
            for space, found in zip(found_by, nearest, strict=True):
                claims.append(surest.claims(f"nearest by {space.title}", found[:, 0]))
                if self.one_to_one and max(sides.people, sides.records) <= MOST_ASSIGNED:
                    claims.append(surest.claims(f"assigned by {space.title}", space.assigned(random)))
        # A tree looks at every record, but not at the letters of texts.
        looked_at_all = every_pair or (
            self.blocking is None and not any(isinstance(each, Texts) for each in sides.comparisons)
        )
        met = np.ones(sides.people, np.bool_) if looked_at_all else met_their_own(sides, pair)
        title = "; ".join(dict.fromkeys(block.title for block in blocks))
        return _Tried(tuple(claims), len(pair), weighed.ties(), settled, title, met)

    def _by_chance(self, sides: TwoFiles, random: np.random.Generator) -> list[Floats]:
        """Return u: how often the levels of each column occur among random pairs."""
        drawn = sides.levels(*(random.integers(0, size, _SAMPLE) for size in (sides.people, sides.records)))
        return [
            share_of_levels(found, each.outcomes)
            for found, each in zip(drawn, sides.comparisons, strict=True)
        ]

    def _estimated(
        self, sides: TwoFiles, blocks: Sequence[Pass], u: Sequence[Floats], random: np.random.Generator
    ) -> tuple[list[Floats], bool]:
        """Return m as the passes see it, and whether all estimates had settled."""
        outcomes = [each.outcomes for each in sides.comparisons]
        found = [self._estimate(sides, block, outcomes, u, random) for block in blocks]
        return _mean_m(found, u), all(each.settled for each, _ in found)

    def _estimate(
        self,
        sides: TwoFiles,
        block: Pass,
        outcomes: Sequence[int],
        u: Sequence[Floats],
        random: np.random.Generator,
    ) -> tuple[Estimate, list[int]]:
        """Estimate from one pass without what its key holds equal; say also which columns took part."""
        pairs = len(block.left)
        left, right = block.left, block.right
        if block.without != EVERY and pairs > _ESTIMATED:
            drawn = random.integers(0, pairs, _ESTIMATED)
            left, right = left[drawn], right[drawn]
        levels = sides.levels(left, right)
        free = [j for j, name in enumerate(sides.columns) if name not in block.columns]
        some = free or list(range(len(sides.columns)))
        share = min(sides.people, sides.records) / max(1, pairs)
        if not pairs:
            return Estimate(0.0, tuple(u[j] for j in some), tuple(u[j] for j in some), 0, True), some
        found = estimate([levels[j] for j in some], [outcomes[j] for j in some], [u[j] for j in some], share)
        return dataclasses.replace(found, pairs=pairs), some

    def _mostly(self, claims: Claims, right: NDArray[np.bool_]) -> bool:
        """Return whether claims are right so much more often than a coin that each is a link.

        Distances have no weights, and weights that did not settle are too low: who finds everybody is sure.
        A coin strays from one half by 2/√n, four standard deviations, about never.
        """
        coin = 0.5 + 2 / math.sqrt(max(1, claims.number))
        return self.threshold is None and claims.share_right(right) > coin

    def _scored(self, sides: TwoFiles, tried: _Tried, victims: bool) -> AttackResult:
        threshold = math.log2(max(2, sides.records)) if self.threshold is None else self.threshold
        best = max(tried.claims, key=lambda each: int(each.right(sides).sum()))
        link = best.links(threshold)
        details: dict[str, int | float | str] = {
            "people in the file": sides.people,
            "records": sides.records,
            "pairs compared": tried.pairs,
            "claims": best.number,
            "links": int(link.sum()),
            "best records that are a tie": tried.ties,
            "blocking": tried.blocking,
            "columns": ", ".join(sides.columns),
            "strongest": best.adversary,
        }
        notes = [] if tried.settled else [_UNSETTLED]
        if self.blocking is None and max(sides.people, sides.records) > MOST_ASSIGNED:
            notes.append(_UNASSIGNED)
        baseline = 1 / sides.records
        if sides.ids is None:
            notes.insert(0, "claims that nobody could compare with a truth")
            hit, highest = link, float(best.confidence.max(initial=0.0))
            attempts, success, certain = sides.people, float(best.confidence.mean()), int(link.sum())
            missed = int((~tried.met).sum())
        else:
            who, _, inside = sides.ids
            attacked = np.unique(who[(who >= 0) & inside[np.maximum(who, 0)]])
            if not len(attacked):
                raise BadInput(
                    "nobody of the identified file is in the data, by their ids",
                    where=self.name,
                    remedy="check that the person columns hold the same ids, or leave them out",
                )
            right = [each.right(sides) for each in tried.claims]
            hit = best.right(sides)
            attempts = len(attacked)
            success = len(np.unique(who[hit])) / attempts
            each_with = list(zip(tried.claims, right, strict=True))
            sure = [found & (each.links(threshold) | self._mostly(each, found)) for each, found in each_with]
            certain = max(len(np.unique(who[some])) for some in sure)
            highest = max(
                max(
                    float(each.confidence[found].max(initial=0.0)),
                    each.share_right(found) if self._mostly(each, found) else 0.0,
                )
                for each, found in each_with
            )
            details["right links"] = int((hit & link).sum())
            for each, found in each_with:
                details[f"right by {each.adversary}"] = len(np.unique(who[found]))
            missed = len(np.setdiff1d(attacked, who[tried.met]))
        return AttackResult(
            self.name,
            self.threat,
            attempts,
            success,
            baseline,
            baseline,
            certain=certain,
            highest=highest,
            scored=Scored.CLAIMED if sides.ids is None else Scored.MEASURED,
            details=details,
            note="; ".join(notes),
            victims=victims_of(hit, best.confidence) if victims else (),
            not_compared=missed,
        )


@dataclass(frozen=True)
class _Tried:
    """What all adversaries claim, and who was compared at all."""

    claims: tuple[Claims, ...]
    pairs: int
    ties: int
    settled: bool
    blocking: str
    met: NDArray[np.bool_]


def _usual(sides: TwoFiles) -> list[Floats]:
    """Return the m that is usual: agreement three times as likely at each level as at the next."""
    return [agreeing(each.outcomes - 1) for each in sides.comparisons]


def _mean_m(found: Sequence[tuple[Estimate, list[int]]], u: Sequence[Floats]) -> list[Floats]:
    """Average what the passes say of m, each by the matches that it sees."""
    sums = [np.full(len(part), 1e-9) for part in u]
    for each, columns in found:
        for m, j in zip(each.m, columns, strict=True):
            sums[j] += m * max(each.matches * each.pairs, 1e-9)
    return [total / total.sum() for total in sums]
