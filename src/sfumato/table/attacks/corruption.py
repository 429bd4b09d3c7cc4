"""Corruption: the adversary knows the sensitive values of some others in the class, and subtracts them.

Y. Tao, X. Xiao, J. Li & D. Zhang, "On anti-corruption privacy preserving publication" (2008).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor
from typing import ClassVar

import numpy as np

from sfumato.core.attack import AttackResult, Need
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.table.attacks.classes.class_view import ClassView, Counts, Flags, Shares, times
from sfumato.table.attacks.contract import Knowledge
from sfumato.table.models.numbers import check_column, exactly
from sfumato.table.published import PublishedTable


@dataclass(frozen=True)
class Corruption:
    """The adversary knows the values of some others who look like the person, and is sure of what is left.

    ``corrupted`` is how many others of the class are known: a number, or (below 1) a share of them. In a
    class of n people let d = n − f_v have another value than the person's v. The adversary is sure when all
    d are known. If the c who are known are any of the n − 1 others, each choice equally likely, that has the
    probability  Π_{i<d} (c − i) / (n − 1 − i);  success is its mean over all people, without drawing lots.
    With ``worst`` those are known who help most: everybody with d ≤ c is hit.

    Sharing a class with accomplices, relatives or colleagues is enough for it. Distinct l-diversity with
    l ≥ c + 2 stops it; nothing that publishes exact values stops an adversary who knows all the others.
    Without the target the same others give the same claim, unless nobody is left in the class: what taking
    part costs is what is learned by subtracting everybody else.

    >>> Corruption(corrupted=2, worst=True).title
    'the values of some who look alike are known, and subtracted'
    """

    corrupted: float = 1
    worst: bool = False
    column: str | None = None
    name: ClassVar[str] = "corruption"
    title: ClassVar[str] = "the values of some who look alike are known, and subtracted"
    threat: ClassVar[Threat] = Threat.ATTRIBUTE
    needs: ClassVar[frozenset[Need]] = frozenset({Need.SENSITIVE})

    def __post_init__(self) -> None:
        number = exactly(self.corrupted, "corrupted", self.name, "try corrupted: 1")
        if number <= 0 or (number > 1 and number.denominator != 1):
            raise BadInput(
                "corrupted must be a whole number of people, or a share of them below 1",
                where=self.name,
                remedy="try corrupted: 1",
            )
        if not isinstance(self.worst, bool):
            raise BadInput("worst must be true or false", where=self.name, remedy="try worst: true")
        check_column(self.column, self.name)

    def run(
        self,
        target: PublishedTable,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Work out for every value of every class how likely it is to be left over."""
        progress.step("subtracting known values")
        view = ClassView.of(self.name, self.column, target)
        corrupted = self._known(view.size)
        others = view.size - view.persons
        sure: Shares
        if self.worst:
            sure = (others <= corrupted).astype(np.float64)
            nobody_left = view.persons == 1
        else:
            sure = _all_among(others, corrupted, view.size - 1)
            nobody_left = corrupted == view.size - 1
        anyway = np.where(nobody_left, np.where(_rest_is_alike(view), sure, 0.0), sure)
        expected = float(np.dot(sure, view.persons))
        whole = view.persons[sure == 1.0].sum()
        return view.result(
            self.threat,
            expected / view.attempts,
            float(np.dot(anyway, view.persons)) / view.attempts,
            certain=int(whole),
            highest=float(sure.max()),
            details={
                "sure_of_on_average": round(expected, 6),
                "known_of_a_class_at_most": int(corrupted.max()),
            },
            note="those are known who help most" if self.worst else "a mean over whom is known",
            victims=view.victims(sure > 0.0, sure) if victims else (),
        )

    def _known(self, size: Counts) -> Counts:
        """Return how many of the others are known, in classes of these sizes."""
        number = exactly(self.corrupted, "corrupted", self.name, "")
        if number < 1:
            known = times(size - 1, number.numerator) // number.denominator
            return known.astype(np.int64)
        return np.minimum(size - 1, floor(number))


def _all_among(wanted: Counts, known: Counts, others: Counts) -> Shares:
    """Return the chance that ``wanted`` certain people are all among ``known`` of ``others`` drawn at random.

    >>> _all_among(np.array([0, 1, 2]), np.array([1, 1, 1]), np.array([3, 3, 3])).round(3).tolist()
    [1.0, 0.333, 0.0]
    """
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, int(others.max(initial=1)) + 1)))])
    possible = wanted <= known
    left = np.where(possible, known - wanted, 0)
    exponent = (logs[known] - logs[left]) - (logs[others] - logs[np.where(possible, others - wanted, 0)])
    found: Shares = np.where(possible, np.exp(np.minimum(exponent, 0.0)), 0.0)
    return found


def _rest_is_alike(view: ClassView) -> Flags:
    """Say whether all who are in other classes have the value of an entry: then it is known anyway."""
    outside = view.everybody - view.size
    same = view.values.added_up[view.values.codes] - view.persons
    found: Flags = (outside > 0) & (same == outside)
    return found
