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
from sfumato.query.ledger.contract import Budget, Composition, Scope
from sfumato.query.ledger.sql_ledger import SqlLedger
from sfumato.query.ledger.windows import admit, windows_of
from sfumato.query.prepared import Prepared
from sfumato.query.spelling import DatabaseFile, read_database
from sfumato.server.bond import Bond, refuse_lost_ledger

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
    place = secret_place(path)
    try:
        _made(place)
        return bytes.fromhex(place.read_text(encoding="ascii"))
    except (OSError, ValueError):
        raise BadInput(
            "the secret cannot be read or made", where=str(place), remedy="restore it from a copy"
        ) from None


def secret_place(path: Path) -> Path:
    """Return the file of a data set's secret, where it does not come from the environment."""
    return path.with_suffix(".secret")


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
    overruled: tuple[str, ...] = ()
    """budgets of the files that do not count, since the ledger has others"""

    def told(self) -> Iterator[str]:
        """Say to the owner what was opened."""
        for name, base in self.databases.items():
            yield f"Data set '{name}'" + (f", window '{base.window}'" if base.window else "")
        yield from self.overruled
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


def open_ledger(url: str, paths: Sequence[Path] = ()) -> SqlLedger:
    """Open a ledger, made where there is none and none of these data sets ever had one."""
    if SqlLedger.exists(url):
        return SqlLedger(url)
    for path in paths:
        refuse_lost_ledger(path)
    return SqlLedger.create(url)


def open_all(paths: Sequence[Path], ledger: str | None, *, owner: bool) -> Opened:
    """Open every data set of a service, and its ledger; with ``owner`` one is added when it has none yet."""
    files = [read_database(path) for path in paths]
    names = [file.metadata.data_set for file in files]
    if len(set(names)) < len(names):
        raise BadInput("two files name the same data set", where="data_set", remedy="give each its own name")
    opened = open_ledger(ledger_url(ledger, paths[0]), paths)
    databases: dict[str, Database] = {}
    try:
        bonds = [bond_with(path, file, opened) for path, file in zip(paths, files, strict=True)]
        # Before anything is written: an entry about rows that were changed would vouch for the change.
        opened.check()
        for bond in bonds:
            bond.tie(opened)
        opened.keep_heads()
        for path, file in zip(paths, files, strict=True):
            databases[file.metadata.data_set] = open_database(path, file, opened)
        key = _owner_key(opened) if owner else None
    except BaseException:
        for base in databases.values():
            base.close()
        opened.close()
        raise
    overruled = tuple(line for file in files for line in _overruled(file, opened))
    return Opened(databases, opened, usual_budgets(files), key, overruled)


def bond_with(path: Path, file: DatabaseFile, ledger: SqlLedger) -> Bond:
    """Check that a data set belongs to a ledger."""
    name = file.metadata.data_set
    if SECRET not in os.environ and not secret_place(path).exists() and windows_of(ledger, name):
        raise BadInput(
            "the secret of the data set is gone, and with a new one nobody in it would be recognised",
            where=str(secret_place(path)),
            remedy=f"restore it from a copy, or give it in {SECRET}",
        )
    bond = Bond(path, name, secret_of(path))
    bond.check(ledger)
    return bond


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
    # Where one table does not say whose its rows are, the window may hold anybody: nobody is admitted, and
    # the ledger never lets a second window be charged.
    people = all(table.person is not None for table in metadata.tables.values())
    held = Prepared.register(
        metadata,
        sources,
        secret=secret,
        admit=(lambda hashes: admit(ledger, metadata.data_set, file.window, hashes)) if people else None,
    )
    return Database(metadata, held, ledger, window=file.window, limits=file.limits)


def set_missing_budgets(file: DatabaseFile, ledger: SqlLedger) -> None:
    """Set the budgets that a file declares, where the ledger has none: what the owner set later stays."""
    there = {(one.scope, one.name, one.window) for one in ledger.all_budgets(file.metadata.data_set)}
    missing = [one for one in file.budgets if (one.scope, one.name, one.window) not in there]
    if missing:
        ledger.set_budgets(missing, by=BY)


def _overruled(file: DatabaseFile, ledger: SqlLedger) -> Iterator[str]:
    """Say which budgets of a file do not count: an owner who lowered one there should not believe it did."""
    name = file.metadata.data_set
    there = {(one.scope, one.name, one.window): one for one in ledger.all_budgets(name)}
    for one in file.budgets:
        real = there[one.scope, one.name, one.window]
        if (real.composition, real.limit, real.delta) != (one.composition, one.limit, one.delta):
            unit = "ε" if real.composition is Composition.BASIC else "ρ"
            yield (
                f"The budget of {one.scope} '{one.name}' is {unit} = {real.limit:f}, δ = {real.delta:f}, as "
                "the ledger says; the file says something else, which does not count: use 'sfumato query "
                "budget'"
            )


def _refuse_nameless_windows(file: DatabaseFile, ledger: SqlLedger) -> None:
    """Where rows do not say whose they are, a second window would give the same people new money."""
    nameless = [table.name for table in file.metadata.tables.values() if table.person is None]
    windows = {
        one.window for one in ledger.all_budgets(file.metadata.data_set) if one.scope is Scope.DATA_SET
    }
    if nameless and (windows - {file.window} or windows_of(ledger, file.metadata.data_set)):
        raise BadInput(
            "the data set has windows of people already, and rows of this table do not say whose they are",
            where=f"data set '{file.metadata.data_set}', table '{nameless[0]}'",
            remedy="declare 'person', or keep the window",
        )
