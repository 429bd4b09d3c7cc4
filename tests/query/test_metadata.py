"""What an owner writes into ``database.yaml``, and what is said about mistakes in it."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from sfumato.core.errors import BadInput
from sfumato.dp.conversions import rho_to_epsilon
from sfumato.dp.neighbours import Neighbours
from sfumato.query.ledger.contract import Composition, Scope
from sfumato.query.metadata import Type
from sfumato.query.spelling import database_schema, draft, parse_database, read_database

TEXT = """
sfumato: 1
data_set: clinic
neighbours: substitution
groups_per_person: 2
max_groups: 500
max_delta: 1e-9
window: "2026"
tables:
  patients:
    source: patients.parquet
    person: patient_id
    max_rows: 100000
    columns:
      age: {type: integer, lower: 0, upper: 120, title: years}
      weight: {type: number, lower: 0.5, upper: 300, grid: 0.1}
      born: {type: date, lower: 1900-01-01, upper: 2026-12-31}
      sex: {type: category, values: [f, m]}
      town: {type: category}
      smoker: {type: boolean}
      income: {type: number, grid: 1}
  visits:
    source: visits.csv
    person: patient
    rows_per_person: 20
    max_rows: 1000000
    columns:
      cost: {type: number, lower: 0, upper: 10000, grid: 0.01}
budget: {composition: zcdp, epsilon: 2, delta: 1e-7}
analyst_budget: {rho: 0.01}
groups:
  students: {composition: basic, epsilon: 0.3}
