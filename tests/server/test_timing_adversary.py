"""The timing adversary finds what is there, does not find what is not, and finds nothing in the service."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import fmean

import pytest

from benchmarks.query_time import BAR, HURRY, PEOPLE, VISITS, attacked, told
from tests.server.cache_adversary import TEXTS, Threshold, learned
from tests.server.guessing import Guess, Look, Seen, area, best_guess, cross_fitted
from tests.server.timing_strategies import STRATEGIES
from tests.server.timing_target import Victim, choose_victims, make_clinic

VICTIMS = [Victim(code, code % 2 == 0) for code in range(40)]


def seen_as(look: Callable[[Victim], Look], rounds: int = 5) -> Seen:
    return {victim: [look(victim) for _ in range(rounds)] for victim in VICTIMS}


def test_the_area_counts_pairs_in_the_right_order() -> None:
    assert area([2.0, 3.0], [0.0, 1.0]) == 1.0
    assert area([0.0, 1.0], [2.0, 3.0]) == 0.0
    assert area([1.0, 1.0], [1.0]) == 0.5
    assert area([1.0, 3.0], [2.0]) == 0.5


@pytest.mark.parametrize("sign", [1, -1])
def test_a_leak_of_either_direction_is_found_among_numbers_that_tell_nothing(sign: int) -> None:
    random = Random(sign)

    def look(victim: Victim) -> Look:
        # Rare long delays drown the mean; the least time still tells.
        delay = 5.0 if random.random() < 0.3 else 0.0
        return {
            "reply": 1 + sign * 0.3 * victim.ill + random.uniform(0, 0.2) + delay,
            **{f"noise {number}": random.random() for number in range(10)},
        }

    seen = seen_as(look)
    found = best_guess(seen)
    assert (found.number, found.sign) == ("reply", sign)
    assert cross_fitted(seen, random) > 0.9


def test_noise_alone_is_not_taken_for_a_leak_although_the_best_of_many_numbers_is_chosen() -> None:
    random = Random(1)
    fitted, honest = [], []
    for _ in range(40):
        seen = seen_as(lambda _: {f"noise {number}": random.random() for number in range(10)}, rounds=2)
        fitted.append(best_guess(seen).auc(seen))
        honest.append(cross_fitted(seen, random))
    assert fmean(fitted) > 0.65, "where it was chosen the best of many looks good"
    assert 0.46 < fmean(honest) < 0.54


def test_nothing_that_can_be_seen_is_no_better_than_guessing() -> None:
    seen = seen_as(lambda _: {})
    assert best_guess(seen).auc(seen) == 0.5
    assert Guess("reply", "median", 1).auc(seen) == 0.5


def test_texts_that_were_sent_before_are_told_by_their_time_in_either_direction() -> None:
    sent = {"a", "b"}
    for sign in (1, -1):
        took = {text: (0.1 if (text in sent) is (sign == 1) else 0.2) for text in "abcd"}
        assert learned(took, sent).sign == sign
        assert learned(took, sent).accuracy(took, sent) == 1.0
        assert Threshold(0.15, -sign).accuracy(took, sent) == 0.0
    assert Threshold(0.15, 1).accuracy(dict.fromkeys("abcd", 0.1), sent) == 0.5


def test_victims_are_drawn_by_seed_and_half_of_them_are_ill(tmp_path: Path) -> None:
    path = make_clinic(tmp_path, people=60, visits=2)
    victims = choose_victims(path, 20, seed=3)
    assert victims == choose_victims(path, 20, seed=3) != choose_victims(path, 20, seed=4)
    assert len({victim.code for victim in victims}) == 20
    assert sum(victim.ill for victim in victims) == 10


@pytest.fixture(scope="module")
def clinic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_clinic(tmp_path_factory.mktemp("clinic"), PEOPLE, VISITS)


@pytest.mark.slow
def test_time_does_not_tell_who_is_ill(clinic: Path) -> None:
    training, victims, seeds = 20, 60, (1, 2, 3)
    found = [attacked(clinic, HURRY, tuple(STRATEGIES), seed, 1200, training, victims) for seed in seeds]
    # Mere guessing varies: the bar is refuted only by more than chance does to it in one of twenty runs.
    chance = ((victims + 1) / (3 * victims**2) / len(seeds)) ** 0.5
    assert fmean(one.auc for one in found) - 1.645 * chance <= BAR, found


@pytest.mark.slow
def test_time_does_not_tell_what_another_analyst_sent(clinic: Path) -> None:
    found = told(clinic, seed=1)
    chance = 0.5 / (TEXTS * len(found)) ** 0.5
    assert fmean(found.values()) - 1.645 * chance <= BAR, found
