"""What the log did not cover is covered from here on: the people of windows, and the counts of refusals."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Write an entry for the people of each window, and leave of each count what the log told of it."""
    from sfumato.query.ledger.connect import take_turn
    from sfumato.query.ledger.sql_ledger import now
    from sfumato.query.ledger.windows import vouch_for_all

    connection = op.get_bind()
    take_turn(connection)
    names = ("day", "analyst", "data_set", "reason")
    refusals = sa.table("ledger_refusals", *(sa.column(name) for name in (*names, "count")))
    for *key, count in connection.execute(sa.select(*refusals.c)).all():
        if type(count) is not int or count < 1:
            continue  # nobody counted that; the log does not tell it either, and the ledger is refused
        here = [refusals.c[name] == value for name, value in zip(names, key, strict=True)]
        told = 1 << (count.bit_length() - 1)
        connection.execute(sa.update(refusals).where(*here).values(count=told))
    vouch_for_all(connection, now())


def downgrade() -> None:
    """Refuse: what was charged stays charged."""
    raise NotImplementedError("a ledger is never taken apart")
