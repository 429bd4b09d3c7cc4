"""What a method decided, in a form that every engine applies in one pass.

``PerAttribute``  each column has its own map from value to label (full-domain generalisation).
``PerCell``       each combination of values has its own box (Mondrian).
``PerRecord``     each row has its own box (clustering).

Tables inside are Arrow tables: they travel to any engine. Labels are text or missing (null).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow as pa

VALUE = "value"
LABEL = "label"


@dataclass(frozen=True)
class PerAttribute:
    """A map for each generalised column; columns without a map stay as they are.

    ``maps[column]`` has the columns ``value`` (as in the data, null for missing) and ``label``.
    ``suppressed`` lists the *published* combinations over ``quasi`` whose rows are left out: one
    column for each of ``quasi``, text where the column has a map, else the value.
    """

    quasi: tuple[str, ...]
    maps: Mapping[str, pa.Table]
    suppressed: pa.Table | None = None


@dataclass(frozen=True)
class PerCell:
    """A box for each combination of values.

    ``cells`` has the columns ``quasi`` (as in the data) and BOX; ``boxes`` has BOX and for
    each of ``quasi`` a label. A cell without a box (null) is suppressed.
    """

    quasi: tuple[str, ...]
    cells: pa.Table
    boxes: pa.Table


@dataclass(frozen=True)
class PerRecord:
    """A box for each row.

    ``rows`` has the columns ROW_ID (as ``read`` gave it) and BOX; ``boxes`` as above. A
    row without a box is suppressed.
    """

    quasi: tuple[str, ...]
    rows: pa.Table
    boxes: pa.Table


Recoding = PerAttribute | PerCell | PerRecord
