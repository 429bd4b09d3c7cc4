"""Exhaustion: go on asking when the budget is gone.

I. Dinur & K. Nissim, "Revealing information while preserving privacy" (2003): too many answers that are too
accurate reveal everything, so a sound database must stop. Questions of other spellings, at other
prices and by the same analyst again are tried after the first refusal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from sfumato.core.attack import AttackResult, Scored
from sfumato.core.errors import BadInput
from sfumato.core.verdict import Threat
from sfumato.dp.exact import Number, exact
from sfumato.query.attacks.contract import Asker, told


@dataclass(frozen=True)
class Exhaustion:
    """Ask different questions at ``epsilon`` each until one is refused, and then ``insist`` more.

    ``limit`` is the budget that should end it. A question counts as a success when, together with all that
    was answered before, it costs more than the limit. 4 questions at 0.1 of a budget of 0.3 are answered
    yes, yes, yes, no: ``pattern`` tells.
    """

    table: str
    limit: Number
    column: str
    epsilon: Number = "0.1"
    analyst: str = "adversary"
    insist: int = 20
    most: int = 10_000
    name: ClassVar[str] = "exhaustion"
    title: ClassVar[str] = "asking on when the budget is gone"
    threat: ClassVar[Threat] = Threat.INFERENCE

    def run(self, target: Asker, knowledge: None = None) -> AttackResult:
        """Ask until it ends, and then some more."""
        pattern, spent, beyond = "", Fraction(0), 0
        limit = exact(self.limit)
        seen: set[str] = set()
        for sql, epsilon in self._questions():
            answer = told(target, self.analyst, sql, epsilon)
            pattern += "F" if answer is None else "T"
            if answer is not None and (not answer.reference or answer.reference not in seen):
                seen.add(answer.reference)
                spent += exact(answer.price.epsilon or 0)
                beyond += spent > limit
            if pattern.count("F") >= self.insist or beyond >= self.insist:
                break
        else:
            raise BadInput(
                f"the budget did not end within {self.most} questions",
                where=self.name,
                remedy="ask with a larger epsilon",
            )
        tried = beyond + pattern.count("F")
        return AttackResult(
            self.name,
            self.threat,
            attempts=tried,
            success=beyond / tried,
            baseline=0.0,
            guessing=0.0,
            scored=Scored.MEASURED,
            details={"pattern": pattern, "epsilon in all": float(spent), "answered": pattern.count("T")},
            note="attempts are questions beyond the budget, not people",
        )

    def _questions(self) -> Iterator[tuple[str, Number]]:
        base = f"SELECT COUNT(*) FROM {self.table}"
        for number in range(self.most):
            # After a while also cheaper and dearer ones: a check by price alone may let some through.
            price = exact(self.epsilon) * (1, 1, 2, 1, Fraction(1, 2))[number % 5 if number > 8 else 0]
            yield f"{base} WHERE {self.column} <> {number}", price
