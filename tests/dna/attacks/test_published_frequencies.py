"""Homer's statistic, the likelihood ratio and the three answers, on published frequencies."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.dna.attacks import (
    Answer,
    CaseOrControl,
    Homer,
    Knowledge,
    LikelihoodRatio,
    Population,
    knowledge_of,
)
from sfumato.dna.attacks.contract import population_of
from sfumato.dna.attacks.frequencies import Frequencies, summed
from sfumato.dna.attacks.homer import distances, statistic
from sfumato.dna.attacks.likelihood_ratio import log_ratios
from sfumato.dna.contract import Statistics, Study
from sfumato.dna.reading import SomePeople, open_plink
from sfumato.dna.sites import Sites, numbered
from sfumato.dna.source import InMemory
from tests.dna.attacks.people import unlinked
from tests.oracles import dna_attacks as oracle

BOTH: tuple[Any, ...] = (Homer(), LikelihoodRatio())


def one_person(dosages: list[int], pool: list[float], population: list[float]) -> tuple[float, float]:
    there = Frequencies(
        numbered(len(pool)), np.array(pool), np.array(population), np.ones(len(pool), np.bool_)
    )
    source = InMemory(np.array(dosages, np.int8)[:, None], there.sites)
    t = statistic(summed(source, there.sites, distances(there), there.usable))
    ratio = summed(source, there.sites, log_ratios(there), there.usable).total
    return float(t[0]), float(ratio[0])


@pytest.mark.golden
def test_homer_and_the_likelihood_ratio_are_those_of_the_golden_case(shared: Path) -> None:
    golden = json.loads((shared / "golden" / "dna.json").read_text(encoding="utf-8"))
    case, genotypes = golden["homer"], golden["sankararaman_lr"]["genotypes"]
    assert [2 * own for own in case["Y"]] == genotypes
    t, ratio = one_person(genotypes, case["M"], case["Pop"])
    assert t == pytest.approx(case["T"], abs=1e-9)
    assert ratio == pytest.approx(golden["sankararaman_lr"]["LR"], abs=1e-9)


SITE = st.tuples(st.integers(-1, 2), st.floats(0.02, 0.98), st.floats(0.02, 0.98))


@given(st.lists(SITE, min_size=3, max_size=30).filter(lambda all_: sum(g >= 0 for g, _, _ in all_) > 2))
def test_both_statistics_are_those_of_the_oracle_with_missing_genotypes(
    sites: list[tuple[int, float, float]],
) -> None:
    dosages, pool, population = (list(part) for part in zip(*sites, strict=True))
    d = [abs(g / 2 - p) - abs(g / 2 - m) for g, m, p in sites if g >= 0]
    t, ratio = one_person(dosages, pool, population)
    assert ratio == pytest.approx(oracle.likelihood_ratio(dosages, pool, population), abs=1e-9)
    if np.std(d) > 1e-3:
        assert t == pytest.approx(oracle.homer(dosages, pool, population), rel=1e-6, abs=1e-9)


def test_sites_are_matched_by_place_and_alleles_in_whatever_order_a_file_has_them() -> None:
    split = unlinked(300, (30, 40, 50), 1)
    mixed = np.random.default_rng(1).permutation(300)[:250]
    sites = split.sites.some(mixed)
    swapped = np.arange(250) % 2 == 0
    turned = Sites(
        sites.chromosome,
        sites.position,
        sites.name,
        np.where(swapped, sites.alternate, sites.reference),
        np.where(swapped, sites.reference, sites.alternate),
    )
    panel = split.panel[mixed]
    panel = np.where(swapped[:, None], 2 - panel, panel).astype(np.int8)
    outside = split.outside[mixed]
    outside = np.where(swapped[:, None], 2 - outside, outside).astype(np.int8)
    asked = replace(split.knowledge(), reference=InMemory(panel, turned), outside=InMemory(outside, turned))
    plain = split.statistics()
    fewer = Statistics(sites, {"frequency": plain.columns["frequency"][mixed]}, people=30)
    for attack in BOTH:
        straight = attack.run(fewer, split.knowledge())
        assert attack.run(plain, asked).details == pytest.approx(straight.details)
        assert straight.details["sites"] == 250


@pytest.mark.parametrize(("sites", "pool", "panel"), [(200, 50, 400), (400, 200, 200), (100, 100, 1000)])
def test_the_area_is_what_theory_says_for_independent_sites(sites: int, pool: int, panel: int) -> None:
    found = [
        LikelihoodRatio().run(split.statistics(), split.knowledge()).details["auc"]
        for split in (unlinked(sites, (pool, 300, panel), seed) for seed in range(10))
    ]
    theory = NormalDist().cdf(np.sqrt(sites / (2 * pool) * panel / (pool + panel)))
    assert np.mean([float(area) for area in found]) == pytest.approx(theory, abs=0.03)


def test_the_likelihood_ratio_is_better_than_homer_and_both_grow_with_sites() -> None:
    areas = []
    for sites in (100, 1000):
        runs = [
            [attack.run(split.statistics(), split.knowledge()).details["auc"] for attack in BOTH]
            for split in (unlinked(sites, (100, 300, 300), seed) for seed in range(4))
        ]
        areas.append(np.mean(runs, axis=0))
    (homer_few, ratio_few), (homer_many, ratio_many) = areas
    assert ratio_few > homer_few
    assert ratio_many > homer_many
    assert homer_many > homer_few + 0.15


@pytest.mark.parametrize("attack", BOTH, ids=lambda attack: attack.name)
def test_nothing_is_learnt_about_people_who_are_not_in_the_pool(attack: Any) -> None:
    split = unlinked(2000, (100, 300, 200), 5)
    strangers = replace(split.knowledge(), members=split.source(split.outside[:, :150]))
    asked = replace(strangers, outside=split.source(split.outside[:, 150:]))
    found = attack.run(split.statistics(), asked).details
    assert found["auc from"] < 0.5 < found["auc to"]
    assert found["power"] == pytest.approx(0.05, abs=0.06)


def test_calibrated_claims_hold_on_fresh_strangers_where_the_nominal_test_does_not() -> None:
    """The reference is smaller than the pool, so strangers too are nearer to the pool."""
    split = unlinked(8000, (500, 400, 60), 7)
    fresh = split.outside[:, 200:]
    asked = Knowledge(split.source(fresh), split.source(split.outside[:, :200]), split.source(split.panel))
    found = Homer().run(split.statistics(), asked).details
    assert found["nominal false positive rate"] > 0.5
    assert found["power"] == pytest.approx(0.05, abs=0.05)


def test_the_population_may_come_as_frequencies_alone() -> None:
    split = unlinked(500, (40, 60, 80), 2)
    panel = Population.of(split.source(split.panel))
    known = replace(split.knowledge(), reference=panel)
    for attack in BOTH:
        assert (
            attack.run(split.statistics(), known).details
            == attack.run(split.statistics(), split.knowledge()).details
        )


def test_noise_on_frequencies_takes_the_attack_away() -> None:
    split = unlinked(500, (40, 200, 200), 3)
    frequency = split.statistics().columns["frequency"]
    noisy = frequency + np.random.default_rng(1).laplace(scale=2.0, size=500)
    exact = LikelihoodRatio().run(split.statistics(), split.knowledge()).details
    found = LikelihoodRatio().run(split.statistics(frequency=noisy), split.knowledge()).details
    assert exact["auc"] > 0.95
    assert found["auc"] < 0.65


@pytest.mark.parametrize("attack", BOTH, ids=lambda attack: attack.name)
def test_what_cannot_be_attacked_is_refused(attack: Any) -> None:
    split = unlinked(20, (10, 10, 10), 1)
    known, published = split.knowledge(), split.statistics()
    elsewhere = replace(published, sites=replace(split.sites, position=split.sites.position + 1000))
    with pytest.raises(BadInput, match="no site in common"):
        attack.run(elsewhere, known)
    with pytest.raises(BadInput, match="nobody to attack"):
        attack.run(published, replace(known, members=None))
    with pytest.raises(BadInput, match="people outside"):
        attack.run(published, replace(known, outside=split.source(split.outside[:, :1])))
    with pytest.raises(BadInput, match="frequencies of the population"):
        attack.run(published, replace(known, reference=None))
    with pytest.raises(BadInput, match="no column 'frequency'"):
        attack.run(split.statistics(chi2=np.ones(20)), known)
    with pytest.raises(BadInput, match="too few people"):
        attack.run(published, replace(known, members=split.source(np.full((20, 3), -1, np.int8))))
    with pytest.raises(BadInput, match="between 0 and 1"):
        type(attack)(false_positives=0)


def test_a_study_with_a_panel_says_what_its_adversary_holds() -> None:
    split = unlinked(1500, (50, 10, 400), 9)
    whole = Study(split.source(split.pool), reference=split.source(split.panel))
    known = knowledge_of(whole)
    assert known.outside is not None
    assert (known.outside.people, population_of(known, "here").people) == (100, 200)
    assert float(LikelihoodRatio().run(split.statistics(), known).details["auc"]) > 0.95
    with pytest.raises(BadInput, match="not in the study"):
        knowledge_of(replace(whole, reference=None))


@pytest.mark.golden
def test_a_plink_file_is_attacked_as_genotypes_in_memory_are(shared: Path) -> None:
    whole = open_plink(shared / "data" / "dna" / "toydata.5chrom.bed")
    masks = [np.arange(whole.people) % 5 == part for part in range(3)]
    parts = [SomePeople(whole, mask) for mask in masks]
    held = [
        InMemory(np.concatenate([block.dosages for block in part.blocks()]), whole.sites) for part in parts
    ]
    frequency = Population.of(parts[0]).frequency
    published = Statistics(whole.sites, {"frequency": frequency}, people=parts[0].people)
    for attack in BOTH:
        streamed = attack.run(published, Knowledge(*parts))
        assert streamed == attack.run(published, Knowledge(*held))
        assert streamed.details["auc"] > 0.9


def study(sites: int, seed: int) -> tuple[Statistics, Knowledge]:
    split = unlinked(sites, (100, 300, 2), seed)
    ill = np.arange(100) < 50
    columns = {
        "case_frequency": split.pool[:, ill].mean(axis=1) / 2,
        "control_frequency": split.pool[:, ~ill].mean(axis=1) / 2,
    }
    return split.statistics(**columns), replace(split.knowledge(), cases=ill)


@pytest.mark.parametrize("kind", ["likelihood-ratio", "homer"])
def test_cases_controls_and_strangers_are_told_apart_by_three_answers(kind: str) -> None:
    published, known = study(3000, 1)
    attack = CaseOrControl(statistic=kind)
    found = attack.run(published, known, victims=True)
    assert found.success > 0.95
    assert found.baseline == pytest.approx(1 / 3)
    assert found.details["auc of cases over controls"] > 0.99
    assert found.details["cases called control"] == found.details["controls called case"] == 0
    assert len(found.victims) > 90
    assert known.members is not None
    assert known.outside is not None
    answers = attack.answers(published, known.members, known.outside)
    assert answers[:50].count(Answer.CASE) > 45
    assert answers[50:].count(Answer.CONTROL) > 45
    assert Answer.CONTROL not in answers[:50]


def test_strangers_are_equally_likely_cases_and_controls() -> None:
    published, known = study(1000, 2)
    assert isinstance(known.outside, InMemory)
    everybody = known.outside.dosages
    first, second = (
        InMemory(np.ascontiguousarray(part), known.outside.sites) for part in np.split(everybody, 2, 1)
    )
    answers = CaseOrControl(0.1).answers(published, first, second)
    called = 1 - answers.count(Answer.EITHER) / len(answers)
    assert 0.03 < called < 0.2


def test_of_somebody_without_genotypes_there_is_no_answer() -> None:
    published, known = study(50, 3)
    nobody = InMemory(np.full((50, 1), -1, np.int8), published.sites)
    assert known.outside is not None
    assert CaseOrControl().answers(published, nobody, known.outside) == (None,)


def test_the_three_answers_need_to_know_who_is_ill() -> None:
    published, known = study(50, 4)
    for wrong in (None, np.ones(100, np.bool_), np.ones(3, np.bool_)):
        with pytest.raises(BadInput, match="who is a case"):
            CaseOrControl().run(published, replace(known, cases=wrong))
    with pytest.raises(BadInput, match="no such statistic"):
        CaseOrControl(statistic="homers")
