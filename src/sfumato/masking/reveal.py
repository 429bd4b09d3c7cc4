"""Turn pseudonyms back, for who holds the key or the vault.

A code that was not made with this key (or is not in this vault) stops the whole run: nothing is written
rather than a wrong name.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from sfumato.core.errors import BadInput, nearest
from sfumato.core.system import could_not
from sfumato.core.temporary import folder_beside
from sfumato.engine import open_engine
from sfumato.engine.contract import Layout, Order, Table
from sfumato.engine.recoding import LABEL, VALUE, PerAttribute
from sfumato.engine.sources import CsvFile, source_of
from sfumato.masking.contract import Scope, Secrets
from sfumato.masking.keys import KeySource
from sfumato.masking.pseudonyms import ReversiblePseudonym
from sfumato.masking.vault import Vault


@dataclass(frozen=True)
class Revealed:
    """Where the file with the values lies, and how many rows were revealed."""

    path: Path
    rows: int


def reveal(
    file: Path,
    column: str,
    out: Path,
    *,
    key: KeySource | None = None,
    vault: Path | None = None,
    scope: Scope | None = None,
    domain: str = "",
) -> Revealed:
    """Write a copy of a released file in which the codes of a column are the values again."""
    if (key is None) == (vault is None):
        raise BadInput("give either the key or the vault", remedy="use --key-env, --key-file or --vault")
    if os.path.lexists(out):
        raise BadInput("there is already such a file", where=str(out), remedy="choose another with --out")
    engine = open_engine("duckdb")
    try:
        source = source_of(file)
        if isinstance(source, CsvFile):
            source = CsvFile(file, ",", quoted_missing=False)
        table = engine.read(source)
        if column not in table.names:
            raise BadInput(
                f"there is no column '{column}'", where=str(file), remedy=nearest(column, table.names)
            )
        counted = pa.Table.from_batches(list(engine.count(table, [column])))
        counted = counted.filter(pc.is_valid(counted.column(0)))
        codes = [str(code) for code in counted.column(0).to_pylist()]
        values = _values(codes, key, vault, scope or Scope(), domain)
        _refuse_unknown(table, column, codes, values, vault is not None)
        labels = {column: pa.table({VALUE: counted.column(0), LABEL: pa.array(values, pa.string())})}
        revealed = engine.recode(table, PerAttribute((), labels), Layout(table.names, ()))
        # Engines write through files of their own, which others could read: so in a folder that they cannot.
        with folder_beside(out) as folder:
            stage = folder / out.name
            written = engine.write(revealed, stage, order=Order.KEPT)
            os.chmod(stage, 0o600)
            stage.rename(out)
        return Revealed(out, written)
    except OSError as problem:
        raise could_not(
            problem, "the file cannot be written", where=str(out), remedy="check the folder"
        ) from None
    finally:
        engine.close()


def _values(
    codes: Sequence[str], key: KeySource | None, vault: Path | None, scope: Scope, domain: str
) -> list[str | None]:
    if vault is not None and scope == Scope() and not domain:
        return Vault.read(vault).values_anywhere(codes)
    if vault is not None:
        return Vault.read(vault).values(codes, (scope.recipient, scope.purpose, domain))
    return ReversiblePseudonym(domain).values(codes, Secrets(key, scope))


def _refuse_unknown(
    table: Table, column: str, codes: Sequence[str], values: Sequence[str | None], from_vault: bool
) -> None:
    unknown = [code for code, value in zip(codes, values, strict=True) if value is None]
    if not unknown:
        return
    where = f"column '{column}'"
    if len(unknown) == len(codes):
        what = "vault" if from_vault else "key"
        raise BadInput(
            f"none of its {len(codes)} codes was made with this {what}, recipient, purpose and domain",
            where=where,
            remedy=f"check that this is the {what} of the release, and --recipient, --purpose and --domain",
        )
    rows = table.engine.first_rows(table, [column], pa.table({column: pa.array(unknown[:1000])}), 1)
    first = f" (first in row {rows[0]})" if rows else ""
    raise BadInput(
        f"{len(unknown)} of {len(codes)} codes are damaged or of another release{first}; nothing was written",
        where=where,
        remedy="get the release again",
    )
