"""Every single edit behind the ledger's back, in any row of any table, stops it before the first answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, delete, insert, text, update
from sqlalchemy.exc import DBAPIError

from sfumato.core.errors import SfumatoError
from sfumato.dp.price import Price
from sfumato.query.ledger.accounts import Accounts
from sfumato.query.ledger.audit import refuse_refuted, verify_chain
from sfumato.query.ledger.chain import Kind, entry_hash
from sfumato.query.ledger.contract import Asked, Budget, Composition, LedgerUnavailable, Scope
from sfumato.query.ledger.revisions import VERSION_TABLE, refuse_other_revisions
from sfumato.query.ledger.sql_ledger import SqlLedger
from sfumato.query.ledger.tables import LOG, METADATA
from sfumato.query.ledger.tables_fit import replayed
from sfumato.query.ledger.windows import admit
from tests.oracles import ledger_tables
from tests.query.ledger.ask import asked, budget, give, one
from tests.query.ledger.test_audit import behind, sql

PLAIN = {"data_set": "clinic", "window": "", "version": "1"}


def fill(ledger: SqlLedger) -> None:
    """Make entries of every kind, and rows in every table that may have some."""
    admit(ledger, "clinic", "", np.array([5, -7, 2**62]))
    admit(ledger, "clinic", "2025", np.array([5, 8]))
    give(ledger, "0.5", "ann", "bo")
    give(ledger, "0.5", "ann", window="2025")
    ledger.set_budget(budget(Scope.GROUP, "team", "0.5"))
    zcdp = Budget(Scope.DATA_SET, "ward", "ward", "", Composition.ZCDP, Decimal(1), Decimal("1e-6"))
    ledger.set_budgets([zcdp, budget(Scope.ANALYST, "ann", "1", data_set="ward", composition="zcdp")])
    accounts = Accounts(ledger)
    accounts.add("ann", by="olga")
    accounts.add("bo", group="team", subject="sub")
    accounts.add("cy", "auditor", key=False)
    accounts.add("di", expires=2**52)
    accounts.rotate("ann")
    accounts.suspend("cy")
    accounts.suspend_data_set("closed")
    accounts.suspend_data_set("open")
    accounts.resume_data_set("open")
    ledger.store([(one(ledger, asked('plain "quoted" \\ é \u2028')).spend, '{"rows": [1]}')])
    one(ledger, asked("never answered", analyst="bo"))
    one(ledger, replace(asked("came at a time", "0.01"), arrived=1000))
    ledger.store([(one(ledger, asked("of 2025", window="2025")).spend, "")])
    rho = Asked("ann", "", "ward", "", "1", "rho", Price.concentrated("0.25"))
    ledger.store([(one(ledger, rho).spend, "2")])
    ledger.charge([asked("too dear", "3"), asked("too dear", "4"), asked("no", analyst="cy")])
    ledger.set_budget(budget(Scope.DATA_SET, "clinic", "0.75"))
    ledger._clock = lambda: 7
    ledger.store([(one(ledger, asked("clock went back")).spend, "7")])


def rows_of(connection: Connection) -> dict[str, list[tuple[Any, ...]]]:
    return {
        name: [tuple(row) for row in connection.execute(table.select())]
        for name, table in METADATA.tables.items()
    }


def others(value: Any, there: list[Any]) -> Iterator[Any]:
    """Values that a column could be changed to."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1, 0)
    else:
        yield from ("", f"{value}0", "0", None)
    yield from (each for each in there if each is not None)
    if value is None:
        yield "x"


