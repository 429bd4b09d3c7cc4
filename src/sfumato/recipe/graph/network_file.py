"""Write a network or a grouping that is released, and read it again from its bytes alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from sfumato.core.errors import SfumatoError
from sfumato.core.files import read_bytes, unpacked_bytes
from sfumato.core.system import system_problem
from sfumato.core.temporary import temporary_folder
from sfumato.graph.grouped import Grouped
from sfumato.graph.network import Network
from sfumato.graph.reading import read_grouped, read_network
from sfumato.graph.writing import edges_table, grouped_tables, nodes_table, write_grouped, write_network
from sfumato.recipe.graph.network_schema import files_of
from sfumato.recipe.text.on_disk import remarks_in

Published = Network | Grouped


def write_published(published: Published, format_: str, folder: Path) -> Path:
    """Write what has its new numbers; return the path of the released file."""
    file, more = files_of(_form(published), format_)
    if isinstance(published, Grouped):
        write_grouped(published, folder, f".{format_}")
    else:
        write_network(published, folder / file, nodes=folder / more[0] if more else None)
    return folder / file


def read_published(folder: Path, form: str, format_: str) -> Published:
    """Read what was written; raises ``BadInput`` where it is otherwise than it is written."""
    file, more = files_of(form, format_)
    if form == "grouping":
        try:
            return read_grouped(folder)
        except (OSError, pa.ArrowException) as problem:
            raise _unreadable(problem, folder / file) from None
    try:
        return read_network(folder / file, folder / more[0] if more else None)
    except (OSError, pa.ArrowException) as problem:
        raise _unreadable(problem, folder / file) from None


def _unreadable(problem: Exception, path: Path) -> SfumatoError:
    return system_problem(problem, "the file cannot be read", where=str(path), remedy="get the release again")


def same(one: Published, other: Published) -> bool:
    """Say whether two are the same, number by number."""
    if isinstance(one, Grouped) and isinstance(other, Grouped):
        return all(
            np.array_equal(getattr(one, name), getattr(other, name))
            for name in ("sizes", "inside", "links", "between")
        )
    if not isinstance(one, Network) or not isinstance(other, Network):
        return False
    edges = np.array_equal(one.offsets, other.offsets) and np.array_equal(one.neighbours, other.neighbours)
    return edges and _words_of(one) == _words_of(other)


def _words_of(network: Network) -> list[str] | None:
    """Return the label of each node as it is written; numbers of labels may be others after reading."""
    if network.labels is None:
        return None
    return [network.words[label] for label in network.labels.tolist()]


def is_canonical(folder: Path, published: Published, format_: str) -> bool:
    """Write what was read once more and compare: whatever a reader passes over would be missing then."""
    file, more = files_of(_form(published), format_)
    if isinstance(published, Grouped) and not _ascending(published.links):
        # Links are kept as they are read, and an order that somebody chose can carry a message.
        return False
    if format_ == "parquet":
        tables = (
            grouped_tables(published)
            if isinstance(published, Grouped)
            else (edges_table(published), nodes_table(published))
        )
        return all(
            _same_table(folder / name, table) for name, table in zip((file, *more), tables, strict=True)
        )
    with temporary_folder() as again:
        write_published(published, format_, again)
        return all(_bytes(folder / name) == _bytes(again / name) for name in (file, *more))


def _ascending(links: NDArray[np.int64]) -> bool:
    return bool((np.lexsort((links[:, 1], links[:, 0])) == np.arange(len(links))).all())


def _same_table(path: Path, expected: pa.Table) -> bool:
    if remarks_in(path):
        return False
    found = pq.read_table(path)
    return found.schema.equals(expected.schema, check_metadata=True) and bool(found.equals(expected))


def _bytes(path: Path) -> tuple[bytes, bytes]:
    """Return the bytes of a file; of packed ones what is inside, and the words of the packing itself: flags
    and a time, where a name could stand."""
    if path.suffix != ".gz":
        return b"", read_bytes(path)
    return read_bytes(path)[3:8], unpacked_bytes(path)


def _form(published: Published) -> str:
    return "grouping" if isinstance(published, Grouped) else "network"
