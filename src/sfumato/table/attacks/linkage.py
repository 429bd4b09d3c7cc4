"""Linkage: join a release with an identified file on what both hold.

P. Samarati and L. Sweeney, "Protecting privacy when disclosing information", SRI, 1998; L. Sweeney,
"k-anonymity: a model for protecting privacy", International Journal on Uncertainty, Fuzziness and
Knowledge-based Systems 10(5), 2002.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, get_args

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.table.attacks.candidates import Candidates, Missing, candidates
from sfumato.table.attacks.compatible import Ints
from sfumato.table.attacks.contract import AttackResult, Knowledge, Need, People, Scored
from sfumato.table.attacks.true_matches import truth
from sfumato.table.attacks.who import (
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


@dataclass(frozen=True)
class Linkage:
    """For each known person i, find the n_i records of the release that agree with all that is known of i.

    The adversary picks one of them at random. How that is scored depends on what is at hand:

    - **measured** when both sides hold the same person ids: of the n_i agreeing records m_i are really i's,
      success = mean m_i / n_i over the people of the file who are in the data;
    - **expected** when the file is the original itself: success = mean 1 / n_i, where n_i counts persons;
    - **claimed** otherwise: it is not known who of the file is in the release. If F_i people of the file fit
      the same class, a claim is right with chance 1 / max(n_i, F_i) at most, were all of them in the data.

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
        return self._guessed(target, people, found, same, victims)

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
        return AttackResult(
            self.name,
            self.threat,
            known.people,
            _mean(known.right, np.ones(len(known.right), np.int64)),
            min(baseline, 1.0),
            min(baseline, 1.0),
            certain=int((known.right == 1.0).sum()),
            highest=float(known.right.max()),
            scored=Scored.MEASURED,
            details={
                **_figures(found, Units.of(found, people), found.records),
                "people of the file who are not in the data": known.strangers,
                "unique matches that are wrong": known.wrong,
            },
            note="; ".join([*_found_nothing(found), *found.notes]),
            victims=victims_by_person(people, known.right, known.ids) if victims else (),
        )

    def _guessed(
        self, target: PublishedTable, people: People, found: Candidates, same: bool, victims: bool
    ) -> AttackResult:
        units = Units.of(found, people)
        if not units.people:
            raise BadInput(
                "no row of the identified file says who it is about",
                where=self.name,
                remedy="check its person column, or leave it out",
            )
        number = _candidate_persons(found, target)
        against = number if same else np.maximum(number, found.least_reached)
        confidence = _inverse(np.where(number > 0, against, 0))
        best = units.best(confidence)
        baseline = min(1.0, 1 / max(1, number_of_persons(target.table, target.person)))
        notes = [*_found_nothing(found), *found.notes]
        if not same:
            notes.insert(0, "nobody knows who of the file is in the release")
        return AttackResult(
            self.name,
            self.threat,
            units.people,
            _mean(best, units.weights),
            baseline,
            baseline,
            certain=int(units.weights[best == 1.0].sum()),
            highest=float(best.max()),
            scored=Scored.EXPECTED if same else Scored.CLAIMED,
            details=_figures(found, units, number),
            note="; ".join(notes),
            victims=victims_by_combination(people, found, confidence, number) if victims else (),
        )


def _candidate_persons(found: Candidates, target: PublishedTable) -> Ints:
    """Return for each combination how many persons may be meant, and never more than there surely are."""
    if target.person is None:
        return found.records
    once = int(found.class_persons.sum()) == number_of_persons(target.table, target.person)
    return found.people if once else found.largest


def _figures(found: Candidates, units: Units, number: Ints) -> dict[str, int | float | str]:
    """Say how many match how often."""
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


def _mean(chances: NDArray[np.float64], people: Ints) -> float:
    """Average chances such as 1 / n over people, rounding once: a mean of exactly 0.1 is then 0.1.

    Chances are ratios of counts of records, and the only ratio of such small numbers that rounds to a float.

    >>> _mean(np.full(20, 0.1), np.ones(20, np.int64)), float(np.full(20, 0.1).sum() / 20)
    (0.1, 0.10000000000000002)
    """
    values, place = np.unique(chances, return_inverse=True)
    many = np.bincount(place, weights=people).astype(np.int64)
    total = sum(
        (Fraction(value).limit_denominator(_MOST_RECORDS) * count)
        for value, count in zip(values.tolist(), many.tolist(), strict=True)
    )
    return float(Fraction(total) / int(people.sum()))


def _inverse(number: Ints) -> NDArray[np.float64]:
    """Return 1 / n, and 0 where there is nobody."""
    return np.divide(1.0, number, out=np.zeros(len(number)), where=number > 0)
