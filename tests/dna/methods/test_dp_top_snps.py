"""The sites most associated with a disease, chosen with noise."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.randomness import SeededRandom
from sfumato.dna.contract import Study
from sfumato.dna.methods.association_scores import Test, whole_scores
from sfumato.dna.methods.dp_top_snps import Choice, DpTopSnps
from sfumato.dna.methods.significance_distance import critical_value, distance_scores
from sfumato.dna.models.private import DifferentialPrivacy
from sfumato.dna.sites import numbered
from sfumato.dna.source import InMemory
from tests.oracles import dna_sensitivity as oracle


def study(sites: int = 60, strong: int = 3, people: int = 600, among_cases: float = 0.7) -> Study:
    """The first sites are associated, the others are not."""
    random = np.random.default_rng(5)
    ill = np.arange(people) < people // 2
    dosages = random.binomial(2, 0.3, (sites, people))
    dosages[:strong, ill] = random.binomial(2, among_cases, (strong, people // 2))
    return Study(InMemory(dosages.astype(np.int8), numbered(sites)), cases=ill)


def _counted(dosages: tuple[int, ...]) -> oracle.Row:
    return dosages.count(0), dosages.count(1), dosages.count(2)


def largest_under_laplace(scores: NDArray[Any]) -> NDArray[np.float64]:
    """The probability that each is the largest, with Laplace noise of scale 1 on all, by a fine sum."""
    x = np.arange(-40, 40, 0.01) + scores.max()
    away = x - scores[:, None]
    below = np.where(away < 0, np.exp(-np.abs(away)) / 2, 1 - np.exp(-np.abs(away)) / 2)
    density = np.exp(-np.abs(away)) / 2
    others = [np.delete(below, i, axis=0).prod(axis=0) for i in range(len(scores))]
    return np.asarray((density * others).sum(axis=1) * 0.01)


def both(tables: list[oracle.Tables]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    return np.array([ill for ill, _ in tables]), np.array([well for _, well in tables])


class TestDistance:
    @pytest.mark.parametrize(("cases", "controls"), [(1, 1), (1, 5), (5, 1), (3, 3), (2, 5), (4, 3)])
    @pytest.mark.parametrize("critical", ["1/100", "1/2", "1", "3.8415", "6", "9", "1000"])
    def test_the_distance_is_that_of_walking_from_table_to_table(
        self, cases: int, controls: int, critical: str
    ) -> None:
        expected = oracle.distances(oracle.allelic, Fraction(critical), cases, controls)
        found = distance_scores(*both(list(expected)), Fraction(critical))
        assert found.tolist() == list(expected.values())

    @settings(max_examples=15)
    @given(st.integers(1, 5), st.integers(1, 5), st.fractions(Fraction(1, 1000), 20, max_denominator=1000))
    def test_the_distance_is_exact_for_any_critical_value(
        self, cases: int, controls: int, critical: Fraction
    ) -> None:
        expected = oracle.distances(oracle.allelic, critical, cases, controls)
        assert distance_scores(*both(list(expected)), critical).tolist() == list(expected.values())

    def test_a_tie_with_the_critical_value_is_significant(self) -> None:
        tables: oracle.Tables = ((0, 1, 3), (2, 1, 1))
        exact = oracle.allelic(tables)
        assert distance_scores(*both([tables]), exact)[0] >= 1
        assert distance_scores(*both([tables]), exact + Fraction(1, 10**30))[0] <= 0

    @settings(max_examples=40)
    @given(st.integers(20, 400), st.integers(20, 400), st.data())
    def test_one_person_moves_the_score_of_a_larger_table_by_one_at_most(
        self, cases: int, controls: int, data: st.DataObject
    ) -> None:
        def row(people: int) -> oracle.Row:
            one = data.draw(st.integers(0, people))
            two = data.draw(st.integers(0, people - one))
            return people - one - two, one, two

        tables = (row(cases), row(controls))
        around = [tables, *oracle.neighbours(tables)]
        scores = distance_scores(*both(around), critical_value("5e-8"))
        assert np.abs(scores - scores[0]).max() <= 1

    def test_critical_values_are_those_of_the_table(self) -> None:
        for p, value in ((0.05, 3.841459), (0.01, 6.634897), (5e-8, 29.716785)):
            assert float(critical_value(p)) == pytest.approx(value, abs=1e-5)
            assert math.erfc(math.sqrt(float(critical_value(p)) / 2)) == pytest.approx(p, rel=1e-9)


class TestChoice:
    @pytest.mark.parametrize("mechanism", list(Choice))
    def test_much_budget_finds_the_strong_sites(self, mechanism: Choice) -> None:
        made = DpTopSnps(3, 500, mechanism=mechanism).publish(study(), ())
        assert sorted(made.kept.tolist()) == [0, 1, 2]
        assert made.spent == {"epsilon": 500.0}
        assert len(made.statistics.sites) == 3
        assert DifferentialPrivacy(500).check(made, study()).holds

    def test_the_distance_finds_them_with_little(self) -> None:
        weak = study(people=1000, among_cases=0.45)

        def hits(mechanism: str) -> int:
            method, random = DpTopSnps(3, 3, mechanism=mechanism), SeededRandom(2)
            return sum(len({0, 1, 2} & set(method.publish(weak, (), random=random).kept)) for _ in range(20))

        assert hits("distance") >= 55
        assert hits("exponential") <= 40

    def test_hardly_any_budget_finds_nothing(self) -> None:
        hits = sum(0 in DpTopSnps(1, "0.000001").publish(study(strong=1), ()).kept for _ in range(100))
        # Each site has a chance of 1/60: more than 15 of 100 happen with probability below 1e-9.
        assert hits <= 15

    @pytest.mark.parametrize("mechanism", ["exponential", "distance", "laplace"])
    def test_choices_have_the_probabilities_of_the_mechanism(self, mechanism: str) -> None:
        """Hoeffding: 3,000 choices are off by more than 0.06 with probability below 1e-9 each."""
        small = study(sites=4, strong=1, people=60)
        assert small.cases is not None
        counts = small.pool.counts([small.cases, ~small.cases])[:, :, :3]
        critical, epsilon = critical_value("5e-8"), 2.0
        if mechanism == "distance":
            scores = distance_scores(counts[0], counts[1], critical).astype(float)
            coins = np.exp(epsilon / 2 * (scores - scores.max()))
            grid = (np.arange(20_000) + 0.5) / 20_000
            others = [np.prod([1 - coins[j] * grid for j in range(4) if j != i], axis=0) for i in range(4)]
            expected = coins * np.mean(others, axis=1)
        elif mechanism == "laplace":
            whole, each = whole_scores(Test.ALLELIC, counts[0], counts[1])
            expected = largest_under_laplace(whole * (epsilon / 2 / each))
        else:
            whole, each = whole_scores(Test.ALLELIC, counts[0], counts[1])
            weights = np.exp(epsilon * (whole - whole.max()) / (2 * each))
            expected = weights / weights.sum()
        method, random = DpTopSnps(1, 2, mechanism=mechanism), SeededRandom(8)
        chosen = [int(method.publish(small, (), random=random).kept[0]) for _ in range(3000)]
        assert expected.sum() == pytest.approx(1, abs=1e-3)
        assert np.ptp(expected) > 0.2
        assert np.bincount(chosen, minlength=4) / 3000 == pytest.approx(expected, abs=0.06)

    @pytest.mark.parametrize("mechanism", list(Choice))
    @pytest.mark.parametrize("cases", [1, 2])
    def test_no_person_of_any_small_study_makes_a_choice_more_likely_than_promised(
        self, mechanism: Choice, cases: int
    ) -> None:
        """All studies of four people and two sites, all neighbours, exact probabilities."""
        epsilon, people = 1.0, 4
        kinds = list(itertools.product(range(3), repeat=people))
        tables = [(_counted(kind[:cases]), _counted(kind[cases:])) for kind in kinds]
        if mechanism == "distance":
            scores, each = distance_scores(*both(tables), Fraction(2)), 1
        else:
            scores, each = whole_scores(Test.ALLELIC, *both(tables))
        gap = (scores[:, None] - scores[None, :]) * (epsilon / 2 / each)
        if mechanism == "exponential":
            first = 1 / (1 + np.exp(-gap))
        elif mechanism == "laplace":
            behind = np.exp(-np.abs(gap)) * (1 + np.abs(gap) / 2) / 2
            first = np.where(gap >= 0, 1 - behind, behind)
        else:
            first = np.where(gap >= 0, 1 - np.exp(-np.abs(gap)) / 2, np.exp(-np.abs(gap)) / 2)
        place = {kind: at for at, kind in enumerate(kinds)}
        worst = 0.0
        for person in range(people):
            # The other genotypes of this person, at one site; both sites change together.
            rows = np.array(
                [
                    [place[(*kind[:person], other, *kind[person + 1 :])] for other in range(3)]
                    for kind in kinds
                ]
            )
            for mine in range(3):
                for theirs in range(3):
                    changed = first[np.ix_(rows[:, mine], rows[:, theirs])]
                    worst = max(
                        worst, float((first / changed).max()), float(((1 - first) / (1 - changed)).max())
                    )
        assert 1 < worst <= math.exp(epsilon) * (1 + 1e-9)

    def test_noise_in_one_go_tells_a_set_and_no_ranks(self) -> None:
        made = DpTopSnps(3, 500, mechanism="laplace").publish(study(), ())
        assert made.kept.tolist() == sorted(made.kept.tolist())
        assert not made.statistics.columns
        ranked = DpTopSnps(3, 500).publish(study(), ())
        assert ranked.statistics.columns["rank"].tolist() == [1, 2, 3]

    def test_choices_can_be_restricted_to_public_candidates(self) -> None:
        made = DpTopSnps(1, 500, sites=(40, 2, 7)).publish(study(), ())
        assert made.kept.tolist() == [2]
        assert made.statistics.sites.name.tolist() == ["1:3"]

    def test_what_was_drawn_from_a_generator_is_not_to_be_published(self) -> None:
        made = DpTopSnps(1, 1).publish(study(), (), random=SeededRandom(1))
        assert not DifferentialPrivacy(1).check(made, study()).holds


class TestBadInput:
    def test_more_sites_than_there_are_cannot_be_chosen(self) -> None:
        with pytest.raises(BadInput, match="60 sites, fewer than 61"):
            DpTopSnps(61, 1).publish(study(), ())

    def test_parameters_are_checked_when_a_method_is_made(self) -> None:
        refused: list[dict[str, Any]] = [
            {"count": 0},
            {"count": True},
            {"count": 1, "epsilon": -1},
            {"count": 1, "mechanism": "best"},
            {"count": 1, "test": "trend"},
            {"count": 1, "significance": 0},
            {"count": 1, "significance": 1},
        ]
        for wrong in refused:
            with pytest.raises(BadInput):
                DpTopSnps(**wrong)
