from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.core.verdict import Basis
from sfumato.dna.contract import Published, Statistics
from sfumato.dna.methods.association import Association
from sfumato.dna.methods.calibration import Question, homer_distance, likelihood_ratio, t_statistics
from sfumato.dna.methods.frequencies import Frequencies
from sfumato.dna.models.membership import MembershipBound
from sfumato.dna.models.membership_scores import add_sites, final
from sfumato.dna.models.statistics import STATISTICS_MODELS
from sfumato.dna.sites import numbered
from tests.dna.statistics.populations import Population, study
from tests.oracles import dna_statistics as oracle


def drawn(seed: int, sites: int, *counts: int) -> list[np.ndarray]:
    chance = np.random.default_rng(seed)
    population = Population.made(sites, chance)
    return [population.people(count, chance) for count in counts]


def scores_of(genotypes: list[list[int]], m: list[float], p: list[float]) -> np.ndarray:
    dosages = np.array(genotypes, np.int8).T
    sums = np.zeros((5, dosages.shape[1]))
    shares = np.ones((len(m), 3))
    add_sites(sums, dosages, (np.array(m), shares), (np.array(p), shares))
    return final(sums)


@pytest.mark.golden
def test_scores_of_the_checker_are_the_golden_ones(shared: Path) -> None:
    golden = json.loads((shared / "golden" / "dna.json").read_text(encoding="utf-8"))
    homer, ratio = golden["homer"], golden["sankararaman_lr"]
    found = scores_of([ratio["genotypes"]], homer["M"], homer["Pop"])[:, 0]
    assert found[0] == pytest.approx(ratio["LR"], abs=1e-9)
    assert found[1] == pytest.approx(homer["T"], abs=1e-9)


@pytest.mark.golden
def test_distances_of_the_method_are_the_golden_ones(shared: Path) -> None:
    golden = json.loads((shared / "golden" / "dna.json").read_text(encoding="utf-8"))["homer"]
    groups = [np.array([[50 - 50 * f, 0, 50 * f, 0] for f in golden[who]], np.int64) for who in ("M", "Pop")]
    tables = homer_distance(Question(groups[0], groups[1], np.ones(1, np.bool_)))
    mine = np.array([table[int(2 * y)] for table, y in zip(tables, golden["Y"], strict=True)])
    assert mine == pytest.approx(golden["D"])
    found = t_statistics(np.array([mine.sum()]), np.array([(mine**2).sum()]), np.array([6.0]))
    assert found[0] == pytest.approx(golden["T"], abs=1e-9)


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.integers(-1, 2), st.integers(1, 19), st.integers(1, 19)), min_size=4, max_size=12)
)
def test_scores_of_method_and_checker_are_those_of_the_definition(sites: list[tuple[int, int, int]]) -> None:
    genotypes = [g for g, _, _ in sites]
    m, p = [a / 20 for _, a, _ in sites], [b / 20 for _, _, b in sites]
    if sum(g >= 0 for g in genotypes) < 2:
        return
    found = scores_of([genotypes], m, p)[:, 0]
    assert found[0] == pytest.approx(oracle.likelihood_ratio(genotypes, m, p), abs=1e-9)
    counts = [np.array([[20 - a, 0, a, 0] for a in column], np.int64) for column in zip(*sites, strict=True)][
        1:
    ]
    question = Question(counts[0], counts[1], np.ones(1, np.bool_))
    smoothed = [(2 * b + 0.5) / 41 for _, _, b in sites]
    table = likelihood_ratio(question, genotypes=False)
    mine = sum(row[g] for row, g in zip(table, genotypes, strict=True))
    assert mine == pytest.approx(oracle.likelihood_ratio(genotypes, m, smoothed), abs=1e-9)
    distances = [abs(g / 2 - b) - abs(g / 2 - a) for g, a, b in zip(genotypes, m, p, strict=True) if g >= 0]
    if np.std(distances) > 1e-6:
        assert found[1] == pytest.approx(oracle.homer(genotypes, m, p), rel=1e-6, abs=1e-6)


def test_many_exact_frequencies_break_the_bound_and_few_keep_it() -> None:
    pool, panel = drawn(1, 400, 100, 800)
    here = study(pool, panel)
    everything = Frequencies().publish(here)
    model = MembershipBound(auc=0.7, power=0.4)
    verdict = model.check(everything, here)
    assert (verdict.holds, verdict.violations, verdict.basis) == (False, 1, Basis.ORIGINAL)
    few = replace(
        everything,
        statistics=Statistics(
            here.pool.sites.some(np.arange(5)), {"frequency": everything.statistics.columns["frequency"][:5]}
        ),
        kept=np.arange(5),
    )
    verdict = model.check(few, here)
    assert verdict.holds
    assert "200 people held out" in verdict.note
    assert "required AUC ≤ 0.7 and power ≤ 0.4 at 0.05 false positives" in str(verdict)


