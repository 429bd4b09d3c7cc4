"""The reference figures for attacks on frequencies and on Beacons, on the same simulated population."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sfumato.dna.attacks import Homer, LikelihoodRatio
from sfumato.dna.simulate import simulated
from tests.dna.attacks.people import PEOPLE, Split
from tests.dna.attacks.reference import OTHERS, beacon_cells, beacon_table, frequency_cells, frequency_table


@pytest.mark.slow
@pytest.mark.golden
def test_the_reference_table_is_reproduced_and_the_nominal_test_is_far_off(shared: Path) -> None:
    table = frequency_table(shared)
    cells = list(frequency_cells())
    assert {(cell.pool, cell.sites) for cell in cells} == set(table)
    for cell in cells:
        homer, ratio = table[cell.pool, cell.sites]
        assert cell.homer == pytest.approx(homer, abs=0.03)
        assert cell.ratio == pytest.approx(ratio, abs=0.03)
        assert cell.ratio >= cell.homer
    nominal = {(cell.pool, cell.sites): cell.nominal for cell in cells}
    assert nominal[200, 100_000] > 0.2
    assert nominal[1000, 100_000] > 0.5


@pytest.mark.slow
@pytest.mark.golden
def test_another_population_gives_the_same_areas_and_the_likelihood_ratio_stays_ahead(shared: Path) -> None:
    """Other people and other draws than those of the reference, ten draws a cell."""
    table = frequency_table(shared)
    population = simulated(people=PEOPLE, length=5e6, chromosomes=20, seed=2).dosages
    chance = np.random.default_rng(3)
    for pool in (50, 100, 200):
        for sites in (100, 1000):
            found = []
            for _ in range(10):
                which = np.sort(chance.choice(len(population), sites, replace=False))
                split = Split.of(population[which], chance.permutation(PEOPLE), (pool, OTHERS, OTHERS))
                runs = [
                    one.run(split.statistics(), split.knowledge()) for one in (Homer(), LikelihoodRatio())
                ]
                found.append([float(one.details["auc"]) for one in runs])
            homer, ratio = np.mean(found, axis=0)
            assert (homer, ratio) == pytest.approx(table[pool, sites], abs=0.03)
            assert ratio > homer


@pytest.mark.slow
@pytest.mark.golden
def test_beacons_are_betrayed_as_in_the_reference_table_also_when_they_hide_unique_alleles(
    shared: Path,
) -> None:
    table = beacon_table(shared)
    assert len(table) == 5
    for cell in beacon_cells():
        if cell.order == "rarest":
            assert cell.hidden > 0.82
        if (cell.people, cell.order) in table:
            # The reference is one draw of 65 to 200 people: two of its standard errors are about .07.
            assert (*cell.areas, cell.hidden) == pytest.approx(table[cell.people, cell.order], abs=0.08)
