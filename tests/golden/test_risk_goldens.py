"""Risk estimates against sdcMicro and ARX, with a note wherever one of them is not right."""

from __future__ import annotations

import csv
import gzip
import json
import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sfumato.table.risk.household import HouseholdRisk
from sfumato.table.risk.individual import IndividualRisk, weighted_wildcard_frequencies
from sfumato.table.risk.log_linear import LogLinearRisk
from sfumato.table.risk.pitman import Pitman
from sfumato.table.risk.population_uniqueness import PopulationUniqueness
from tests.oracles.population import poisson_regression

pytestmark = pytest.mark.golden

SEVEN = ["urbrur", "roof", "walls", "water", "electcon", "relat", "sex"]
LARGEST_OF_SDCMICRO = 150
"""classes for which its exact formula still gives a number on these data"""


@cache
def columns(folder: Path, name: str) -> dict[str, NDArray[np.float64]]:
    """A file of numbers, column by column; NA is not a number."""
    with (folder / "data" / "table" / "sdcmicro" / f"{name}.csv").open() as file:
        rows = list(csv.DictReader(file))
    return {
        key: np.array([math.nan if row[key] == "NA" else float(row[key]) for row in rows]) for key in rows[0]
    }


@cache
def sdcmicro(folder: Path) -> dict[str, Any]:
    cases: dict[str, Any] = json.loads((folder / "golden" / "table-sdcmicro.json").read_text())["cases"]
    return cases