def edits(connection: Connection) -> Iterator[tuple[str, Any]]:
    """Every change of one column of one row, every removal, and rows that were slipped in."""
    for name, rows in rows_of(connection).items():
        table = METADATA.tables[name]
        keys = [column.name for column in table.primary_key] or [column.name for column in table.columns]
        columns = [column.name for column in table.columns]
        for row in rows:
            mine = dict(zip(columns, row, strict=True))
            here = [table.c[key] == mine[key] for key in keys]
            yield f"delete from {name} {row}", delete(table).where(*here)
            for place, column in enumerate(columns):
                there = {repr(each[place]): each[place] for each in rows}
                tried = {}
                near = [each for each in there.values() if each != mine[column]][:2]
                for value in others(mine[column], near):
                    if (type(value), value) != (type(mine[column]), mine[column]):
                        tried[repr(value)] = value
                for value in tried.values():
                    yield (
                        f"{name}.{column} = {value!r} of {row}",
                        update(table).where(*here).values({column: value}),
                    )
                    if column in keys or name == "ledger_analysts":
                        slipped = mine | {column: value}
                        if name == "ledger_analysts":
                            slipped |= {"name": "eve", "key_id": None, "subject": None}
                        yield f"slip {slipped} into {name}", insert(table).values(**slipped)
    yield "something in the table of turns", insert(METADATA.tables["ledger_turn"]).values(empty=1)
    yield "somebody of no data set", text("INSERT INTO ledger_people VALUES (9, 1, 1)")
    yield "somebody of no window", text("INSERT INTO ledger_people VALUES (1, 99, 9)")
    for value in ("0001", "9999", ""):
        yield f"revision {value}", text(f"UPDATE {VERSION_TABLE} SET version_num = '{value}'")
        yield f"a second revision {value}", text(f"INSERT INTO {VERSION_TABLE} VALUES ('{value}')")
    yield "no revision", text(f"DELETE FROM {VERSION_TABLE}")


