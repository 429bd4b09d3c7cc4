"""Every table of a ledger against what its log adds up to: each row, each column, no more and no less."""

from __future__ import annotations

import hashlib
import sys
from array import array
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, Select, func, select

from sfumato.query.ledger.chain import Head, has_head, text_hash
from sfumato.query.ledger.people import digest_begun
from sfumato.query.ledger.replay import Entry, Replay, in_money
from sfumato.query.ledger.tables import (
    ANALYSTS,
    ANSWERS,
    BUDGETS,
    DATA_SETS,
    LOG,
    PEOPLE,
    REFUSALS,
    SPENDS,
    TURN,
    WINDOWS,
)

_CHUNK = 500
"""rows; more would not stay in the processor's cache"""


def replayed(connection: Connection, kept: Head | None = None) -> Replay:
    """Play the log of a ledger and compare every table with it."""
    replay = Replay()
    columns = (LOG.c.sequence, LOG.c.time, LOG.c.kind, LOG.c.body, LOG.c.previous, LOG.c.hash)
    entries: list[Entry]
    spends = _Spends(connection)
    for entries in _chunks(connection, select(*columns).order_by(LOG.c.sequence)):
        replay.play(entries)
        spends.compare(replay)
    spends.check_rest(replay)
    if kept is not None and not has_head(connection, kept):
        where = (
            "the log ends before" if replay.head.sequence < kept.sequence else "the log has another entry at"
        )
        replay.found(None, f"{where} the head that was kept, entry {kept.sequence}")
    _check_answers(connection, replay)
    _check_budgets(connection, replay)
    _check_accounts(connection, replay)
    _check_windows(connection, replay)
    _check_people(connection, replay)
    _check_refusals(connection, replay)
    if _all(connection, select(TURN)):
        replay.found(None, "the table 'ledger_turn' is not empty")
    return replay


def _chunks(connection: Connection, rows: Select[Any], name: str = "sfumato_rows") -> Iterator[list[Any]]:
    """Fetch rows as the driver gives them: wrapping a million of them would take longer than all the rest."""
    spelt = str(rows.compile(dialect=connection.dialect, compile_kwargs={"literal_binds": True}))
    raw: Any = connection.connection.driver_connection
    # On Postgres a cursor with a name stays on the server, which would otherwise send everything at once.
    cursor = raw.cursor() if connection.dialect.name == "sqlite" else raw.cursor(name=name)
    try:
        cursor.execute(spelt)
        while chunk := cursor.fetchmany(_CHUNK):
            yield chunk
    finally:
        cursor.close()


def _all(connection: Connection, rows: Select[Any]) -> list[Any]:
    return [row for chunk in _chunks(connection, rows) for row in chunk]


class _Spends:
    """The table of spends, read beside the log: what is the same in both is let go of at once."""

    def __init__(self, connection: Connection) -> None:
        columns = (SPENDS.c.spend, SPENDS.c.fingerprint, SPENDS.c.analyst, SPENDS.c.data_set, SPENDS.c.time)
        self._chunks = _chunks(connection, select(*columns).order_by(SPENDS.c.spend), "sfumato_spends")
        self._rows: list[Any] = []

    def compare(self, replay: Replay) -> None:
        """Compare the rows of the charges that were played since."""
        wanted = replay.spends
        while len(self._rows) < len(wanted) and (more := next(self._chunks, None)):
            self._rows += more
        if self._rows[: len(wanted)] == wanted:
            del self._rows[: len(wanted)]
            wanted.clear()

    def check_rest(self, replay: Replay) -> None:
        """Tell what differs."""
        told = {row[0]: row for row in replay.spends}
        for row in (*self._rows, *(row for chunk in self._chunks for row in chunk)):
            if told.pop(row[0], None) != row:
                replay.found(row[0], "the table of spends has something else than the log")
        for spend in sorted(told):
            replay.found(spend, "the charge is missing from the table of spends")


def _check_answers(connection: Connection, replay: Replay) -> None:
    wanted, seen, sha256 = replay.answers, 0, hashlib.sha256
    told = wanted.get
    for chunk in _chunks(connection, select(ANSWERS.c.spend, ANSWERS.c.answer).order_by(ANSWERS.c.spend)):
        seen += len(chunk)
        for spend, answer in chunk:
            if type(answer) is str and sha256(answer.encode()).hexdigest() == told(spend):
                continue
            if spend not in replay.charged:
                replay.found(spend, "an answer that was never charged")
            elif spend not in wanted:
                replay.found(spend, "an answer that the log does not know")
            else:
                replay.found(spend, "the answer was changed after it was stored")
    if seen != len(wanted):
        present = {spend for (spend,) in _all(connection, select(ANSWERS.c.spend))}
        for spend in sorted(wanted.keys() - present):
            replay.found(spend, "the answer of this charge is missing")


