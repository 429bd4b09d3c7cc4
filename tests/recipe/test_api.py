"""The Python door: objects or the spelling of recipes, frames in, the same frames out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import sfumato as sf

ROWS = {"age": [21, 22, 23, 41, 42, 43], "ill": list("ababab")}


def protect(data: Any = None, **options: Any) -> sf.Release:
    chosen = {
        "quasi": ["age"],
        "sensitive": "ill",
        "models": [sf.KAnonymity(3)],
        "method": sf.Mondrian(),
        **options,
    }
    return sf.protect(pd.DataFrame(ROWS) if data is None else data, **chosen)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_the_frame_that_comes_out_is_of_the_type_that_went_in(make: Any) -> None:
    data = make(ROWS)
    assert type(protect(data).data) is type(data)


def test_lazy_frames_and_files_are_read(tmp_path: Path) -> None:
    assert isinstance(protect(pl.DataFrame(ROWS).lazy()).data, pl.DataFrame)
    pd.DataFrame(ROWS).to_csv(tmp_path / "rows.csv", index=False)
    assert protect(tmp_path / "rows.csv").data.num_rows == 6
    assert protect(str(tmp_path / "rows.csv")).data.num_rows == 6


@pytest.mark.parametrize(
    "models", [sf.KAnonymity(3), "k-anonymity: 3", {"k-anonymity": {"k": 3}}, [{"k-anonymity": {"k": 3}}]]
)
def test_models_are_objects_or_spelt_as_in_recipes(models: Any) -> None:
    if isinstance(models, str):
        with pytest.raises(sf.BadInput, match="there is no model"):
            protect(models=models)
    else:
        assert protect(models=models).verdicts[0].holds


def test_methods_and_utilities_too() -> None:
    release = protect(
        method="optimal-lattice", utility={"loss": {"aggregate": "max"}}, hierarchies={"age": "infer"}
    )
    assert release.evidence.recipe["method"] == {"optimal-lattice": {"suppress": 0.0}}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"models": []}, "no model was given"),
        ({"models": [5]}, "'model' is a int"),
        ({"models": [sf.KAnonymity]}, "'model' is a type"),
        ({"method": "modrian"}, "did you mean 'mondrian'"),
        ({"method": 5}, "'method' is a int"),
        ({"quasi": ["agee"]}, r"there is no column 'agee' to be quasi-identifier; did you mean 'age'\?"),
        ({"quasi": []}, "no column is a quasi-identifier"),
        ({"sensitive": "age"}, "column 'age': the column is both quasi-identifier and sensitive"),
        ({"confirmed": ["il"]}, "there is no column 'il' to be confirmed"),
        ({"hierarchies": {"agee": "infer"}}, "there is no column 'agee'"),
        ({"order": "keep"}, "'order' cannot be 'keep'; did you mean 'kept'"),
        ({"suppressed": "stars"}, "did you mean 'star'"),
        ({"memory": "lots"}, "memory limit is not understood"),
        ({"engine": "duckdbb"}, "did you mean 'duckdb'"),
        ({"data": [1, 2]}, "a list is not a frame"),
        ({"data": pd.DataFrame()}, "there is no column 'age'"),
    ],
)
def test_mistakes_are_met_with_a_sentence(options: dict[str, Any], message: str) -> None:
    with pytest.raises(sf.BadInput, match=message):
        protect(**options)


def test_an_empty_text_is_not_a_missing_value(tmp_path: Path) -> None:
    """One row with an empty town and one without a town are two classes of one, also in a CSV file."""
    (tmp_path / "towns.csv").write_text('town,ill\n"",a\nNA,b\nx,c\nx,d\n')
    (tmp_path / "recipe.yaml").write_text(
        "sfumato: 1\nresources:\n  - path: towns.csv\n    missingValues: [NA]\n    schema:\n      fields:\n"
        "        - {name: town, role: quasi-identifier, hierarchy: flat}\n"
        "        - {name: ill, role: sensitive}\n"
        "models: [{k-anonymity: {k: 1}}]\nmethod: optimal-lattice\n"
    )
    released = sf.run(tmp_path / "recipe.yaml")
    assert released.verdicts[0].achieved == "k = 1"
    assert released.evidence.classes.number == 3
    assert not sf.verify(released.release, original=tmp_path / "towns.csv").refuted


def test_the_report_has_two_editions(tmp_path: Path) -> None:
    release = protect()
    steward = release.report(tmp_path / "steward.html").read_text()
    public = release.report(tmp_path / "public.html", public=True).read_text()
    assert release.evidence.input.fingerprint in steward
    assert release.evidence.input.fingerprint not in public


def test_utility_is_offered_by_measure() -> None:
    found = protect().utility
    assert found["gcp"] == pytest.approx(2 / 22)
    assert found["class-size-k"] == 1.0
