"""Differencing: two harmless questions whose answers differ by one person.

D. Denning, P. Denning & M. Schwartz, "The tracker: a threat to statistical database security" (1979). How
many are ill? How many are ill, not counting the woman of 34? Both are about many people; their difference
is about one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from sfumato.core.attack import AttackResult
from sfumato.core.verdict import Threat
from sfumato.dp.exact import Number
from sfumato.query.attacks.contract import Asker, Person, number_of, people_checked, scored, told


@dataclass(frozen=True)
class Differencing:
    """Ask COUNT(secret) and COUNT(secret and not the person), and guess by whether they differ by 1/2.

    ``secret`` is a condition, such as ``ill``. With exact answers it is right about everybody whom the
    adversary can single out. Noise for ε hides the difference, up to a factor e^ε of the odds for each pair;
    the budget decides about how many people the adversary may ask at all.
    """

    table: str
    secret: str
    epsilon: Number = "0.1"
    analyst: str = "adversary"
    name: ClassVar[str] = "differencing"
    title: ClassVar[str] = "two counts that differ by one person"
    threat: ClassVar[Threat] = Threat.ATTRIBUTE

    def run(self, target: Asker, people: Sequence[Person]) -> AttackResult:
        """Attack people one after another until the target refuses."""
        everybody = f"SELECT COUNT(*) FROM {self.table} WHERE {self.secret}"
        guesses: list[bool | None] = []
        questions = refused = 0
        for person in people_checked(people, self.name):
            without = f"{everybody} AND NOT ({person.predicate()})"
            answers = [told(target, self.analyst, sql, self.epsilon) for sql in (everybody, without)]
            questions += len(answers)
            refused += sum(answer is None for answer in answers)
            one, other = answers
            guesses.append(None if one is None or other is None else number_of(one) - number_of(other) > 0.5)
        return scored(self.name, people, guesses, {"questions": questions, "refused": refused})
