"""Sensitivities, composition and conversions against the recorded cases (40 digits)."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from sfumato.dp.budget import BASIC
from sfumato.dp.composition import advanced, optimal, optimal_delta, parallel, sequential, simplified_optimal
from sfumato.dp.conversions import (
    for_group,
    gaussian_rho,
    pure_to_rho,
    rho_to_epsilon,
    rho_to_epsilon_simple,
    sampled,
)
from sfumato.dp.exact import as_decimal, exact
from sfumato.dp.price import Price
from sfumato.dp.sensitivity import Contribution, Sensitivity, count, total

pytestmark = pytest.mark.golden
Case = dict[str, Any]
CLOSE = 1e-12


@pytest.fixture(scope="module")
def cases(shared: Path) -> list[Case]:
    found: list[Case] = json.loads((shared / "golden" / "query.json").read_text(encoding="utf-8"))["cases"]
    return found


def of_kind(cases: list[Case], kind: str) -> list[tuple[Case, Case]]:
    found = [(case["input"], case["expected"]) for case in cases if case["kind"] == kind]
    assert found, f"no golden case of kind {kind}"
    return found


def test_the_lectures_sensitivities(cases: list[Case]) -> None:
    asked: dict[str, Callable[[Case], Sensitivity]] = {
        "sens-count": lambda _: count(),
        "sens-same-query-twice": lambda given: count().times(len(given["queries"])),
        "sens-men-50-germany": lambda _: count().beside(count()).beside(count()),
        "sens-histogram-age": lambda _: count(Contribution(groups=1)),
        "sens-starwars": lambda _: total(0, 7),
        "sens-three-delta2": lambda given: count(Contribution(rows=2)).times(len(given["queries_delta"])),
        "sens-age-lt-40": lambda _: count(),
    }
    found = {case["id"]: case for case in cases if case["kind"] == "sensitivity"}
    assert set(found) == set(asked)
    for name, case in found.items():
        l1 = asked[name](case["input"]).l1
        assert l1 == case["expected"]["l1_sensitivity"]
        assert float(l1 / exact("0.1")) == case["expected"]["laplace_scale_at_eps_0.1"]


def test_sequential_and_parallel_totals(cases: list[Case]) -> None:
    for given, expected in of_kind(cases, "sequential"):
        together = sequential([Price.pure(given["epsilon"])] * given["t"])
        assert together.epsilon == as_decimal(expected["total_epsilon"])
    for given, expected in of_kind(cases, "parallel"):
        dearest = parallel([Price.pure(epsilon) for epsilon in given["disjoint_partitions_eps"]])
        assert dearest.epsilon == as_decimal(expected["total_epsilon"])


def test_the_budget_stops_where_it_must_and_is_spent_to_the_last_unit(cases: list[Case]) -> None:
    for given, expected in of_kind(cases, "ledger"):
        spent, answered = Decimal(0), []
        for epsilon in given["queries_eps"]:
            paid = BASIC.pays(as_decimal(given["budget"]), Decimal(0), spent, Decimal(0), Price.pure(epsilon))
            answered.append(paid is not None)
            spent = spent if paid is None else paid[0]
        assert answered == expected["answered"]
        assert spent == as_decimal(expected["spent"])


def test_advanced_composition_and_the_closed_form_of_the_optimal_one(cases: list[Case]) -> None:
    for given, expected in of_kind(cases, "advanced_composition"):
        prices = [Price.pure(given["epsilon"])] * given["k"]
        delta = given["delta_prime"]
        found = advanced(prices, delta).epsilon
        assert float(found or 0) == pytest.approx(expected["epsilon_total"], rel=CLOSE)
        closed = simplified_optimal(prices, delta).epsilon
        assert float(closed or 0) == pytest.approx(expected["KOV_min_bound"], rel=CLOSE)
        best = optimal(prices[0], given["k"], delta).epsilon
        assert best is not None
        assert best <= min(expected["epsilon_total"], expected["basic"], expected["KOV_min_bound"])


def test_optimal_composition(cases: list[Case]) -> None:
    for given, expected in of_kind(cases, "optimal_composition"):
        price = Price.pure(given["epsilon"])
        steps = given["k"] - 2 * given["i"]
        assert steps * exact(given["epsilon"]) == pytest.approx(expected["epsilon_total"])
        delta = optimal_delta(price, given["k"], steps * exact(given["epsilon"]))
        assert float(delta) == pytest.approx(expected["delta"], rel=CLOSE)


def test_conversions(cases: list[Case]) -> None:
    for given, expected in of_kind(cases, "zcdp_to_approx"):
        simple = rho_to_epsilon_simple(given["rho"], given["delta"])
        assert float(simple) == pytest.approx(expected["epsilon_simple"], rel=CLOSE)
    for given, expected in of_kind(cases, "zcdp_to_approx_tight"):
        tight = rho_to_epsilon(given["rho"], given["delta"])
        assert float(tight) == pytest.approx(expected["epsilon"], rel=CLOSE)
    for given, expected in of_kind(cases, "pure_to_zcdp"):
        assert pure_to_rho(given["epsilon"]) == as_decimal(expected["rho"])
    for given, expected in of_kind(cases, "gaussian_zcdp"):
        rho = gaussian_rho(given["sigma"], given["l2_sensitivity"] ** 2)
        assert float(rho) == pytest.approx(expected["rho"], rel=CLOSE)


def test_groups_and_samples(cases: list[Case]) -> None:
    for given, expected in of_kind(cases, "group_privacy"):
        together = for_group(Price.approximate(given["epsilon"], given["delta"]), given["k"])
        assert together.epsilon == as_decimal(expected["epsilon"])
        assert float(together.delta) == pytest.approx(expected["delta"], rel=1e-9)
    for given, expected in of_kind(cases, "subsampling_amplification"):
        price = sampled(Price.pure(given["epsilon"]), given["q"])
        assert float(price.epsilon or 0) == pytest.approx(expected["epsilon_amplified"], rel=CLOSE)
