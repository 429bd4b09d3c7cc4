"""The adversary: every strategy on victims whose illness it knows, then the best one on others."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from tests.server.guessing import Guess, Seen, best_guess, cross_fitted
from tests.server.timing_analyst import LOOK_WITHIN, Adversary
from tests.server.timing_strategies import STRATEGIES, Strategy
from tests.server.timing_target import Victim


def look_at(
    adversary: Adversary, strategy: Strategy, victims: Sequence[Victim], rounds: int, random: Random
) -> Seen:
    """Look at all victims several times; in a new order each round, so that a busy minute hits all."""
    seen: Seen = {victim: [] for victim in victims}
    for _ in range(rounds):
        for victim in random.sample(list(victims), len(victims)):
            seen[victim].append(strategy(adversary, victim))
    return seen


@dataclass
class Outcome:
    """What an adversary achieved with one seed."""

    by_strategy: dict[str, float] = field(default_factory=dict)
    """AUC among the training victims, cross-fitted"""
    too_slow: list[str] = field(default_factory=list)
    """strategies that were given up after one look"""
    chosen: str = ""
    guess: Guess | None = None
    auc: float = 0.5
    """of the strategy and the guess that were best in training, on the other victims"""
    questions: int = 0


def attack(
    adversary: Adversary,
    training: Sequence[Victim],
    victims: Sequence[Victim],
    questions: int,
    random: Random,
    strategies: Mapping[str, tuple[Strategy, int]] = STRATEGIES,
) -> Outcome:
    """Try every strategy on training victims with half of the questions; attack with the best one."""
    outcome = Outcome()
    guesses: dict[str, tuple[float, Guess]] = {}
    of_each = questions // 2 // len(strategies) // len(training)
    for name, (strategy, takes) in strategies.items():
        begun = time.perf_counter()
        strategy(adversary, training[0])
        if time.perf_counter() - begun > LOOK_WITHIN:
            outcome.too_slow.append(name)
            continue
        seen = look_at(adversary, strategy, training, max(1, of_each // takes), random)
        outcome.by_strategy[name] = cross_fitted(seen, random)
        guesses[name] = (outcome.by_strategy[name], best_guess(seen))
    outcome.chosen = max(guesses, key=lambda name: guesses[name][0])
    strategy, takes = strategies[outcome.chosen]
    rounds = max(1, (questions - adversary.questions) // (takes * len(victims)))
    seen = look_at(adversary, strategy, victims, rounds, random)
    outcome.guess = guesses[outcome.chosen][1]
    outcome.auc = outcome.guess.auc(seen)
    outcome.questions = adversary.questions
    return outcome
