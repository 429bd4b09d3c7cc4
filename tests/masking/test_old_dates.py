"""Safe Harbor: no element of any date shows that somebody is over 89 (45 CFR 164.514(b)(2)(i)(C))."""

from __future__ import annotations

import datetime as dt

import pandas as pd
import pytest

import sfumato as sf
from sfumato.masking import masking_plan, policy_named
from sfumato.masking.reduce import Year

LAST = dt.date.today().year - 90
KINDS = ("birth-date", "admission-date", "discharge-date", "death-date", "date")


def stays(kind: str) -> pd.DataFrame:
    years = [LAST - 5, LAST, LAST + 1, LAST + 60]
    return pd.DataFrame({"day": [f"{year}-03-02" for year in years for _ in range(10)]})


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("role", ["quasi", "insensitive"])
@pytest.mark.parametrize("method", ["optimal-lattice", "mondrian"])
def test_no_year_shows_an_age_over_89(kind: str, role: str, method: str) -> None:
    released = sf.protect(
        stays(kind).assign(sex="F"),
        quasi=["sex", *(["day"] if role == "quasi" else [])],
        models=[sf.KAnonymity(10)],
        method=method,
        masking=masking_plan(kinds={"day": kind, "sex": "other"}, policy="safe-harbor"),
    )
    shown = set(released.data["day"])
    assert f"{LAST} or earlier" in shown
    assert not [label for label in shown if str(LAST - 5) in label]
    assert str(LAST + 60) in shown


def test_all_dates_of_the_policy_are_grouped() -> None:
    masks = policy_named("safe-harbor").masks
    assert {kind for kind in KINDS if getattr(masks[kind], "last_year", None) == LAST} == set(KINDS)


def test_a_year_that_the_recipe_chooses_is_grouped_too() -> None:
    chosen = policy_named("safe-harbor").mask_for("day", "admission-date", Year())
    assert isinstance(chosen, Year)
    assert chosen.last_year == LAST


def test_an_earlier_release_year_would_show_the_old_and_is_refused() -> None:
    with pytest.raises(sf.BadInput, match="lies in the past"):
        policy_named("safe-harbor").mask_for("day", "date", Year("grouped", this_year=LAST + 80))


def test_without_a_policy_years_stay() -> None:
    shown = sf.mask(stays("date"), {"day": "year"})
    assert str(LAST - 5) in set(shown["day"])
