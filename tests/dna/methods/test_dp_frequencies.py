"""Frequencies with noise: what one person can do, what missing genotypes do, and what attackers still see."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.randomness import SeededRandom
from sfumato.dna.contract import Published, Study
from sfumato.dna.methods.dp_frequencies import DpFrequencies
from sfumato.dna.models.private import DifferentialPrivacy, auc_bound
from sfumato.dna.simulate import simulated
from sfumato.dna.sites import numbered
from sfumato.dna.source import InMemory
from sfumato.dp.conversions import epsilon_to_rho
from sfumato.dp.neighbours import Neighbours
from tests.oracles import dp_noise

DOSAGES = (0, 1, 2, -1)


def pool(dosages: NDArray[Any]) -> Study:
    return Study(InMemory(dosages.astype(np.int8), numbered(len(dosages))))


def encoded(person: tuple[int, ...], missing: str) -> list[int]:
    """What a person adds to the counts that get noise, written down once more."""
    tilts = [0 if d == -1 and missing == "counted" else max(d, 0) - 1 for d in person]
    return tilts + ([int(d == -1) for d in person] if missing == "counted" else [])


class Recorded:
    """A source of chance whose noise is 0: coins never show 1."""

    secret = False

    def uniform(self, size: int) -> NDArray[np.float64]:
        return np.full(size, 1 - 2.0**-53)

    def integers(self, below: int, size: int) -> NDArray[np.int64]:
        return np.full(size, below - 1, np.int64)

    def normal(self, size: int) -> NDArray[np.float64]:
        return np.zeros(size)

    def permutation(self, size: int) -> NDArray[np.int64]:
        return np.arange(size)


class TestSensitivity:
    @pytest.mark.parametrize("missing", ["counted", "reference"])
    @pytest.mark.parametrize("sites", [1, 2, 3])
    def test_what_one_person_can_do_is_what_noise_is_made_for(self, missing: str, sites: int) -> None:
        people = [encoded(p, missing) for p in itertools.product(DOSAGES, repeat=sites)]
        swapped = [np.subtract(one, other) for one in people for other in people]
        assert max(np.abs(d).sum() for d in swapped) == 2 * sites
        assert max((d**2).sum() for d in swapped) == 4 * sites
        more = [np.array([*p, 1]) for p in people]
        assert max(np.abs(d).sum() for d in more) == sites + 1
        assert max((d**2).sum() for d in more) == sites + 1

    @pytest.mark.parametrize(("neighbours", "l1"), [("substitution", 14), ("add-remove", 8)])
    def test_the_scales_are_these_sensitivities_over_the_budget(self, neighbours: str, l1: int) -> None:
        study = pool(np.zeros((7, 50), np.int8))
        pure = DpFrequencies("0.5", neighbours=Neighbours(neighbours)).publish(study, ())
        assert pure.details["scale"] == l1 / 0.5
        mixed = DpFrequencies("0.1", "0.01", neighbours=Neighbours(neighbours)).publish(
            pool(np.zeros((700, 50), np.int8)), ()
        )
        assert mixed.details["mechanism"] == "discrete-gaussian"
        cells = 700 if neighbours == "substitution" else 701
        length = (4 if neighbours == "substitution" else 1) * cells
        rho = Fraction(epsilon_to_rho("0.1", "0.01"))
        assert float(mixed.details["scale"]) == pytest.approx(float(length / (2 * rho)) ** 0.5, rel=1e-9)
        assert float(mixed.details["scale"]) ** 2 >= float(length / (2 * rho)) * (1 - 1e-12)

    def test_noise_has_the_probabilities_of_its_scale(self) -> None:
        """One site of 10,000 heterozygotes: x is 0 and what is told is noise alone."""
        study = pool(np.ones((1, 10_000), np.int8))
        random, method = SeededRandom(4), DpFrequencies(1, missing="reference")
        told = [
            method.publish(study, (), random=random).statistics.columns["frequency"][0] for _ in range(4000)
        ]
        drawn = np.rint((np.array(told) - 0.5) * 20_000).astype(int)
        expected = dp_noise.laplace(Fraction(2), 60)
        for value in range(-4, 5):
            # Hoeffding: off by more than 0.055 of 4,000 with probability below 1e-9.
            assert (drawn == value).mean() == pytest.approx(float(expected[value]), abs=0.055)


class TestFigures:
    def test_without_noise_the_frequency_is_that_of_those_who_have_a_genotype(self) -> None:
        dosages = np.array([[0, 0, 1, 2, -1], [2, 2, 2, 2, 2], [-1, -1, 1, 0, 0]], np.int8)
        made = DpFrequencies(100).publish(pool(dosages), (), random=Recorded())
        assert made.statistics.columns["frequency"].tolist() == [3 / 8, 1, 1 / 6]
        assert made.statistics.columns["called"].tolist() == [4, 5, 3]
        filled = DpFrequencies(100, missing="reference").publish(pool(dosages), (), random=Recorded())
        assert filled.statistics.columns["frequency"].tolist() == [3 / 10, 1, 1 / 10]
        assert "called" not in filled.statistics.columns

    def test_cases_and_controls_are_told_apart_at_the_same_price(self) -> None:
        dosages = np.array([[0, 0, 1, 2, -1], [2, 2, 0, 0, 1]], np.int8)
        study = Study(pool(dosages).pool, cases=np.array([True, True, False, False, False]))
        made = DpFrequencies(100, by_status=True).publish(study, (), random=Recorded())
        assert made.statistics.columns["case_frequency"].tolist() == [0, 1]
        assert made.statistics.columns["control_frequency"].tolist() == [3 / 4, 1 / 6]
        assert made.statistics.columns["control_called"].tolist() == [2, 3]
        assert (made.statistics.people, made.statistics.cases) == (5, 2)
        assert made.details["scale"] == 4 / 100
        assert made.details["neighbours"] == "one person replaced by another of the same status"
        with pytest.raises(BadInput, match="not known"):
            DpFrequencies(1, by_status=True).publish(pool(dosages), ())

    @pytest.mark.parametrize("neighbours", list(Neighbours))
    @pytest.mark.parametrize("dosage", [0, 2, -1])
    def test_figures_stay_frequencies_under_much_noise(self, neighbours: Neighbours, dosage: int) -> None:
        made = DpFrequencies("0.01", neighbours=neighbours).publish(
            pool(np.full((200, 5), dosage, np.int8)), ()
        )
        frequency = made.statistics.columns["frequency"]
        assert np.isfinite(frequency).all()
        assert frequency.min() >= 0
        assert frequency.max() <= 1
        assert made.statistics.columns["called"].min() >= 1

    def test_how_many_people_there_are_is_told_only_where_it_is_public(self) -> None:
        study = pool(np.zeros((100, 50), np.int8))
        assert DpFrequencies(1).publish(study, ()).statistics.people == 50
        hidden = DpFrequencies(1, neighbours=Neighbours.ADD_REMOVE)
        told = {hidden.publish(study, ()).statistics.people for _ in range(10)}
        assert len(told) > 1

    def test_how_many_lack_a_genotype_is_told_with_noise(self) -> None:
        """Half of 1,000 people lack one at each of 100 sites; noise has the scale 200."""
        dosages = np.ones((100, 1000), np.int8)
        dosages[:, ::2] = -1
        called = DpFrequencies(1).publish(pool(dosages), ()).statistics.columns["called"]
        assert len(set(called.tolist())) > 50
        assert 350 < np.median(called) < 650

    def test_which_sites_are_published_does_not_depend_on_the_people(self) -> None:
        quiet, loud = np.zeros((6, 20), np.int8), np.full((6, 20), 2, np.int8)
        for dosages in (quiet, loud):
            assert DpFrequencies(1).publish(pool(dosages), ()).kept.tolist() == list(range(6))
        some = DpFrequencies(1, sites=(4, 1)).publish(pool(loud), ())
        assert some.kept.tolist() == [4, 1]
        assert some.details["scale"] == 4

    def test_a_release_is_different_every_time(self) -> None:
        study = pool(np.ones((120, 300), np.int8))
        first, second = (DpFrequencies(1).publish(study, ()).statistics.columns["frequency"] for _ in "ab")
        assert first.tolist() != second.tolist()


class TestPromise:
    def test_exact_frequencies_keep_no_promise(self) -> None:
        made = DpFrequencies(1).publish(pool(np.zeros((1, 9), np.int8)), ())
        bare = Published(made.statistics, made.kept)
        assert not DifferentialPrivacy(1).check(bare, pool(np.zeros((1, 9), np.int8))).holds

    def test_a_method_spends_what_is_promised_or_refuses(self) -> None:
        study = pool(np.zeros((40, 9), np.int8))
        promises = (DifferentialPrivacy(2, "1e-6"), DifferentialPrivacy(1, "1e-5"))
        made = DpFrequencies().publish(study, promises)
        assert made.spent == {"epsilon": 1.0, "delta": 1e-6}
        assert all(promise.check(made, study).holds for promise in promises)
        with pytest.raises(PromiseNotMet):
            DpFrequencies(1, "1e-5").publish(study, promises)

    def test_parameters_are_checked_when_a_method_is_made(self) -> None:
        refused: list[dict[str, Any]] = [
            {"epsilon": 0},
            {"epsilon": 1, "neighbours": "us"},
            {"missing": "gone"},
        ]
        for wrong in refused:
            with pytest.raises(BadInput):
                DpFrequencies(**wrong)
        with pytest.raises(BadInput, match="no people"):
            DpFrequencies(1).publish(pool(np.zeros((3, 0), np.int8)), ())


def likelihood_ratio(
    genotypes: NDArray[Any], told: NDArray[np.float64], population: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Sankararaman et al. (2009), people × sites."""
    inside, outside = np.clip(told, 0.01, 0.99), np.clip(population, 0.01, 0.99)
    for_one, for_none = np.log(inside / outside), np.log((1 - inside) / (1 - outside))
    return np.asarray((genotypes * for_one + (2 - genotypes) * for_none).sum(axis=1))


