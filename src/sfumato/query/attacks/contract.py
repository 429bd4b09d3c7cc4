"""Whom an adversary asks, what is known of people beforehand, and how guesses are scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from sfumato.core.attack import AttackResult, Scored
from sfumato.core.errors import BadInput
from sfumato.core.verdict import Threat
from sfumato.dp.audit.intervals import tail
from sfumato.dp.exact import Number
from sfumato.query.answer import Answer
from sfumato.query.ledger.contract import BudgetGone, Suspended

Value = str | int | bool
"""what is known of a person in one column"""


class Asker(Protocol):
    """Something that answers questions: a ``Database``, ``Clients`` of a service, or a broken one."""

    def ask(self, analyst: str, sql: str, *, epsilon: Number | None = None) -> Answer:
        """Answer, or refuse with an error."""


@dataclass(frozen=True)
class Person:
    """Somebody under attack: what the adversary knows, and the truth, which only the score looks at."""

    known: Mapping[str, Value]
    truth: bool

    def predicate(self) -> str:
        """Return the condition that singles the person out, or nearly.

        >>> Person({"sex": "f", "age": 34}, True).predicate()
        "age = 34 AND sex = 'f'"
        """
        return " AND ".join(equals(column, value) for column, value in sorted(self.known.items()))


def equals(column: str, value: Value) -> str:
    """Return the condition that a column has a value."""
    if isinstance(value, bool):
        return column if value else f"NOT {column}"
    return f"{column} = {value}" if isinstance(value, int) else f"{column} = {quoted(value)}"


def quoted(text: str) -> str:
    """Return a text as SQL."""
    return "'" + text.replace("'", "''") + "'"


def number_of(answer: Answer) -> float:
    """Return the one number of an answer."""
    value = answer.rows[0][-1]
    return float(value) if isinstance(value, int | float) else 0.0


def told(target: Asker, analyst: str, sql: str, epsilon: Number) -> Answer | None:
    """Ask; None when the ledger refused it.

    Any other error is passed on: an attack whose questions were not understood has measured nothing.
    """
    try:
        return target.ask(analyst, sql, epsilon=epsilon)
    except (BudgetGone, Suspended):
        return None


def people_checked(people: Sequence[Person], attack: str) -> Sequence[Person]:
    """Refuse to attack nobody."""
    if not people or not all(person.known for person in people):
        raise BadInput("there is nobody to attack, or nothing known of somebody", where=attack)
    return people


def scored(
    attack: str,
    people: Sequence[Person],
    guesses: Sequence[bool | None],
    details: Mapping[str, int | float | str],
) -> AttackResult:
    """Score guesses about people; whom the adversary learnt nothing about gets the most frequent truth.

    ``beyond chance`` in the details is the probability that guessing blindly does as well or better: small
    where the answers told something.
    """
    ill = sum(person.truth for person in people)
    usual = 2 * ill > len(people)
    blind = max(ill, len(people) - ill) / len(people)
    final = [usual if guess is None else guess for guess in guesses]
    right = sum(guess == person.truth for guess, person in zip(final, people, strict=True))
    return AttackResult(
        attack,
        Threat.ATTRIBUTE,
        attempts=len(people),
        success=right / len(people),
        baseline=blind,
        guessing=blind,
        scored=Scored.MEASURED,
        details={
            **details,
            "learnt something of": sum(guess is not None for guess in guesses),
            "beyond chance": tail(right, len(people), blind),
        },
        note="baseline: the most frequent truth, for everybody",
    )
