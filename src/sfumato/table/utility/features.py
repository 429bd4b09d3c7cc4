"""Records as numbers for models: labels of an axis by their middle, sets spread over their values.

A label {a, b} becomes half an a and half a b, so that a model that was trained on a release can be asked
about original records.
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import MissingPart
from sfumato.table.utility.labels import Members
from sfumato.table.utility.records import Records

MOST_VALUES = 50
"""values of a category that get a place of their own: the most frequent ones of the original"""


def learning_part(name: str) -> Any:
    """Import a part of scikit-learn, which is optional."""
    try:
        return importlib.import_module(f"sklearn.{name}")
    except ImportError:
        raise MissingPart("scikit-learn is not installed", remedy="install sfumato[learn]") from None


def features(records: Records, columns: tuple[str, ...], *, released: bool) -> NDArray[np.float64]:
    """Return one row of numbers for each record; both tables are scaled by the original."""
    return np.column_stack([_column(records, name, released=released) for name in columns])


def _column(records: Records, name: str, *, released: bool) -> NDArray[np.float64]:
    if records.reader(name).on_axis:
        known = records.numbers(name, released=False)
        known = known[~np.isnan(known)]
        centre, spread = float(known.mean()), float(known.std()) or 1.0
        scaled = (records.numbers(name, released=released) - centre) / spread
        return np.nan_to_num(scaled, nan=0.0)[:, None]
    codes = records.reader(name).codes
    original = records.side(name, released=False)
    counts = np.zeros(codes)
    for cover, many in zip(original.covers, np.bincount(original.shown), strict=True):
        assert isinstance(cover, Members)
        counts[cover.codes] += many
    places = np.sort(np.argsort(-counts, kind="stable")[: min(MOST_VALUES, codes)])
    side = records.side(name, released=released)
    spread_out = np.zeros((len(side.covers), codes))
    for row, cover in enumerate(side.covers):
        assert isinstance(cover, Members)
        spread_out[row, cover.codes] = 1.0 / cover.size
    return spread_out[:, places][side.shown]
