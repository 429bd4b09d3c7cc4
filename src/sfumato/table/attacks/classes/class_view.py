"""What an adversary sees who knows in which class somebody is: the sensitive values of that class.

A. Machanavajjhala, J. Gehrke, D. Kifer & M. Venkitasubramaniam, "l-diversity: privacy beyond k-anonymity"
(2006), from where on attacks on classes are told apart. All of them begin here: who has which value, entry by
entry of (class, value), and what the same class would have shown **without the target**.

The baseline of an attack on a sensitive value is the same attack on the release without the target. Somebody
with value v, in a class with counts h, is attacked by h − e_v; when nobody else is in the class, by the whole
table without them. So a class of ten who all have v gives v away with or without any one of them: there the
advantage is 0, and only the success shows the harm, which is done to all of them together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.attack import MOST_VICTIMS, AttackResult, Scored, Victim
from sfumato.core.errors import BadInput
from sfumato.core.verdict import Threat
from sfumato.hierarchy.ladder import ROOT
from sfumato.table.attacks.contract import sensitive_column
from sfumato.table.attacks.matching.who import number_of_persons
from sfumato.table.models.sensitive import besides, parts_of_entries
from sfumato.table.published import ClassValues, PublishedTable

Flags = NDArray[np.bool_]
Counts = NDArray[np.int64]
Shares = NDArray[np.float64]
_WIDEST = 2**62


@dataclass(frozen=True)
class ClassView:
    """The entries (class, value) of one sensitive column, and how many people have each.

    Where the adversary knows other sensitive columns, a class is those who share these too.
    """

    attack: str
    target: PublishedTable
    column: str
    values: ClassValues
    suppressed: int = 0
    """records of which all is hidden, and who are not attacked"""
    randomised: bool = False

    @classmethod
    def of(cls, attack: str, column: str | None, target: PublishedTable) -> ClassView:
        """Count who has which value in every class; refuse a release without anybody to attack."""
        name = sensitive_column(attack, column, target)
        if name in target.quasi:
            raise BadInput(
                f"column '{name}' is a quasi-identifier: the adversary knows it already",
                where=attack,
                remedy="name a sensitive column",
            )
        if not target.quasi:
            raise BadInput(
                "no column is a quasi-identifier, so that nobody is known to be in a class",
                where=attack,
                remedy="say which columns an adversary may know from elsewhere",
            )
        known = besides(name, target.known)
        finer = target if not known else _divided(target, known)
        values = finer.values_of(name)
        if known and target.blanked:
            values = _without_blanked(values, finer, len(target.quasi), target.blanked)
        if not len(values):
            raise BadInput("the release has no records to attack", where=attack, remedy="check the target")
        randomised = any(mechanism.column == name for mechanism in target.mechanisms)
        return cls(attack, finer, name, values, target.blanked, randomised)

    @cached_property
    def part(self) -> Counts:
        """The class of every entry."""
        return parts_of_entries(self.values)

    @cached_property
    def size(self) -> Counts:
        """How many people are in the class of every entry, each once however many values they have."""
        return np.asarray(self.values.people[self.part], np.int64)

    @cached_property
    def told(self) -> Counts:
        """How many pairs of a person and a value the class of every entry has."""
        return np.asarray(self.values.totals[self.part], np.int64)

    @cached_property
    def distinct(self) -> Counts:
        """How many values occur in the class of every entry."""
        return np.asarray(np.diff(self.values.starts)[self.part], np.int64)

    @property
    def persons(self) -> Counts:
        """How many people every entry stands for."""
        return self.values.persons

    @cached_property
    def attempts(self) -> int:
        """How many are attacked; somebody with several values counts for each of them."""
        return int(self.values.persons.sum())

    @cached_property
    def everybody(self) -> int:
        """How many people are in all classes; somebody who is in several counts in each."""
        return int(self.values.people.sum())

    @cached_property
    def in_the_whole(self) -> int:
        """How many people are in the whole table, each once."""
        if self.values.repeated is None:
            return self.everybody
        return min(self.everybody, number_of_persons(self.target.table, self.target.person))

    @cached_property
    def guessing(self) -> float:
        """How often the most frequent value of the release is right for everybody."""
        return int(self.values.added_up.max()) / self.attempts

    @cached_property
    def shares(self) -> Shares:
        """The share that the value of every entry has in its class: what an adversary believes."""
        found: Shares = self.persons / self.size
        return found

    def counted(self, some: Flags) -> int:
        """Count the people of some of the entries."""
        return int(self.persons[some].sum())

    def result(
        self,
        threat: Threat,
        success: float,
        baseline: float,
        *,
        guessing: float | None = None,
        certain: int = 0,
        highest: float = 0.0,
        details: Mapping[str, int | float | str] | None = None,
        note: str = "",
        scored: Scored = Scored.EXPECTED,
        victims: tuple[Victim, ...] = (),
    ) -> AttackResult:
        """Put the figures together, with what a reader must know of these data."""
        notes = [note] if note else []
        if self.randomised:
            notes.append("the values were randomised: claims are right about what was released")
        if self.everybody < self.attempts:
            notes.append("people with several values count for each of them")
        more: dict[str, int | float | str] = {"classes": len(self.values), **(details or {})}
        if self.suppressed:
            more["not_attacked"] = self.suppressed
        return AttackResult(
            self.attack,
            threat,
            self.attempts,
            min(success, 1.0),
            min(baseline, 1.0),
            self.guessing if guessing is None else guessing,
            certain=certain,
            highest=highest,
            column=self.column,
            scored=scored,
            details=more,
            note="; ".join(notes),
            victims=victims,
        )

    def victims(self, hit: Flags, confidence: Shares, candidates: Counts | None = None) -> tuple[Victim, ...]:
        """Find rows of entries that were hit, those first of whom the adversary is surest."""
        chosen = np.flatnonzero(hit)
        others = np.ones(len(hit), np.int64) if candidates is None else candidates
        chosen = chosen[np.lexsort((others[chosen], -confidence[chosen]))]
        enough = int(np.searchsorted(np.cumsum(self.persons[chosen]), MOST_VICTIMS)) + 1
        chosen = chosen[:enough]
        found: list[Victim] = []
        alike = np.flatnonzero(
            np.diff(confidence[chosen], prepend=-1.0).astype(np.bool_)
            | np.diff(others[chosen], prepend=-1).astype(np.bool_)
        )
        for entries in np.split(chosen, alike[1:]) if len(chosen) else ():
            rows = self._rows(entries, MOST_VICTIMS - len(found))
            sure, among = float(confidence[entries[0]]), int(others[entries[0]])
            found += [Victim(row, sure, among) for row in rows]
            if len(found) == MOST_VICTIMS:
                break
        return tuple(found)

    def _rows(self, entries: Counts, limit: int) -> list[int]:
        """Return the first rows of the release (from 1) that some entries stand for."""
        quasi = self.target.quasi
        owner = self.values.owner[self.part[entries]]
        columns = [self.target.classes.column(j).take(pa.array(owner)) for j in range(len(quasi))]
        wanted = [self.values.domain.values[code] for code in self.values.codes[entries]]
        names = [*quasi, self.column]
        values = (
            pa.array(wanted) if any(one is not None for one in wanted) else pa.nulls(len(wanted), pa.string())
        )
        combination = pa.table([*columns, values], names=names)
        return self.target.table.engine.first_rows(self.target.table, names, combination, limit)


def times(*factors: Counts | int) -> NDArray[Any]:
    """Multiply whole numbers without overflow: in 64 bits where they fit, in Python's integers elsewhere.

    >>> times(np.array([2**40]), 2**40).tolist() == [2**80]
    True
    """
    largest = 1
    for factor in factors:
        largest *= max(int(np.max(factor, initial=0)) if isinstance(factor, np.ndarray) else abs(factor), 1)
    product: NDArray[Any] = np.ones(1, np.int64 if largest < _WIDEST else object)
    for factor in factors:
        product = product * (factor.astype(product.dtype) if isinstance(factor, np.ndarray) else factor)
    return product


def _divided(target: PublishedTable, known: tuple[str, ...]) -> PublishedTable:
    """Divide the classes by what the adversary knows besides."""
    return replace(target, quasi=(*target.quasi, *known), known=(), blanked=0)


def _without_blanked(values: ClassValues, finer: PublishedTable, width: int, blanked: int) -> ClassValues:
    """Leave the blanked records out: ``*`` in every quasi-identifier, nothing known, no value."""
    columns = [finer.classes.column(j).to_pylist() for j in range(len(finer.quasi))]
    hidden = np.array(
        [
            all(value == ROOT for value in row[:width]) and not any(v is not None for v in row[width:])
            for row in zip(*columns, strict=True)
        ],
        np.bool_,
    )
    part = parts_of_entries(values)
    missing = np.array([value is None for value in values.domain.values], np.bool_)[values.codes]
    blank = hidden[values.owner[part]] & missing
    persons = np.where(blank, values.persons - blanked, values.persons)
    kept = persons > 0
    part, persons = part[kept], persons[kept]
    first = np.flatnonzero(np.diff(part, prepend=-1))
    people = values.people.copy()
    people[part[first]] = np.minimum(
        people[part[first]], np.add.reduceat(persons, first) if len(first) else 0
    )
    return ClassValues(
        values.domain,
        values.owner[part[first]],
        np.append(first, len(part)).astype(np.int64),
        values.codes[kept],
        persons,
        people[part[first]],
    )
