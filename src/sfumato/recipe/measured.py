"""Measures of analytic tasks, asked for by name: from a recipe, or for any two tables.

They are computed from the raw records, so what they find is for the steward alone.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core import evidence as ev
from sfumato.core.errors import BadInput
from sfumato.core.named import measures_named
from sfumato.core.schema import Role
from sfumato.engine import open_engine
from sfumato.engine.contract import Order
from sfumato.engine.frames import to_arrow
from sfumato.engine.recoding import PerRecord
from sfumato.engine.sources import CsvFile, Frame, ParquetFile, Source, SqlTable, source_of
from sfumato.hierarchy import Hierarchy, from_spec
from sfumato.recipe.on_disk import ReleaseOnDisk
from sfumato.recipe.outcome import Outcome
from sfumato.table.published import PublishedTable
from sfumato.table.recoding import to_recoding
from sfumato.table.utility.made_elsewhere import MEASURED, changed_columns, solution_of
from sfumato.table.utility.records import RecordMeasure, Records
from sfumato.table.utility.tasks import TASKS

Tasks = RecordMeasure | str | Mapping[str, Any] | Sequence[RecordMeasure | str | Mapping[str, Any]]


def tasks_of(given: Tasks) -> tuple[RecordMeasure, ...]:
    """Take measures as they are, or make them from the spelling of recipes."""
    return measures_named(TASKS, given, "measure")


def measured(tasks: Iterable[RecordMeasure], records: Records) -> list[ev.MeasureEvidence]:
    """Carry measures out."""
    found = []
    for task in tasks:
        outcome = task.measure(records)
        found.append(
            ev.MeasureEvidence(
                name=task.name,
                title=task.title,
                value=outcome.value,
                range=task.range,
                meaning=task.meaning,
                details=dict(outcome.details),
            )
        )
    return found


def measured_for(outcome: Outcome, released: PublishedTable) -> list[ev.MeasureEvidence]:
    """Carry out what a job asks for; the records come into memory only then."""
    job = outcome.job
    if not job.measures:
        return []
    kept = [name for name in job.schema.released if name in outcome.original.names]
    original = outcome.original.engine.arrow(outcome.original, order=Order.KEPT)
    shown, rows = _with_rows(outcome, original)
    if shown is None:
        shown = released.table.engine.arrow(released.table)
    hierarchies = outcome.protected.start.hierarchies
    records = Records(original.select(kept), shown.select(kept), job.schema.quasi, hierarchies, rows)
    return measured(job.measures, records)


def _with_rows(outcome: Outcome, original: pa.Table) -> tuple[pa.Table | None, NDArray[np.int64] | None]:
    """Recode the original once more with its rows numbered, to know which became which.

    Not where records were masked, perturbed or generalised before they were counted, nor where each row
    has a box of its own: then nobody says which row became which, and measures go without.
    """
    protected = outcome.protected
    recoding = to_recoding(protected.solution, protected.counted, protected.ladders)
    if protected.start.table.name != outcome.original.name or isinstance(recoding, PerRecord):
        return None, None
    engine = outcome.original.engine
    place = next(
        name for name in map("row {}".format, itertools.count()) if name not in original.column_names
    )
    numbered = engine.read(Frame(original.append_column(place, pa.array(np.arange(original.num_rows)))))
    layout = replace(protected.layout, columns=(*protected.layout.columns, place))
    shown = engine.arrow(engine.recode(numbered, recoding, layout))
    return shown, np.asarray(shown.column(place).to_numpy(), np.int64)


def utility(
    original: Any,
    released: Any,
    *,
    measures: Tasks | None = None,
    quasi: str | Iterable[str] | None = (),
    hierarchies: Mapping[str, Hierarchy | str | Mapping[str, Any]] | None = None,
    aligned: bool = False,
) -> dict[str, ev.MeasureEvidence]:
    """Measure what a release has lost, or how well tasks can be done with it, whoever made it.

    Both are frames, or paths of CSV or Parquet files, with the same column names; the release may also be the
    folder of one, or what ``protect`` returned. Without ``measures`` it is measured how wide the published
    values are and how large the classes: GCP, NCP, the loss metric, UM, DM and C_AVG, on the ``quasi``
    -identifiers (those of the release, or else the columns that show anything but values of the original).
    With ``measures`` these tasks are carried out instead. ``hierarchies`` are needed only for labels that
    cannot be read by themselves; ``aligned`` says that row i of the release came from row i of the original.

    >>> import pandas as pd
    >>> before = pd.DataFrame({"age": [20, 30, 60, 90]})
    >>> after = pd.DataFrame({"age": ["[20-30]", "[20-30]", "[60-90]", "[60-90]"]})
    >>> utility(before, after)["discernibility"].value
    8.0
    >>> people = pd.DataFrame({"age": [21, 30], "ill": ["a", "b"]})
    >>> shown = pd.DataFrame({"age": ["[21-30]", "[21-30]"], "ill": ["a", "b"]})
    >>> found = utility(people, shown, quasi="age", measures={"query-error": {"sql": ["age = 30"]}})
    >>> round(found["query-error"].value, 3)
    0.8
    """
    shown, own = _released(released)
    tables = [_arrow(original), shown]
    rows = None
    if aligned:
        if tables[0].num_rows != tables[1].num_rows:
            raise BadInput(
                f"the original has {tables[0].num_rows} rows and the release {tables[1].num_rows}",
                remedy="rows can be aligned only one by one: leave out 'aligned'",
            )
        rows = np.arange(tables[0].num_rows, dtype=np.int64)
    laid = {
        name: spec if hasattr(spec, "ladder") else from_spec(spec, Path())
        for name, spec in (hierarchies or {}).items()
    }
    names = ((quasi,) if isinstance(quasi, str) else tuple(quasi or ())) or own
    records = Records(tables[0], tables[1], names, laid, rows)
    found = lost(records) if measures is None else measured(tasks_of(measures), records)
    return {one.name: one for one in found}


def lost(records: Records) -> list[ev.MeasureEvidence]:
    """Measure how wide the values of a release are and how large its classes, from its labels alone."""
    if not records.quasi:
        records = replace(records, quasi=changed_columns(records))
    if not records.quasi:
        raise BadInput(
            "every column of the release shows values of the original alone, so that none is seen to be a "
            "quasi-identifier",
            remedy="name them: quasi=['age', 'sex']",
        )
    solution = solution_of(records)
    details: dict[str, int | float | str] = {
        "columns": ", ".join(records.quasi),
        "suppressed_records": solution.suppressed_rows,
    }
    found = ((measure, measure.of(solution)) for measure in MEASURED)
    return [
        ev.MeasureEvidence(
            name=measure.name,
            title=measure.title,
            value=value,
            range=measure.range,
            meaning=measure.meaning,
            details=dict(details),
        )
        for measure, value in found
        if value is not None
    ]


def _released(data: Any) -> tuple[Any, tuple[str, ...]]:
    """Read a release, and the quasi-identifiers that it names."""
    if isinstance(data, str | Path) and Path(data).is_dir():
        engine = open_engine("duckdb")
        try:
            published = ReleaseOnDisk.read(data).published(engine)
            return engine.arrow(published.table), published.quasi
        finally:
            engine.close()
    public = getattr(data, "public", None)
    if isinstance(public, ev.PublicEvidence):
        roles = {column.name: column.role for column in public.columns}
        return _arrow(data.data), tuple(name for name, role in roles.items() if role == Role.QUASI_IDENTIFIER)
    return _arrow(data), ()


def _arrow(data: Any) -> Any:
    if not isinstance(data, str | Path | CsvFile | ParquetFile | SqlTable | Frame):
        return to_arrow(data)
    source: Source = source_of(data) if isinstance(data, str | Path) else data
    engine = open_engine("duckdb")
    try:
        return engine.arrow(engine.read(source))
    finally:
        engine.close()
