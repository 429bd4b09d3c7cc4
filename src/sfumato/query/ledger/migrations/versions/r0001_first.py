"""The first tables, and the triggers that keep log, spends and answers append-only."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

APPEND_ONLY = ("ledger_log", "ledger_spends", "ledger_answers")


def upgrade() -> None:
    """Make everything."""
    number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "ledger_log",
        sa.Column("sequence", number, primary_key=True, autoincrement=False),
        sa.Column("time", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("previous", sa.Text, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
    )
    op.create_table(
        "ledger_spends",
        sa.Column(
            "spend", number, sa.ForeignKey("ledger_log.sequence"), primary_key=True, autoincrement=False
        ),
        sa.Column("fingerprint", sa.Text, nullable=False, unique=True),
        sa.Column("analyst", sa.Text, nullable=False),
        sa.Column("data_set", sa.Text, nullable=False),
        sa.Column("time", sa.BigInteger, nullable=False),
    )
    op.create_index("ledger_spends_analyst", "ledger_spends", ["analyst"])
    op.create_index("ledger_spends_data_set", "ledger_spends", ["data_set"])
    op.create_table(
        "ledger_answers",
        sa.Column(
            "spend", number, sa.ForeignKey("ledger_spends.spend"), primary_key=True, autoincrement=False
        ),
        sa.Column("answer", sa.Text, nullable=False),
    )
    op.create_table(
        "ledger_budgets",
        *(sa.Column(name, sa.Text, primary_key=True) for name in ("data_set", "window", "scope", "name")),
        *(
            sa.Column(name, sa.Text, nullable=False)
            for name in ("composition", "limit", "delta", "spent", "spent_delta")
        ),
    )
    op.create_table(
        "ledger_refusals",
        sa.Column("day", sa.Integer, primary_key=True),
        *(sa.Column(name, sa.Text, primary_key=True) for name in ("analyst", "data_set", "reason")),
        sa.Column("count", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "ledger_analysts",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("team", sa.Text, nullable=False),
        sa.Column("key_id", sa.Text, nullable=True, unique=True),
        sa.Column("key_hash", sa.Text, nullable=True),
        sa.Column("subject", sa.Text, nullable=True, unique=True),
        sa.Column("suspended", sa.Boolean, nullable=False),
    )
    op.create_table(
        "ledger_data_sets",
        sa.Column("number", number, primary_key=True, autoincrement=False),
        sa.Column("name", sa.Text, nullable=False, unique=True),
        sa.Column("suspended", sa.Boolean, nullable=False),
    )
    op.create_table(
        "ledger_windows",
        sa.Column("number", number, primary_key=True, autoincrement=False),
        sa.Column("data_set", number, sa.ForeignKey("ledger_data_sets.number"), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("complete", sa.Boolean, nullable=False),
        sa.UniqueConstraint("data_set", "name", name="ledger_windows_name"),
    )
    op.create_table(
        "ledger_people",
        sa.Column("data_set", number, primary_key=True, autoincrement=False),
        sa.Column("person", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("window", number, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table("ledger_turn", sa.Column("empty", sa.Integer, nullable=True))
    if op.get_bind().dialect.name == "sqlite":
        _guard_sqlite()
    else:
        _guard_postgres()


def _guard_sqlite() -> None:
    for table in APPEND_ONLY:
        for change in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_{change.lower()} BEFORE {change} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, 'the log of the ledger is append-only'); END"
            )
    # INSERT OR REPLACE deletes without firing the trigger for DELETE; numbers that only grow leave no way.
    op.execute(
        "CREATE TRIGGER ledger_log_insert BEFORE INSERT ON ledger_log "
        "WHEN NEW.sequence <= (SELECT MAX(sequence) FROM ledger_log) "
        "BEGIN SELECT RAISE(ABORT, 'the log of the ledger is append-only'); END"
    )
    same = {
        "ledger_spends": "spend = NEW.spend OR fingerprint = NEW.fingerprint",
        "ledger_answers": "spend = NEW.spend",
    }
    for table, condition in same.items():
        op.execute(
            f"CREATE TRIGGER {table}_insert BEFORE INSERT ON {table} "
            f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {condition}) "
            f"BEGIN SELECT RAISE(ABORT, 'the log of the ledger is append-only'); END"
        )


def _guard_postgres() -> None:
    op.execute(
        "CREATE FUNCTION ledger_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ "
        "BEGIN RAISE EXCEPTION 'the log of the ledger is append-only'; END $$"
    )
    for table in APPEND_ONLY:
        op.execute(
            f"CREATE TRIGGER {table}_rows BEFORE UPDATE OR DELETE ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION ledger_append_only()"
        )
        op.execute(
            f"CREATE TRIGGER {table}_whole BEFORE TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION ledger_append_only()"
        )


def downgrade() -> None:
    """Refuse: what was charged stays charged."""
    raise NotImplementedError("a ledger is never taken apart")
