"""Measures that look only at how large the classes are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.hierarchy.ladder import Ladder
from sfumato.table.cells import Cells
from sfumato.table.utility.contract import Appraisal, Join, Score, Survey


@dataclass(frozen=True)
class ClassSizeScorer(ABC):
    """What measures of class sizes share: levels alone say nothing, the value is the score."""

    columns: int
    tallest: int
    join: ClassVar[Join] = Join.SUM
    from_levels: ClassVar[bool] = False

    @classmethod
    def over(cls, ladders: tuple[Ladder, ...]) -> ClassSizeScorer:
        """Make ready for the levels of some ladders."""
        return cls(len(ladders), max(ladder.height for ladder in ladders) + 1)

    @property
    def terms(self) -> NDArray[np.float64]:
        """No bound: zeros."""
        return np.zeros((self.columns, self.tallest))

    @abstractmethod
    def appraise(self, survey: Survey) -> Appraisal:
        """Value a node, and bound all nodes below and above it."""

    def score(self, appraisal: Appraisal) -> Score:
        """Return the value."""
        return appraisal.value

    def score_of_bound(self, value: float) -> Score:
        """Return the bound."""
        return value


@dataclass(frozen=True)
class Discernibility:
    """Discernibility of R. Bayardo and R. Agrawal, "Data privacy through optimal k-anonymization" (2005).

    Every row is charged the number of rows it cannot be told from, a suppressed one all n:

        DM = Σ_kept |C|² + n·S          DM* = Σ_all |C|²  (``monotone``)

    >>> Discernibility().name
    'discernibility'
    """

    monotone: bool = False
    name: ClassVar[str] = "discernibility"

    def prepare(self, cells: Cells, ladders: tuple[Ladder, ...]) -> ClassSizeScorer:
        """Choose the variant."""
        kind = _MonotoneDiscernibilityScorer if self.monotone else _DiscernibilityScorer
        return kind.over(ladders)


@dataclass(frozen=True)
class AverageClassSize:
    """Average size of the classes, of K. LeFevre et al., "Mondrian …" (ICDE 2006), not divided by k.

    All n rows over the classes that a reader can tell apart; the suppressed rows, if any, are one:

        n / (classes kept + [1 if S > 0])

    >>> AverageClassSize().name
    'average-class-size'
    """

    name: ClassVar[str] = "average-class-size"

    def prepare(self, cells: Cells, ladders: tuple[Ladder, ...]) -> ClassSizeScorer:
        """Make ready for one table."""
        return _AverageClassSizeScorer.over(ladders)


class _DiscernibilityScorer(ClassSizeScorer):
    """Below, some rows stay suppressed and classes have at least k rows; above, they only merge (n ≥ |C|)."""

    def appraise(self, survey: Survey) -> Appraisal:
        value = survey.squares_kept + survey.rows * survey.suppressed
        below = survey.rows * survey.surely + survey.smallest * (survey.rows - survey.surely)
        return Appraisal(float(value), below_floor=float(below), above_floor=float(survey.squares))


class _MonotoneDiscernibilityScorer(ClassSizeScorer):
    """Classes only merge on the way up."""

    def appraise(self, survey: Survey) -> Appraisal:
        return Appraisal(float(survey.squares), above_floor=float(survey.squares))


class _AverageClassSizeScorer(ClassSizeScorer):
    """Below, at most (n - S)/k classes can be kept; above, there are no more classes than here."""

    def appraise(self, survey: Survey) -> Appraisal:
        shown = survey.kept + (1 if survey.suppressed else 0)
        at_most = (survey.rows - survey.surely) // survey.smallest + 1
        return Appraisal(
            survey.rows / shown,
            below_floor=survey.rows / at_most if survey.surely else -np.inf,
            above_floor=survey.rows / survey.classes,
        )
