"""The adversary of possible worlds stays under ρ where it is promised, and breaks what only claims it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from sfumato.core.errors import BadInput
from sfumato.core.verdict import Threat
from sfumato.dp.identifiability import DifferentialIdentifiability, composed_rho
from sfumato.dp.mechanisms.gaussian import DiscreteGaussian
from sfumato.dp.mechanisms.laplace import DiscreteLaplace
from sfumato.query.attacks.possible_worlds import PossibleWorlds
from tests.oracles.dp_selection import agrees, discrete_laplace

ONE_AGAINST_ALL = ((0,), (0,), (0,), (0,), (9,))


@pytest.mark.parametrize("rho", ["0.25", "0.4", "0.8"])
@pytest.mark.parametrize("worlds", [ONE_AGAINST_ALL, ((0,), (2,), (4,), (7,), (9,))])
def test_the_adversary_stays_under_rho(worlds, rho: str) -> None:
    promise = DifferentialIdentifiability(rho, len(worlds))
    result = PossibleWorlds(worlds, trials=3000).run([promise.noise(9)], rho=rho)
    assert result.details["posteriors above rho"] == 0
    assert result.highest <= float(rho) + 1e-9
    # The guesses are right with at most ρ each; Hoeffding: 3000 of them stray by 0.06 with at most e^(−21).
    assert result.success <= float(rho) + 0.06
    assert result.baseline == pytest.approx(0.2)


def test_half_of_the_noise_is_caught() -> None:
    promise = DifferentialIdentifiability("0.4", 5)
    broken = DiscreteLaplace(promise.scale(9) / 2)
    result = PossibleWorlds(ONE_AGAINST_ALL, trials=3000).run([broken], rho="0.4")
    assert result.details["posteriors above rho"] > 100
    assert result.highest > 0.6


def test_gaussian_noise_of_the_same_variance_bounds_no_posterior() -> None:
    promise = DifferentialIdentifiability("0.4", 5)
    noise = promise.noise(9)
    gaussian = DiscreteGaussian(Fraction(round(noise.variance**0.5 * 100), 100))
    result = PossibleWorlds(ONE_AGAINST_ALL, trials=3000).run([gaussian], rho="0.4")
    assert result.details["posteriors above rho"] > 0


def test_several_questions_stay_under_the_rho_that_they_compose_to() -> None:
    scales = [Fraction(9, 1), Fraction(5, 1)]
    worlds = ((0, 0), (0, 0), (0, 0), (6, 4))
    together = composed_rho([(6, scales[0]), (4, scales[1])], 4)
    alone = composed_rho([(6, scales[0])], 4)
    result = PossibleWorlds(worlds, trials=3000).run([DiscreteLaplace(s) for s in scales], rho=together)
    assert result.details["posteriors above rho"] == 0
    assert result.highest > alone


def test_guesses_are_right_as_often_as_the_best_posterior_says() -> None:
    worlds, scale = ((0,), (1,), (3,)), Fraction(2)
    noise = discrete_laplace(2.0, 80)
    right = sum(max(noise.get(told - w, 0.0) for (w,) in worlds) / 3 for told in range(-70, 75))
    result = PossibleWorlds(worlds, trials=20_000).run([DiscreteLaplace(scale)])
    hits = round(result.success * 20_000)
    assert agrees(np.array([20_000 - hits, hits]), [1 - right, right])
    assert not agrees(np.array([20_000 - hits, hits]), [2 / 3, 1 / 3])


def test_posteriors_are_those_of_the_lecture() -> None:
    """Two worlds with answers 2 and 5, and noise that keeps ρ = 0.8: beyond 5 it is reached exactly."""
    promise = DifferentialIdentifiability("0.8", 2)
    game = PossibleWorlds(((2,), (5,)))
    believed = game.posteriors([promise.noise(3)], np.array([[6], [5], [100], [2]]))
    assert believed[:3, 1] == pytest.approx(0.8)
    assert believed[3, 0] == pytest.approx(0.8)


def test_without_noise_the_adversary_is_sure() -> None:
    result = PossibleWorlds(((0,), (50,)), trials=50).run([DiscreteLaplace(Fraction(1, 10))])
    assert (result.success, result.certain) == (1.0, 50)
    assert result.threat is Threat.IDENTITY


def test_what_cannot_be_played_is_refused() -> None:
    noise = DiscreteLaplace(Fraction(1))
    for bad in ((), ((1,),), ((1,), (1, 2)), ((), ())):
        with pytest.raises(BadInput):
            PossibleWorlds(bad)
    with pytest.raises(BadInput, match="one noise for each"):
        PossibleWorlds(((0,), (1,))).run([noise, noise])
    with pytest.raises(BadInput, match="trial"):
        PossibleWorlds(((0,), (1,)), trials=0)

    class Odd(DiscreteLaplace):
        name = "odd"

    with pytest.raises(BadInput, match="does not know how likely"):
        PossibleWorlds(((0,), (1,))).run([Odd(Fraction(1))])
