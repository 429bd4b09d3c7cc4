"""What releases have lost that were made elsewhere: the tutorial's nine rows, and releases of our own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import sfumato as sf
from sfumato.cli.app import app

ORIGINAL = pd.DataFrame(
    {
        "age": [20, 30, 30, 40, 50, 60, 60, 75, 90],
        "postcode": ["CF0", "CF10", "CF26", "CF75", "CF0", "CF45", "CF50", "CF60", "CF95"],
        "ill": list("abcabcabc"),
    }
)
RELEASED = ORIGINAL.assign(
    age=["[20-30]"] * 2 + ["[30-40]"] * 2 + ["[50-60]"] * 2 + ["[60-90]"] * 3,
    postcode=["CF[0-10]"] * 2 + ["CF[26-75]"] * 2 + ["CF[0-45]"] * 2 + ["CF[50-95]"] * 3,
)


def values(original: Any, released: Any, **more: Any) -> dict[str, Any]:
    return {name: found.value for name, found in sf.utility(original, released, **more).items()}


def test_the_nine_rows_of_the_tutorial() -> None:
    lost = values(ORIGINAL, RELEASED)
    assert lost["discernibility"] == 21
    assert lost["class-size-smallest"] == 1.125
    assert lost["ncp"] == pytest.approx(5.7534, abs=5e-5)
    assert lost["gcp"] == pytest.approx(0.3196, abs=5e-5)
    details = sf.utility(ORIGINAL, RELEASED)["ncp"].details
    assert details == {"columns": "age, postcode", "suppressed_records": 0}


@pytest.mark.parametrize("left_out", [True, False])
def test_records_that_are_left_out_or_say_nothing_are_suppressed(left_out: bool) -> None:
    shown = RELEASED[:6] if left_out else RELEASED.copy()
    if not left_out:
        shown.loc[6:, ["age", "postcode"]] = "*"
    lost = values(ORIGINAL, shown)
    assert lost["discernibility"] == 39
    assert lost["ncp"] == pytest.approx(0.4962 + 1.3173 + 1.2331 + 3 * 2, abs=2e-4)


def test_a_command_measures_two_files(tmp_path: Path) -> None:
    before, after = tmp_path / "original.csv", tmp_path / "released.csv"
    ORIGINAL.to_csv(before, index=False)
    RELEASED.sample(frac=1, random_state=1).to_csv(after, index=False)
    shown = CliRunner().invoke(app, ["utility", str(before), str(after), "--json"])
    assert shown.exit_code == 0, shown.output
    found = json.loads(shown.stdout)
    assert (found["discernibility"]["value"], found["class-size-smallest"]["value"]) == (21, 1.125)
    assert round(found["ncp"]["value"], 4) == 5.7534
    task = ["--measure", "query-error: {sql: [age = 30]}"]
    printed = CliRunner().invoke(app, ["utility", str(before), str(after), "--quasi", "age,postcode", *task])
    assert printed.exit_code == 0, printed.output
    assert "5.7534" in printed.stdout
    assert "Measured on age, postcode; 0 records are not shown." in printed.stdout


@pytest.mark.parametrize(
    ("released", "more", "words"),
    [
        (ORIGINAL, {}, "every column of the release shows values of the original alone"),
        (pd.concat([RELEASED, RELEASED]), {}, "the release has 18 rows and the original 9"),
        (RELEASED, {"quasi": "zip"}, "the original has no column 'zip'"),
        (RELEASED.assign(age="young"), {}, "a released label is not understood"),
    ],
)
def test_what_cannot_be_measured_is_said(released: pd.DataFrame, more: dict[str, Any], words: str) -> None:
    with pytest.raises(sf.BadInput, match=words):
        sf.utility(ORIGINAL, released, **more)


def people(seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": rng.integers(20, 80, 120),
            "sex": rng.choice(list("fm"), 120),
            "zip": rng.choice(["47677", "47602", "47678", "47905", "47909"], 120),
            "pay": rng.normal(size=120).round(3),
        }
    )


@pytest.mark.parametrize("suppressed", ["drop", "star"])
@pytest.mark.parametrize("method", ["mondrian", "bottom-up", "local-suppression"])
def test_labels_tell_what_the_search_knew(method: str, suppressed: str) -> None:
    data = people(3)
    release = sf.protect(
        data, quasi=list(data), models=sf.KAnonymity(5), method=method, suppressed=suppressed
    )
    for name, value in values(data, release).items():
        assert value == pytest.approx(release.utility[name]), name


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from("abcd"), min_size=2, max_size=12), st.data())
def test_sets_cost_the_share_of_the_values_that_they_cover(column: list[str], data: st.DataObject) -> None:
    labels = [data.draw(st.sampled_from([value, "{a, b}", "{c, d}", "*"])) for value in column]
    lost = values(pd.DataFrame({"x": column}), pd.DataFrame({"x": labels}), quasi="x")
    size = len(set(column))
    cost = {"*": 1.0, "{a, b}": min(2 / size, 1.0), "{c, d}": min(2 / size, 1.0)}
    assert lost["ncp"] == pytest.approx(sum(cost.get(label, 0.0) for label in labels))
    classes = [labels.count(label) for label in set(labels) - {"*"}]
    suppressed = labels.count("*")
    assert lost["discernibility"] == sum(n * n for n in classes) + len(column) * suppressed


def test_a_folder_of_a_release_names_its_quasi_identifiers(tmp_path: Path) -> None:
    people(4).to_csv(tmp_path / "people.csv", index=False)
    (tmp_path / "recipe.yaml").write_text(
        """
sfumato: 1
resources:
  - path: people.csv
    schema:
      fields:
        - {name: age, role: quasi-identifier, type: integer}
        - {name: sex, role: quasi-identifier}
        - {name: zip, role: sensitive}
        - {name: pay, role: identifier}
models: [{k-anonymity: {k: 3}}]
method: mondrian
"""
    )
    made = sf.run(tmp_path / "recipe.yaml")
    found = sf.utility(tmp_path / "people.csv", made.release)
    assert found["gcp"].details["columns"] == "age, sex"
    kept = json.loads((made.steward / "evidence.json").read_text())["utility"]
    assert found["gcp"].value == pytest.approx(next(one["value"] for one in kept if one["name"] == "gcp"))


def test_figures_over_a_whole_tree_and_logarithms_say_so() -> None:
    data = pd.DataFrame({"ill": list("aabb")})
    rows = [[letter, "low" if letter < "m" else "high", "*"] for letter in "abcdefghijklmnopqrstuvwxyz"]
    asked: dict[str, Any] = {
        "quasi": "ill",
        "models": sf.KAnonymity(4),
        "hierarchies": {"ill": {"rows": rows}},
    }
    release = sf.protect(data, **asked)
    told = {one.name: one.meaning for one in release.evidence.utility}
    for name in ("gcp", "ncp", "loss-metric", "utility-measure"):
        assert told[name].endswith("as a share of whole hierarchies, of whose values occur: ill 2 of 26")
    assert "logarithms to base 2" in told["entropy"]
    assert release.evidence.search.details["score_in"].startswith("shares of whole hierarchies")
    searched = sf.protect(data, **asked, utility="kl-divergence").evidence.search
    assert searched.details["score_in"] == "bits: logarithms to base 2"
    plain = sf.protect(data, **{**asked, "hierarchies": {"ill": "flat"}})
    assert not any("whole hierarchies" in one.meaning for one in plain.evidence.utility)
