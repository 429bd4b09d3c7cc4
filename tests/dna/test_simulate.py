import sys

import numpy as np
import pytest
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, MissingPart
from sfumato.dna.simulate import independent, phenotype, simulated, simulated_sequences
from sfumato.dna.sites import numbered
from sfumato.dna.source import MISSING, InMemory


def rarer(found: InMemory) -> NDArray[np.int64]:
    """How often the rarer allele of each site occurs."""
    alternate = found.dosages.sum(axis=1, dtype=np.int64)
    return np.minimum(alternate, 2 * found.people - alternate)


def r2(found: InMemory) -> NDArray[np.float64]:
    """The squared correlation of each site with the next one."""
    return np.array(
        [
            np.corrcoef(found.dosages[at], found.dosages[at + 1])[0, 1] ** 2
            for at in range(len(found.sites) - 1)
        ]
    )


class Steps:
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.done: list[float] = []

    def step(self, what: str) -> None:
        self.done.append(0.0)

    def update(self, done: float, note: str = "") -> None:
        self.done.append(done)


def test_the_same_seed_gives_the_same_people_and_another_gives_others() -> None:
    one, again, other = (simulated(people=30, length=3e5, chromosomes=2, seed=seed) for seed in (4, 4, 5))
    assert np.array_equal(one.dosages, again.dosages)
    assert np.array_equal(one.sites.position, again.sites.position)
    assert one.dosages.shape != other.dosages.shape or not np.array_equal(one.dosages, other.dosages)


@pytest.mark.parametrize("least", [0.0, 0.07, 0.3])
def test_simulated_sites_are_frequent_enough_and_in_order(least: float) -> None:
    found = simulated(people=50, length=3e5, chromosomes=3, least_frequency=least)
    assert rarer(found).min() >= max(1, round(least * 100))
    assert found.dosages.min() >= 0
    assert found.dosages.max() <= 2
    assert set(found.sites.chromosome) == {"1", "2", "3"}
    for chromosome in "123":
        positions = found.sites.position[found.sites.chromosome == chromosome]
        assert (np.diff(positions) > 0).all()
        assert positions.min() >= 1
        assert positions.max() <= 3e5
    assert len(set(found.sites.name)) == len(found.sites)


def test_a_site_of_exactly_the_least_frequency_is_kept() -> None:
    # 0.07 · 100 alleles is more than 7 in binary; the decimal that was written is meant.
    assert rarer(simulated(people=50, length=1e6, least_frequency=0.07)).min() == 7


def test_as_many_sites_as_asked_for_are_drawn_from_all() -> None:
    every = simulated(people=30, length=3e5, seed=3)
    some = simulated(people=30, length=3e5, seed=3, sites=20)
    assert len(some.sites) == 20
    at = {name: row for row, name in enumerate(every.sites.name)}
    assert np.array_equal(some.dosages, every.dosages[[at[name] for name in some.sites.name]])


def test_neighbours_are_linked_in_simulated_people_and_not_in_independent_sites() -> None:
    linked = r2(simulated(people=100, length=5e5, seed=2)).mean()
    free = r2(independent(people=100, sites=200, seed=2)).mean()
    assert linked > 0.1
    assert free < 0.03


def test_too_few_sites_are_an_error_with_counts() -> None:
    with pytest.raises(BadInput, match=r"5,000 sites were asked for and \d+ are frequent enough"):
        simulated(people=10, length=1e4, sites=5000)


def test_progress_goes_chromosome_by_chromosome() -> None:
    told = Steps()
    simulated(people=5, length=1e5, chromosomes=4, progress=told)
    assert told.done == [0.0, 0.25, 0.5, 0.75, 1.0]


def test_sequences_vary_in_every_column_and_hold_plain_bases() -> None:
    found = simulated_sequences(40, 60, seed=9)
    assert found.cells.shape == (40, 60)
    assert set(np.unique(found.cells)) <= {1, 2, 4, 8}
    assert ((found.cells != found.cells[0]).any(axis=0)).all()
    assert np.array_equal(found.cells, simulated_sequences(40, 60, seed=9).cells)
    assert not np.array_equal(found.cells, simulated_sequences(40, 60, seed=8).cells)


def test_fewer_people_share_a_sequence_when_the_population_grew() -> None:
    different = [
        np.mean(
            [
                len(np.unique(simulated_sequences(200, 200, seed, growth=growth).cells, axis=0))
                for seed in range(6)
            ]
        )
        for growth in (0.0, 0.02)
    ]
    assert different[1] > 1.1 * different[0]