def unguarded(connection: Connection) -> None:
    """Take away what the database itself refuses, as its administrator could."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET LOCAL session_replication_role = replica"))
        return
    names = connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'trigger'")).scalars()
    for name in list(names):
        connection.execute(text(f"DROP TRIGGER {name}"))
    connection.execute(text("PRAGMA defer_foreign_keys = ON"))


def test_every_single_edit_of_every_row_is_refused(ledger: SqlLedger) -> None:
    fill(ledger)
    assert verify_chain(ledger).holds
    missed: list[str] = []
    with ledger.connections.engine.connect() as connection:
        with connection.begin():
            kinds = {kind for (kind,) in connection.execute(LOG.select().with_only_columns(LOG.c.kind))}
            assert kinds == {str(kind) for kind in Kind}
            # What is compared is the same on both databases; Postgres, which is slower, takes every fourth.
            every = list(edits(connection))[:: 1 if ledger.connections.path is not None else 4]
        tried = 0
        for what, edit in every:
            with connection.begin() as transaction:
                unguarded(connection)
                try:
                    changed = connection.execute(edit).rowcount
                except DBAPIError:
                    transaction.rollback()
                    continue
                assert changed in (1, -1), what
                tried += 1
                try:
                    if "revision" in what:
                        refuse_other_revisions(connection)
                    refuse_refuted(connection)
                except SfumatoError:
                    pass
                else:
                    missed.append(what)
                transaction.rollback()
    assert missed == [], (len(missed), tried)
    assert tried > (800 if ledger.connections.path is not None else 200)
    assert verify_chain(ledger).holds, "the edits were taken back"


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE ledger_budgets SET spent = '0'",
        'UPDATE ledger_people SET "window" = 2 WHERE person = 5',
        "DELETE FROM ledger_people WHERE person = 5",
        "UPDATE ledger_people SET person = 5.5 WHERE person = 5",
        "UPDATE ledger_people SET person = 'x' WHERE person = 5",
        "UPDATE ledger_budgets SET spent = '0.10' WHERE spent = '0.1'",
        "UPDATE ledger_budgets SET spent = x'302e31' WHERE spent = '0.1'",
        "UPDATE ledger_analysts SET suspended = 2 WHERE name = 'cy'",
        "UPDATE ledger_refusals SET count = 3",
        "UPDATE ledger_answers SET answer = CAST(x'ff' AS TEXT)",
    ],
)
def test_a_ledger_that_was_edited_answers_nothing_and_says_what_to_do(sqlite: SqlLedger, change: str) -> None:
    fill(sqlite)
    behind(sqlite, sql(change))
    again = SqlLedger(f"sqlite:///{sqlite.connections.path}")
    for attempt in (
        lambda: again.charge([asked("another", "0.01")]),
        lambda: again.store([(20, "x")]),
        lambda: Accounts(again).resume("cy"),
        again.check,
    ):
        with pytest.raises(LedgerUnavailable) as refused:
            attempt()
        assert refused.value.remedy
    again.close()


def test_an_edit_is_told_with_its_place(sqlite: SqlLedger) -> None:
    fill(sqlite)
    behind(
        sqlite, sql("UPDATE ledger_budgets SET spent = '0' WHERE scope = 'data set' AND data_set = 'ward'")
    )
    again = SqlLedger(f"sqlite:///{sqlite.connections.path}")
    with pytest.raises(
        LedgerUnavailable,
        match="ledger: the ledger was changed past its log: the budget of data set 'ward' for data set "
        "'ward' differs from what the log adds up to; put the newest copy",
    ):
        again.charge([asked("another", "0.01")])
    again.close()


def test_an_entry_that_is_appended_in_the_right_way_but_has_no_rows_is_refused(sqlite: SqlLedger) -> None:
    """Hashed as it should be. What remains are entries that repeat the present state, and change nothing."""
    fill(sqlite)
    rows = sqlite.read(lambda connection: connection.execute(LOG.select()).all())
    last = rows[-1]
    silent = 0
    for row in rows:
        body = row.body
        value = entry_hash(last.sequence + 1, last.time, row.kind, body, last.hash)
        entry = {"sequence": last.sequence + 1, "time": last.time, "kind": row.kind, "body": body}
        with sqlite.connections.engine.connect() as connection, connection.begin() as transaction:
            before = replayed(connection)
            connection.execute(insert(LOG).values(**entry, previous=last.hash, hash=value))
            after = replayed(connection)
            transaction.rollback()
        assert before.problems == []
        if not after.problems:
            silent += 1
            assert row.kind in ("budget", "account", "data set", "window")
            assert (after.budgets, after.accounts) == (before.budgets, before.accounts)
            assert (after.stopped, after.windows, after.numbers) == (
                before.stopped,
                before.windows,
                before.numbers,
            )
    assert 0 < silent < len(rows) / 2


def tables(ledger: SqlLedger) -> dict[str, list[tuple[Any, ...]]]:
    return ledger.read(rows_of)


def test_the_oracle_finds_what_the_ledger_finds(sqlite: SqlLedger) -> None:
    """Both on a ledger with everything in it, and after each of many edits of its tables."""
    fill(sqlite)
    whole = tables(sqlite)
    assert ledger_tables.fits(whole["ledger_log"], whole)  # type: ignore[arg-type]  # rows of the log
    with sqlite.connections.engine.connect() as connection:
        with connection.begin():
            every = [each for each in edits(connection) if "ledger_log" not in each[0]][::7]
        compared = 0
        for what, edit in every:
            with connection.begin() as transaction:
                unguarded(connection)
                try:
                    connection.execute(edit)
                    now = rows_of(connection)
                    problems = replayed(connection).problems
                except DBAPIError:
                    transaction.rollback()
                    continue
                transaction.rollback()
                if now == whole:
                    continue  # the table of revisions, of which the log knows nothing
                compared += 1
                try:
                    fits = ledger_tables.fits(now["ledger_log"], now)  # type: ignore[arg-type]
                except (ValueError, AttributeError):
                    fits = False
                assert problems, what
                # The ledger also minds how money is spelt.
                assert not fits or "ledger_budgets" in what, what
    assert compared > 100


QUESTION = st.text(
    st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=1, max_size=30
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    questions=st.lists(
        st.tuples(
            QUESTION
            | st.sampled_from(['","rho":"9', '"question":"', "\\", '\\"', '\\","rho":null', "\x1f", "\x7f"]),
            st.sampled_from(["ann", 'a"b', "question", "rho\\"]),
            st.sampled_from(["", "g", '","question":"']),
            st.sampled_from(["0.1", "0.000000000000000001", "3"]),
        ),
        min_size=1,
        max_size=8,
    )
)
def test_charges_of_any_words_are_read_as_an_oracle_reads_them(
    sqlite: SqlLedger, questions: list[tuple[str, str, str, str]]
) -> None:
    """The quick reading of charges cuts texts apart: whatever stands in them, it is the reading of JSON."""
    for analyst in ("ann", 'a"b', "question", "rho\\"):
        sqlite.set_budget(budget(Scope.ANALYST, analyst, "40"))
    for group in ("g", '","question":"'):
        sqlite.set_budget(budget(Scope.GROUP, group, "40"))
    sqlite.set_budget(budget(Scope.DATA_SET, "clinic", "100"))
    for charged in sqlite.charge(
        [
            Asked(analyst, group, "clinic", "", "1", question, Price.pure(money))
            for question, analyst, group, money in questions
        ]
    ):
        if not isinstance(charged, SfumatoError) and charged.answer is None:
            sqlite.store([(charged.spend, "answer")])
    whole = tables(sqlite)
    assert ledger_tables.fits(whole["ledger_log"], whole)  # type: ignore[arg-type]  # rows of the log
    assert verify_chain(sqlite).holds
