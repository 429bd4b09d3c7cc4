"""From what was seen of victims to a guess who is ill, and how good the guess is.

A guess is one number of what was seen, a way to sum up several looks, and a direction. It is chosen on
victims whose illness is known and judged on others: the best of many numbers looks good where it was chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean, median

from tests.server.timing_target import Victim

Look = dict[str, float]
"""what was seen of a victim at once, as numbers with names"""
Seen = dict[Victim, list[Look]]


def trimmed(numbers: Sequence[float]) -> float:
    """Return the mean without the lowest and the highest quarter."""
    ordered = sorted(numbers)
    cut = len(ordered) // 4
    return fmean(ordered[cut : len(ordered) - cut])


SUMMARIES: dict[str, Callable[[Sequence[float]], float]] = {
    "median": median,
    "least": min,
    "most": max,
    "mean": fmean,
    "trimmed mean": trimmed,
}


def area(ill: Sequence[float], well: Sequence[float]) -> float:
    """Return the AUC: the chance that somebody ill scores above somebody who is well, ties counting half.

    >>> area([3, 2], [1, 2])
    0.875
    """
    above = sum((one > other) + (one == other) / 2 for one in ill for other in well)
    return above / (len(ill) * len(well))


@dataclass(frozen=True)
class Guess:
    """How looks become a score: which number, summed up how, and whether more means ill."""

    number: str
    summary: str
    sign: int

    def score(self, looks: Sequence[Look]) -> float:
        """Score one victim."""
        return self.sign * SUMMARIES[self.summary]([look.get(self.number, 0.0) for look in looks])

    def auc(self, seen: Seen) -> float:
        """Judge it by victims whose truth is known."""
        scores = {victim: self.score(looks) for victim, looks in seen.items()}
        return area(
            *([score for victim, score in scores.items() if victim.ill is ill] for ill in (True, False))
        )


def best_guess(seen: Seen) -> Guess:
    """Return what tells the training victims apart best."""
    names = sorted({name for looks in seen.values() for look in looks for name in look})
    guesses = [Guess(name, summary, 1) for name in names or ["nothing"] for summary in SUMMARIES]
    found = max(guesses, key=lambda guess: abs(guess.auc(seen) - 0.5))
    return found if found.auc(seen) >= 0.5 else Guess(found.number, found.summary, -1)


def cross_fitted(seen: Seen, random: Random) -> float:
    """Return the AUC of guesses that were chosen on one half of the victims and judged on the other."""
    halves: tuple[Seen, Seen] = ({}, {})
    for truth in (True, False):
        those = [victim for victim in seen if victim.ill is truth]
        random.shuffle(those)
        for place, victim in enumerate(those):
            halves[place % 2][victim] = seen[victim]
    one, other = halves
    return fmean([best_guess(one).auc(other), best_guess(other).auc(one)])
