"""Metadata that could make a guarantee wrong without anybody noticing are refused, however they were made."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pyarrow as pa
import pytest

from sfumato.core.errors import BadInput
from sfumato.dp.price import Price
from sfumato.query.metadata import Column, Metadata, Table, Type
from sfumato.query.plan import plan
from sfumato.query.prepared import Prepared
from sfumato.query.run import exact
from sfumato.query.sql import understand
from tests.query.test_audit_answers import COLUMNS, SECRET, frame


def _swapped(one: Table, two: Table) -> dict[str, Table]:
    return {one.name: two, two.name: one}


FEW = Table("few", COLUMNS, "who", 1, 100)
MANY = Table("many", COLUMNS, "who", 50, 100)
CONTRADICTIONS = {
    "tables under each other's names": Metadata("d", _swapped(FEW, MANY)),
    "a column under another name": Metadata("d", {"few": replace(FEW, columns={"w": COLUMNS["v"]})}),
    "no rows of a person": Metadata("d", {"few": replace(FEW, rows_per_person=0)}),
    "no rows at all": Metadata("d", {"few": replace(FEW, max_rows=0)}),
    "no groups of a person": Metadata("d", {"few": FEW}, groups_per_person=0),
    "a delta of one": Metadata("d", {"few": FEW}, max_delta=Fraction(1)),
    "names in two cases": Metadata(
        "d", {"few": replace(FEW, columns={"v": COLUMNS["v"], "V": Column("V", Type.BOOLEAN)})}
    ),
    "our own names": Metadata("d", {"few": replace(FEW, person="__person")}),
    "the engine's name": Metadata(
        "d", {"few": replace(FEW, columns={"RowId": Column("RowId", Type.BOOLEAN)})}
    ),
    **{
        what: Metadata("d", {"few": replace(FEW, columns={"v": column})})
        for what, column in {
            "no grid": Column("v", Type.NUMBER, Fraction(0), Fraction(1), Fraction(0)),
            "a grid below 0": Column("v", Type.NUMBER, Fraction(0), Fraction(1), Fraction(-1)),
            "weeks": Column("v", Type.DATE, Fraction(0), Fraction(70), Fraction(7)),
            "bounds that cross": Column("v", Type.INTEGER, Fraction(1), Fraction(0)),
            "one bound": Column("v", Type.INTEGER, Fraction(1)),
            "a float": Column("v", Type.NUMBER, Fraction(0), float("nan")),  # type: ignore[arg-type] # wrong
            "a value twice": Column("v", Type.CATEGORY, values=("a", "b", "a")),
            "no values": Column("v", Type.CATEGORY, values=()),
        }.items()
    },
}


@pytest.mark.parametrize("public", CONTRADICTIONS.values(), ids=CONTRADICTIONS.keys())
def test_metadata_that_contradict_themselves_are_refused_however_they_were_made(public: Metadata) -> None:
    """Swapped tables, for one, would be planned with each other's rows per person: too little noise."""
    with pytest.raises(BadInput) as refused:
        Prepared.register(public, {name: frame([]) for name in public.tables}, secret=SECRET)
    assert refused.value.where


def test_values_that_differ_in_case_alone_are_two_groups() -> None:
    """Neither is folded into the other by the engine."""
    columns = {"c": Column("c", Type.CATEGORY, values=("a", "A", "a ", "ä", "a\u0308"))}
    public = Metadata("d", {"t": Table("t", columns, None, 1, 10)})
    held = Prepared.register(public, {"t": pa.table({"c": ["a", "A", "A", "a ", "a\u0308"]})}, secret=SECRET)
    planned = plan(understand("SELECT c, COUNT(*) FROM t GROUP BY c", public), public, Price.pure(1))
    (counts,) = exact(planned, held.cursor()).numbers
    assert counts is not None
    assert counts.tolist() == [[1, 2, 1, 0, 1, 0]]
