"""Carry perturbations out, one after the other, on the records in memory."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import pyarrow as pa

from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.core.randomness import Random
from sfumato.core.schema import Role, Schema
from sfumato.engine.contract import Table
from sfumato.engine.sources import Frame
from sfumato.table.perturbation.contract import Mechanism, Perturbation
from sfumato.table.perturbation.randomisation_small_domain import SmallDomainRandomisation
from sfumato.table.perturbation.synthetic import Synthetic

_COPIES = 3
"""what steps were seen to hold at once: the records before and after, and columns as numbers"""
_BYTES = {"string": 40, "other": 40}
_HIDDEN = (Role.PERSON, Role.IDENTIFIER)


@dataclass(frozen=True)
class Done:
    """What one step did: ``published`` for everybody, ``details`` for the steward."""

    step: Perturbation
    mechanisms: tuple[Mechanism, ...] = ()
    details: Mapping[str, int | float | str] = field(default_factory=dict)
    published: Mapping[str, int | float | str] = field(default_factory=dict)


@dataclass(frozen=True)
class Perturbations:
    """A table after all its steps."""

    table: Table
    done: tuple[Done, ...]
    secret: bool
    """whether chance came from the operating system; else nothing of it may be published"""
    left_out: int = 0
    """rows that were not drawn into a sample"""

    @property
    def truthful(self) -> bool:
        """Whether every value that is left is still true."""
        return all(one.step.truthful for one in self.done)

    @property
    def mechanisms(self) -> tuple[Mechanism, ...]:
        """How columns were randomised."""
        return tuple(mechanism for one in self.done for mechanism in one.mechanisms)

    def of(self, column: str) -> tuple[str, ...]:
        """The names of the steps that changed a column."""
        return tuple(one.step.name for one in self.done if column in one.step.columns)


def check_steps(steps: Sequence[Perturbation], schema: Schema) -> None:
    """Refuse columns that are not there, and those that name people."""
    parted: set[str] = set()
    for step in steps:
        for name in step.columns:
            if name in parted:
                raise BadInput(
                    f"rows were randomised by it before, and {step.name} would change it",
                    where=f"column '{name}'",
                    remedy=f"put {step.name} first, or leave it out",
                )
            if name not in schema.columns:
                raise BadInput(
                    f"there is no column '{name}' to be perturbed by {step.name}",
                    remedy=nearest(name, schema.columns),
                )
            role = schema.field(name).role
            if role in _HIDDEN or name not in schema.released:
                raise BadInput(
                    f"it is declared {role} and cannot be perturbed by {step.name}",
                    where=f"column '{name}'",
                    remedy="perturb columns that are released; a person or identifier is left out",
                )
        if isinstance(step, Synthetic):
            _refuse_codes(step, schema)
        if isinstance(step, SmallDomainRandomisation):
            parted.add(step.by)
        for key in ("strata", "match"):
            for name in getattr(step, key, ()):
                if name not in schema.columns:
                    raise BadInput(
                        f"there is no column '{name}' for '{key}' of {step.name}",
                        remedy=nearest(name, schema.columns),
                    )


def _refuse_codes(step: Synthetic, schema: Schema) -> None:
    """Records of nobody have no codes that could be revealed, nor covered names."""
    for field_ in schema.fields:
        if field_.masked and field_.role in _HIDDEN:
            raise BadInput(
                f"its values are masked, and {step.name} records are nobody's",
                where=f"column '{field_.name}'",
                remedy="take the mask away, so that the column is left out",
            )


def perturb(
    table: Table,
    schema: Schema,
    steps: Sequence[Perturbation],
    random: Random,
    memory: int,
    progress: Progress = SILENT,
) -> Perturbations:
    """Bring all records into memory and carry the steps out in their order. ``memory`` is the limit."""
    check_steps(steps, schema)
    rows = table.engine.rows(table)
    _refuse_too_many(table, rows, memory)
    progress.step("bringing all records into memory")
    records: pa.Table = table.engine.arrow(table)
    done = []
    for step in steps:
        progress.step(f"perturbing: {step.name}")
        after = with_person(step, schema.person).apply(records, random)
        records = after.records
        done.append(Done(step, after.mechanisms, after.details, after.published))
    left_out = rows - records.num_rows
    return Perturbations(table.engine.read(Frame(records)), tuple(done), random.secret, left_out)


def with_person(step: Perturbation, person: str | None) -> Perturbation:
    """Tell a step that counts people which column names them, unless it was told."""
    if getattr(step, "person", "") is None and person is not None:
        return cast(Perturbation, dataclasses.replace(cast(Any, step), person=person))
    return step


def _refuse_too_many(table: Table, rows: int, memory: int) -> None:
    needed = _COPIES * rows * sum(_BYTES.get(column.type, 9) for column in table.columns)
    if needed > memory:
        raise BadInput(
            f"perturbing needs all {rows} records in memory, about {needed / 1e9:.1f} GB, and the limit is "
            f"{memory / 1e9:.1f} GB",
            remedy="raise 'memory', or leave out columns that are not released",
        )
