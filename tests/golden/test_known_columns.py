"""Adult with its usual roles: a plain sensitive column is reported, and nothing is warned of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import sfumato as sf

NEW = ("candidates", "single person's", "printed range", "has no value in any row", "hide nothing")


def new_warnings(release: Any) -> list[str]:
    return [warning for warning in release.evidence.warnings if any(word in warning for word in NEW)]


@pytest.fixture(scope="module")
def adult(shared: Path) -> pd.DataFrame:
    return pd.read_csv(shared / "data" / "table" / "adult" / "adult.csv.gz", sep=";", dtype=str)


@pytest.mark.golden
@pytest.mark.parametrize("sensitive", ["occupation", "salary-class"])
@pytest.mark.parametrize("method", [sf.Mondrian(), sf.OptimalLattice(suppress=0.02)])
def test_adult_earns_no_new_warning(adult: pd.DataFrame, sensitive: str, method: Any) -> None:
    quasi = [name for name in adult.columns if name != sensitive]
    release = sf.protect(
        adult, quasi=quasi, sensitive=sensitive, models=[sf.KAnonymity(5)], method=method, attacks=["linkage"]
    )
    assert new_warnings(release) == []
    (told,) = release.evidence.exposure
    assert (told.column, told.why, told.k, told.people) == (sensitive, [], 5, len(release.data))
    sizes = release.data.groupby([*quasi, sensitive], dropna=False, observed=True).size()
    assert told.fewer == told.added == int(sizes[sizes < 5].sum())
    if isinstance(method, sf.Mondrian) and sensitive == "occupation":
        assert told.fewer == 21_740