def frequencies(
    folder: Path, name: str, keys: list[str], weight: str
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    data = columns(folder, name)
    codes = np.array([data[key] for key in keys])
    return weighted_wildcard_frequencies(codes.astype(np.int64), np.isnan(codes), data[weight])


def test_frequencies_of_the_eight_records_are_those_of_sdcmicro(shared: Path) -> None:
    case = sdcmicro(shared)["freqCalc_francdat"]
    f, population = frequencies(shared, "francdat", case["params"]["keyVars"], "w")
    assert f.tolist() == case["value"]["fk"]
    assert population.tolist() == case["value"]["Fk"]
    assert ((f == 1).sum(), (f == 2).sum()) == (case["value"]["n1"], case["value"]["n2"])


@pytest.mark.parametrize(("theirs", "ours"), [("approx", "approximate"), ("exact", "exact")])
def test_individual_risk_of_the_eight_records_is_that_of_sdcmicro(
    shared: Path, theirs: str, ours: Any
) -> None:
    pairs = frequencies(shared, "francdat", ["Key1", "Key2", "Key3", "Key4"], "w")
    expected = sdcmicro(shared)[f"indivRisk_francdat_{theirs}_surveyTRUE"]["value"]["rk"]
    assert IndividualRisk.of_records(*pairs, formula=ours).risks == pytest.approx(expected, rel=1e-11)
    whole = IndividualRisk.of_records(pairs[0], pairs[0], formula=ours)
    expected = sdcmicro(shared)[f"indivRisk_francdat_{theirs}_surveyFALSE"]["value"]["rk"]
    assert whole.risks == pytest.approx(expected, rel=1e-12)


def test_individual_and_household_risk_of_4580_people_are_those_of_sdcmicro(shared: Path) -> None:
    f, population = frequencies(shared, "testdata", SEVEN, "sampling_weight")
    file, expected = (
        columns(shared, "measure_risk_testdata_7keys_hh"),
        sdcmicro(shared)["createSdcObj_testdata7"],
    )
    value = expected["value"]
    assert f.tolist() == file["fk"].tolist()
    assert population.tolist() == file["Fk"].tolist()
    risk = IndividualRisk.of_records(f, population, formula="approximate")
    assert risk.risks == pytest.approx(file["risk"], rel=1e-10)
    assert risk.expected == pytest.approx(value["risk_ER"], rel=1e-10)
    assert risk.average == pytest.approx(value["global_risk"], rel=1e-10)
    houses = columns(shared, "testdata")["ori_hid"].astype(np.int64)
    household = HouseholdRisk.of(risk.risks, houses)
    assert household.risks == pytest.approx(file["hier_risk"], rel=1e-9)
    assert household.expected == pytest.approx(value["hier_risk_ER"], rel=1e-10)
    assert household.average == pytest.approx(value["hier_risk"], rel=1e-10)


def test_individual_risk_of_the_labour_force_file_is_that_of_sdcmicro(shared: Path) -> None:
    value = sdcmicro(shared)["indivRisk_free1_keys1-3_w30"]["value"]
    f, population = frequencies(shared, "free1", ["REGION", "SEX", "AGE"], "WEIGHT")
    assert ((f == 1).sum(), (f == 2).sum()) == (value["n1"], value["n2"])
    risk = IndividualRisk.of_records(f, population, formula="approximate")
    assert risk.expected == pytest.approx(value["sum"], rel=1e-10)
    assert risk.highest == pytest.approx(value["max"], rel=1e-10)


def test_the_exact_risk_agrees_where_sdcmicro_has_one_and_exists_where_it_overflows(shared: Path) -> None:
    """Its finite sum needs p^(1 − f), which is no number for the class of 176 with p = 1/100.

    The series of positive terms has neither overflow nor cancellation. For that class the approximation
    brackets the value from above, as it does for all others.
    """
    file, near = (columns(shared, f"indivRisk_testdata_7keys_{way}") for way in ("exact", "approx"))
    risk = IndividualRisk.of_records(file["fk"].astype(np.int64), file["Fk"])
    known = ~np.isnan(file["rk"])
    assert set(file["fk"][~known]) == {176.0}
    assert file["fk"][known].max() == LARGEST_OF_SDCMICRO
    assert risk.risks[known] == pytest.approx(file["rk"][known], rel=1e-12)
    assert np.isfinite(risk.risks).all()
    assert (risk.risks <= near["rk"] * (1 + 1e-12)).all()
    assert risk.risks[~known] == pytest.approx(near["rk"][~known], rel=1e-6)


@cache
def three_keys(folder: Path) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    data = columns(folder, "testdata")
    values = np.array([data[key] for key in ("sex", "water", "roof")]).astype(np.int64)
    return np.unique(values, axis=1, return_counts=True)


def as_sdcmicro_sums(
    means: NDArray[np.float64], counts: NDArray[np.int64], weight: float, bound: int
) -> tuple[float, float]:
    """Σ e^−v and Σ (1 − e^−v) / v over uniques with v = μ (1 − π), by the number of cells up to a bound."""
    v = means[counts == 1] * (1 - 1 / weight)
    cells = int((counts <= bound).sum())
    return float(np.exp(-v).sum() / cells), float((-np.expm1(-v) / v).sum() / cells)


def test_the_independence_fit_is_that_behind_modrisk_by_ipf(shared: Path) -> None:
    """sdcMicro takes the fitted mean μ of the *sample* for λ of the population.

    Its own definition has μ = π λ, so v must be λ (1 − π) = μ (1 − π) / π, with weights of 100 a
    hundred times as much: it reports 5 % where the model expects 0.002 of the 4 uniques to be unique in the
    population. It also divides by the cells of up to five persons instead of the uniques. The fit itself is
    the same, as its sums over our fit show.
    """
    value = sdcmicro(shared)["modRisk_IPF"]["value"]
    codes, counts = three_keys(shared)
    risk = LogLinearRisk.of(codes, counts, fraction=0.01)
    assert as_sdcmicro_sums(risk.fitted, counts, 100, 5) == pytest.approx(
        (value["gr1"], value["gr2"]), rel=1e-9
    )
    v = risk.fitted[counts == 1] * 0.99 / 0.01
    assert len(v) == 4
    assert risk.population_uniques == pytest.approx(np.exp(-v).sum())
    assert risk.population_uniques == pytest.approx(0.0023, abs=1e-4)
    assert risk.correct_matches == pytest.approx((-np.expm1(-v) / v).sum())


def test_modrisk_by_default_takes_codes_for_quantities(shared: Path) -> None:
    """Roof 2, 4, 5, 6, 9 enters as a number: a line through codes, and a risk that means nothing.

    Our fit, like that of the same program by IPF, is of categories.
    """
    value = sdcmicro(shared)["modRisk_default"]["value"]
    codes, counts = three_keys(shared)
    grid = np.array(np.meshgrid(*(np.unique(row) for row in codes), indexing="ij")).reshape(3, -1)
    places = {tuple(cell): count for cell, count in zip(codes.T.tolist(), counts.tolist(), strict=True)}
    table = np.array([places.get(tuple(cell), 0) for cell in grid.T.tolist()], np.float64)
    means = poisson_regression(np.vstack([np.ones(grid.shape[1]), grid]).T, table)
    of_cells, of_counts = means[table > 0], table[table > 0].astype(np.int64)
    assert as_sdcmicro_sums(of_cells, of_counts, 100, 5) == pytest.approx(
        (value["gr1"], value["gr2"]), rel=1e-6
    )


@cache
def arx(folder: Path) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads((folder / "golden" / "table-risk.json").read_text())
    return cases


def sizes_of(case: dict[str, Any]) -> NDArray[np.int64]:
    pairs = np.array(case["histogram"]["size_count_pairs"], np.int64).reshape(-1, 2)
    return np.repeat(pairs[:, 0], pairs[:, 1])


def test_zayatz_and_pitman_agree_with_arx_wherever_it_has_an_answer(shared: Path) -> None:
    compared = 0
    for case in arx(shared):
        sizes = sizes_of(case)
        for risk in case["risk"]:
            population, expected = risk["population_size"], risk["population_uniqueness"]
            zayatz = PopulationUniqueness.of(sizes, population, "zayatz")
            assert zayatz.share == pytest.approx(expected["zayatz_fraction"], rel=1e-9)
            pitman = PopulationUniqueness.of(sizes, population, "pitman")
            if "exact expectation" in "".join(pitman.said) or not expected["pitman_available"]:
                continue
            assert pitman.share == pytest.approx(expected["pitman_fraction"], rel=1e-7)
            compared += 1
    assert compared == 49


def test_pitman_has_an_answer_for_postcodes_where_arx_has_none_or_one_above_everybody(shared: Path) -> None:
    """With θ = 716,000 the formula for N ≫ θ gives 113 % and 346 % of the two smaller populations."""
    case = next(c for c in arx(shared) if c["quasi_identifiers"][0] == "ZIP" and len(sizes_of(c)) == 60_741)
    model = Pitman.of(sizes_of(case))
    assert model is not None
    assert model.alpha == pytest.approx(-0.01788, abs=1e-4)
    for risk, above in zip(case["risk"], (False, False, True, True), strict=True):
        population, available = risk["population_size"], risk["population_uniqueness"]["pitman_available"]
        assert (model.share_for_large(population) > 1) == above == (not available)
        found = PopulationUniqueness.of(sizes_of(case), population, "pitman")
        assert found.share is not None
        assert found.share == pytest.approx(model.share_expected(population), rel=0.01)


def test_the_slide_negative_binomial_has_an_answer_where_arx_has_none(shared: Path) -> None:
    """ARX multiplies by (1 − d)^(α + 2) where c_2 divides by it, so its equations have no solution here.

    It then shows 0, which reads as no risk. Ours solves all but the table without any class of two.
    """
    solved = 0
    for case in arx(shared):
        sizes = sizes_of(case)
        for risk in case["risk"]:
            expected = risk["population_uniqueness"]
            found = PopulationUniqueness.of(sizes, risk["population_size"], "slide-negative-binomial")
            if not (sizes == 1).any():
                assert expected["snb_available"]
                assert found.share == expected["snb_fraction"] == 0.0
                continue
            assert not expected["snb_available"]
            assert expected["snb_fraction"] == 0.0
            if not (sizes == 2).any():
                assert found.share is None
                assert "classes of one and of two" in found.said[0]
                continue
            assert found.share is not None
            assert 0 < found.share < 1
            solved += 1
    assert solved == 24


def test_dankars_rule_takes_the_model_that_arx_takes_where_that_was_solved(shared: Path) -> None:
    took: dict[str, int] = {}
    for case in arx(shared):
        sizes = sizes_of(case)
        if not (sizes == 1).any():
            continue
        for risk in case["risk"]:
            population, expected = risk["population_size"], risk["population_uniqueness"]
            found = PopulationUniqueness.of(sizes, population)
            assert found.share is not None
            if found.estimator == "slide-negative-binomial":
                # The lower of two for large samples; without a solution ARX is left with the higher one.
                assert expected["dankar_model"] == "ZAYATZ"
                assert found.share < expected["dankar_fraction"]
            elif expected["pitman_available"] or found.estimator == "zayatz":
                assert found.estimator == expected["dankar_model"].lower()
            took[found.estimator] = took.get(found.estimator, 0) + 1
    assert took == {"pitman": 18, "slide-negative-binomial": 5, "zayatz": 5}


@pytest.mark.parametrize(("width", "share"), [(9, 0.5143), (5, 0.1057)])
@pytest.mark.parametrize("fraction", [0.3, 0.5])
def test_estimates_from_a_part_of_adult_come_near_the_truth_of_the_whole(
    shared: Path, width: int, share: float, fraction: float
) -> None:
    """The whole of Adult is the population here, so its uniques can be counted."""
    with gzip.open(shared / "data" / "table" / "adult" / "adult.csv.gz", "rt") as file:
        rows = list(csv.reader(file, delimiter=";"))[1:]
    classes: dict[tuple[str, ...], int] = {}
    numbers = np.array([classes.setdefault(tuple(row[:width]), len(classes)) for row in rows])
    true = (np.bincount(numbers) == 1).sum() / len(rows)
    assert true == pytest.approx(share, abs=1e-4)
    sample = np.random.default_rng(7).random(len(rows)) < fraction
    sizes = np.bincount(numbers[sample])
    found = PopulationUniqueness.of(sizes[sizes > 0], len(rows))
    assert found.share == pytest.approx(true, rel=0.1)
