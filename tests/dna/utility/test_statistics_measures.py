"""Measures of what published statistics have lost say what their definitions say."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sfumato.core.errors import BadInput
from sfumato.dna.contract import Published, Statistics, Study
from sfumato.dna.methods.association import Association
from sfumato.dna.methods.frequencies import Frequencies
from sfumato.dna.statistics.columns import Counted
from sfumato.dna.utility.statistics import (
    STATISTICS_MEASURES,
    SiteFrequencyError,
    SiteHitsLost,
    SiteLinkageError,
    SiteRankingError,
)
from tests.dna.statistics.populations import Population, study
from tests.oracles import dna_statistics as oracle


def some(published: Published, here: Study, kept: list[int], **columns: Any) -> Published:
    """The same statistics of a few sites, with other columns."""
    which = np.array(kept, np.int64)
    made = {name: np.array(column, np.float64) for name, column in columns.items()}
    return replace(published, statistics=Statistics(here.pool.sites.some(which), made), kept=which)


def a_study(sites: int = 40, people: int = 60) -> Study:
    chance = np.random.default_rng(sites)
    return study(Population.made(sites, chance).people(people, chance), cases=np.arange(people) < people // 2)


@pytest.mark.parametrize("name", sorted(STATISTICS_MEASURES))
def test_exact_statistics_of_every_site_have_lost_nothing(name: str) -> None:
    here = a_study()
    columns = ("frequency", "r2_next") if name in ("frequency-error", "linkage-error") else ()
    published = Frequencies(columns).publish(here) if columns else Association().publish(here)
    measure = STATISTICS_MEASURES[name](**({"top": 5} if name == "hits-lost" else {}))
    found = measure.of(here, published)
    assert found is not None
    assert found.value == 0
    counted = measure.of(here, published, counted=Counted.of(here))
    assert counted == found
    assert measure.title
    assert measure.meaning


@settings(max_examples=40)
@given(
    arrays(np.int8, (3, 6), elements=st.integers(-1, 2)),
    st.lists(st.floats(0, 1), min_size=3, max_size=3),
)
def test_the_error_of_frequencies_is_the_mean_distance(rows: np.ndarray, told: list[float]) -> None:
    here = study(rows)
    published = some(Frequencies().publish(here), here, [0, 1, 2], frequency=told)
    exact = [oracle.frequency(row) for row in rows.tolist()]
    errors = [abs(a - float(b)) for a, b in zip(told, exact, strict=True) if b is not None]
    found = SiteFrequencyError().of(here, published)
    if errors:
        assert found is not None
        assert found.value == pytest.approx(sum(errors) / len(errors))
        assert found.details["largest"] == pytest.approx(max(errors))
    else:
        assert found is None


def test_the_error_of_linkage_compares_neighbours_that_are_published() -> None:
    here = a_study()
    dosages = np.concatenate([block.dosages for block in here.pool.blocks()]).tolist()
    published = some(Frequencies().publish(here), here, [0, 3, 7], r2_next=[0.5, 0.25, np.nan])
    pairs = [(0.5, dosages[0], dosages[3]), (0.25, dosages[3], dosages[7])]
    expected = [abs(told - float(oracle.squared_correlation(a, b) or 0)) for told, a, b in pairs]
    found = SiteLinkageError().of(here, published)
    assert found is not None
    assert found.value == pytest.approx(sum(expected) / 2)
    assert found.details["sites published"] == 3 / 40


def test_a_ranking_that_is_turned_around_is_as_wrong_as_can_be() -> None:
    here = a_study()
    published = Association(columns=("chi2",)).publish(here)
    chi2 = published.statistics.columns["chi2"]
    distinct = np.unique(chi2, return_index=True)[1].tolist()
    turned = some(published, here, distinct, chi2=-chi2[distinct])
    found = SiteRankingError().of(here, turned)
    assert found is not None
    assert found.value == pytest.approx(1.0)
    assert found.details["rank correlation"] == pytest.approx(-1.0)
    by_p = SiteRankingError().of(here, Association(columns=("p",)).publish(here))
    assert by_p is not None
    assert by_p.value == pytest.approx(0.0, abs=1e-12)


def associated() -> Study:
    """A study whose first three sites are associated with the disease beyond doubt."""
    chance = np.random.default_rng(5)
    rows = chance.binomial(2, 0.5, (30, 400)).astype(np.int8)
    cases = np.arange(400) < 200
    rows[:3, cases], rows[:3, ~cases] = 2, 0
    return study(rows, cases=cases)


def test_hits_that_are_not_published_are_lost() -> None:
    here = associated()
    everything = Association().publish(here)
    whole = SiteHitsLost().of(here, everything)
    assert whole is not None
    assert (whole.value, whole.details["associations"], whole.details["shown wrongly"]) == (0.0, 3, 0)
    p = everything.statistics.columns["p"]
    few = some(everything, here, [0, 1, 5], p=p[[0, 1, 5]])
    lost = SiteHitsLost().of(here, few)
    assert lost is not None
    assert lost.value == pytest.approx(1 / 3)
    wrong = some(everything, here, [0, 1, 5], chi2=[1000.0, 0.0, 1000.0])
    found = SiteHitsLost().of(here, wrong)
    assert found is not None
    assert found.value == pytest.approx(2 / 3)
    assert found.details["shown wrongly"] == 1


def test_the_strongest_sites_that_are_missed_are_lost() -> None:
    here = associated()
    everything = Association(columns=("chi2",)).publish(here)
    shown = some(everything, here, [0, 8, 9], chi2=[5.0, 9.0, 8.0])
    found = SiteHitsLost(top=3).of(here, shown)
    assert found is not None
    assert found.value == pytest.approx(2 / 3)


def test_what_cannot_be_measured_is_not_called_zero() -> None:
    here = a_study()
    frequencies = Frequencies().publish(here)
    assert SiteHitsLost().of(here, Association().publish(here)) is None
    for measure in (SiteLinkageError(), SiteRankingError(), SiteHitsLost()):
        assert measure.of(here, frequencies) is None
    assert SiteFrequencyError().of(here, Association().publish(here)) is None
    constant = some(Association().publish(here), here, [0, 1], chi2=[1.0, 1.0])
    assert SiteRankingError().of(here, constant) is None


def test_thresholds_that_are_none_are_refused() -> None:
    with pytest.raises(BadInput, match="threshold"):
        SiteHitsLost(threshold=0.0)
    with pytest.raises(BadInput, match="top"):
        SiteHitsLost(top=0)
