"""The exponential mechanism: exact chances, and scores that one person hardly moves."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.domain import Domain
from sfumato.core.errors import BadInput
from sfumato.core.randomness import SeededRandom
from sfumato.hierarchy import Flat, HierarchyTable, Ladder
from sfumato.table.cells import Cells
from sfumato.table.methods.safepub_choice import chosen_levels, drawn_by_score, happens, scored, worth

AGES = HierarchyTable.of([(age, "young" if age < 2 else "old", "*") for age in range(4)])
DOMAINS = (Domain.of("age", ["0", "1", "2", "3"]), Domain.of("sex", ["f", "m"]))
LADDERS: tuple[Ladder, ...] = (AGES.ladder(DOMAINS[0]), Flat().ladder(DOMAINS[1]))
CANDIDATES = list(product(range(3), range(2)))
people = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 1)), min_size=1, max_size=25)


def cells(records: list[tuple[int, int]]) -> Cells:
    distinct = sorted(set(records))
    rows = np.array([records.count(one) for one in distinct], np.int64)
    return Cells(DOMAINS, np.array(distinct, np.int32).T.copy(), rows, rows)


@settings(max_examples=60)
@given(people, st.tuples(st.integers(0, 3), st.integers(0, 1)), st.integers(1, 5))
def test_one_person_more_adds_at_most_one_to_every_score(
    records: list[tuple[int, int]], newcomer: tuple[int, int], needed: int
) -> None:
    before = list(scored(cells(records), LADDERS, CANDIDATES, needed))
    after = list(scored(cells([*records, newcomer]), LADDERS, CANDIDATES, needed))
    assert all(0 <= b - a <= 1 for a, b in zip(before, after, strict=True))


@settings(max_examples=30)
@given(people, st.integers(1, 5))
def test_scores_are_what_the_definition_says(records: list[tuple[int, int]], needed: int) -> None:
    def look(person: tuple[int, int], levels: tuple[int, ...]) -> tuple[str | None, ...]:
        return tuple(
            ladder.labels[level][ladder.rungs[level, code]]
            for ladder, level, code in zip(LADDERS, levels, person, strict=True)
        )

    for levels, score in zip(CANDIDATES, scored(cells(records), LADDERS, CANDIDATES, needed), strict=True):
        looks = [look(person, levels) for person in records]
        kept = sum(max(looks.count(one) - needed + 1, 0) for one in set(looks))
        assert score == worth(levels, (2, 1)) * kept


@pytest.mark.parametrize(
    "exponent", [Fraction(0), Fraction(1, 3), Fraction(1), Fraction(7, 2), Fraction(1, 2**70)]
)
def test_chances_of_e_to_the_minus_x_come_out(exponent: Fraction) -> None:
    random, trials = SeededRandom(2), 20_000
    expected = math.exp(-exponent)
    found = sum(happens(exponent, random) for _ in range(trials)) / trials
    assert abs(found - expected) <= 5 * math.sqrt(expected * (1 - expected) / trials)


def test_positions_are_drawn_in_proportion_to_their_weights() -> None:
    scores, epsilon = [Fraction(5), Fraction(3), Fraction(0), Fraction(9, 2)], Fraction(1, 2)
    random, trials = SeededRandom(3), 8000
    weights = np.exp([float(epsilon * score) for score in scores])
    expected = weights / weights.sum()
    drawn = [drawn_by_score(scores, epsilon, random) for _ in range(trials)]
    found = np.bincount(drawn, minlength=4) / trials
    assert (np.abs(found - expected) <= 5 * np.sqrt(expected * (1 - expected) / trials)).all()


def test_with_much_to_spend_the_best_levels_are_chosen() -> None:
    records = [(0, 0)] * 40 + [(1, 0)] * 3
    found = chosen_levels(cells(records), LADDERS, Fraction(50), 10, SeededRandom(1))
    scores = list(scored(cells(records), LADDERS, CANDIDATES, 10))
    assert found == CANDIDATES[scores.index(max(scores))]


def test_many_columns_are_counted_right() -> None:
    """Keys beyond an array, and beyond 64 bits, are renumbered."""
    rng = np.random.default_rng(1)
    values = [str(i) for i in range(300)]
    domains = tuple(Domain.of(f"c{j}", values) for j in range(9))
    ladders = tuple(Flat().ladder(domain) for domain in domains)
    codes = np.unique(rng.integers(0, 3, (9, 200)).astype(np.int32) * 100, axis=1)
    rows = np.ones(codes.shape[1], np.int64)
    bottom, top = (0,) * 9, (0,) * 8 + (1,)
    small, large = scored(Cells(domains, codes, rows, rows), ladders, [bottom, top], 1)
    assert small == codes.shape[1]
    assert large == worth(top, (1,) * 9) * codes.shape[1]


def test_too_many_generalisations_are_refused() -> None:
    domains = tuple(Domain.of(f"c{j}", ["0"]) for j in range(18))
    ladders = tuple(Flat().ladder(domain) for domain in domains)
    rows = np.ones(1, np.int64)
    with pytest.raises(BadInput, match="give 'levels'"):
        chosen_levels(
            Cells(domains, np.zeros((18, 1), np.int32), rows, rows), ladders, Fraction(1), 2, SeededRandom(1)
        )
