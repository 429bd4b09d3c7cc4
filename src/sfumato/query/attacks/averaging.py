"""Averaging: ask the same thing so often that the noise cancels out.

C. Dwork & A. Roth, "The algorithmic foundations of differential privacy" (2014), §2.3: n answers with
independent noise have an average with 1/√n of it. The same question is spelled in many ways, lest it be
recognised, and asked by several analysts, lest one budget end it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import ClassVar

from sfumato.core.attack import AttackResult
from sfumato.core.errors import BadInput
from sfumato.core.verdict import Threat
from sfumato.dp.exact import Number
from sfumato.query.answer import Answer
from sfumato.query.attacks.contract import (
    Asker,
    Person,
    Value,
    equals,
    number_of,
    people_checked,
    scored,
    told,
)


@dataclass(frozen=True)
class Averaging:
    """Ask for the count of one person who has the secret, 0 or 1, again and again, and average.

    ``differently`` adds to each question a condition that changes nothing for this person (another value that
    a column does not have), so that it is another question and not another spelling. A database that knows
    spellings of one question by their meaning answers them from memory: ``fresh answers`` tells.
    """

    table: str
    secret: str
    epsilon: Number = "0.1"
    repeats: int = 100
    analysts: tuple[str, ...] = ("adversary",)
    differently: bool = False
    name: ClassVar[str] = "averaging"
    title: ClassVar[str] = "the same count again and again"
    threat: ClassVar[Threat] = Threat.ATTRIBUTE

    def __post_init__(self) -> None:
        if self.repeats < 1 or not self.analysts:
            raise BadInput("somebody must ask at least once", where=self.name, remedy="try repeats = 100")

    def run(self, target: Asker, people: Sequence[Person]) -> AttackResult:
        """Attack people one after another until the target refuses."""
        guesses: list[bool | None] = []
        questions = refused = 0
        seen: list[Answer] = []
        for person in people_checked(people, self.name):
            spelt = self._different(person) if self.differently else spellings(self.secret, person)
            answers = []
            for analyst, condition, _ in zip(cycle(self.analysts), spelt, range(self.repeats), strict=False):
                sql = f"SELECT COUNT(*) FROM {self.table} WHERE {condition}"
                answers.append(told(target, analyst, sql, self.epsilon))
            got = _fresh([answer for answer in answers if answer is not None])
            questions += len(answers)
            refused += sum(answer is None for answer in answers)
            seen += got
            guesses.append(sum(map(number_of, got)) / len(got) > 0.5 if got else None)
        fresh = _fresh(seen)
        return scored(
            self.name,
            people,
            guesses,
            {
                "questions": questions,
                "refused": refused,
                "fresh answers": len(fresh),
                "epsilon in all": float(sum((answer.price.epsilon or 0) for answer in fresh)),
            },
        )

    def _different(self, person: Person) -> Iterator[str]:
        column = next((name for name, value in sorted(person.known.items()) if _is_number(value)), None)
        if column is None:
            raise BadInput(
                "other questions with the same answer need a column of whole numbers that is known",
                where=self.name,
                remedy="give one, or leave out 'differently'",
            )
        value = int(person.known[column])
        for step in range(1, self.repeats + 1):
            yield f"{self.secret} AND {person.predicate()} AND {column} <> {value + step}"


def spellings(secret: str, person: Person) -> Iterator[str]:
    """Yield ways to write that a person has a secret, for ever."""
    known = person.predicate()
    backwards = " AND ".join(equals(column, value) for column, value in sorted(person.known.items())[::-1])
    yield from cycle(
        (
            f"{secret} AND {known}",
            f"({known}) AND ({secret})",
            f"{backwards} AND {secret}",
            f"NOT (NOT ({secret}) OR NOT ({known}))",
            f"{secret} AND {known} AND {secret}",
            f"({secret} AND {backwards}) AND TRUE",
        )
    )


def _is_number(value: Value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _fresh(answers: Sequence[Answer]) -> list[Answer]:
    """Return each answer once: a stored one that was told again counts once."""
    told_once: dict[tuple[str, str], Answer] = {}
    for place, answer in enumerate(answers):
        told_once.setdefault(
            ("reference", answer.reference) if answer.reference else ("place", str(place)), answer
        )
    return list(told_once.values())
