"""Linkage: join a release with an identified file on what both hold.

P. Samarati and L. Sweeney, "Protecting privacy when disclosing information", SRI, 1998; L. Sweeney,
"k-anonymity: a model for protecting privacy", International Journal on Uncertainty, Fuzziness and
Knowledge-based Systems 10(5), 2002.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, get_args

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import AttackResult, Need, Scored
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.table.attacks.contract import Knowledge, People
from sfumato.table.attacks.matching.candidates import Candidates, Missing, candidates
from sfumato.table.attacks.matching.compatible import Ints
from sfumato.table.attacks.matching.true_matches import truth
from sfumato.table.attacks.matching.who import (
    Units,
    is_original,
    number_of_persons,
    people_of,
    victims_by_combination,
    victims_by_person,
)
from sfumato.table.published import PublishedTable

_MOST_RECORDS = 1 << 25
"""records up to which a chance tells the counts that it is made of"""
_SURELY = 0.9
_MOST_EXACT = 1000
"""different chances that are added as fractions; beyond, their mean is nobody's bound by accident"""


@dataclass(frozen=True)
class Linkage:
    """For each known person i, find the records that agree with all that is known of i, and pick one.

    Of the classes that agree, the adversary takes the most precise: those that the fewest people of the file
    fit. With f_t persons in class t, F_t people of the file who are known to fit it (but at least 1), F* the
    least F_t of the classes that agree with i and S_i = Σ_t f_t / F_t over these classes, a pick is scored by
    what is at hand:

    - **measured** when both sides hold the same person ids: success is the mean share of records in the
      classes taken that are really i's, over the people of the file who are in the data;
    - **expected** when the file is the original itself: i's record is one of those that agree, and one of
      class t is i's with chance (1 / F_t) / S_i; success = mean 1 / (F* · S_i), which is 1 / f where one
      class of f persons agrees, and never more than 1 / f of the class that is taken. Where values were only
      generalised or hidden, who fits no record was left out, and the mean is over the others;
    - **claimed** otherwise, since nobody knows who of the file is in the release:
      1 / (F* · max(1, S_i)), which is 1 / max(f, F) where one class agrees.

    The baseline is to pick any record of the release. A known missing value may be anything and a released
    one anybody's (``missing="anybody"``); ``"value"`` takes it as a value of its own, as models count
    classes, and is what is taken when the file is the original itself. ``day_first`` settles dates such as
    3/4/61.

    k-anonymity bounds the expected success by 1 / k for everybody, on the declared quasi-identifiers alone.
    Names and other identifiers that are still in the release are not looked at, nor are values that nearly
    agree (fuzzy linkage does that), nor what sensitive values of the agreeing records tell.

    >>> import pyarrow as pa
    >>> from sfumato.engine import open_engine
    >>> from sfumato.engine.sources import Frame
    >>> from sfumato.table.attacks.contract import Knowledge, People
    >>> engine = open_engine()
    >>> patients = engine.read(Frame(pa.table({"age": ["[20-29]", "[20-29]", "31"]})))
    >>> voters = engine.read(Frame(pa.table({"years": [25, 31]})))
    >>> known = Knowledge(People(voters, {"age": "years"}))
    >>> Linkage().run(PublishedTable(patients, ("age",)), known).success
    0.75
    """

    columns: Sequence[str] | None = None
    """link on these columns of the release; all that the file has in common with it if left open"""
    missing: Missing | None = None
    day_first: bool | None = None
    name: ClassVar[str] = "linkage"
    title: ClassVar[str] = "joins the release with an identified file on what both hold"
    threat: ClassVar[Threat] = Threat.IDENTITY
    needs: ClassVar[frozenset[Need]] = frozenset({Need.PEOPLE})

    def __post_init__(self) -> None:
        if self.columns is not None:
            given = (self.columns,) if isinstance(self.columns, str) else tuple(self.columns)
            if not given:
                raise BadInput("columns must name at least one", where=self.name, remedy="or leave it out")
            object.__setattr__(self, "columns", given)
        if self.missing not in (None, *get_args(Missing)):
            raise BadInput(
                "there is no such reading of missing values", where=self.name, remedy="anybody or value"
            )

    def run(
        self,
        target: PublishedTable,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Link, and score what was found."""
        people = people_of(self.name, target, knowledge, self.columns)
        same = is_original(people, knowledge)
        missing = self.missing or ("value" if same else "anybody")
        measured = people.person is not None and target.person is not None
        progress.step("linking")
        found = candidates(
            target,
            people,
            knowledge.hierarchies,
            missing=missing,
            day_first=self.day_first,
            same_people=same,
            may_differ=measured,
        )
        if not found.records.any() and not same and not measured:
            raise BadInput(
                "nobody of the identified file agrees with any record on all common columns",
                where=self.name,
                remedy="check that both are coded alike, or link on fewer columns",
            )
        if measured:
            return self._measured(target, people, knowledge, found, victims)
        return self._guessed(target, people, knowledge, found, victims)

    def _measured(
        self, target: PublishedTable, people: People, knowledge: Knowledge, found: Candidates, victims: bool
    ) -> AttackResult:
        known = truth(found, target, people, knowledge)
        if not known.people:
            raise BadInput(
                "nobody of the identified file is in the data, by their ids",
                where=self.name,
                remedy="check that the person columns hold the same ids, or leave them out",
            )
        baseline = 1 / max(1, number_of_persons(target.table, target.person))
        figures = _figures(found, Units.of(found))
        same = is_original(people, knowledge)
        notes = [*_found_nothing(found), *_not_found(figures, same, absent=False), *found.notes]
        if not same:
            notes.append("equal ids are taken to be the same person in the file and in the data")
        return AttackResult(
            self.name,
            self.threat,
            known.people,
            _mean(known.right, np.ones(len(known.right), np.int64)),
            min(baseline, 1.0),
            min(baseline, 1.0),
            certain=known.certain,
            highest=float(known.right.max()),
            scored=Scored.MEASURED,
            details={
                **figures,
                "people of the file who are not in the data": known.strangers,
                "unique matches that are wrong": known.wrong,
                "right in 90 % and more": int((known.right >= _SURELY).sum()),
            },
            note="; ".join(notes),
            victims=victims_by_person(people, known.right, known.ids) if victims else (),
        )

    def _guessed(
        self, target: PublishedTable, people: People, knowledge: Knowledge, found: Candidates, victims: bool
    ) -> AttackResult:
        same = is_original(people, knowledge)
        units = Units.of(found)
        if not units.people:
            raise BadInput(
                "no row of the identified file says who it is about",
                where=self.name,
                remedy="check its person column, or leave it out",
            )
        confidence = _confidence(found, target, same)
        best, weights = units.best(confidence), units.weights
        absent = same and knowledge.truthful and bool((best > 0).any())
        if absent:
            # Who fits no record was left out of the release: the mean is over those who are in it.
            weights = np.where(best > 0, weights, 0)
        baseline = min(1.0, 1 / max(1, number_of_persons(target.table, target.person)))
        figures = _figures(found, units)
        notes = [*_found_nothing(found), *_not_found(figures, same, absent), *found.notes]
        if not same:
            notes.insert(0, "nobody knows who of the file is in the release")
        return AttackResult(
            self.name,
            self.threat,
            int(weights.sum()),
            _mean(best, weights),
            baseline,
            baseline,
            certain=int(weights[best == 1.0].sum()),
            highest=float(best.max()),
            scored=Scored.EXPECTED if same else Scored.CLAIMED,
            details={
                **figures,
                "confidence of 90 % and more": int(weights[best >= _SURELY].sum()),
            },
            note="; ".join(notes),
            victims=victims_by_combination(people, found, confidence, found.records) if victims else (),
        )


def _confidence(found: Candidates, target: PublishedTable, same: bool) -> NDArray[np.float64]:
    """Return for each combination the chance that the picked record is right."""
    taken = _inverse(found.narrow_persons)
    if same and target.person is not None:
        several = int(found.class_persons.sum()) > number_of_persons(target.table, target.person)
        if several:
            # Somebody with records in several classes would count in each: the class taken surely holds
            # as many people as it does.
            return taken
    shares = found.shares if same else np.maximum(found.shares, 1.0)
    spread = found.least_fitting * shares
    chance = np.divide(1.0, spread, out=np.zeros(len(found)), where=spread > 0)
    # One class needs no rounding; of several none can be better than the class that is taken.
    one = found.number_of_classes == 1
    alone = found.narrow_persons if same else np.maximum(found.narrow_persons, found.least_fitting)
    exact: NDArray[np.float64] = np.where(one, _inverse(alone), np.minimum(chance, taken))
    return exact


def _figures(found: Candidates, units: Units) -> dict[str, int | float | str]:
    """Say how many match how often."""
    number = found.records
    fewest = 1 / np.maximum(units.best(_inverse(number)), 1e-300)
    matched = units.best((number > 0).astype(np.float64)) > 0
    weights = units.weights
    some = int(weights[matched].sum())
    return {
        "people in the file": units.people,
        "records": int(found.class_rows.sum()),
        "unique matches": int(weights[matched & (fewest == 1.0)].sum()),
        "no match": units.people - some,
        "average candidates": float((fewest * weights)[matched].sum() / some) if some else 0.0,
        "columns": ", ".join(found.columns),
    }


def _found_nothing(found: Candidates) -> list[str]:
    if found.records.any():
        return []
    return ["no record agrees with anybody: values were changed, and fuzzy linkage may still find them"]


def _not_found(figures: Mapping[str, int | float | str], same: bool, absent: bool) -> list[str]:
    """Say how many of those who were in the data fit no record: left out of it, or not found."""
    nobody, everybody = figures["no match"], figures["people in the file"]
    if not same or nobody in (0, everybody):
        return []
    if absent:
        return [f"{nobody:,} of {everybody:,} people {'is' if nobody == 1 else 'are'} not in the release"]
    verb = ("has", "counts") if nobody == 1 else ("have", "count")
    return [f"{nobody:,} of {everybody:,} people {verb[0]} no record that agrees, and {verb[1]} as not found"]


def _mean(chances: NDArray[np.float64], people: Ints) -> float:
    """Average chances such as 1 / n over people, rounding once: a mean of exactly 0.1 is then 0.1.

    Chances are ratios of counts of records, and the only ratio of such small numbers that rounds to a float.

    >>> _mean(np.full(20, 0.1), np.ones(20, np.int64)), float(np.full(20, 0.1).sum() / 20)
    (0.1, 0.10000000000000002)
    """
    values, place = np.unique(chances, return_inverse=True)
    many = np.bincount(place, weights=people).astype(np.int64)
    if len(values) > _MOST_EXACT:
        return min(1.0, math.fsum((values * many).tolist()) / int(people.sum()))
    total = sum(
        (Fraction(value).limit_denominator(_MOST_RECORDS) * count)
        for value, count in zip(values.tolist(), many.tolist(), strict=True)
    )
    return float(Fraction(total) / int(people.sum()))


def _inverse(number: Ints) -> NDArray[np.float64]:
    """Return 1 / n, and 0 where there is nobody."""
    return np.divide(1.0, number, out=np.zeros(len(number)), where=number > 0)