def test_independent_sites_say_that_they_are() -> None:
    found = independent(people=60, sites=5000, seed=3)
    assert found.dosages.shape == (5000, 60)
    assert set(found.sites.chromosome) == {"0"}
    assert all(name.startswith("independent:") for name in found.sites.name)
    assert rarer(found).min() >= 6
    assert np.array_equal(found.dosages, independent(people=60, sites=5000, seed=3).dosages)
    assert not np.array_equal(found.dosages, independent(people=60, sites=5000, seed=4).dosages)


def test_independent_genotypes_are_in_equilibrium() -> None:
    found = independent(people=2000, sites=300, seed=1)
    frequency = found.dosages.mean(axis=1) / 2
    mixed = (found.dosages == 1).mean(axis=1)
    # The share of heterozygotes has a standard error below 0.0112 at one site, and their mean below 0.0007.
    assert abs((mixed - 2 * frequency * (1 - frequency)).mean()) < 0.003


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"people": 0, "sites": 3}, "too few people"),
        ({"people": 3, "sites": 0}, "too few sites"),
        ({"people": 3, "sites": 3, "least_frequency": 0.5}, "between 0 and one half"),
        ({"people": 3, "sites": 3, "least_frequency": -0.1}, "between 0 and one half"),
        ({"people": 3, "sites": 3, "shape": (0.0, 1.0)}, "greater than 0"),
        ({"people": 3, "sites": 3, "shape": (1e6, 1e-6)}, "none of 100 draws"),
    ],
)
def test_wrong_numbers_are_refused(options: dict[str, float], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        independent(**options)  # type: ignore[arg-type]  # each case is wrong in one number


def test_wrong_numbers_are_refused_for_linked_sites_too() -> None:
    with pytest.raises(BadInput, match="too few people"):
        simulated(people=0)
    with pytest.raises(BadInput, match="too few chromosomes"):
        simulated(people=2, chromosomes=0)
    with pytest.raises(BadInput, match="at least one base"):
        simulated(people=2, length=0.5)
    with pytest.raises(BadInput, match="too few people"):
        simulated_sequences(1, 5)
    with pytest.raises(BadInput, match="growth of a generation"):
        simulated_sequences(3, 5, growth=-0.1)


@pytest.mark.parametrize("make", [lambda: simulated(people=2), lambda: simulated_sequences(2, 2)])
def test_without_msprime_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch, make: object) -> None:
    monkeypatch.setitem(sys.modules, "msprime", None)
    assert callable(make)
    with pytest.raises(MissingPart, match=r"sfumato\[simulate\]"):
        make()


def test_independent_sites_need_no_msprime(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "msprime", None)
    assert independent(people=4, sites=3).people == 4


def test_a_share_of_the_people_is_ill() -> None:
    people = independent(people=101, sites=50)
    made = phenotype(people, causal=4, share=0.3, seed=2)
    assert made.cases.sum() == 30
    assert len(set(made.causal.tolist())) == 4
    assert np.array_equal(made.cases, phenotype(people, causal=4, share=0.3, seed=2).cases)


def test_each_allele_multiplies_the_odds_by_the_odds_ratio() -> None:
    alleles = np.repeat([0, 1, 2], 100_000).astype(np.int8)
    people = InMemory(alleles[None], numbered(1))
    made = phenotype(people, causal=1, odds_ratio=2.0)
    ill = made.cases.reshape(3, -1).mean(axis=1)
    odds = ill / (1 - ill)
    assert odds[1:] / odds[:-1] == pytest.approx([2, 2], rel=0.05)


def test_without_causal_sites_genotypes_say_nothing() -> None:
    people = independent(people=4000, sites=20)
    made = phenotype(people, causal=0)
    differences = people.dosages[:, made.cases].mean(axis=1) - people.dosages[:, ~made.cases].mean(axis=1)
    # A standard error of at most sqrt(0.5) · sqrt(2 / 2000), so that 0.09 is four of them.
    assert np.abs(differences).max() < 0.09


def test_a_missing_genotype_counts_as_no_alternate_allele() -> None:
    sites = numbered(1)
    seen = np.zeros((1, 50), np.int8)
    gone = np.full((1, 50), MISSING, np.int8)
    one, other = (phenotype(InMemory(cells, sites), causal=1, odds_ratio=9.0) for cells in (seen, gone))
    assert np.array_equal(one.cases, other.cases)


@pytest.mark.parametrize("options", [{"share": 0.0}, {"share": 1.0}, {"causal": 9}, {"odds_ratio": 0.0}])
def test_a_wrong_phenotype_is_refused(options: dict[str, float]) -> None:
    with pytest.raises(BadInput, match="phenotype"):
        phenotype(independent(people=10, sites=4), **options)  # type: ignore[arg-type]  # wrong on purpose
