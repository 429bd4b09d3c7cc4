"""Scanning a ledger's log for patterns of attack, so that the owner can look, ask, and suspend a key.

An alert accuses nobody: a table of ages by year is a flood of near-identical questions, too. It says who
asked, which spends, what they look like, and how seriously that should be taken. It is made of the log and
metadata alone, and never of the data or of answers: whoever reads alerts learns nothing about people.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from typing import Protocol

from sfumato.query.metadata import Metadata
from sfumato.query.watch.conditions import looked_at, metadata_of
from sfumato.query.watch.patterns import (
    FEW,
    Entry,
    Pair,
    about_one_person,
    differencing_pairs,
    floods,
    paid_again,
)

MANY_REFUSALS = 64
"""of one analyst for one reason: a program that goes on asking after it was told to stop. Ledgers tell the
first, second, fourth, eighth … refusal, so a power of two is seen at once"""
MOST_SPENDS = 100
"""spends that one alert lists"""


class Severity(IntEnum):
    """How seriously an alert should be taken."""

    NOTICE = 1
    """may well be ordinary work"""
    WARNING = 2
    """worth a question to the analyst"""
    ALARM = 3
    """ordinary work seldom looks like this"""


class Logged(Protocol):
    """A question of the log, as ``ledger.breach`` lists them."""

    @property
    def spend(self) -> int:
        """Its number."""

    @property
    def analyst(self) -> str:
        """Who asked."""

    @property
    def data_set(self) -> str:
        """Of what."""

    @property
    def question(self) -> str:
        """Canonical."""


@dataclass(frozen=True)
class Refused:
    """How often questions of an analyst were refused for a reason."""

    analyst: str
    data_set: str
    reason: str
    count: int


@dataclass(frozen=True)
class Alert:
    """A pattern that the log shows, in words that follow the analyst's name."""

    pattern: str
    severity: Severity
    analyst: str
    data_set: str
    spends: tuple[int, ...]
    message: str

    def __str__(self) -> str:
        grade = self.severity.name.lower()
        return f"{grade}: {self.pattern}: analyst '{self.analyst}' on '{self.data_set}' {self.message}"


def scan(
    entries: Iterable[Logged],
    public: Mapping[str, Metadata] | Metadata,
    refusals: Sequence[Refused] = (),
) -> list[Alert]:
    """Return what the log shows, the most serious first.

    Where the metadata of a data set are not given, the size of what a condition describes is not known: pairs
    that differ by one condition are then all told, as notices.
    """
    of: dict[str, list[Entry]] = defaultdict(list)
    for logged in entries:
        of[logged.data_set].append(
            Entry(logged.spend, logged.analyst, logged.question, looked_at(logged.question))
        )
    found: list[Alert] = []
    for data_set, those in of.items():
        known = metadata_of(public, data_set)
        found += _differencing(those, known, data_set)
        found += _one_person(those, known, data_set)
        found += _floods(those, data_set)
        found += _paid_again(those, data_set)
    found += _refusals(refusals)
    return sorted(found, key=lambda alert: (-alert.severity, alert.data_set, alert.analyst, alert.pattern))


def _differencing(entries: Sequence[Entry], known: Metadata | None, data_set: str) -> Iterator[Alert]:
    of: dict[str, list[Pair]] = defaultdict(list)
    for pair in differencing_pairs(entries, known):
        if (pair.people is None and known is None) or (pair.people is not None and pair.people <= FEW):
            later = max(pair.first, pair.second, key=lambda entry: entry.spend)
            of[later.analyst].append(pair)
    for analyst, pairs in of.items():
        sizes = [pair.people for pair in pairs if pair.people is not None]
        by = f"{float(min(sizes)):.2g} people expected" if sizes else "an unknown number of people"
        severity = _grade(min(sizes)) if sizes else Severity.NOTICE
        with_others = {pair.first.analyst for pair in pairs} | {pair.second.analyst for pair in pairs}
        together = ", partly together with another analyst" if len(with_others) > 1 else ""
        yield Alert(
            "differencing pairs",
            severity,
            analyst,
            data_set,
            _spends([entry for pair in pairs for entry in (pair.first, pair.second)]),
            f"asked {_many(len(pairs), 'pair')} of questions that differ by one condition or value, "
            f"and by as little as {by}{together}",
        )


def _grade(people: Fraction) -> Severity:
    return Severity.ALARM if people < 1 else Severity.WARNING


def _one_person(entries: Sequence[Entry], known: Metadata | None, data_set: str) -> Iterator[Alert]:
    of: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        if about_one_person(entry, known):
            of[entry.analyst].append(entry)
    for analyst, those in of.items():
        yield Alert(
            "one-person conditions",
            Severity.ALARM if len(those) > 1 else Severity.WARNING,
            analyst,
            data_set,
            _spends(those),
            f"asked {_many(len(those), 'question')} about less than one person expected, or all but one",
        )


def _floods(entries: Sequence[Entry], data_set: str) -> Iterator[Alert]:
    for those in floods(entries):
        yield Alert(
            "flood of near-identical questions",
            Severity.NOTICE,
            those[0].analyst,
            data_set,
            _spends(those),
            f"asked {len(those)} questions that are the same but for their constants",
        )


def _paid_again(entries: Sequence[Entry], data_set: str) -> Iterator[Alert]:
    for those in paid_again(entries):
        analysts = sorted({entry.analyst for entry in those})
        who = "alone" if len(analysts) == 1 else f"with {len(analysts) - 1} others"
        yield Alert(
            "the same question again",
            Severity.WARNING,
            those[-1].analyst,
            data_set,
            _spends(those),
            f"paid, {who}, {len(those)} times for one question: averages have less noise",
        )


def _refusals(refusals: Sequence[Refused]) -> Iterator[Alert]:
    for one in refusals:
        if one.count >= MANY_REFUSALS:
            yield Alert(
                "many refusals",
                Severity.WARNING,
                one.analyst,
                one.data_set,
                (),
                f"was refused at least {one.count} times ({one.reason}) and went on asking",
            )


def _spends(entries: Sequence[Entry]) -> tuple[int, ...]:
    return tuple(sorted({entry.spend for entry in entries})[:MOST_SPENDS])


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
