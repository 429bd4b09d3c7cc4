"""Kinds are claims: identifiers in columns that a policy lets pass are stopped or warned of."""

from __future__ import annotations

import pandas as pd
import pytest

import sfumato as sf
from sfumato.engine import open_engine
from sfumato.masking import masking_plan
from sfumato.recipe.api import job_for
from sfumato.recipe.outcome import carry_out
from sfumato.recipe.warned_columns import warnings_for_the_steward

PLANTED = {
    "A names": "Ada Lovelace",
    "B places": "Boston MA 02131",
    "C dates": "03/15/1961",
    "D phones": "617-555-0199",
    "E fax": "fax 617-555-0142",
    "F mail": "ada@post.example",
    "G social security": "934-41-5864",
    "H records": "MRN 4839201",
    "I plans": "1EG4-TE5-MK73",
    "J accounts": "Acct 4839-2201",
    "K licences": "D1234567",
    "L vehicles": "1FTSW21P34ED12345",
    "M devices": "SN-48392-A",
    "N web": "https://people.example/ada",
    "O internet": "192.0.2.12",
    "P biometric": "fingerprint 9f8e7d6c",
    "Q photographs": "ada_face.jpg",
    "R others": "PT-0048392",
}
KINDS = {
    "other": ("flu", "cold", "asthma"),
    "state": ("Ohio", "MA", "New York"),
    "country": ("US", "Spain", "Chad"),
}


def look(values: list[str], kind: str, role: str) -> list[str]:
    """Return what the steward is warned of under Safe Harbor."""
    data = pd.DataFrame({"age": [30 + i % 2 for i in range(len(values))], "column": values})
    engine = open_engine("duckdb")
    try:
        job = job_for(
            data,
            engine,
            quasi=["age", *(["column"] if role == "quasi" else [])],
            sensitive=["column"] if role == "sensitive" else [],
            models=[sf.KAnonymity(2)],
            masking=masking_plan(kinds={"age": "age", "column": kind}, policy="safe-harbor"),
        )
        return list(warnings_for_the_steward(carry_out(job, engine)))
    finally:
        engine.close()


def told(values: list[str], kind: str, role: str) -> str:
    """Return what is said of the column, in an error or in warnings."""
    try:
        return "; ".join(one for one in look(values, kind, role) if "values look like" in one)
    except sf.BadInput as refused:
        return str(refused)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("what", PLANTED)
@pytest.mark.parametrize(("role", "planted"), [("sensitive", 30), ("sensitive", 1), ("quasi", 3)])
def test_a_planted_identifier_is_stopped_or_warned_of(what: str, kind: str, role: str, planted: int) -> None:
    clean = KINDS[kind]
    values = [clean[i % 3] for i in range(30 - planted)] + [PLANTED[what]] * planted
    said = told(values, kind, role)
    assert "column 'column'" in said
    assert PLANTED[what] not in said


@pytest.mark.parametrize("kind", KINDS)
def test_a_clean_column_is_neither_stopped_nor_warned_of(kind: str) -> None:
    assert told([KINDS[kind][i % 3] for i in range(30)], kind, "sensitive") == ""
