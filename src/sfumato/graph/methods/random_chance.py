"""What baselines by chance share: a share of the edges, and models they do not keep.

X. Ying & X. Wu, "Randomizing social networks: a spectrum preserving approach" (2008), call them Rand Add/Del
and Rand Switch.
"""

from __future__ import annotations

from fractions import Fraction

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.randomness import Random, SecretRandom
from sfumato.graph.contract import Problem


def exact_share(share: float, where: str) -> Fraction:
    """Read a share of the edges as it was written, or refuse it."""
    try:
        found = Fraction(str(share))
    except ValueError:
        found = Fraction(-1)
    if not 0 <= found <= 1:
        raise BadInput("a share of the edges lies between 0 and 1", where=where, remedy="try 0.1")
    return found


def no_promise(problem: Problem, where: str) -> None:
    """Refuse every promise: chance alone keeps none."""
    if problem.models:
        raise PromiseNotMet(
            "changing edges by chance keeps no promise",
            where=where,
            remedy="leave the promises out to compare, or choose another method",
        )


def source(random: Random | None) -> Random:
    """Return what is drawn from: the operating system unless a test hands in a generator."""
    return SecretRandom() if random is None else random
