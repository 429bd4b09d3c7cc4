"""Keys that expire: a moment beside each key, none for those that were issued before."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; keys without a moment never expire."""
    op.add_column("ledger_analysts", sa.Column("expires", sa.BigInteger, nullable=True))


def downgrade() -> None:
    """Refuse: keys that were to expire would hold for ever."""
    raise NotImplementedError("a ledger is never taken apart")