def _check_budgets(connection: Connection, replay: Replay) -> None:
    found = {row[:4]: row[4:] for row in _all(connection, select(BUDGETS))}
    told = {
        key: (one.composition, *one.texts, in_money(one.spent), in_money(one.spent_delta))
        for key, one in replay.budgets.items()
    }
    for key in sorted(found.keys() | told.keys(), key=repr):
        name = f"the budget of {key[2]} '{key[3]}' for data set '{key[0]}'"
        if key not in found or key not in told:
            where = "missing from the table" if key not in found else "unknown to the log"
            replay.found(None, f"{name} is {where}")
        elif found[key] != told[key]:
            replay.found(None, f"{name} differs from what the log adds up to")


_OF_LOG = {"team": "group", "key_hash": "key"}
"""columns of an account that the log calls otherwise"""


def _check_accounts(connection: Connection, replay: Replay) -> None:
    names = [column.name for column in ANALYSTS.columns]
    found = {}
    for row in _all(connection, select(ANALYSTS)):
        told = {_OF_LOG.get(name, name): value for name, value in zip(names, row, strict=True)}
        key = told["key"]
        # The log vouches for the hash of a key without telling it.
        told["key"] = text_hash(key) if type(key) is str else key
        found[told["name"]] = told
    for name in sorted(found.keys() | replay.accounts.keys(), key=repr):
        told = replay.accounts.get(name, {})
        if (
            name not in found
            or not told
            or any(told.get(part) != value for part, value in found[name].items())
        ):
            replay.found(None, f"the account '{name}' differs from what the log tells")


def _check_windows(connection: Connection, replay: Replay) -> None:
    places = {
        number: (name, stopped)
        for number, name, stopped in _all(
            connection, select(DATA_SETS.c.number, DATA_SETS.c.name, DATA_SETS.c.suspended)
        )
    }
    told = {number: (name, name in replay.stopped) for name, number in replay.numbers.items()}
    for number in sorted(places.keys() | told.keys(), key=repr):
        if places.get(number) != told.get(number):
            name = (told.get(number) or places[number])[0]
            replay.found(None, f"data set '{name}' was suspended or resumed past the log")
    columns = (WINDOWS.c.number, WINDOWS.c.data_set, WINDOWS.c.name, WINDOWS.c.complete)
    rows = {number: rest for number, *rest in _all(connection, select(*columns))}
    wanted: dict[int, list[Any]] = {
        one.number: [replay.numbers[place[0]], place[1], one.complete]
        for place, one in replay.windows.items()
    }
    for number in sorted(rows.keys() | wanted.keys(), key=repr):
        if rows.get(number) != wanted.get(number):
            place, name = (wanted.get(number) or rows[number])[:2]
            known = {each: data_set for data_set, each in replay.numbers.items()}
            replay.found(
                None,
                f"window '{name}' of data set '{known.get(place, place)}' differs from what the log tells",
            )


def _check_people(connection: Connection, replay: Replay) -> None:
    seen = 0
    for (data_set, window), one in replay.windows.items():
        people = (
            select(PEOPLE.c.person)
            .where(PEOPLE.c.data_set == replay.numbers[data_set], PEOPLE.c.window == one.number)
            .order_by(PEOPLE.c.person)
        )
        try:
            digest = digest_begun(one.salt)
            for chunk in _chunks(connection, people):
                seen += len(chunk)
                # An array takes whole numbers alone; NumPy would round what SQLite may hold besides.
                people_of = array("q", [person for (person,) in chunk])
                if sys.byteorder == "big":
                    people_of.byteswap()
                digest.update(people_of.tobytes())
            fits = digest.hexdigest() == one.people
        except (TypeError, ValueError, OverflowError):
            fits = False
        if not fits:
            replay.found(
                None, f"the people of window '{window}' of data set '{data_set}' are not those of the log"
            )
    if connection.execute(select(func.count()).select_from(PEOPLE)).scalar() != seen:
        replay.found(None, "there are people of windows that the log does not know")


def _check_refusals(connection: Connection, replay: Replay) -> None:
    rows = select(*REFUSALS.columns)
    found = {row[:4]: row[4] for row in _all(connection, rows)}
    for key in sorted(found.keys() | replay.refusals.keys(), key=repr):
        if found.get(key) != replay.refusals.get(key):
            replay.found(None, f"the count of refusals of analyst '{key[1]}' differs from what the log tells")
