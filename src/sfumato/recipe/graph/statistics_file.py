"""Write released statistics of a network, and see that a file holds them and nothing else."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq

from sfumato.core.files import read_bytes, unpacked_bytes
from sfumato.core.temporary import temporary_folder
from sfumato.graph.contract import Statistics
from sfumato.graph.writing import statistics_table, write_statistics
from sfumato.recipe.text.on_disk import remarks_in

_FLAGS = 3
"""where a packed file says whether it carries a name or a remark; 0 is neither"""


def is_canonical(path: Path, statistics: Statistics) -> bool:
    """Write what was read once more and compare: whatever a reader passes over would be missing then."""
    if path.suffix == ".parquet":
        found = pq.read_table(path)
        return not remarks_in(path) and bool(found.equals(statistics_table(statistics)))
    content = read_bytes(path)
    if path.suffix == ".gz":
        if content[_FLAGS]:
            return False
        content = unpacked_bytes(path)
    with temporary_folder() as folder:
        again = folder / "data.csv"
        write_statistics(statistics, again)
        return again.read_bytes() == content
