"""Sensitivities against all people that could be: reached, and never passed."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.dp.neighbours import Neighbours
from sfumato.dp.sensitivity import (
    Contribution,
    Sensitivity,
    count,
    mean_parts,
    persons,
    quantile_score,
    total,
    variance_parts,
)
from tests.oracles.dp_accounting import norms, people

BOTH = list(Neighbours)
GROUPED = st.builds(
    lambda rows, groups, per_group: Contribution(rows, groups, per_group),
    st.integers(1, 3),
    st.none() | st.integers(1, 2),
    st.none() | st.integers(1, 2),
)


def tried(values: list[int], contribution: Contribution, neighbours: Neighbours) -> tuple[int, int, int]:
    cells = 1 if contribution.groups is None else 2 * contribution.groups
    added = people(
        values,
        cells=cells,
        rows=contribution.rows,
        groups=contribution.groups,
        rows_per_group=contribution.rows_per_group,
        complete=contribution.complete,
    )
    return norms(added, replaced=neighbours is Neighbours.SUBSTITUTION)


@settings(max_examples=60, deadline=None)
@given(GROUPED, st.integers(-4, 4), st.integers(0, 4), st.sampled_from(BOTH))
def test_no_person_changes_a_sum_by_more_and_one_changes_it_by_as_much(
    contribution: Contribution, lower: int, width: int, neighbours: Neighbours
) -> None:
    upper = lower + width
    l1, l2_squared, linf = tried([lower, upper], contribution, neighbours)
    found = total(lower, upper, contribution, neighbours)
    assert found.l1 == l1
    assert found.linf == linf
    assert found.l2_squared >= l2_squared
    if neighbours is Neighbours.ADD_REMOVE or contribution.groups is None or lower * upper >= 0:
        assert found.l2_squared == l2_squared
    if lower == -upper:
        assert found.l2_squared == l2_squared
    assert found.neighbours is neighbours


@settings(max_examples=40, deadline=None)
@given(GROUPED, st.sampled_from(BOTH))
def test_counts_of_rows_are_as_tried(contribution: Contribution, neighbours: Neighbours) -> None:
    found = count(contribution, neighbours)
    assert (found.l1, found.l2_squared, found.linf) == tried([1], contribution, neighbours)


@pytest.mark.parametrize("neighbours", BOTH)
@pytest.mark.parametrize("groups", [None, 1, 2, 3])
def test_counts_of_persons_are_as_tried(groups: int | None, neighbours: Neighbours) -> None:
    found = persons(groups, neighbours)
    alike = Contribution(groups or 1, groups, 1)
    assert (found.l1, found.l2_squared, found.linf) == tried([1], alike, neighbours)


@pytest.mark.parametrize(("lower", "upper"), [(18, 20), (-3, 5), (-7, -2)])
@pytest.mark.parametrize("rows", [1, 2])
def test_replacing_a_person_who_always_counts_moves_a_sum_by_the_width_of_the_bounds(
    lower: int, upper: int, rows: int
) -> None:
    always = Contribution(rows, complete=True)
    found = total(lower, upper, always, Neighbours.SUBSTITUTION)
    tried_l1, _, _ = tried(list(range(lower, upper + 1)), always, Neighbours.SUBSTITUTION)
    assert found.l1 == tried_l1 == rows * (upper - lower)
    assert count(always, Neighbours.SUBSTITUTION).l1 == 0


def test_ages_that_a_where_may_leave_out_reach_down_to_nothing() -> None:
    assert total(18, 100, neighbours=Neighbours.SUBSTITUTION).l1 == 100


def test_a_histogram_costs_twice_when_a_person_moves_from_one_cell_to_another() -> None:
    cell = Contribution(groups=1)
    added, moved = count(cell), count(cell, Neighbours.SUBSTITUTION)
    assert (added.l1, added.l2_squared, added.linf) == (1, 1, 1)
    assert (moved.l1, moved.l2_squared, moved.linf) == (2, 2, 1)
    assert moved.l2**2 >= 2 > (moved.l2 - Fraction(1, 10**18)) ** 2


@pytest.mark.parametrize("neighbours", BOTH)
@pytest.mark.parametrize("groups", [None, 1])
def test_the_moments_of_a_variance_are_as_tried(groups: int | None, neighbours: Neighbours) -> None:
    lower, upper, a, b = 10, 16, 13, 4
    once = Contribution(2, groups)
    values = range(lower, upper + 1)
    first, second, number = variance_parts(lower, upper, once, neighbours, centre=a, square_centre=b)
    assert first.l1 == tried([x - a for x in values], once, neighbours)[0]
    assert second.l1 == tried([(x - a) ** 2 - b for x in values], once, neighbours)[0]
    assert number == count(once, neighbours)


def test_centring_halves_the_sensitivity_of_a_mean() -> None:
    centred, number = mean_parts(0, 100)
    assert (centred.l1, number.l1) == (50, 1)
    assert total(0, 100).l1 == 100
    assert variance_parts(0, 100)[1].l1 == Fraction(2500, 2)


@pytest.mark.parametrize("neighbours", BOTH)
@pytest.mark.parametrize("quarter", [0, 1, 2, 4])
def test_scores_of_quantiles_move_as_tried(quarter: int, neighbours: Neighbours) -> None:
    twice = Contribution(2)
    # In quarters: a row below a candidate adds 4 − 4q to the score, one above takes 4q away.
    tried_linf = tried([4 - quarter, -quarter, 0], twice, neighbours)[2]
    assert quantile_score(Fraction(quarter, 4), twice, neighbours) == Fraction(tried_linf, 4)


def test_joint_questions_add_up_and_the_same_question_twice_is_two() -> None:
    men, older, german = count(), count(), count()
    assert (
        men.beside(older).beside(german) == men.times(3) == Sensitivity(Fraction(3), Fraction(3), Fraction(1))
    )
    assert total(0, 7).beside(count()).linf == 7
    assert total(0, 7).scaled("-0.5").l2_squared == Fraction(49, 4)


def test_sensitivities_for_different_neighbours_do_not_mix() -> None:
    with pytest.raises(BadInput, match="neighbours"):
        count().beside(count(neighbours=Neighbours.SUBSTITUTION))


@pytest.mark.parametrize(
    "broken",
    [
        lambda: total(3, 2),
        lambda: total(0, float("inf")),
        lambda: total(float("nan"), 1),
        lambda: Contribution(0),
        lambda: Contribution(1, groups=0),
        lambda: count().times(0),
        lambda: quantile_score("1.1"),
        lambda: variance_parts(0, 1, centre=2),
    ],
)
def test_nonsense_is_refused(broken: object) -> None:
    with pytest.raises(BadInput):
        broken()  # type: ignore[operator]  # each is a call without arguments
