"""Masks give the same on every engine, and on frames."""

from __future__ import annotations

import datetime as dt

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.core.schema import Schema
from sfumato.engine.contract import Engine
from sfumato.engine.sources import Frame
from sfumato.masking import (
    Consent,
    KeySource,
    MaskingPlan,
    Scope,
    Vault,
    mask,
    mask_from_spec,
    mask_table,
    settle,
)
from tests.masking.examples import KEY

PEOPLE = pa.table(
    {
        "id": [1, 1, 2, 3, 4, None],
        "name": ["Ada", "Ada", "Bo", None, "Cy", "Di"],
        "day": pa.array(["2024-01-01", "2024-01-11", None, "2024-02-29", "2024-03-01", None]).cast(
            pa.date32()
        ),
        "zip": [2131, 2131, 2132, 94110, 2133, 601],
        "ok": ["yes", "yes", "no", "yes", "yes", "yes"],
    }
)


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MASKING_TEST_KEY", KEY)


def test_all_of_a_plan_is_carried_out_where_the_rows_live(engine: Engine) -> None:
    people = PEOPLE.slice(0, 5)
    plan = MaskingPlan(
        masks={
            "id": mask_from_spec("keyed-pseudonym"),
            "name": mask_from_spec({"mask": {"keep_first": 1}}),
            "day": mask_from_spec("date-shift"),
        },
        kinds={"zip": "zip"},
        consent=Consent("ok", ("yes",)),
        key=KeySource("MASKING_TEST_KEY"),
        scope=Scope("clinic", "study"),
    )
    roles = Schema.of(people.column_names, person="id", identifier=["name"], quasi=["zip"])
    schema, plan = settle(roles, plan)
    masked = mask_table(engine.read(Frame(people)), schema, plan)
    rows = engine.arrow(masked.table).to_pylist()
    assert len(rows) == 4
    assert (masked.rows_withheld, masked.persons_withheld) == (1, 1)
    assert rows[0]["id"] == rows[1]["id"]
    assert len({row["id"] for row in rows}) == 3
    assert [row["name"] for row in rows] == ["A********", "A********", None, "********"]
    assert [row["zip"] for row in rows] == ["02131", "02131", "94110", "02133"]
    days = [dt.date.fromisoformat(row["day"]) for row in rows]
    assert (days[1] - days[0]).days == 10
    assert days[0] != dt.date(2024, 1, 1)
    assert masked.repairs == ("column 'zip': 3 ZIP codes had lost their leading zeros and got them back",)


@pytest.mark.parametrize(
    "frame", [PEOPLE, PEOPLE.to_pandas(), pl.from_arrow(PEOPLE)], ids=["arrow", "pandas", "polars"]
)
def test_a_frame_is_masked_in_its_order_and_type(frame: object) -> None:
    vault = Vault()
    masked = mask(frame, {"name": "pseudonym", "ok": "remove"}, kinds={"zip": "zip"}, vault=vault)
    assert type(masked) is type(frame)
    names = masked["name"].to_pylist() if isinstance(masked, pa.Table) else list(masked["name"])
    codes = vault.entries[("", "", "")]
    assert len(codes) == 4
    assert [codes.get(name) for name in ["Ada", "Ada", "Bo", None, "Cy", "Di"]] == [
        None if pd.isna(name) else name for name in names
    ]
    columns = masked.column_names if isinstance(masked, pa.Table) else list(masked.columns)
    assert columns == ["id", "name", "day", "zip"]


def test_codes_go_on_from_a_vault() -> None:
    vault = Vault()
    first = mask(PEOPLE, {"name": "pseudonym"}, vault=vault)
    assert mask(PEOPLE, {"name": "pseudonym"}, vault=vault)["name"] == first["name"]
    assert mask(PEOPLE, {"name": "pseudonym"})["name"] != first["name"]


def test_rows_without_a_person_cannot_be_shifted() -> None:
    with pytest.raises(sf.BadInput, match=r"column 'id': 1 rows? .*whose"):
        mask(PEOPLE, {"day": "date-shift"}, person="id", key="MASKING_TEST_KEY", recipient="a", purpose="b")


def test_values_of_a_vault_are_not_in_its_text() -> None:
    vault = Vault()
    vault.codes(["Ada Lovelace"], ("", "", ""))
    assert "Ada" not in f"{vault!r} {vault}"
