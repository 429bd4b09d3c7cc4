"""Releases under differential privacy, from a recipe to two folders."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.core.errors import BadInput
from sfumato.core.findings import Status
from sfumato.core.randomness import SeededRandom
from sfumato.query.methods import METHODS
from sfumato.query.methods.contract import DpSolution, NoisyTable, Problem
from sfumato.query.methods.independent import IndependentMarginals
from sfumato.recipe.load import load
from sfumato.recipe.prepared import planned, prepared, released
from sfumato.recipe.query.api import QueryRelease, protect_query
from tests.recipe.query_examples import hospital, people, recipe_text

APPROXIMATE = "  - differential-privacy: {epsilon: 1, delta: 1e-9}"
HUGE = "  - differential-privacy: {epsilon: 900}"
SOME = [f"p{i},{20 + i % 60},{'FM'[i % 2]},{('yes', 'no', 'former')[i % 3]},{100 * i}" for i in range(60)]


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def public(release: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((release / "evidence.json").read_text())
    return found


@pytest.mark.parametrize("method", METHODS)
def test_every_method_goes_the_whole_way(method: str, tmp_path: Path) -> None:
    made = sf.run(hospital(tmp_path, recipe_text(method, models=APPROXIMATE)))
    told = public(made.release)
    assert {path.name for path in made.steward.iterdir()} == {
        "evidence.json",
        "report.html",
        "fingerprint.key",
    }
    found = sf.verify(made.release)
    assert not found.refuted
    assert {one.status for one in found.findings} == {Status.CONFIRMED, Status.NOT_CHECKED}
    spent = sum(Fraction(step["rho"]) for step in told["steps"])
    assert spent == Fraction(told["spent"]["rho"])
    assert told["spent"]["epsilon"] == "1"
    assert told["spent"]["delta"] == "0.000000001"
    assert told["expected_error"]
    assert all(error["people"] > 0 for error in told["expected_error"])


@pytest.mark.parametrize("method", METHODS)
def test_every_method_spends_a_pure_price_exactly(method: str, tmp_path: Path) -> None:
    release = protect_query(
        hospital(tmp_path).parent / "patients.csv",
        database=tmp_path / "database.yaml",
        method=method,
        columns=["sex", "smoker"],
        target="smoker",
        epsilon="0.7",
    )
    assert sum(Decimal(step.epsilon or "0") for step in release.public.steps) == Decimal("0.7")
    assert release.public.spent.delta == "0"
    assert release.verdicts[0].holds


@pytest.mark.parametrize("format_", ["csv", "csv.gz", "parquet"])
def test_every_format_can_be_verified(format_: str, tmp_path: Path) -> None:
    recipe = hospital(tmp_path, recipe_text() + f"output: {{format: {format_}, folder: out}}\n")
    made = sf.run(recipe)
    assert made.data == tmp_path / "out" / "release" / f"data.{format_}"
    assert not sf.verify(made.release).refuted
    if format_ == "parquet":
        assert pq.read_table(made.data).column_names == ["age", "sex", "smoker", "charges"]


def test_released_values_lie_in_the_declared_domains(tmp_path: Path) -> None:
    for row in rows_of(sf.run(hospital(tmp_path)).data):
        assert row["sex"] in ("F", "M", "")
        assert row["smoker"] in ("yes", "no", "former", "")
        assert not row["age"] or 0 <= int(row["age"]) < 120
        assert not row["charges"] or (Fraction(row["charges"]) * 10).denominator == 1


def test_a_person_with_many_rows_counts_once_and_rows_without_a_person_not_at_all(tmp_path: Path) -> None:
    """At ε = 900 there is no noise to speak of: a count off by one has a chance below e^-100."""
    rows = ["busy,30,M,yes,1"] * 500 + [f"p{i},70,F,no,1" for i in range(40)] + [",70,F,former,1"] * 300
    made = sf.run(people(tmp_path, rows, recipe_text(models=HUGE)))
    shown = [row["sex"] for row in rows_of(made.data)]
    assert sorted(shown) == ["F"] * 40 + ["M"]
    assert made.evidence.read.people == 41
    assert made.evidence.read.beyond_one_row == 499
    assert made.evidence.read.without_person == 300


def test_values_that_fit_no_declaration_are_clamped_or_missing(tmp_path: Path) -> None:
    rows = [f"p{i},999,X,no,5" for i in range(20)] + [f"q{i},old,F,no,5" for i in range(20)]
    made = sf.run(people(tmp_path, rows, recipe_text(models=HUGE)))
    drawn = rows_of(made.data)
    assert sum(row["sex"] == "" for row in drawn) == 20
    assert sum(row["age"] == "" for row in drawn) == 20
    assert all(65 <= int(row["age"]) < 120 for row in drawn if row["age"])
    assert made.evidence.read.made_missing == {"age": 20, "sex": 20}


def test_nobody_in_the_data_is_no_error_that_could_be_seen(tmp_path: Path) -> None:
    """One person more or less must not decide whether there is a release."""
    made = sf.run(people(tmp_path, []))
    assert not sf.verify(made.release).refuted
    assert made.evidence.read.people == 0


NOISY = {"rows", "sha256", "bytes", "people"}
"""keys whose values may differ between runs: counts and fingerprints of noisy bytes, and the noisy total"""


def differing(one: Any, other: Any, place: str = "") -> Iterator[str]:
    """Name the places where two documents differ; their keys must be the same."""
    if isinstance(one, dict):
        assert one.keys() == other.keys(), place
        for key in one:
            yield from differing(one[key], other[key], f"{place}.{key}")
    elif isinstance(one, list):
        assert len(one) == len(other), place
        for number, (a, b) in enumerate(zip(one, other, strict=True)):
            yield from differing(a, b, f"{place}[{number}]")
    elif one != other:
        yield place


@pytest.mark.parametrize("method", ["independent-marginals", "privelet", "data-cube"])
def test_public_evidence_of_two_data_sets_differs_in_noisy_places_only(method: str, tmp_path: Path) -> None:
    """The two have other people, other values, other numbers of rows; what is told must not show it."""
    others = [f"q{i},90,M,yes,49999" for i in range(3000)] + [",1,F,no,7"] * 50 + ["q1,5,X,?,-1"] * 9
    found = []
    for name, rows in (("one", SOME), ("two", others)):
        (tmp_path / name).mkdir()
        found.append(sf.run(people(tmp_path / name, rows, recipe_text(method))).release)
    assert sorted(p.name for p in found[0].iterdir()) == sorted(p.name for p in found[1].iterdir())
    assert (found[0] / "schema.json").read_bytes() == (found[1] / "schema.json").read_bytes()
    places = list(differing(public(found[0]), public(found[1])))
    assert places, "noise must differ"
    assert {place.rpartition(".")[2] for place in places} <= NOISY


def test_the_number_of_records_is_noisy_unless_it_is_public(tmp_path: Path) -> None:
    """Eight noisy totals (scale 4 or more) are all the true one with a chance below (1/8)^8 < 1e-7."""

    def made() -> QueryRelease:
        return protect_query(
            tmp_path / "patients.csv",
            database=tmp_path / "database.yaml",
            method="independent-marginals",
            columns=["sex"],
            epsilon="0.25",
        )

    people(tmp_path, SOME)
    assert {made().public.data.rows for _ in range(8)} != {60}
    people(tmp_path, SOME, neighbours="substitution")
    release = made()
    assert release.public.data.rows == 60
    assert any("the number of people is public" in warning for warning in release.public.warnings)


def test_true_numbers_stay_with_the_steward(tmp_path: Path) -> None:
    made = sf.run(people(tmp_path, SOME))
    kept = json.loads((made.steward / "evidence.json").read_text())
    only = {"read", "measured", "marginals", "notes", "utility", "input", "seconds", "attacks"}
    assert only == kept.keys() - public(made.release).keys()
    report = (made.release / "report.html").read_text()
    assert "What was read" not in report
    assert "Single columns, before and after" not in report
    assert kept["marginals"][1]["before"] == [0.5, 0.5, 0.0]


def test_a_plan_tells_price_and_error_and_reads_no_row(tmp_path: Path) -> None:
    recipe = hospital(tmp_path, recipe_text("adaptive-marginals", models=APPROXIMATE))
    job = prepared(load(recipe), tmp_path)
    before = str(planned(job, tmp_path / "out"))
    header = (tmp_path / "patients.csv").read_text().splitlines()[0]
    (tmp_path / "patients.csv").write_text(header + "\n")
    assert str(planned(job, tmp_path / "out")) == before
    assert "ε = 1, δ = 1E-9" in before
    assert "± " in before
    assert "4 people together: ε = 4" in before
    assert not (tmp_path / "out").exists()


def test_a_plan_tells_the_error_that_the_release_then_has(tmp_path: Path) -> None:
    recipe = hospital(tmp_path)
    plan = planned(prepared(load(recipe), tmp_path), tmp_path / "out")
    made = sf.run(recipe)
    assert plan.tried.expected_error == {one.what: one.people for one in made.evidence.expected_error}  # type: ignore[union-attr]  # a plan of this kind


def test_identifiability_buys_the_epsilon_that_keeps_it(tmp_path: Path) -> None:
    promise = "  - differential-identifiability: {rho: 0.2, m: 10}\n" + APPROXIMATE
    made = sf.run(hospital(tmp_path, recipe_text(models=promise)))
    # Between two people ε counts twice: e^2ε = 9 · 0.2 / 0.8.
    assert made.evidence.spent.delta == "0"
    assert round(float(made.evidence.spent.epsilon or 0), 6) == 0.405465
    assert [verdict.model for verdict in made.verdicts] == [
        "differential-identifiability",
        "differential-privacy",
    ]
    assert all(verdict.holds for verdict in made.verdicts)
    assert not sf.verify(made.release).refuted


def test_hierarchies_of_categories_are_handed_to_the_method(tmp_path: Path) -> None:
    use = (
        "{file: database.yaml, columns: [smoker, sex], target: sex, "
        "hierarchies: {smoker: {tree: {any: {ever: ['yes', former], never: ['no']}}}}}"
    )
    made = sf.run(
        hospital(tmp_path, recipe_text("{diffgen: {specialisations: 1}}", database=use, models=HUGE))
    )
    shown = {row["smoker"] for row in rows_of(made.data)}
    assert shown <= {"{yes, former}", "no", ""}
    assert "{yes, former}" in shown
    assert not sf.verify(made.release).refuted


def test_dates_are_cut_by_dates(tmp_path: Path) -> None:
    edges = "{admission_date: [2020-01-01, 2023-01-01, 2027-01-01]}"
    use = f"{{file: database.yaml, columns: [admission_date], edges: {edges}}}"
    made = sf.run(hospital(tmp_path, recipe_text(database=use)))
    assert [row["admission_date"] for row in rows_of(made.release / "counts-1.csv")] == [
        "[2020-01-01, 2023-01-01)",
        "[2023-01-01, 2027-01-01)",
        "(missing)",
    ]
    assert all(
        not row["admission_date"] or "2020" <= row["admission_date"] < "2027" for row in rows_of(made.data)
    )


def test_without_a_person_rows_are_people_and_the_release_says_so(tmp_path: Path) -> None:
    path = people(tmp_path, ["busy,30,M,yes,1"] * 50, recipe_text(models=HUGE))
    database = (tmp_path / "database.yaml").read_text()
    (tmp_path / "database.yaml").write_text(database.replace("    person: patient_id\n", ""))
    made = sf.run(path)
    assert made.evidence.data.rows == 50
    assert any("several rows" in warning for warning in public(made.release)["warnings"])
    assert not sf.verify(made.release).refuted


@pytest.mark.parametrize("stop", [KeyboardInterrupt, OSError])
@pytest.mark.parametrize(
    "place", ["sfumato.recipe.query.outcome.solve", "sfumato.release.pipeline.write_report"]
)
def test_an_interrupted_run_leaves_nothing(
    place: str, stop: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise stop

    recipe = hospital(tmp_path)
    before = sorted(path.name for path in tmp_path.iterdir())
    monkeypatch.setattr(place, broken)
    with pytest.raises(stop):
        sf.run(recipe)
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_a_release_that_would_be_refuted_is_not_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cheating(self: IndependentMarginals, problem: Any) -> Any:
        found = honest(self, problem)
        return replace(found, steps=found.steps[:-1])

    honest = IndependentMarginals.protect
    monkeypatch.setattr(IndependentMarginals, "protect", cheating)
    with pytest.raises(sf.PromiseNotMet, match="do not add up"):
        sf.run(hospital(tmp_path))
    assert not (tmp_path / "release").exists()


def test_an_earlier_release_is_replaced_only_when_asked(tmp_path: Path) -> None:
    recipe = hospital(tmp_path, recipe_text("hierarchical-histogram"))
    first = sf.run(recipe).evidence.data.sha256
    with pytest.raises(BadInput, match="already a folder"):
        sf.run(recipe)
    assert sf.run(recipe, replace=True).evidence.data.sha256 != first


def test_a_seeded_release_is_marked_and_cannot_be_written(tmp_path: Path) -> None:
    recipe = hospital(tmp_path)
    release = protect_query(
        tmp_path / "patients.csv",
        database=tmp_path / "database.yaml",
        method="independent-marginals",
        columns=["sex"],
        epsilon=1,
        random=SeededRandom(3),
    )
    assert any("do not publish this" in warning for warning in release.public.warnings)
    assert "seed" in release.public.randomness
    job = replace(prepared(load(recipe), tmp_path), random=SeededRandom(3))
    with pytest.raises(BadInput, match="seeded generator"):
        released(job, tmp_path / "out")


def test_python_gives_back_the_frame_that_came_in(tmp_path: Path) -> None:
    hospital(tmp_path)
    frame = pa.table({"sex": ["F", "M"] * 100, "smoker": ["no"] * 200, "patient_id": range(200)})
    release = protect_query(
        frame, database=tmp_path / "database.yaml", columns=["sex", "smoker"], epsilon=2, delta="1e-9"
    )
    assert isinstance(release.data, pa.Table)
    assert release.data.column_names == ["sex", "smoker"]
    assert set(release.tables) == {"sex", "smoker"}
    assert release.expected_error["single attributes"] > 0
    assert "marginal-distance-2" in release.utility
    assert release.report(tmp_path / "report.html").exists()
    assert "What was read" not in release.report(tmp_path / "public.html", public=True).read_text()


def test_tables_alone_are_a_release_too(tmp_path: Path) -> None:
    made = sf.run(hospital(tmp_path, recipe_text("hierarchical-histogram")))
    assert made.data.name == "counts-1.csv"
    assert not (made.release / "data.csv").exists()
    labels = [row["age"] for row in rows_of(made.data)]
    assert labels == ["[0, 18)", "[18, 65)", "[65, 120)", "(missing)"]
    assert public(made.release)["form"] == "tables"


def test_everything_in_a_release_follows_from_what_the_method_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a method that does not look at people, releases of other people are the same, byte by byte."""

    def blind(self: IndependentMarginals, problem: Problem) -> DpSolution:
        sizes = [attribute.size for attribute in problem.data.attributes]
        table = NoisyTable(("age", "sex"), np.arange(sizes[0] * sizes[1]).reshape(sizes[:2]) / 2, 3.5)
        steps = (("nothing", problem.price),)
        return DpSolution(problem.price, tables=(table,), expected_error={"cells": 3.5}, steps=steps)

    monkeypatch.setattr(IndependentMarginals, "protect", blind)
    others = [f"q{i},90,M,yes,49999" for i in range(500)] + [",1,F,no,7"] * 50 + ["q1,5,X,?,-1"] * 9
    found = []
    for name, rows in (("one", SOME), ("two", others), ("three", [])):
        (tmp_path / name).mkdir()
        made = sf.run(people(tmp_path / name, rows))
        found.append({path.name: path.read_bytes() for path in made.release.iterdir()})
        assert made.evidence.read.people == {"one": 60, "two": 500, "three": 0}[name]
    assert found[0].keys() == {"counts-1.csv", "evidence.json", "report.html", "schema.json"}
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("format_", ["csv", "csv.gz", "parquet"])
def test_odd_names_values_and_grids_can_be_written_and_verified(format_: str, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text(
        'count,"a ""b"", c",ill,fives,thirds,day\n'
        + "".join(
            f'"x, y",{i % 2},{"true" if i % 3 else "false"},{i},{i}.1,2024-01-{1 + i % 28:02}\n'
            for i in range(40)
        )
    )
    (tmp_path / "database.yaml").write_text(
        "data_set: odd\nbudget: {epsilon: 1}\ntables:\n  people:\n    max_rows: 100\n    columns:\n"
        "      count: {type: category, values: ['x, y', 'say \"hm\"', ' a ', 'NULL', 'nan', '', 'ä 🙂']}\n"
        "      'a \"b\", c': {type: category, values: ['0', '1', '1.0']}\n"
        "      ill: {type: boolean}\n"
        "      fives: {type: integer, lower: -10, upper: 50, grid: 5}\n"
        "      thirds: {type: number, lower: 0, upper: 20, grid: 1/3}\n"
        "      day: {type: date, lower: 2024-01-01, upper: 2024-01-31}\n"
    )
    (tmp_path / "recipe.yaml").write_text(
        "sfumato: 1\nresources: [{kind: query, path: people.csv, database: database.yaml}]\n"
        "models: [{differential-privacy: {epsilon: 0.1}}]\nmethod: independent-marginals\n"
        f"output: {{format: {format_}}}\n"
    )
    made = sf.run(tmp_path / "recipe.yaml")
    assert not sf.verify(made.release).refuted
    assert len(list(made.release.glob("counts-*"))) == 6
