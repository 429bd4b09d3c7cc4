"""Making the tables of a ledger and bringing old ones up to date, with Alembic, from code."""

from __future__ import annotations

import functools
from pathlib import Path

from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, text

from sfumato.core.errors import BadInput
from sfumato.query.ledger.contract import LedgerUnavailable

VERSION_TABLE = "ledger_revision"
_FOLDER = Path(__file__).parent / "migrations"


def _scripts() -> ScriptDirectory:
    return _scripts_in(_FOLDER)


@functools.cache
def _scripts_in(folder: Path) -> ScriptDirectory:
    return ScriptDirectory(str(folder))


def newest() -> str:
    """Return the revision that this version of Sfumato works with."""
    head = _scripts().get_current_head()
    assert head is not None
    return head


def revision_of(connection: Connection) -> str | None:
    """Return the revision of a database, None where there is no ledger."""
    context = _context(connection)
    try:
        return context.get_current_revision()
    except CommandError:
        raise LedgerUnavailable(
            f"the table '{VERSION_TABLE}' has more than one row",
            where="ledger",
            remedy="put the newest copy that fits back",
        ) from None


def upgrade(connection: Connection) -> bool:
    """Run what is missing, in the transaction of the connection; return whether anything was."""
    scripts = _scripts()
    context = _context(connection)
    current = context.get_current_revision()
    _refuse_newer(scripts, current)
    wanted = list(scripts.iterate_revisions("head", current or "base"))
    with Operations.context(context):
        for script in reversed(wanted):
            script.module.upgrade()
    context.stamp(scripts, "head")
    return bool(wanted)


def no_ledger() -> BadInput:
    """Say that nothing is where a ledger should be."""
    return BadInput(
        "there is no ledger here",
        where="ledger",
        remedy="check the path; 'sfumato serve' and SqlLedger.create(url) make new ones",
    )


def refuse_other_revisions(connection: Connection) -> None:
    """Refuse to work with tables that are not those of this version."""
    current = revision_of(connection)
    if current is None:
        raise no_ledger()
    scripts = _scripts()
    _refuse_newer(scripts, current)
    if current != scripts.get_current_head():
        raise BadInput(
            "the ledger was made by an older version of Sfumato",
            where="ledger",
            remedy="stop every service that uses it, make a copy, then run 'sfumato query migrate'",
        )


def refuse_carelessness(connection: Connection) -> None:
    """Refuse a Postgres server that says 'done' before it is on disk."""
    if connection.dialect.name == "postgresql" and connection.execute(text("SHOW fsync")).scalar() != "on":
        raise LedgerUnavailable(
            "the Postgres server does not wait for the disk, so charges could be lost",
            where="ledger",
            remedy="set fsync = on",
        )


def _refuse_newer(scripts: ScriptDirectory, current: str | None) -> None:
    if current is not None and current not in {script.revision for script in scripts.walk_revisions()}:
        raise BadInput(
            "the ledger was made by a newer version of Sfumato",
            where="ledger",
            remedy="update Sfumato; an older version would not understand what was spent",
        )


def _context(connection: Connection) -> MigrationContext:
    return MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
