"""Slow and obvious: distributions of choices by enumeration, and the worst ratio over all neighbours."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

DIGITS = 50


def power(x: Fraction) -> Decimal:
    """e^x to about fifty digits."""
    with localcontext(prec=DIGITS):
        return (Decimal(x.numerator) / Decimal(x.denominator)).exp()


def exponential_distribution(scores: Sequence[int], rate: Fraction) -> list[Decimal]:
    """Pr[i] ∝ e^(rate · sᵢ)."""
    with localcontext(prec=DIGITS):
        weights = [power(rate * (score - max(scores))) for score in scores]
        return [weight / sum(weights) for weight in weights]


def permute_and_flip_distribution(scores: Sequence[int], rate: Fraction) -> list[Decimal]:
    """Walk through every order, toss every coin."""
    coins = [power(rate * (score - max(scores))) for score in scores]
    found = [Decimal(0)] * len(scores)
    with localcontext(prec=DIGITS):
        for order in itertools.permutations(range(len(scores))):
            left = Decimal(1)
            for candidate in order:
                found[candidate] += left * coins[candidate]
                left *= 1 - coins[candidate]
        return [total / math.factorial(len(scores)) for total in found]


def peeled_distribution(
    scores: Sequence[int], k: int, choose: Callable[[Sequence[int]], Sequence[Decimal]]
) -> dict[tuple[int, ...], Decimal]:
    """Choose k, one after another."""
    if k == 0:
        return {(): Decimal(1)}
    found = {}
    for first, chance in enumerate(choose(scores)):
        rest = [place for place in range(len(scores)) if place != first]
        below = peeled_distribution([scores[place] for place in rest], k - 1, choose)
        for others, share in below.items():
            found[(first, *(rest[place] for place in others))] = chance * share
    return found


def neighbouring_scores(
    scores: Sequence[int], sensitivity: int, monotonic: bool
) -> Iterator[tuple[int, ...]]:
    """Every way in which one person can move the scores."""
    steps = ((0, 1), (0, -1)) if monotonic else ((-1, 0, 1),)
    for directions in steps:
        for moved in itertools.product(directions, repeat=len(scores)):
            yield tuple(s + sensitivity * step for s, step in zip(scores, moved, strict=True))


def worst_log_ratio(first: Iterable[Decimal], second: Iterable[Decimal]) -> float:
    """max over outcomes of |ln Pr[o] − ln Pr′[o]|; infinite when one of them cannot occur."""
    worst = 0.0
    with localcontext(prec=DIGITS):
        for p, q in zip(first, second, strict=True):
            if (p == 0) != (q == 0):
                return math.inf
            if p:
                worst = max(worst, float(abs((p / q).ln())))
    return worst


def discrete_laplace(scale: float, reach: int) -> dict[int, float]:
    """The probabilities of −reach … reach."""
    p = math.exp(-1.0 / scale)
    return {x: (1 - p) / (1 + p) * p ** abs(x) for x in range(-reach, reach + 1)}


def discrete_laplace_tail(scale: float, t: int) -> float:
    """Pr[x ≥ t]."""
    p = math.exp(-1.0 / scale)
    return p**t / (1 + p) if t >= 1 else 1 - p ** (1 - t) / (1 + p)


def sparse_vector_distribution(
    answers: Sequence[int], threshold: int, threshold_scale: float, question_scale: float, c: int
) -> dict[tuple[bool, ...], float]:
    """Every sequence of answers that can be told, with its probability."""
    found: dict[tuple[bool, ...], float] = {}
    for told in itertools.product((False, True), repeat=len(answers)):
        stops = [i for i, above in enumerate(told) if above]
        shown = told[: stops[c - 1] + 1] if len(stops) >= c else told
        if shown in found:
            continue
        total = 0.0
        for noise, chance in discrete_laplace(threshold_scale, round(40 * threshold_scale)).items():
            for answer, above in zip(answers, shown, strict=False):
                tail = discrete_laplace_tail(question_scale, threshold + noise - answer)
                chance *= tail if above else 1 - tail
            total += chance
        found[shown] = total
    return found


def long_conversation(
    below: int, many: int, above: int, c: int, threshold_scale: float, question_scale: float
) -> float:
    """Pr[``many`` answers of size ``below`` are told as below 0, then c of size ``above`` as above]."""
    total = 0.0
    for noise, chance in discrete_laplace(threshold_scale, round(100 * threshold_scale)).items():
        quiet = (1 - discrete_laplace_tail(question_scale, noise - below)) ** many
        total += chance * quiet * discrete_laplace_tail(question_scale, noise - above) ** c
    return total


def optimal_selection(epsilon: float, delta: float, people: int) -> list[float]:
    """π(0), …, π(people) of Desfontaines et al. (2022), straight from the two inequalities."""
    found = [0.0]
    for _ in range(people):
        now = found[-1]
        found.append(min(math.exp(epsilon) * now + delta, 1 - math.exp(-epsilon) * (1 - now - delta), 1.0))
    return found


def agrees(counts: NDArray[np.int64], probabilities: Sequence[float], alarm: float = 1e-8) -> bool:
    """Say whether counts may come from these probabilities; a false "no" has probability below ``alarm``.

    By Chernoff's bound, Pr[the share of a cell is as far from p as q] ≤ 2 e^(−n · KL(q ‖ p)); with a union
    over cells that is below ``alarm`` when n · KL > ln(2 · cells / alarm) for one of them.
    """
    n, limit = int(np.sum(counts)), math.log(2 * len(probabilities) / alarm)
    for count, p in zip(np.asarray(counts).tolist(), probabilities, strict=True):
        q = count / n
        if (p <= 0 and q > 0) or (p >= 1 and q < 1):
            return False
        away = (q * math.log(q / p) if q > 0 else 0.0) + (
            (1 - q) * math.log((1 - q) / (1 - p)) if q < 1 else 0.0
        )
        if n * away > limit:
            return False
    return True