def test_what_is_published_is_attacked_and_not_what_was_counted() -> None:
    pool, panel = drawn(2, 400, 100, 800)
    here = study(pool, panel)
    exact = Frequencies().publish(here)
    noise = np.random.default_rng(1).uniform(0, 1, 400)
    noisy = replace(exact, statistics=replace(exact.statistics, columns={"frequency": noise}))
    assert not MembershipBound(auc=0.7).check(exact, here).holds
    assert MembershipBound(auc=0.7).check(noisy, here).holds


def test_tests_alone_are_attacked_as_if_frequencies_were_told() -> None:
    pool, panel = drawn(3, 300, 120, 800)
    here = study(pool, panel, np.arange(120) < 60)
    published = Association(columns=("p",)).publish(here)
    assert not MembershipBound(auc=0.7).check(published, here).holds


def test_cases_are_told_from_controls_even_where_nobody_is_told_from_outside() -> None:
    # The panel is far away from nobody: only the two arms differ, at every site.
    chance = np.random.default_rng(4)
    cases = np.arange(200) < 100
    pool, panel = drawn(5, 12, 200, 800)
    pool[:, cases] = np.where(chance.random((12, 100)) < 0.2, 2, pool[:, cases])
    here = study(pool, panel, cases)
    arms = Association(columns=("case_frequency", "control_frequency")).publish(here)
    inside = pool.T.tolist()
    m, p = ([float(x) for x in pool[:, arm].mean(axis=1) / 2] for arm in (cases, ~cases))
    scores = np.array([oracle.likelihood_ratio(row, m, p) for row in inside])
    between = oracle.area(scores[cases].tolist(), scores[~cases].tolist())
    limit = round(between - 0.01, 3)
    assert not MembershipBound(auc=limit).check(arms, here).holds


def test_a_stricter_confidence_never_makes_the_bound_smaller() -> None:
    pool, panel = drawn(6, 30, 200, 600)
    here = study(pool, panel)
    published = Frequencies().publish(here)
    reached = [
        float(MembershipBound(auc=0.9, confidence=confidence).check(published, here).achieved.split()[-1])
        for confidence in (0.8, 0.95, 0.999)
    ]
    assert reached == sorted(reached)
    assert reached[0] < reached[-1]


def test_sites_in_another_order_give_the_same_verdict() -> None:
    pool, panel = drawn(7, 30, 100, 400)
    here = study(pool, panel)
    published = Frequencies().publish(here)
    order = np.random.default_rng(1).permutation(30)
    turned = Published(
        Statistics(
            published.statistics.sites.some(order),
            {"frequency": published.statistics.columns["frequency"][order]},
        ),
        order,
    )
    model = MembershipBound(auc=0.6, power=0.3)
    assert model.check(turned, here) == model.check(published, here)


def test_without_people_outside_nothing_is_said() -> None:
    pool, panel = drawn(8, 20, 50, 60)
    published = Frequencies().publish(study(pool))
    model = MembershipBound(auc=0.6)
    with pytest.raises(BadInput, match="no reference panel"):
        model.check(published, study(pool))
    with pytest.raises(BadInput, match="too few"):
        model.check(published, study(pool, panel[:, :20]))
    with pytest.raises(BadInput, match="r2_next"):
        model.check(Frequencies(columns=("frequency", "r2_next")).publish(study(pool)), study(pool, panel))
    noisy = Published(Statistics(numbered(20), {"chi2": np.ones(20)}), np.arange(20), spent={"epsilon": 1.0})
    with pytest.raises(BadInput, match="noisy tests"):
        model.check(noisy, study(pool, panel, np.arange(50) < 25))
    with pytest.raises(BadInput, match="the release differs"):
        model.check(replace(published, kept=np.arange(20)[::-1].copy()), study(pool, panel))


def test_members_among_the_people_outside_are_told_or_refused() -> None:
    pool, panel = drawn(10, 80, 100, 400)
    # Some of the panel are members: whoever they are, the quarter that is held out has some of them.
    mixed = np.where(np.arange(400) % 4 == 0, pool[:, np.arange(400) % 100], panel)
    here = study(pool, mixed)
    published = Frequencies().publish(here)
    assert "have exactly the genotypes of a member" in MembershipBound(auc=0.99).check(published, here).note
    twins = study(pool, np.hstack([pool, pool]))
    with pytest.raises(BadInput, match="people who are not in the pool"):
        MembershipBound(auc=0.99).check(published, twins)


def test_power_that_too_few_people_can_show_is_taken_as_certain() -> None:
    pool, panel = drawn(9, 3, 200, 30)
    published = Frequencies().publish(study(pool, panel))
    verdict = MembershipBound(power=0.99, alpha=0.9, confidence=0.99).check(published, study(pool, panel))
    assert not verdict.holds
    assert verdict.achieved == "power ≤ 1.000"


def test_the_model_is_registered_by_its_name() -> None:
    assert STATISTICS_MODELS["membership-bound"] is MembershipBound
    assert MembershipBound(power=0.1).in_words().startswith("members are told from others with power ≤ 0.1")
