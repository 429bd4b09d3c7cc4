"""Carry a masking plan out: consent first, then damaged values, then masks; nothing leaves the engine but
the distinct values of masked columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import pyarrow as pa
import pyarrow.compute as pc

from sfumato.core.domain import as_text
from sfumato.core.errors import BadInput
from sfumato.core.schema import Role, Schema
from sfumato.engine.contract import Layout, Table
from sfumato.engine.names import BOX
from sfumato.engine.recoding import LABEL, VALUE, PerAttribute, PerCell
from sfumato.masking.consent import with_consent
from sfumato.masking.contract import Secrets, ValueMask
from sfumato.masking.frequency import Frequencies, refuse_telling
from sfumato.masking.plan import REDUCTIONS, MaskingPlan
from sfumato.masking.repair import OPEN_AGE, REPAIRS
from sfumato.masking.repair import mended as mended_values
from sfumato.masking.shift import FIRST_YEAR, LAST_YEAR, DateShift, moved
from sfumato.masking.vault import Vault

_READ_AS = {"year": "date", "birth-year": "birth-date", "age-90": OPEN_AGE, "zip3": "zip"}
"""what a column must be for a mask to make sense"""


@dataclass(frozen=True)
class Masked:
    """A table without its identifiers (nothing written yet), and what was done to it."""

    table: Table
    before: Table
    """the rows of people who agreed, with all their values"""
    secrets: Secrets
    repairs: tuple[str, ...] = ()
    mended: tuple[str, ...] = ()
    """columns without a mask that show other values than they had, because these were damaged"""
    rows_withheld: int = 0
    persons_withheld: int = 0


def mask_table(table: Table, schema: Schema, plan: MaskingPlan, vault: Vault | None = None) -> Masked:
    """Leave out who did not agree, mend what is damaged, mask what identifies.

    Codes go on from ``vault``, or else from the file that the plan names.
    """
    if vault is None:
        vault = Vault.read(plan.vault) if plan.vault else Vault()
    secrets = Secrets(plan.key, plan.scope, vault)
    before, rows, persons = table, 0, 0
    if plan.consent is not None:
        agreed = with_consent(table, plan.consent, schema.person)
        before, rows, persons = agreed.table, agreed.rows, agreed.persons
    current = _shifted(before, schema, plan, secrets)
    maps: dict[str, pa.Table] = {}
    repairs: list[str] = []
    mended: list[str] = []
    for name in schema.released:
        mask = plan.masks.get(name)
        kind = _READ_AS.get(mask.name if mask else "", plan.kinds.get(name, ""))
        if isinstance(mask, DateShift) or (mask is None and kind not in REPAIRS):
            continue
        column = _Column.of(current, name, schema.person)
        meant = _meant(column, kind, repairs)
        if mask is not None:
            if mask.repeats:
                refuse_telling(name, mask.name, column.frequencies)
            maps[name] = column.map_to(cast(ValueMask, mask).labels(meant, secrets))
        elif meant != column.texts:
            maps[name] = column.map_to(meant)
            mended.append(name)
    if maps:
        recoding = PerAttribute((), maps)
        current = current.engine.recode(current, recoding, Layout(current.names, ()))
    return Masked(current, before, secrets, tuple(repairs), tuple(mended), rows, persons)


def mask_population(table: Table, schema: Schema, plan: MaskingPlan) -> Table:
    """Reduce the quasi-identifiers of a population as those of the table drawn from it."""
    reduced = [field for field in schema.fields if field.role is Role.QUASI_IDENTIFIER]
    fields = tuple(field for field in reduced if field.name in table.names)
    masks = {field.name: plan.masks[field.name] for field in fields if field.name in plan.masks}
    if not masks:
        return table
    for name, mask in masks.items():
        if not isinstance(mask, REDUCTIONS):
            raise BadInput(
                f"'{mask.name}' hides a quasi-identifier that is compared with the population",
                where=f"column '{name}'",
                remedy="take the mask or the population away",
            )
    return mask_table(table, Schema(fields), MaskingPlan(masks, plan.kinds)).table


@dataclass(frozen=True)
class _Column:
    """The distinct values of a column that are not missing, as they are and as text."""

    table: Table
    name: str
    values: pa.Array
    texts: list[str]
    rows: list[int]
    persons: list[int]
    of_people: bool = False

    @classmethod
    def of(cls, table: Table, name: str, person: str | None) -> _Column:
        batches = list(table.engine.count(table, [name], person=person))
        found = pa.Table.from_batches(batches).rename_columns([VALUE, "rows", "persons"])
        found = found.filter(pc.is_valid(found[VALUE]))
        values = found[VALUE].combine_chunks()
        return cls(
            table,
            name,
            values,
            [as_text(value) for value in values.to_pylist()],
            found["rows"].to_pylist(),
            found["persons"].to_pylist(),
            person is not None,
        )

    @property
    def frequencies(self) -> Frequencies:
        """How the persons spread over the values."""
        most = max(self.persons, default=0)
        return Frequencies(len(self.texts), sum(self.persons), most, of_people=self.of_people)

    def map_to(self, labels: Sequence[str | None]) -> pa.Table:
        """Return a map that engines can join with."""
        return pa.table({VALUE: self.values, LABEL: pa.array(labels, pa.string())})

    def refuse(self, broken: Sequence[int], wrong: str, remedy: str) -> None:
        """Stop at values that cannot be read; rows and counts are named, never values."""
        if not broken:
            return
        strange = pa.table({self.name: self.values.take(pa.array(broken[:1000]))})
        first = self.table.engine.first_rows(self.table, [self.name], strange, 1)
        number = sum(self.rows[place] for place in broken)
        many = "1 row has" if number == 1 else f"{number} rows have"
        where = f" (first row {first[0]})" if first else ""
        raise BadInput(f"{many} {wrong}{where}", where=f"column '{self.name}'", remedy=remedy)


def _meant(column: _Column, kind: str, repairs: list[str]) -> list[str]:
    """Mend the values of a column by its kind; note what was mended."""
    if kind not in REPAIRS:
        return column.texts
    repair = REPAIRS[kind]
    found = mended_values(kind, column.texts)
    column.refuse(found.broken, repair.wrong, repair.remedy)
    if found.changed:
        number = sum(column.rows[place] for place in found.changed)
        repairs.append(f"column '{column.name}': {number} {repair.done}")
    return found.values


def _shifted(table: Table, schema: Schema, plan: MaskingPlan, secrets: Secrets) -> Table:
    """Move the dates of every person."""
    masks = {name: mask for name, mask in plan.masks.items() if isinstance(mask, DateShift)}
    if not masks:
        return table
    person = str(schema.person)
    if len({mask.days for mask in masks.values()}) > 1:
        raise BadInput(
            "dates of a person move together, so 'days' of date-shift must be the same everywhere",
            where=f"columns {', '.join(masks)}",
            remedy="give one number of days",
        )
    names = (person, *masks)
    batches = list(table.engine.count(table, list(names)))
    cells = pa.Table.from_batches(batches).select(range(len(names))).rename_columns(list(names))
    persons = [as_text(value) for value in _present(cells[person], table, person)]
    by = next(iter(masks.values())).shifts(persons, secrets)
    boxes: dict[str, Any] = {BOX: pa.array(range(cells.num_rows), pa.int64()), person: pa.array(persons)}
    for name in masks:
        column = _Column.of(table, name, person)
        meant = [moved(text, 0) for text in column.texts]
        broken = [place for place, text in enumerate(meant) if text is None]
        column.refuse(
            broken,
            f"no date such as 2024-02-29 of the years {FIRST_YEAR} to {LAST_YEAR}",
            "write dates as year-month-day, and nothing where a day such as 9999-12-31 stands for none",
        )
        given = [None if value is None else as_text(value) for value in cells[name].to_pylist()]
        labels = [None if text is None else moved(text, days) for text, days in zip(given, by, strict=True)]
        boxes[name] = pa.array(labels, pa.string())
    recoding = PerCell(names, cells.append_column(BOX, boxes[BOX]), pa.table(boxes))
    return table.engine.recode(table, recoding, Layout(table.names, ()))


def _present(column: pa.ChunkedArray, table: Table, person: str) -> list[Any]:
    if column.null_count:
        raise BadInput(
            f"{column.null_count} rows or more do not say whose they are",
            where=f"column '{person}'",
            remedy="give every row its person",
        )
    return list(column.to_pylist())


def treatment_after(done: str, then: str) -> str:
    """Say what was done before and after.

    >>> treatment_after("mended", "generalised to level 1 of 2"), treatment_after("mended", "unchanged")
    ('mended, then generalised to level 1 of 2', 'mended')
    """
    return done if then in ("unchanged", "released as it is") else f"{done}, then {then}"
