"""χ² with noise: what one person can do was tried on every table, and noise covers it."""

from __future__ import annotations

import itertools
import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.randomness import SeededRandom
from sfumato.dna.contract import Study
from sfumato.dna.methods.association_scores import UNITS, Test, chi_squared, sensitivity, whole_scores
from sfumato.dna.methods.dp_association import DpAssociation
from sfumato.dna.models.private import DifferentialPrivacy
from sfumato.dna.sites import numbered
from sfumato.dna.source import InMemory
from tests.oracles import dna_sensitivity as oracle

ORACLES: dict[Test, oracle.Score] = {
    Test.GENOTYPIC: oracle.genotypic,
    Test.ALLELIC: oracle.allelic,
    Test.TREND: oracle.trend,
}
SMALL = [(r, s) for r, s in itertools.product(range(1, 8), repeat=2) if r + s <= 8]


def study(people: int = 40, sites: int = 5, *, missing: bool = False) -> Study:
    random = np.random.default_rng(3)
    dosages = random.integers(-1 if missing else 0, 3, (sites, people)).astype(np.int8)
    return Study(InMemory(dosages, numbered(sites)), cases=np.arange(people) < people // 2)


class TestSensitivity:
    @pytest.mark.parametrize(("cases", "controls"), SMALL)
    def test_no_table_moves_a_genotypic_or_allelic_test_further_and_one_moves_it_as_far(
        self, cases: int, controls: int
    ) -> None:
        for test in (Test.GENOTYPIC, Test.ALLELIC):
            assert sensitivity(test, cases, controls) == oracle.worst_change(ORACLES[test], cases, controls)

    @pytest.mark.parametrize(("cases", "controls"), [*SMALL, (5, 5), (6, 4)])
    def test_no_table_moves_a_trend_further(self, cases: int, controls: int) -> None:
        worst = oracle.worst_change(oracle.trend, cases, controls)
        assert worst <= sensitivity(Test.TREND, cases, controls)

    @pytest.mark.parametrize(("cases", "controls"), [(3, 3), (4, 4), (3, 6), (5, 3), (5, 5)])
    def test_the_trend_is_moved_as_far_as_the_worst_table_that_is_named(
        self, cases: int, controls: int
    ) -> None:
        n = cases + controls
        named = max(
            Fraction(4 * n * n * (r - 1), r * (r * s + 4 * r - 4))
            for r, s in ((cases, controls), (controls, cases))
        )
        assert oracle.worst_change(oracle.trend, cases, controls) == named

    def test_the_bound_of_the_trend_is_nearly_reached_in_a_large_study(self) -> None:
        before, after = ((999, 0, 1), (0, 1000, 0)), ((1000, 0, 0), (0, 1000, 0))
        tables = [np.array([t[0] for t in (before, after)]), np.array([t[1] for t in (before, after)])]
        moved = np.ptp(chi_squared(Test.TREND, *tables))
        assert 0.99 < moved / float(sensitivity(Test.TREND, 1000, 1000)) <= 1

    @pytest.mark.parametrize("people", [6, 8, 10])
    def test_empty_columns_change_nothing_in_the_formula_of_uhler(self, people: int) -> None:
        half = people // 2
        expected = Fraction(4 * people, people + 2)
        assert oracle.worst_change(oracle.genotypic, half, half, full_columns=True) == expected
        assert oracle.worst_change(oracle.genotypic, half, half) == expected
        assert sensitivity(Test.GENOTYPIC, half, half) == expected

    @pytest.mark.golden
    def test_the_golden_sensitivities(self, shared: Path) -> None:
        golden = json.loads((shared / "golden" / "dna.json").read_text())
        cases = golden["chi2_3x2_sensitivity_equal_cases_controls"]["bruteforce_vs_formula"]
        assert cases
        for people, (found, _) in cases.items():
            half = int(people) // 2
            assert float(sensitivity(Test.GENOTYPIC, half, half)) == pytest.approx(found, abs=1e-8)
            tried = oracle.worst_change(oracle.genotypic, half, half, full_columns=True)
            assert tried == sensitivity(Test.GENOTYPIC, half, half)


class TestScores:
    @given(
        st.tuples(*[st.integers(0, 30)] * 3).filter(any),
        st.tuples(*[st.integers(0, 30)] * 3).filter(any),
        st.sampled_from(list(Test)),
    )
    def test_chi_squared_is_that_of_the_textbook(self, ill: oracle.Row, well: oracle.Row, test: Test) -> None:
        found = chi_squared(test, np.array([ill]), np.array([well]))[0]
        assert found == pytest.approx(float(ORACLES[test]((ill, well))), rel=1e-12, abs=1e-12)

    @pytest.mark.parametrize("test", list(Test))
    def test_whole_scores_of_all_neighbours_stay_within_their_sensitivity(self, test: Test) -> None:
        tables = oracle.all_tables(3, 4)
        scores, each = whole_scores(
            test, np.array([ill for ill, _ in tables]), np.array([well for _, well in tables])
        )
        place = {table: at for at, table in enumerate(tables)}
        moved = max(
            abs(int(scores[place[table]] - scores[place[other]]))
            for table in tables
            for other in oracle.neighbours(table)
        )
        assert moved <= each <= float(sensitivity(test, 3, 4)) * UNITS + 2

    def test_the_rounding_of_floats_is_part_of_the_sensitivity(self) -> None:
        """At 2²⁴ people it is an eighth of a unit, which decides for some of these studies."""
        decided = 0
        for more in range(40):
            ill, well = 2**23, 2**23 - 7919 * more
            _, each = whole_scores(Test.GENOTYPIC, np.array([[ill, 0, 0]]), np.array([[well, 0, 0]]))
            exact = sensitivity(Test.GENOTYPIC, ill, well) * UNITS
            paid = exact + Fraction(2 * (ill + well) * UNITS, 2**48)
            assert each >= paid
            decided += math.ceil(paid) > math.ceil(exact)
        assert decided

    @settings(max_examples=50)
    @given(st.integers(10**6, 2**24), st.integers(10**6, 2**24), st.data(), st.sampled_from(list(Test)))
    def test_floats_stay_within_the_rounding_that_is_paid_for(
        self, cases: int, controls: int, data: st.DataObject, test: Test
    ) -> None:
        def row(people: int) -> oracle.Row:
            one = data.draw(st.integers(0, people))
            two = data.draw(st.integers(0, people - one))
            return people - one - two, one, two

        ill, well = row(cases), row(controls)
        exact = ORACLES[test]((ill, well)) if test is not Test.TREND else _large_trend(ill, well)
        found = chi_squared(test, np.array([ill]), np.array([well]))[0]
        assert abs(Fraction(float(found)) - exact) <= Fraction(2 * (cases + controls), 2**48)


def _large_trend(ill: oracle.Row, well: oracle.Row) -> Fraction:
    r, s = sum(ill), sum(well)
    u, v = ill[1] + 2 * ill[2], well[1] + 2 * well[2]
    squares = ill[1] + well[1] + 4 * (ill[2] + well[2])
    under = r * s * ((r + s) * squares - (u + v) ** 2)
    return Fraction((r + s) * (s * u - r * v) ** 2, under) if under else Fraction(0)


class TestRelease:
    def test_much_budget_gives_the_exact_test(self) -> None:
        given_study = study()
        assert given_study.cases is not None
        made = DpAssociation(1000, sites=(2,)).publish(given_study, ())
        counts = given_study.pool.counts([given_study.cases, ~given_study.cases])
        exact = chi_squared(Test.GENOTYPIC, counts[0, 2:3, :3], counts[1, 2:3, :3])
        assert made.statistics.columns["chi2"] == pytest.approx(exact, abs=0.2)
        assert made.kept.tolist() == [2]
        assert (made.statistics.people, made.statistics.cases) == (40, 20)

    def test_the_scale_is_sites_times_sensitivity_over_epsilon(self) -> None:
        made = DpAssociation("0.5").publish(study(), ())
        assert made.details["mechanism"] == "discrete-laplace"
        assert made.details["scale"] == pytest.approx(5 * 4 * 40 / 42 / 0.5, rel=1e-5)
        assert float(made.details["scale"]) >= 5 * 4 * 40 / 42 / 0.5

    def test_chi_squared_stays_within_what_there_can_be(self) -> None:
        made = DpAssociation("0.001", test="allelic").publish(study(sites=50), ())
        assert made.statistics.columns["chi2"].min() >= 0
        assert made.statistics.columns["chi2"].max() <= 80
        assert set(made.statistics.columns) == {"chi2"}

    def test_gaussian_noise_grows_with_the_root_of_the_sites(self) -> None:
        few = DpAssociation(1, "1e-6").publish(study(sites=100), ())
        many = DpAssociation(1, "1e-6").publish(study(sites=400), ())
        assert few.details["mechanism"] == many.details["mechanism"] == "discrete-gaussian"
        assert float(many.details["scale"]) / float(few.details["scale"]) == pytest.approx(2, rel=1e-6)
        assert many.spent == {"epsilon": 1.0, "delta": 1e-6}

    @pytest.mark.parametrize("dosage", [0, 1, 2])
    def test_missing_genotypes_never_change_how_many_people_a_table_has(self, dosage: int) -> None:
        lacking = study(missing=True)
        filled = lacking.pool.dosages.copy()  # type: ignore[attr-defined]  # it is in memory
        filled[filled == -1] = dosage
        full = Study(InMemory(filled, numbered(5)), cases=lacking.cases)
        method = DpAssociation(1, missing=dosage)
        first = method.publish(lacking, (), random=SeededRandom(1))
        second = method.publish(full, (), random=SeededRandom(1))
        assert first.statistics.columns["chi2"].tolist() == second.statistics.columns["chi2"].tolist()

    def test_noise_is_secret_unless_a_test_says_otherwise(self) -> None:
        one, other = (DpAssociation(1).publish(study(sites=60), ()) for _ in range(2))
        assert one.statistics.columns["chi2"].tolist() != other.statistics.columns["chi2"].tolist()
        seeded = DpAssociation(1).publish(study(), (), random=SeededRandom(1))
        assert DifferentialPrivacy(1).check(one, study()).holds
        assert not DifferentialPrivacy(1).check(seeded, study()).holds

    def test_a_method_takes_what_is_promised_and_never_more(self) -> None:
        promise = DifferentialPrivacy("0.5")
        assert DpAssociation().publish(study(), (promise,)).spent == {"epsilon": 0.5}
        with pytest.raises(PromiseNotMet):
            DpAssociation(1).publish(study(), (promise,))
        with pytest.raises(BadInput, match="no epsilon"):
            DpAssociation().publish(study(), ())


class TestBadInput:
    def test_a_study_without_cases_or_with_nothing_else_is_refused(self) -> None:
        pool = study().pool
        for cases in (None, np.ones(40, bool), np.zeros(40, bool), np.ones(3, bool)):
            with pytest.raises(BadInput):
                DpAssociation(1).publish(Study(pool, cases=cases), ())

    @pytest.mark.parametrize("sites", [(), (5,), (-1,), (1, 1)])
    def test_sites_that_are_not_there_are_refused(self, sites: tuple[int, ...]) -> None:
        with pytest.raises(BadInput):
            DpAssociation(1, sites=sites).publish(study(), ())

    def test_parameters_are_checked_when_a_method_is_made(self) -> None:
        refused: list[dict[str, Any]] = [
            {"epsilon": 0},
            {"test": "fisher"},
            {"missing": 3},
            {"delta": 1},
            {"delta": "1e-6"},
        ]
        for wrong in refused:
            with pytest.raises(BadInput):
                DpAssociation(**wrong)
