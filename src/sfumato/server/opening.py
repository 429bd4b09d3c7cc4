"""From files to a service: the data sets, their secrets, and the ledger beside them."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sfumato.core.errors import BadInput, SfumatoError
from sfumato.query.database import Database
from sfumato.query.ledger.accounts import Accounts, Role
from sfumato.query.ledger.contract import Budget, Scope
from sfumato.query.ledger.sql_ledger import SqlLedger
from sfumato.query.ledger.windows import admit
from sfumato.query.prepared import Prepared
from sfumato.query.spelling import DatabaseFile, read_database

OWNER = "owner"
LEDGER = "ledger.db"
SECRET = "SFUMATO_SECRET"
"""the environment's variable with the secret of the data sets, in hexadecimal digits"""
BY = "database file"


def ledger_url(text: str | None, beside: Path | None = None) -> str:
    """Return the address of a ledger: a path means SQLite, and nothing a file beside the data.

    >>> ledger_url("ledgers/main.db"), ledger_url("postgresql://db/ledger")
    ('sqlite:///ledgers/main.db', 'postgresql://db/ledger')
    """
    if text is None:
        return f"sqlite:///{(beside.parent if beside is not None else Path()) / LEDGER}"
    return text if "://" in text else f"sqlite:///{text}"


def secret_of(path: Path) -> bytes:
    """Return the secret of a data set: from the environment, or from a file that only its owner can read.

    It decides which rows of a person count, and whether data are the same as before: it must stay the same.
    """
    told = os.environ.get(SECRET)
    if told is not None:
        try:
            return bytes.fromhex(told)
        except ValueError:
            raise BadInput(
                "the secret is not hexadecimal", where=SECRET, remedy="openssl rand -hex 32"
            ) from None
    place = path.with_suffix(".secret")
    try:
        _made(place)
        return bytes.fromhex(place.read_text(encoding="ascii"))
    except (OSError, ValueError):
        raise BadInput(
            "the secret cannot be read or made", where=str(place), remedy="restore it from a copy"
        ) from None


def _made(place: Path) -> None:
    """Make a secret where there is none; never half of one, whatever happens meanwhile."""
    if place.exists():
        return
    fresh = place.with_name(f".{place.name}.{secrets.token_hex(8)}")
    handle = os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(32))
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(fresh, place)
    finally:
        fresh.unlink()


def usual_budgets(files: Sequence[DatabaseFile]) -> tuple[Budget, ...]:
    """Return the budgets that every new analyst is given; names are filled in then."""
    return tuple(replace(file.analyst_budget, name="") for file in files if file.analyst_budget is not None)


@dataclass(frozen=True)
class Opened:
    """All that a service needs."""

    databases: dict[str, Database]
    ledger: SqlLedger
    usual: tuple[Budget, ...]
    owner_key: str | None
    """shown once, when the owner was added"""

    def told(self) -> Iterator[str]:
        """Say to the owner what was opened."""
        for name, base in self.databases.items():
            yield f"Data set '{name}'" + (f", window '{base.window}'" if base.window else "")
        if self.owner_key is not None:
            yield f"The key of {OWNER}, shown this once: {self.owner_key}"

    def facts(self) -> Iterator[str]:
        """Say what was left out of the data: exact counts, without noise, for the owner alone."""
        for name, base in self.databases.items():
            for of in base.prepared.facts:
                yield (
                    f"{name}, table '{of.table}': {of.kept} of {of.rows} rows are kept; left out were "
                    f"{of.without_person} without a person, {of.not_admitted} of people of other windows, "
                    f"{of.beyond_rows_per_person} beyond the most rows of a person"
                )
                for column, count in of.made_missing.items():
                    yield f"  column '{column}': {count} values did not fit and are missing"

    def warm_up(self) -> None:
        """Load what questions need, by asking dummy data: the first analyst should not have to wait."""
        for base in self.databases.values():
            table = next(iter(base.metadata.tables)).replace('"', '""')
            with contextlib.suppress(SfumatoError):
                base.try_out(f'SELECT COUNT(*) FROM "{table}"', epsilon=1)

    def close(self) -> None:
        """Let go of data and ledger."""
        for base in self.databases.values():
            base.close()
        self.ledger.close()


def open_ledger(url: str) -> SqlLedger:
    """Open a ledger, made where there is none."""
    return SqlLedger(url) if SqlLedger.exists(url) else SqlLedger.create(url)


def open_all(paths: Sequence[Path], ledger: str | None, *, owner: bool) -> Opened:
    """Open every data set of a service, and its ledger; with ``owner`` one is added when it has none yet."""
    files = [read_database(path) for path in paths]
    names = [file.metadata.data_set for file in files]
    if len(set(names)) < len(names):
        raise BadInput("two files name the same data set", where="data_set", remedy="give each its own name")
    opened = open_ledger(ledger_url(ledger, paths[0]))
    databases: dict[str, Database] = {}
    try:
        for path, file in zip(paths, files, strict=True):
            databases[file.metadata.data_set] = open_database(path, file, opened)
        key = _owner_key(opened) if owner else None
    except BaseException:
        for base in databases.values():
            base.close()
        opened.close()
        raise
    return Opened(databases, opened, usual_budgets(files), key)


def _owner_key(ledger: SqlLedger) -> str | None:
    accounts = Accounts(ledger)
    if any(account.role is Role.OWNER for account in accounts.all()):
        return None
    return accounts.add(OWNER, Role.OWNER, by=BY)


def open_database(path: Path, file: DatabaseFile, ledger: SqlLedger) -> Database:
    """Register the data of a file, and give its budgets to the ledger where it has none."""
    metadata = file.metadata
    _refuse_nameless_windows(file, ledger)
    set_missing_budgets(file, ledger)
    for name, table in metadata.tables.items():
        if not table.source:
            raise BadInput(
                "the table has no source", where=f"{path.name}, tables.{name}", remedy="name its file"
            )
    secret = secret_of(path)
    sources = {name: path.parent / table.source for name, table in metadata.tables.items()}
    people = any(table.person is not None for table in metadata.tables.values())
    held = Prepared.register(
        metadata,
        sources,
        secret=secret,
        admit=(lambda hashes: admit(ledger, metadata.data_set, file.window, hashes)) if people else None,
    )
    return Database(metadata, held, ledger, window=file.window)


def set_missing_budgets(file: DatabaseFile, ledger: SqlLedger) -> None:
    """Set the budgets that a file declares, where the ledger has none: what the owner set later stays."""
    there = {(one.scope, one.name, one.window) for one in ledger.all_budgets(file.metadata.data_set)}
    missing = [one for one in file.budgets if (one.scope, one.name, one.window) not in there]
    if missing:
        ledger.set_budgets(missing, by=BY)


def _refuse_nameless_windows(file: DatabaseFile, ledger: SqlLedger) -> None:
    """Where rows do not say whose they are, a second window would give the same people new money."""
    nameless = [table.name for table in file.metadata.tables.values() if table.person is None]
    windows = {
        one.window for one in ledger.all_budgets(file.metadata.data_set) if one.scope is Scope.DATA_SET
    }
    if nameless and windows - {file.window}:
        raise BadInput(
            "the data set was asked under another window already, and its rows do not say whose they are",
            where=f"data set '{file.metadata.data_set}', table '{nameless[0]}'",
            remedy="declare 'person', or keep the window",
        )
