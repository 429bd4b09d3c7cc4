"""Columns that would undo the work: released as they are, and telling what was taken out of the notes.

Whoever reads a true day beside a note whose dates were moved can subtract, and knows all dates of that
person; a day beside notes that tell years only undoes just that; a second column of free text is searched by
nobody. All are refused, by looking at every value.
"""

from __future__ import annotations

import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from sfumato.core.errors import BadInput
from sfumato.recipe.kept_columns import sightings
from sfumato.recipe.text.job import TextJob

LONGEST = 200
"""characters beyond which a value is a text, and no name of a ward or a diagnosis"""
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|ene|abr|ago|dic|mayo|enero|abril|agosto|diciembre"
_DAY = re.compile(
    r"\s*(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})"
    rf"|\d{{1,2}}[ .-]{{0,2}}(?:{_MONTHS})[a-z]{{0,7}}[ ,.-]{{0,2}}(?:\d{{4}}|\d{{2}})"
    rf"|(?:{_MONTHS})[a-z]{{0,7}}\.? \d{{1,2}},? \d{{4}})(?:[T ,;].{{0,40}})?\s*",
    re.IGNORECASE,
)


def refuse_telling_columns(job: TextJob, path: Path) -> None:
    """Refuse released columns without a mask that hold days, or texts."""
    plain = [name for name in job.schema.released if name != job.text and name not in job.masking.masks]
    if not plain:
        return
    for piece in pq.ParquetFile(path).iter_batches(batch_size=4096, columns=plain):
        for name in plain:
            _refuse(name, piece.column(name), moved=job.method.moves_dates)


def _refuse(name: str, values: pa.Array, *, moved: bool) -> None:
    days = pa.types.is_temporal(values.type) and not pa.types.is_time(values.type)
    texts = {str(value) for value in values.to_pylist() if value is not None}
    if (days and texts) or any(map(is_day, texts)):
        if moved:
            raise BadInput(
                "it holds days as they are, and those of the notes are moved: together they tell by how much",
                where=f"column '{name}'",
                remedy="give it the mask date-shift or year, or the role identifier",
            )
        raise BadInput(
            "it holds days as they are, and in the notes days are taken out",
            where=f"column '{name}'",
            remedy="give it the mask year, or the role identifier",
        )
    found = next((one for one in sightings(name, dict.fromkeys(texts, 1)) if one.sure), None)
    if found is not None:
        raise BadInput(
            f"it holds {found.plural}, and would be released as it is",
            where=f"column '{name}'",
            remedy="give it the role identifier, or a mask",
        )
    if any(len(text) > LONGEST or "\n" in text or "\r" in text for text in texts):
        raise BadInput(
            "it holds texts that nobody searches, and would be released as it is",
            where=f"column '{name}'",
            remedy="give it the role identifier, or release it by a recipe of its own as the text",
        )


def is_day(text: str) -> bool:
    """Say whether a value is one day, however it is written.

    >>> [is_day(text) for text in ("2003-01-17", "17.1.2003 10:30", "17-Jan-03", "2003", "A1-12")]
    [True, True, True, False, False]
    """
    return _DAY.fullmatch(text) is not None
