"""Adult: what an analysis keeps when boxes are cut for it, against plain Mondrian, at several k."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.table.methods.mondrian import Mondrian
from sfumato.table.methods.workload_mondrian import WorkloadMondrian
from sfumato.table.utility.classification import classification_metric
from sfumato.table.utility.queries import QueryError
from sfumato.table.utility.records import Records

pytestmark = pytest.mark.golden

CLASS = "salary-class"
PLAIN = (Mondrian(), Mondrian(choose="least loss"))
WORKLOAD = (
    "age between 30 and 39 and sex = 'Female'",
    "age >= 65 and workclass = 'Private'",
    "education in ('Masters', 'Doctorate') and sex = 'Male'",
    "occupation = 'Sales' and age < 25",
    "\"marital-status\" = 'Divorced' and age between 40 and 54",
    "race = 'Black' and education = 'Bachelors'",
)


@pytest.fixture(scope="module")
def adult(shared: Path) -> pd.DataFrame:
    return pd.read_csv(shared / "data" / "table" / "adult" / "adult.csv.gz", sep=";")


def released(data: pd.DataFrame, k: int, method: Any, quasi: list[str], **roles: Any) -> pd.DataFrame:
    """Protect the records in their order; every class has k of them."""
    release = sf.protect(data, quasi=quasi, models=[sf.KAnonymity(k)], method=method, order="kept", **roles)
    found: pd.DataFrame = release.data
    assert found.groupby(quasi).size().min() >= k
    return found


def without(data: pd.DataFrame, *names: str) -> list[str]:
    return [name for name in data.columns if name not in names]


@pytest.mark.parametrize("k", [10, 25, 50, 100])
def test_groups_mix_the_classes_less_than_plain_mondrian_s(adult: pd.DataFrame, k: int) -> None:
    quasi = without(adult, CLASS)

    def metric(method: Any) -> float:
        shown = released(adult, k, method, quasi, sensitive=CLASS)
        return classification_metric(pa.Table.from_pandas(shown), tuple(quasi), CLASS, len(adult))

    assert metric(WorkloadMondrian(CLASS)) < min(metric(method) for method in PLAIN) - 0.015


@pytest.mark.parametrize("k", [25, 50, 100])
def test_groups_foretell_classes_that_steered_no_cut_better_than_plain_mondrian_s(
    adult: pd.DataFrame, k: int
) -> None:
    """Three in ten records hide their class from the method; their group's majority is the guess."""
    held = np.random.default_rng(0).random(len(adult)) < 0.3
    rich = (adult[CLASS] == ">50K").to_numpy()
    data = adult.assign(told=adult[CLASS].mask(held))
    quasi = without(data, CLASS, "told")

    def accuracy(method: Any) -> float:
        shown = released(data, k, method, quasi, sensitive=[CLASS, "told"])
        group = shown.groupby(quasi).ngroup().to_numpy()
        votes = np.bincount(group[~held], weights=2.0 * rich[~held] - 1.0, minlength=group.max() + 1)
        return float(np.mean((votes > 0)[group][held] == rich[held]))

    assert accuracy(WorkloadMondrian("told")) > max(accuracy(method) for method in PLAIN) + 0.005


@pytest.mark.parametrize("k", [10, 100])
def test_groups_vary_less_in_a_number_than_plain_mondrian_s(adult: pd.DataFrame, k: int) -> None:
    quasi = without(adult, CLASS, "age")

    def spread(method: Any) -> float:
        shown = released(adult, k, method, quasi, sensitive=["age", CLASS])
        ages = shown["age"].astype(float)
        return float(((ages - ages.groupby([shown[name] for name in quasi]).transform("mean")) ** 2).mean())

    assert spread(WorkloadMondrian("age", "regression")) < min(spread(method) for method in PLAIN)


@pytest.mark.parametrize("k", [10, 25, 50, 100])
def test_a_given_workload_is_answered_with_less_than_half_the_error(adult: pd.DataFrame, k: int) -> None:
    quasi = without(adult, CLASS)

    def error(method: Any) -> float:
        shown = released(adult, k, method, quasi, sensitive=CLASS)
        records = Records(
            pa.Table.from_pandas(adult, preserve_index=False),
            pa.Table.from_pandas(shown, preserve_index=False),
            tuple(quasi),
        )
        return QueryError(sql=WORKLOAD).measure(records).value

    found = error(WorkloadMondrian(task="queries", queries=WORKLOAD))
    assert found < 0.5 * min(error(method) for method in PLAIN)
