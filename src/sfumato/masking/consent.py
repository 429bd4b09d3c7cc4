"""Consent: people who opted out are gone before anything is counted.

Where a column names the person, one row without consent takes all rows of that person away. A missing
answer is no consent.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa

from sfumato.core.domain import as_text
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.engine.contract import Layout, Table
from sfumato.engine.recoding import PerAttribute


@dataclass(frozen=True)
class Consent:
    """The column that holds the answers, and the answers that mean yes."""

    column: str
    keep: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.keep:
            raise BadInput("consent keeps no answer", remedy="list the answers that mean yes under 'keep'")


@dataclass(frozen=True)
class Consented:
    """The rows of people who agreed, and how many did not."""

    table: Table
    rows: int
    persons: int
    """who were left out; rows where no column names the person"""


def with_consent(table: Table, consent: Consent, person: str | None) -> Consented:
    """Leave out who did not agree."""
    if consent.column not in table.names:
        raise BadInput(f"there is no column '{consent.column}' for consent", remedy="check 'consent'")
    keys = [consent.column] if person in (None, consent.column) else [str(person), consent.column]
    rows: dict[object, int] = {}
    refusing: dict[object, None] = {}
    for key, answer, number in _answers(table, keys):
        rows[key] = rows.get(key, 0) + number
        if answer is None or as_text(answer) not in consent.keep:
            refusing[key] = None
    refused = list(refusing)
    left_out = sum(rows[key] for key in refused)
    if left_out == sum(rows.values()):
        raise PromiseNotMet(
            "nobody is left: no row has an answer that 'consent' keeps",
            where=f"column '{consent.column}'",
            remedy="check how the answers are written in the data and under 'keep'",
        )
    if not refused:
        return Consented(table, 0, 0)
    kept = _without(table, keys[0], refused)
    persons = len(refused) if len(keys) > 1 else left_out
    return Consented(kept, left_out, persons)


def _answers(table: Table, keys: list[str]) -> Iterator[tuple[object, object, int]]:
    """Return who (or the answer itself), the answer and the number of rows."""
    for batch in table.engine.count(table, keys):
        columns = [column.to_pylist() for column in batch.columns]
        yield from zip(columns[0], columns[len(keys) - 1], columns[len(keys)], strict=True)


def _without(table: Table, column: str, values: list[object]) -> Table:
    kind = next(batch.schema.field(0).type for batch in table.engine.count(table, [column]))
    suppressed = pa.table({column: pa.array(values, kind)})
    recoding = PerAttribute((column,), {}, suppressed)
    return table.engine.recode(table, recoding, Layout(table.names, (column,)))
