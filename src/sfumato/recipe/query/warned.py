"""What a release under differential privacy warns of. All of it follows from what everybody can read."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from sfumato.dp.neighbours import Neighbours
from sfumato.dp.price import Price
from sfumato.recipe.warned import OF_A_SEED

OF_THE_SYSTEM = "noise came from the operating system and cannot be drawn again"
LARGE_EPSILON = Decimal(5)
"""beyond, odds may change more than a hundredfold"""
ADDS_UP = (
    "this is what one release costs: the price of every other release and answer about the same people "
    "comes on top"
)
DRAWN = (
    "records were drawn from noisy counts: none of them is a person's, and what is rare in them may be noise "
    "alone"
)


def warnings_of(
    spent: Price, neighbours: Neighbours, *, person: bool, records: bool, secret: bool
) -> Iterator[str]:
    """Say what a reader must know, one sentence each, without its full stop."""
    if not secret:
        yield OF_A_SEED
    if spent.epsilon is not None and spent.epsilon > LARGE_EPSILON:
        yield (
            f"ε = {spent.epsilon} is large: what somebody believes about a person may change by a factor of "
            f"e^{spent.epsilon}"
        )
    if spent.delta:
        yield f"δ = {spent.delta:g} comes on top: what ε bounds may be more likely by that much"
    if neighbours is Neighbours.SUBSTITUTION:
        yield "the number of people is public: the promise compares people who replace each other"
    if not person:
        yield "no column names the person: if somebody has several rows, they count as several people"
    if records:
        yield DRAWN
    yield ADDS_UP
