"""What transforms along public domains share, and how much one person changes of all their coefficients.

X. Xiao, G. Wang & J. Gehrke, "Differential privacy via wavelet transforms" (2011), call it the generalised
sensitivity, which for transforms along several attributes is a product. Here coefficients are whole numbers
that a person changes by ±1, and Δ₁ and Δ₂² are counted out.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from sfumato.core.errors import BadInput, nearest
from sfumato.dp.neighbours import Neighbours
from sfumato.query.methods.contract import Attribute
from sfumato.query.methods.range_error import Descent, Floats, Integers

_MOST_OVERLAPS = 200_000
_FEW_ENDS = 4096
"""to choose by, ranges between so many ends are enough"""


@dataclass(frozen=True)
class Overlap:
    """What the changes of two people have in common.

    The one changes ``one`` numbers by ±1, the other ``two``; of these, ``equal`` are changed by both in the
    same way, ``opposite`` by both in opposite ways.
    """

    one: int
    two: int
    equal: int
    opposite: int = 0


class Axis(Protocol):
    """How one attribute is transformed: every person changes few of its coefficients, by ±1 each."""

    @property
    def size(self) -> int:
        """How many positions there are."""

    @property
    def coefficients(self) -> int:
        """How many coefficients there are."""

    @property
    def touched(self) -> int:
        """How many coefficients one person changes at most."""

    def overlaps(self) -> list[Overlap]:
        """Return what the changes of two people may have in common."""

    def forward(self, cells: Integers) -> Integers:
        """Transform the first axis of a table."""

    def inverse(self, noisy: Floats) -> Floats:
        """Turn coefficients on the first axis of a table back into cells."""

    def descent(self) -> Descent:
        """Return how errors go from coefficients to cells."""

    def shares(self) -> Floats:
        """Return for each position its share of what the whole is corrected by."""


def range_cost(axis: Axis, *, pure: bool) -> float:
    """Return what an axis adds to the mean variance of ranges, as a factor, when ε (or ρ) is 1."""
    return float(axis.descent().ranges(_FEW_ENDS).both * axis.touched ** (2 if pure else 1))


def sensitivity(axes: Sequence[Axis], neighbours: Neighbours) -> tuple[int, int]:
    """Return Δ₁ and Δ₂² of all coefficients together, exactly.

    A person's change is a product of ±1 over the attributes, so one more or less changes Π touchedᵢ numbers
    by 1. Two people have numbers in common: where both change them the same way, replacing one by the other
    changes nothing; where in opposite ways, by 2. With eᵢ equal and oᵢ opposite ones along each attribute,
    their products agree in (Π (eᵢ + oᵢ) + Π (eᵢ − oᵢ)) / 2 numbers, and

        Δ₁ = max Π oneᵢ + Π twoᵢ − Π (eᵢ + oᵢ) − Π (eᵢ − oᵢ),   Δ₂² = max Π oneᵢ + Π twoᵢ − 2 Π (eᵢ − oᵢ).

    >>> from sfumato.query.methods.haar import Haar
    >>> sensitivity([Haar(8)], Neighbours.ADD_REMOVE), sensitivity([Haar(8)], Neighbours.SUBSTITUTION)
    ((4, 4), (6, 8))
    """
    most = math.prod(axis.touched for axis in axes)
    if neighbours is Neighbours.ADD_REMOVE:
        return most, most
    pairs = [axis.overlaps() for axis in axes]
    if math.prod(len(p) for p in pairs) > _MOST_OVERLAPS:
        return 2 * most, 2 * most
    l1 = l2_squared = 0
    for overlaps in itertools.product(*pairs):
        changed = math.prod(o.one for o in overlaps) + math.prod(o.two for o in overlaps)
        common = math.prod(o.equal + o.opposite for o in overlaps)
        product = math.prod(o.equal - o.opposite for o in overlaps)
        l1 = max(l1, changed - common - product)
        l2_squared = max(l2_squared, changed - 2 * product)
    # One position only: nothing can change, but noise needs a scale.
    return max(l1, 1), max(l2_squared, 1)


def columns_named(attributes: Sequence[Attribute], names: Sequence[str] | None, where: str) -> list[int]:
    """Return the columns of the attributes that were named, or of all."""
    known = [attribute.name for attribute in attributes]
    if names is None:
        return list(range(len(known)))
    if not names or len(set(names)) != len(names):
        raise BadInput("attributes are named once each, at least one", where=where, remedy="mend the list")
    for name in names:
        if name not in known:
            raise BadInput(f"there is no attribute '{name}'", where=where, remedy=nearest(name, known))
    return [known.index(name) for name in names]
