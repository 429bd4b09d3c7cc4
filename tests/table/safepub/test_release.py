"""Promises of mechanisms in release folders: written, verified, and refuted when they were tampered with."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from sfumato.core.findings import Status

FIELDS = """
        - {name: age, role: quasi-identifier, type: integer, hierarchy: {intervals: {widths: [10, 40]}}}
        - {name: sex, role: quasi-identifier, hierarchy: flat}
"""
SAFEPUB = f"""
sfumato: 1
resources:
  - path: people.csv
    schema:
      fields: {FIELDS}
        - {{name: ill, role: quasi-identifier, hierarchy: flat}}
models:
  - differential-privacy: {{epsilon: 1, delta: 1.0e-4}}
method:
  safepub: {{epsilon: 1, delta: 1.0e-4, levels: {{age: 2, sex: 0, ill: 0}}}}
"""
RANDOMISED = f"""
sfumato: 1
resources:
  - path: people.csv
    schema:
      fields: {FIELDS}
        - {{name: ill, role: sensitive}}
models:
  - k-anonymity: {{k: 5}}
  - rho-privacy: {{rho1: 0.1, rho2: 0.5}}
  - gamma-amplification: {{gamma: 9}}
perturb:
  - retention-replacement: {{column: ill, values: [flu, cancer], rho1: 0.1, rho2: 0.5}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rng = np.random.default_rng(8)
    rows = 1500
    data = {"age": rng.integers(20, 60, rows), "sex": rng.choice(["f", "m"], rows)}
    pd.DataFrame({**data, "ill": rng.choice(["flu", "cancer"], rows)}).to_csv(
        tmp_path / "people.csv", index=False
    )
    return tmp_path


def released(folder: Path, recipe: str) -> Path:
    (folder / "recipe.yaml").write_text(recipe, encoding="utf-8")
    return sf.run(folder / "recipe.yaml").release


def tampered(release: Path, *place: Any, value: Any) -> None:
    evidence = json.loads((release / "evidence.json").read_text(encoding="utf-8"))
    inside = evidence
    for step in place[:-1]:
        inside = inside[step]
    inside[place[-1]] = value
    (release / "evidence.json").write_text(json.dumps(evidence), encoding="utf-8")


def status(release: Path, model: str, **options: Any) -> list[Status]:
    return [f.status for f in sf.verify(release, **options).findings if f.claim.startswith(model)]


def test_a_release_of_safepub_is_verified_and_says_nothing_of_the_rest(folder: Path) -> None:
    release = released(folder, SAFEPUB)
    assert not sf.verify(release, original=folder / "people.csv").refuted
    assert status(release, "differential-privacy") == [Status.CONFIRMED]
    public = (release / "evidence.json").read_text(encoding="utf-8")
    # Digits of a digest may spell anything: a number stands alone.
    assert not re.search(r"(?<![0-9a-f])1,?500(?![0-9a-f])", public)
    steward = json.loads((release.parent / "steward" / "evidence.json").read_text(encoding="utf-8"))
    assert steward["input"]["rows"] == 1500
    assert steward["risk_before"]["records"] == 1500
    assert any("is not told" in warning for warning in steward["warnings"])


def test_a_mechanism_that_spends_more_than_promised_is_refuted(folder: Path) -> None:
    release = released(folder, SAFEPUB)
    tampered(release, "recipe", "method", "safepub", "epsilon", value=2)
    assert status(release, "differential-privacy") == [Status.REFUTED]
    tampered(release, "recipe", "method", "safepub", "epsilon", value="much")
    with pytest.raises(sf.BadInput, match="a mechanism in the evidence"):
        sf.verify(release)


def test_a_release_of_randomised_values_is_verified_from_its_matrix(folder: Path) -> None:
    release = released(folder, RANDOMISED)
    assert not sf.verify(release, original=folder / "people.csv").refuted
    assert status(release, "rho-privacy") == [Status.CONFIRMED]
    assert status(release, "gamma-amplification") == [Status.CONFIRMED]
    tampered(
        release,
        "perturbation",
        0,
        "mechanisms",
        0,
        "matrix",
        value=[["99/100", "1/100"]] * 1 + [["1/100", "99/100"]],
    )
    assert status(release, "rho-privacy") == [Status.REFUTED]
    assert status(release, "gamma-amplification") == [Status.REFUTED]
    tampered(release, "perturbation", 0, "mechanisms", 0, "matrix", value=[["1/0", "0"], ["0", "1"]])
    with pytest.raises(sf.BadInput, match="a mechanism in the evidence"):
        sf.verify(release)


def test_several_rows_of_a_person_break_a_promise_about_one_value(folder: Path) -> None:
    data = pd.read_csv(folder / "people.csv")
    data.assign(who=np.arange(len(data)) // 2).to_csv(folder / "people.csv", index=False)
    fields = RANDOMISED.replace("- {name: ill", "- {name: who, role: person}\n        - {name: ill")
    with pytest.raises(sf.PromiseNotMet, match="somebody has 2 rows"):
        released(folder, fields)
    twice = fields.replace(
        "rho1: 0.1, rho2: 0.5}\n  - gamma-amplification: {gamma: 9}", "rho1: 0.1, rho2: 0.91}"
    )
    release = released(folder, twice)
    assert not sf.verify(release).refuted


def test_analysts_estimate_from_a_release_folder(folder: Path) -> None:
    from sfumato.table.perturbation.estimator import estimate_counts

    release = released(folder, RANDOMISED)
    mechanisms = json.loads((release / "evidence.json").read_text())["perturbation"][0]["mechanisms"]
    data = pd.read_csv(release / "data.csv")
    truth = (pd.read_csv(folder / "people.csv")["ill"] == "flu").sum()
    estimated = estimate_counts(data, mechanisms)
    assert abs(estimated.count("flu") - truth) <= 5 * estimated.standard_errors[0]
    by_sex = estimate_counts(data, mechanisms, ["sex", "ill"])
    assert by_sex.counts.sum() == pytest.approx(len(data))


def test_what_single_records_look_like_is_told_to_the_steward_alone(folder: Path) -> None:
    """A record more or less must not be seen in the warnings beside a sample that tells little."""
    people = pd.read_csv(folder / "people.csv")
    people.loc[7, "ill"] = "www.people.example/ada"
    people.to_csv(folder / "people.csv", index=False)
    release = released(folder, SAFEPUB)
    public = (release / "evidence.json").read_text(encoding="utf-8")
    assert "web addresses" not in public
    assert not re.search(r"(?<![0-9a-f])1,?500(?![0-9a-f])", public)
    steward = json.loads((release.parent / "steward" / "evidence.json").read_text(encoding="utf-8"))
    assert any("1 of its 1,500 values look like web addresses" in one for one in steward["warnings"])
