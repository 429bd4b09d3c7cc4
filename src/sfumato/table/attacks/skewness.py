"""Skewness: a value is far more frequent in a class than in the whole table.

N. Li, T. Li & S. Venkatasubramanian, "t-closeness: privacy beyond k-anonymity and l-diversity" (2007).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from sfumato.core.attack import AttackResult, Need
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.table.attacks.classes.class_view import ClassView, Counts, Flags, times
from sfumato.table.attacks.contract import Knowledge
from sfumato.table.models.numbers import check_column, exactly, plain
from sfumato.table.published import PublishedTable


@dataclass(frozen=True)
class Skewness:
    """The adversary compares the class of a person with everybody, and believes what became likelier.

    With p_v the share of value v in the whole release and q_v in the class of a person, somebody who has v is
    hit when  q_v ≥ factor · p_v  and  q_v ≥ confidence:  their value is now at least so many times as likely
    as before, and at least so likely. By default: more likely than not, and twice as likely as before. (No
    value can be hit that more than 1/factor of all people have; so only comparatively rare ones are.)

    l-diversity does not stop it: of two classes with 49 and 1, or 1 and 49, ill people of 50 one tells much
    and the other nothing. What stops it:

    - t-closeness with equal distances: with f = factor, a hit value has q_v − p_v ≥ (1 − 1/f) q_v, and all of
      these differences together are at most t in a class. So at most a share t · f/(f − 1) of the people
      is hit, and **nobody when t < confidence · (1 − 1/f)**: with the defaults, when t < 1/4.
    - β-likeness with β < f − 1, and δ-disclosure privacy with δ ≤ log2 f: nobody is hit at all.

    Who sees no classes, but the whole table alone, gains nothing over it: ``guessing`` is 0 here. Values that
    are rare and harmless count like any other; values that became *less* likely are not counted.

    >>> Skewness(factor=3).title
    'a value is far more frequent among those who look alike than among all'
    """

    factor: float = 2
    confidence: float = 0.5
    column: str | None = None
    name: ClassVar[str] = "skewness"
    title: ClassVar[str] = "a value is far more frequent among those who look alike than among all"
    threat: ClassVar[Threat] = Threat.INFERENCE
    needs: ClassVar[frozenset[Need]] = frozenset({Need.SENSITIVE})

    def __post_init__(self) -> None:
        if exactly(self.factor, "factor", self.name, "try factor: 2") <= 1:
            raise BadInput("factor must be above 1", where=self.name, remedy="try factor: 2")
        if not 0 <= exactly(self.confidence, "confidence", self.name, "try confidence: 0.5") <= 1:
            raise BadInput(
                "confidence must lie between 0 and 1", where=self.name, remedy="try confidence: 0.5"
            )
        check_column(self.column, self.name)

    def run(
        self,
        target: PublishedTable,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Compare every value of every class with its share in the whole."""
        progress.step("comparing classes with the whole table")
        view = ClassView.of(self.name, self.column, target)
        have, of, all_of = view.persons, view.size, view.in_the_whole
        everywhere = view.values.base[view.values.codes]
        hit = self._hit(have, of, everywhere, all_of)
        # Who is alone in a class leaves the whole table behind, over which nothing is gained.
        anyway = (of > 1) & self._hit(have - 1, np.maximum(of - 1, 1), everywhere - 1, all_of - 1)
        gained = view.shares * all_of / everywhere
        factor, least = (exactly(value, "", self.name, "") for value in (self.factor, self.confidence))
        return view.result(
            self.threat,
            view.counted(hit) / view.attempts,
            view.counted(anyway) / view.attempts,
            guessing=0.0,
            certain=view.counted(hit & (have == of)),
            highest=float(view.shares[hit].max(initial=0.0)),
            details={
                "classes_with_such_a_value": len(np.unique(view.part[hit])),
                "largest_factor": float(gained.max()),
            },
            note=f"success: their value became at least {plain(factor)} times as likely as among all, "
            f"and at least {plain(least)} likely",
            victims=view.victims(hit, view.shares) if victims else (),
        )

    def _hit(self, have: Counts, of: Counts, everywhere: Counts, all_of: int) -> Flags:
        """Say where have/of ≥ factor · everywhere/all_of and have/of ≥ confidence, without rounding."""
        factor: Fraction = exactly(self.factor, "factor", self.name, "")
        least: Fraction = exactly(self.confidence, "confidence", self.name, "")
        likelier = times(have, all_of, factor.denominator) >= times(everywhere, of, factor.numerator)
        likely = times(have, least.denominator) >= times(of, least.numerator)
        found: Flags = (have > 0) & likelier.astype(np.bool_) & likely.astype(np.bool_)
        return found
