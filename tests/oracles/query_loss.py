"""How much a question tells two data sets apart, from their exact numbers and the noise that is planned."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from sfumato.dp.mechanisms.gaussian import DiscreteGaussian
from sfumato.dp.mechanisms.laplace import DiscreteLaplace
from sfumato.query.plan import NoisePlan, NoisyChoice
from sfumato.query.run import Exact


def loss(planned: NoisePlan, one: Exact, other: Exact) -> tuple[Fraction, Fraction]:
    """Return the loss between two data sets, bounded by ε and by ρ, of all mechanisms of a plan together.

    Laplace: Σ|a − b| / scale, and half its square. Gaussian: Σ(a − b)² / 2σ². Quantiles: in each group the
    largest change of a score, twice the rate (ε), an eighth of its square (ρ). Groups: ε for each whose
    people differ (its δ is checked elsewhere).
    """
    groups = list(dict.fromkeys((*one.groups, *other.groups)))
    epsilon, rho = Fraction(0), Fraction(0)
    for i, measure in enumerate(planned.measures):
        if isinstance(measure, NoisyChoice):
            mine = Fraction(0)
            for group in groups:
                here, there = (_scores(measure, i, data, group) for data in (one, other))
                mine += 2 * measure.choice.rate * int(np.abs(here - there).max())
            epsilon, rho = epsilon + mine, rho + mine**2 / 8
            continue
        shared = len(measure.numbers.shared)
        left, right = (_numbers(i, data, groups) for data in (one, other))
        steps = np.abs(left - right)
        assert not steps[len(steps) - shared :].any(), "told without noise, so the same for all neighbours"
        steps = steps[: len(steps) - shared]
        if measure.noise is None:
            assert steps.size == 0
        elif isinstance(measure.noise, DiscreteLaplace):
            mine = sum(map(Fraction, steps.ravel().tolist()), Fraction(0)) / measure.noise.scale
            epsilon, rho = epsilon + mine, rho + mine**2 / 2
        else:
            assert isinstance(measure.noise, DiscreteGaussian)
            squares = sum((Fraction(step) ** 2 for step in steps.ravel().tolist()), Fraction(0))
            rho += squares / (2 * measure.noise.scale**2)
    if planned.selection is not None:
        assert one.persons is not None
        assert other.persons is not None
        left_people = dict(zip(one.groups, one.persons.tolist(), strict=True))
        right_people = dict(zip(other.groups, other.persons.tolist(), strict=True))
        changed = [abs(left_people.get(group, 0) - right_people.get(group, 0)) for group in groups]
        assert max(changed, default=0) <= 1
        each, share = planned.selection.per_group
        epsilon, rho = epsilon + sum(changed) * each, rho + (sum(changed) * each) ** 2 / 2
        assert sum(changed) * share <= Fraction(planned.price.delta)
    return epsilon, rho


def _numbers(measure: int, data: Exact, groups: Sequence[Any]) -> Any:
    numbers = data.numbers[measure]
    assert numbers is not None
    place = {group: i for i, group in enumerate(data.groups)}
    empty = np.zeros(numbers.shape[0], np.int64)
    found = [numbers[:, place[group]] if group in place else empty for group in groups]
    return np.array(found, np.int64).reshape(len(groups), numbers.shape[0]).T


def _scores(measure: NoisyChoice, number: int, data: Exact, group: Any) -> Any:
    assert measure.measure.quantile is not None
    histogram = np.zeros(measure.candidates.positions, np.int64)
    if group in data.groups:
        histogram = data.histogram(number, data.groups.index(group), measure.candidates.positions)
    return measure.candidates.scores(histogram, measure.measure.quantile)
