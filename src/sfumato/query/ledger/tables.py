"""The tables of a ledger, for SQLite and Postgres.

The log is the truth: ``ledger_spends`` and ``ledger_answers`` are its index and its attachments, and every
row of every other table can be recomputed from it at any time (``tables_fit`` does, before the first answer).
A new table or column needs an entry of the log that covers it. Money is text, an exact decimal. Times are
microseconds since 1970 in UTC, and decide nothing but when a key expires.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, MetaData, Table, Text
from sqlalchemy import UniqueConstraint as Unique

METADATA = MetaData()
_NUMBER = BigInteger().with_variant(Integer, "sqlite")
"""SQLite finds rows by their number without a further index only when it is called INTEGER"""

LOG = Table(
    "ledger_log",
    METADATA,
    Column("sequence", _NUMBER, primary_key=True, autoincrement=False),
    Column("time", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("previous", Text, nullable=False),
    Column("hash", Text, nullable=False),
)
"""append-only, each entry with the hash of the one before"""

SPENDS = Table(
    "ledger_spends",
    METADATA,
    Column("spend", _NUMBER, ForeignKey("ledger_log.sequence"), primary_key=True, autoincrement=False),
    Column("fingerprint", Text, nullable=False, unique=True),
    Column("analyst", Text, nullable=False),
    Column("data_set", Text, nullable=False),
    Column("time", BigInteger, nullable=False),
    Index("ledger_spends_analyst", "analyst"),
    Index("ledger_spends_data_set", "data_set"),
)
"""what was charged, found by question; the number of a spend is that of its entry in the log"""

ANSWERS = Table(
    "ledger_answers",
    METADATA,
    Column("spend", _NUMBER, ForeignKey("ledger_spends.spend"), primary_key=True, autoincrement=False),
    Column("answer", Text, nullable=False),
)
"""the answer that counts, under its spend"""

BUDGETS = Table(
    "ledger_budgets",
    METADATA,
    Column("data_set", Text, primary_key=True),
    Column("window", Text, primary_key=True),
    Column("scope", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("composition", Text, nullable=False),
    Column("limit", Text, nullable=False),
    Column("delta", Text, nullable=False),
    Column("spent", Text, nullable=False),
    Column("spent_delta", Text, nullable=False),
)
"""limits and running totals"""

REFUSALS = Table(
    "ledger_refusals",
    METADATA,
    Column("day", Integer, primary_key=True),
    Column("analyst", Text, primary_key=True),
    Column("data_set", Text, primary_key=True),
    Column("reason", Text, primary_key=True),
    Column("count", BigInteger, nullable=False),
)
"""refusals of a day; the log has the first, second, fourth, eighth … of each, and this the last of them"""

ANALYSTS = Table(
    "ledger_analysts",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("role", Text, nullable=False),
    Column("team", Text, nullable=False),
    Column("key_id", Text, nullable=True, unique=True),
    Column("key_hash", Text, nullable=True),
    Column("subject", Text, nullable=True, unique=True),
    Column("suspended", Boolean, nullable=False),
    Column("expires", BigInteger, nullable=True),
)
"""who may ask; ``team`` is the group (a word that SQL keeps for itself); from ``expires`` on the key is worth
nothing"""

DATA_SETS = Table(
    "ledger_data_sets",
    METADATA,
    Column("number", _NUMBER, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False, unique=True),
    Column("suspended", Boolean, nullable=False),
)
"""data sets that were suspended or whose people were admitted to windows"""

WINDOWS = Table(
    "ledger_windows",
    METADATA,
    Column("number", _NUMBER, primary_key=True, autoincrement=False),
    Column("data_set", _NUMBER, ForeignKey("ledger_data_sets.number"), nullable=False),
    Column("name", Text, nullable=False),
    Column("complete", Boolean, nullable=False),
    Unique("data_set", "name", name="ledger_windows_name"),
)
"""windows to which people were admitted; complete: before the first question was charged to them"""

PEOPLE = Table(
    "ledger_people",
    METADATA,
    Column("data_set", _NUMBER, primary_key=True, autoincrement=False),
    Column("person", BigInteger, primary_key=True, autoincrement=False),
    Column("window", _NUMBER, nullable=False),
    sqlite_with_rowid=False,
)
"""keyed hashes of people, each with the one window whose budget covers them, covered by digests in the log;
without foreign keys, which would be checked ten million times"""

TURN = Table("ledger_turn", METADATA, Column("empty", Integer, nullable=True))
"""always empty: on Postgres whoever writes locks it, and takes a snapshot only when it is their turn"""