def auc(members: NDArray[np.float64], outsiders: NDArray[np.float64]) -> float:
    higher = (members[:, None] > outsiders).mean()
    return float(higher + (members[:, None] == outsiders).mean() / 2)


class TestHeldOutPeople:
    def test_the_attack_stays_below_its_bound_on_people_who_were_held_out(self) -> None:
        """50 people, 400 sites, 25 studies: exact frequencies betray nearly everybody, noisy ones do not."""
        random, people, sites = np.random.default_rng(9), 50, 400
        exact, noisy = [], []
        for _ in range(25):
            population = random.uniform(0.05, 0.5, sites)
            members, outsiders = (random.binomial(2, population, (people, sites)) for _ in "ab")
            study = pool(members.T)
            told = DpFrequencies(1).publish(study, ()).statistics.columns["frequency"]
            pair = [likelihood_ratio(group, told, population) for group in (members, outsiders)]
            noisy.append(auc(*pair))
            true = members.mean(axis=0) / 2
            exact.append(auc(*(likelihood_ratio(group, true, population) for group in (members, outsiders))))
        assert np.mean(exact) > 0.95 > auc_bound(1)
        assert np.mean(noisy) <= auc_bound(1)
        # Standard error of the mean is about 0.012: an attack that noise does not stop would be seen.
        assert np.mean(noisy) < 0.6

    def test_linked_sites_do_not_help_the_attack_above_its_bound(self) -> None:
        """Simulated chromosomes with linkage; half of the people are in the pool, the others are held out."""
        everybody = simulated(people=200, sites=300, chromosomes=4, length=2e6, seed=4)
        random = np.random.default_rng(6)
        exact: list[float] = []
        noisy: list[float] = []
        for _ in range(20):
            order = random.permutation(200)
            members, outsiders = everybody.dosages[:, order[:100]].T, everybody.dosages[:, order[100:]].T
            population = everybody.dosages.mean(axis=1) / 2
            for told, found in (
                (members.mean(axis=0) / 2, exact),
                (DpFrequencies(2).publish(pool(members.T), ()).statistics.columns["frequency"], noisy),
            ):
                pair = [likelihood_ratio(group, told, population) for group in (members, outsiders)]
                found.append(auc(*pair))
        assert np.mean(exact) > auc_bound(2) > 0.88
        assert np.mean(noisy) < 0.6

    @pytest.mark.parametrize("epsilon", ["0.5", "1", "3"])
    def test_the_worst_person_at_one_site_comes_near_the_bound_and_not_above(self, epsilon: str) -> None:
        """Everybody has dosage 0 but perhaps one with 2: the test looks at the noisy count, exactly."""
        scale = Fraction(2) / Fraction(epsilon)
        noise = dp_noise.laplace(scale, 200)
        without = {x: float(p) for x, p in noise.items()}
        wins = sum(
            p * q * (1.0 if x + 2 > y else 0.5 if x + 2 == y else 0.0)
            for x, p in without.items()
            for y, q in without.items()
        )
        assert 0.5 + 0.5 * (auc_bound(epsilon) - 0.5) < wins <= auc_bound(epsilon)