"""


def changed(**changes: Any) -> str:
    """The text with other values at 'a.b.c' paths (written a__b__c); None takes a key out."""
    data = yaml.safe_load(TEXT)
    for path, value in changes.items():
        *steps, last = path.split("__")
        part = data
        for step in steps:
            part = part[step]
        if value is None:
            del part[last]
        else:
            part[last] = value
    return yaml.safe_dump(data)


def refused(text: str) -> str:
    with pytest.raises(BadInput) as problem:
        parse_database(text)
    assert problem.value.remedy
    return str(problem.value)


def test_a_file_is_read_exactly() -> None:
    metadata = parse_database(TEXT).metadata
    assert (metadata.data_set, metadata.neighbours) == ("clinic", Neighbours.SUBSTITUTION)
    assert (metadata.groups_per_person, metadata.max_groups) == (2, 500)
    assert metadata.max_delta == Fraction(1, 10**9)
    patients = metadata.tables["patients"]
    assert (patients.person, patients.rows_per_person, patients.max_rows) == ("patient_id", 1, 100_000)
    weight, born = patients.columns["weight"], patients.columns["born"]
    assert (weight.lower, weight.upper, weight.grid) == (Fraction(1, 2), Fraction(300), Fraction(1, 10))
    assert born.type is Type.DATE
    assert (born.lower, born.upper, born.grid) == (Fraction(-25567), Fraction(20818), Fraction(1))
    assert patients.columns["sex"].values == ("f", "m")
    assert patients.columns["town"].values is None
    assert patients.columns["income"].lower is None
    assert metadata.tables["visits"].rows_per_person == 20


def test_a_budget_of_epsilon_and_delta_becomes_a_rho_that_keeps_both() -> None:
    own, group = parse_database(TEXT).budgets
    assert (own.scope, own.name, own.composition) == (Scope.DATA_SET, "clinic", Composition.ZCDP)
    assert own.delta == Decimal("5e-8")
    assert Decimal("1.999") < rho_to_epsilon(own.limit, own.delta) <= 2
    assert (group.scope, group.name, group.limit) == (Scope.GROUP, "students", Decimal("0.3"))
    assert {own.window, group.window} == {"2026"}


def test_the_budget_of_an_analyst_adds_up_as_that_of_the_data_set_unless_it_says_otherwise() -> None:
    usual = parse_database(TEXT).analyst_budget
    assert usual is not None
    assert (usual.scope, usual.composition, usual.limit) == (Scope.ANALYST, Composition.ZCDP, Decimal("0.01"))


def test_without_max_delta_one_is_taken_that_is_small_for_the_declared_size() -> None:
    assert parse_database(changed(max_delta=None)).metadata.max_delta == Fraction(1, 10**7)
    large = changed(
        max_delta=None, tables__visits__max_rows=10**9, budget={"epsilon": 1}, analyst_budget=None
    )
    assert parse_database(large).metadata.max_delta == Fraction(1, 10**10)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"neighbors": "substitution"}, "'neighbors' is not a key; did you mean 'neighbours'?"),
        ({"tables__visits__columns__cost__upperr": 1}, "did you mean 'upper'?"),
        ({"budget__eps": 1}, "'eps' is not a key of budget; did you mean 'epsilon'?"),
        ({"data_set": None}, "the key 'data_set' is missing"),
        ({"tables__visits__max_rows": None}, "'tables.visits.max_rows' is missing"),
        ({"tables__visits__max_rows": True}, "tables.visits.max_rows"),
        ({"tables__visits__rows_per_person": 0}, "greater than or equal to 1"),
        ({"tables__visits__columns__cost__type": "numbr"}, "did you mean 'number'?"),
        ({"tables__visits__columns__cost__lower": None}, "both bounds or none"),
        ({"tables__visits__columns__cost__lower": 20000}, "'lower' is above 'upper'"),
        ({"tables__visits__columns__cost__grid": None}, "needs a 'grid'"),
        ({"tables__visits__columns__cost__grid": 0}, "more than 0"),
        ({"tables__visits__columns__cost__grid": 0.03}, "not whole multiples"),
        ({"tables__visits__columns__cost__upper": 1e300}, "too far out"),
        ({"tables__visits__columns__cost__upper": float("inf")}, "not a finite number"),
        ({"tables__visits__columns__cost__upper": True}, "tables.visits.columns.cost.upper"),
        ({"tables__patients__columns__age__grid": 0.5}, "whole for integers"),
        ({"tables__patients__columns__age__values": ["1"]}, "has no 'values'"),
        ({"tables__patients__columns__born__grid": 7}, "has no 'grid'"),
        ({"tables__patients__columns__born__lower": "soon"}, "not a date"),
        ({"tables__patients__columns__smoker__lower": 0}, "has no 'lower'"),
        ({"tables__patients__columns__sex__values": []}, "1 to 100000"),
        ({"tables__patients__columns__sex__values": ["f", "f"]}, "twice"),
        ({"tables__patients__columns__sex__values": [True, False]}, "write values in quotes"),
        ({"tables__patients__columns__sex__values": ["f\u200b"]}, "cannot be seen"),
        ({"tables__patients__columns__patient_id": {"type": "integer"}}, "names the person"),
        ({"tables__patients__columns__AGE": {"type": "integer"}}, "upper and lower case"),
        ({"tables__patients__columns____rank": {"type": "integer"}}, "does not begin with '__'"),
        ({"tables__visits__person": None}, "whose the rows are"),
        ({"max_delta": 0.01}, "δ is too large for the declared size"),
        ({"max_delta": 1e-6}, "δ is too large for the declared size"),
        ({"max_delta": -1}, "at least 0"),
        ({"budget__delta": 1e-5}, "δ is too large for the declared size"),
        ({"budget__delta": 0}, "needs a delta"),
        ({"budget__rho": 1}, "epsilon or by rho"),
        ({"budget__epsilon": None}, "epsilon or by rho"),
        ({"budget__epsilon": "nan"}, "not a finite number"),
        ({"budget__epsilon": float("inf")}, "not a finite number"),
        ({"budget__epsilon": 0}, "more than 0"),
        ({"groups__students": {"composition": "basic", "rho": 1}}, "adds up ε"),
        ({"tables": {}}, "tables"),
        ({"window": 2026}, "'window' must be a text; write it in quotes"),
        ({"tables__visits__columns": {False: {"type": "boolean"}}}, "write it in quotes"),
    ],
)
def test_mistakes_are_told_with_the_key_and_what_to_do(changes: dict[str, Any], said: str) -> None:
    if "tables__patients__columns____rank" in changes:
        text = TEXT.replace("age: {type", "__rank: {type")
    else:
        text = changed(**changes)
    message = refused(text)
    assert message.startswith("database.yaml")
    assert said in message


@pytest.mark.parametrize(
    "text", ["", "- 1", "a: [", "data_set: a\ndata_set: b", "x: &x [*x]", "!!python/object:os.system {}"]
)
def test_what_is_no_mapping_is_refused(text: str) -> None:
    assert refused(text).startswith("database.yaml")


def test_a_file_that_is_not_there_is_refused_with_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="sfumato query draft"):
        read_database(tmp_path / "none.yaml")
    with pytest.raises(BadInput, match="this is a folder, not a file"):
        read_database(tmp_path)


def test_the_schema_accepts_what_is_read_and_refuses_unknown_keys() -> None:
    schema = database_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    data = json.loads(json.dumps(yaml.safe_load(TEXT), default=str))
    jsonschema.validate(data, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**data, "neighbors": "x"}, schema)


def uncommented(text: str) -> str:
    """Do what a draft asks for: declare its columns."""
    return text.replace("\n      # ", "\n      ")


def test_a_draft_holds_names_and_types_and_not_one_value(tmp_path: Path) -> None:
    table = pa.table(
        {
            "age": pa.array([17, 93]),
            "weight kg": pa.array([71.25, 99.5]),
            "name": pa.array(["Zebedee", "Quirin"]),
            "no": pa.array([True, False]),
            "born": pa.array([0, 77], pa.date32()),
        }
    )
    pq.write_table(table, tmp_path / "people.parquet")
    text = draft(tmp_path / "people.parquet")
    assert not any(value in text for value in ("17", "93", "71", "99", "Zebedee", "Quirin", "1970"))
    assert "never from the data" in text
    with pytest.raises(BadInput, match="declares no column"):
        parse_database(text)
    columns = parse_database(uncommented(text)).metadata.tables["people"].columns
    assert [(column.name, column.type.value) for column in columns.values()] == [
        ("age", "integer"),
        ("weight kg", "number"),
        ("name", "category"),
        ("no", "boolean"),
        ("born", "date"),
    ]
    assert all(column.values is None for column in columns.values())


def test_a_draft_of_a_csv_file_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "visits.2026.csv").write_text("id,cost,on\n1,2.5,2026-01-31\n2,3.5,2026-02-01\n")
    (tmp_path / "database.yaml").write_text(uncommented(draft(tmp_path / "visits.2026.csv")))
    found = read_database(tmp_path / "database.yaml")
    assert found.metadata.tables["visits"].source == "visits.2026.csv"
    assert found.metadata.tables["visits"].columns["on"].type is Type.DATE
    with pytest.raises(BadInput):
        draft(tmp_path / "nothing.csv")
