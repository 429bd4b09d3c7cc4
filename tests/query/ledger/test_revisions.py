"""Making the tables and bringing them up to date."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, text

from sfumato.core.errors import BadInput
from sfumato.query.ledger import revisions
from sfumato.query.ledger.audit import verify_chain
from sfumato.query.ledger.chain import BEGINNING, canonical, entry_hash
from sfumato.query.ledger.contract import LedgerUnavailable
from sfumato.query.ledger.revisions import VERSION_TABLE, newest, revision_of
from sfumato.query.ledger.sql_ledger import SqlLedger
from sfumato.query.ledger.tables import LOG, METADATA, PEOPLE, REFUSALS
from sfumato.query.ledger.windows import admit
from tests.query.ledger.ask import asked, give, one, open_windows
from tests.query.ledger.test_audit import behind, sql
from tests.query.ledger.test_every_row import fill, unguarded

NEXT = '''"""A column more."""
import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = "{before}"


def upgrade():
    op.add_column("ledger_analysts", sa.Column("note", sa.Text, nullable=True))
'''


def test_the_revisions_make_the_tables_that_the_code_uses(ledger: SqlLedger) -> None:
    def differences(connection: object) -> list[object]:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})  # type: ignore[arg-type]  # a Connection
        return list(compare_metadata(context, METADATA))

    assert ledger.read(differences) == []
    assert ledger.read(revision_of) == newest()


def test_a_ledger_is_made_once(ledger: SqlLedger, url: str) -> None:
    give(ledger)
    one(ledger, asked())
    with pytest.raises(BadInput, match="already"):
        SqlLedger.create(url)
    assert one(ledger, asked()).fresh is False


def test_whether_there_is_a_ledger_can_be_asked(url: str) -> None:
    assert not SqlLedger.exists(url)
    with pytest.raises(BadInput, match="there is no ledger here"):
        SqlLedger(url)
    with pytest.raises(BadInput, match="there is no ledger here"):
        SqlLedger.migrate(url)
    SqlLedger.create(url).close()
    assert SqlLedger.exists(url)


def test_an_older_ledger_is_refused_until_it_is_migrated_and_keeps_what_was_spent(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = SqlLedger.create(url)
    give(ledger, "0.1")
    one(ledger, asked())
    ledger.close()

    versions = tmp_path / "migrations" / "versions"
    versions.mkdir(parents=True)
    for script in (Path(revisions.__file__).parent / "migrations" / "versions").glob("r*.py"):
        (versions / script.name).write_text(script.read_text())
    (versions / "r9999.py").write_text(NEXT.format(before=newest()))
    monkeypatch.setattr(revisions, "_FOLDER", tmp_path / "migrations")
    with pytest.raises(
        BadInput, match=r"an older version of Sfumato; stop .*, make a copy, then run 'sfumato query migrate'"
    ):
        SqlLedger(url)
    assert SqlLedger.migrate(url)
    assert not SqlLedger.migrate(url)
    newer = SqlLedger(url)
    assert newer.read(lambda c: c.execute(text("SELECT count(note) FROM ledger_analysts")).scalar()) == 0
    assert one(newer, asked()).fresh is False
    newer.close()

    monkeypatch.undo()
    for open_it in (SqlLedger, SqlLedger.migrate):
        with pytest.raises(BadInput, match="a newer version of Sfumato; update Sfumato"):
            open_it(url)


def as_it_was_before(connection: Connection) -> None:
    """Write what the first version wrote: windows without digests of people, counts of every refusal."""
    unguarded(connection)
    rows = connection.execute(LOG.select().order_by(LOG.c.sequence)).all()
    previous = BEGINNING
    for row in rows:
        body = {name: value for name, value in json.loads(row.body).items() if name not in ("salt", "people")}
        value = entry_hash(row.sequence, row.time, row.kind, canonical(body), previous)
        changed = {"body": canonical(body), "previous": previous, "hash": value}
        connection.execute(LOG.update().where(LOG.c.sequence == row.sequence).values(changed))
        previous = value
    connection.execute(PEOPLE.insert(), [{"data_set": 1, "person": who, "window": 1} for who in (3, -3, 8)])
    connection.execute(REFUSALS.update().values(count=REFUSALS.c["count"] + 1))


def test_what_the_log_of_an_older_ledger_did_not_cover_is_covered_when_it_is_migrated(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    versions = tmp_path / "migrations" / "versions"
    versions.mkdir(parents=True)
    first = Path(revisions.__file__).parent / "migrations" / "versions" / "r0001_first.py"
    (versions / first.name).write_text(first.read_text())
    with monkeypatch.context() as patched:
        patched.setattr(revisions, "_FOLDER", tmp_path / "migrations")
        # The old version had other columns, and proved nothing.
        patched.setattr("sfumato.query.ledger.sql_ledger.refuse_refuted", lambda connection: None)
        old = SqlLedger.create(url, kept=tmp_path / "old.head")
        open_windows(old, "")
        give(old, "0.1")
        one(old, asked())
        old.charge([asked(f"refused {i}") for i in range(5)])
        before = old.all_budgets()
        with old.connections.engine.begin() as connection:
            as_it_was_before(connection)
        old.close()
    with pytest.raises(BadInput, match="an older version of Sfumato"):
        SqlLedger(url)
    SqlLedger.migrate(url)
    new = SqlLedger(url, kept=tmp_path / "new.head")
    assert verify_chain(new).holds, verify_chain(new)
    assert new.all_budgets() == before
    assert one(new, asked()).fresh is False
    assert admit(new, "clinic", "", np.array([8, 9])).all()
    assert new.read(lambda c: c.execute(text("SELECT count FROM ledger_refusals")).scalar()) == 4
    with new.connections.engine.begin() as connection:
        connection.execute(PEOPLE.delete().where(PEOPLE.c.person == -3))
    assert "the people of window '' of data set 'clinic' are not those of the log" in str(verify_chain(new))
    new.close()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("DELETE FROM ledger_people WHERE person = 5", "the people of window '' of data set 'clinic'"),
        ("UPDATE ledger_refusals SET count = 0", "the count of refusals"),
        ("UPDATE ledger_budgets SET spent = '0'", "differs from what the log adds up to"),
    ],
)
def test_a_ledger_that_is_made_to_pass_for_an_older_one_is_not_vouched_for(
    sqlite: SqlLedger, change: str, told: str
) -> None:
    fill(sqlite)
    behind(sqlite, sql(change, f"UPDATE {VERSION_TABLE} SET version_num = '0002'"))
    url = f"sqlite:///{sqlite.connections.path}"
    assert SqlLedger.migrate(url)
    again = SqlLedger(url)
    with pytest.raises(LedgerUnavailable, match="changed past its log"):
        again.check()
    assert told in str(verify_chain(again))
    again.close()


def test_a_file_that_could_not_be_filled_is_not_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(revisions, "_FOLDER", tmp_path / "nowhere")
    with pytest.raises(Exception, match="nowhere"):
        SqlLedger.create(f"sqlite:///{tmp_path}/ledger.db")
    assert not list(tmp_path.glob("ledger*"))
