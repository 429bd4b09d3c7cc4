"""What noisy statistics of a network cost, exactly, and what it means: from what is public alone.

The method and the promises say what is spent, so that whoever reads a release can work it out again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

from sfumato.core.errors import BadInput
from sfumato.dp.exact import Number, as_decimal, exact
from sfumato.graph.contract import Method
from sfumato.graph.models import DifferentialPrivacy

EDGE, NODE = "edge", "node"
IN_WORDS = {
    EDGE: "one edge more or less, among the same nodes",
    NODE: "one node more or less, with all its edges",
}
"""whom the promise compares"""
_TOGETHER = {EDGE: ("edges of somebody", 10), NODE: ("people", 4)}


def text_of(number: Number) -> str:
    """Write a price in full.

    >>> text_of(0.1), text_of("1e-6"), text_of(20)
    ('0.1', '0.000001', '20')
    """
    return format(as_decimal(number), "f")


def neighbours_of(method: Method) -> str:
    """Say what the networks differ by that the noise of a method hides: an edge or a node.

    >>> from sfumato.graph.methods import DpCounts, DpDegreeSequence
    >>> neighbours_of(DpDegreeSequence(epsilon=1)), neighbours_of(DpCounts("nodes", neighbours="node"))
    ('edge', 'node')
    """
    return str(getattr(method, "neighbours", EDGE))


def check_prices(method: Method, models: Iterable[DifferentialPrivacy]) -> None:
    """Refuse an ε or δ that cannot be paid as it is written, before anything is spent."""
    things: tuple[Method | DifferentialPrivacy, ...] = (*models, method)
    for thing in things:
        for name in ("epsilon", "delta"):
            given = getattr(thing, name, None)
            if given is None:
                continue
            where = f"'{name}' of {thing.name}"
            as_decimal(given, where=where)
            if exact(float(exact(given))) != exact(given):
                raise BadInput("the number has too many digits", where=where, remedy="round it")


def spent_by(method: Method, models: Iterable[DifferentialPrivacy]) -> Fraction:
    """Return what a method spends: its own ε, or else the least that is promised.

    >>> from sfumato.graph.methods import DpDegreeSequence
    >>> promised = (DifferentialPrivacy(2), DifferentialPrivacy(0.5))
    >>> spent_by(DpDegreeSequence(), promised), spent_by(DpDegreeSequence(epsilon=0.1), promised)
    (Fraction(1, 2), Fraction(1, 10))
    """
    promised = [model.exact_epsilon for model in models]
    if not promised:
        raise BadInput("no differential privacy is promised", where="models")
    own = getattr(method, "epsilon", None)
    return min(promised) if own is None else exact(own)


def meaning_of(epsilon: Fraction, neighbours: str) -> list[str]:
    """Say what a price leaves to an adversary, in whole sentences without their full stops.

    Odds grow by e^ε at most, so that even odds become a chance of at most e^ε/(1 + e^ε).

    >>> meaning_of(Fraction(1), "edge")[0][-51:]
    'connected is sure of it to at most 0.732 afterwards'
    """
    asked = "two people are connected" if neighbours == EDGE else "somebody takes part"
    sure = math.ceil(1000 / (1 + math.exp(-float(epsilon)))) / 1000
    what, number = _TOGETHER[neighbours]
    return [
        f"whoever holds it as likely as not that {asked} is sure of it to at most {sure:.3f} afterwards",
        f"for {number} {what} together it is ε = {text_of(number * epsilon)}",
    ]
