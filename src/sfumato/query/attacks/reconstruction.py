"""Reconstruction: solve for everybody's secret from many counts.

I. Dinur & K. Nissim, "Revealing information while preserving privacy" (2003): if random subsets of n people
are counted with errors well below √n, about n answers give back nearly every secret bit, whatever
the noise looks like. C. Dwork, F. McSherry & K. Talwar (2007) and the census of 2010 (S. Garfinkel,
J. Abowd & C. Martindale 2019) did it by linear programs and solvers. Here: least squares with every bit
between 0 and 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import AttackResult
from sfumato.core.errors import BadInput
from sfumato.core.verdict import Threat
from sfumato.dp.exact import Number
from sfumato.query.attacks.contract import (
    Asker,
    Person,
    Value,
    number_of,
    people_checked,
    quoted,
    scored,
    told,
)

_STEPS = 2000


@dataclass(frozen=True)
class Reconstruction:
    """Count the secret among random halves of the values of a public column, and solve for the people.

    Works best where the column's values single people out; people who share a value are told apart by
    nothing. ``seed`` decides which halves are asked.
    """

    table: str
    secret: str
    column: str
    questions: int = 400
    epsilon: Number = "0.1"
    analyst: str = "adversary"
    seed: int = 1
    name: ClassVar[str] = "reconstruction"
    title: ClassVar[str] = "everybody's secret from many counts"
    threat: ClassVar[Threat] = Threat.ATTRIBUTE

    def run(self, target: Asker, people: Sequence[Person]) -> AttackResult:
        """Ask until the target refuses or all questions are asked, and solve."""
        values = [person.known.get(self.column) for person in people_checked(people, self.name)]
        listed = sorted({value for value in values if value is not None}, key=repr)
        if len(listed) < 2 or None in values:
            raise BadInput(
                "the column is not known of everybody, or has one value only",
                where=f"{self.name}, column '{self.column}'",
                remedy="attack by another one",
            )
        position = {value: place for place, value in enumerate(listed)}
        of_person = np.array([position[value] for value in values if value is not None])
        generator = np.random.default_rng(self.seed)
        rows, answers = [], []
        for _ in range(self.questions):
            chosen = generator.random(len(listed)) < 0.5
            if not chosen.any():
                continue
            answer = told(
                target,
                self.analyst,
                self._sql([v for v, c in zip(listed, chosen, strict=True) if c]),
                self.epsilon,
            )
            if answer is not None:
                rows.append(chosen[of_person])
                answers.append(number_of(answer))
        guesses: list[bool | None] = [None] * len(people)
        if rows:
            solved = least_squares(np.array(rows, np.float64), np.array(answers))
            guesses = [bool(bit > 0.5) for bit in solved]
        return scored(
            self.name,
            people,
            guesses,
            {"questions": self.questions, "answered": len(answers), "refused": self.questions - len(answers)},
        )

    def _sql(self, values: Sequence[Value]) -> str:
        listed = ", ".join(str(value) if isinstance(value, int) else quoted(value) for value in values)
        return f"SELECT COUNT(*) FROM {self.table} WHERE {self.secret} AND {self.column} IN ({listed})"


def least_squares(matrix: NDArray[np.float64], answers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Minimise ‖A x − b‖² over 0 ≤ x ≤ 1, by accelerated projected gradients (Y. Nesterov 1983).

    >>> least_squares(np.eye(2), np.array([0.25, 3.0])).round(3).tolist()
    [0.25, 1.0]
    """
    gram, target = matrix.T @ matrix, matrix.T @ answers
    step = 1.0 / max(float(np.linalg.norm(gram, 2)), 1e-12)
    found = ahead = np.full(matrix.shape[1], 0.5)
    momentum = 1.0
    for _ in range(_STEPS):
        following: NDArray[np.float64] = np.clip(ahead - step * (gram @ ahead - target), 0.0, 1.0)
        grown = (1.0 + np.sqrt(1.0 + 4.0 * momentum**2)) / 2.0
        ahead = following + (momentum - 1.0) / grown * (following - found)
        if float(np.abs(following - found).max()) < 1e-9:
            return following
        found, momentum = following, grown
    return found
