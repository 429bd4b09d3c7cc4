"""The work behind ``sfumato query``: asking here or over HTTP, and printing what comes back."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from rich.table import Table

from sfumato.core.errors import BadInput
from sfumato.core.files import read_key
from sfumato.core.whole_file import write_whole
from sfumato.query.answer import Answer

if TYPE_CHECKING:
    from rich.console import Console

    from sfumato.query.database import Database
    from sfumato.server.client import Client
    from sfumato.server.opening import Opened
    from sfumato.server.wire import QuoteOut

KEY = "SFUMATO_API_KEY"


@dataclass(frozen=True)
class Offer:
    """What may be spent on a question, and on which data set."""

    epsilon: str | None
    delta: str | None
    rho: str | None
    data_set: str | None

    @property
    def price(self) -> dict[str, str]:
        """The parts that were given."""
        told = {"epsilon": self.epsilon, "delta": self.delta, "rho": self.rho}
        return {name: value for name, value in told.items() if value is not None}


class Asker(Protocol):
    """Somebody to ask."""

    def ask(self, sql: str, offer: Offer) -> Answer:
        """Ask and pay."""

    def quote(self, sql: str, offer: Offer) -> QuoteOut:
        """Say what it would cost."""

    def try_out(self, sql: str, offer: Offer) -> Answer:
        """Ask dummy data."""


@dataclass(frozen=True)
class Remote:
    """A service."""

    client: Client

    def ask(self, sql: str, offer: Offer) -> Answer:
        """Ask and pay."""
        return self.client.ask(sql, data_set=offer.data_set, **offer.price)

    def quote(self, sql: str, offer: Offer) -> QuoteOut:
        """Say what it would cost."""
        return self.client.quote(sql, data_set=offer.data_set, **offer.price)

    def try_out(self, sql: str, offer: Offer) -> Answer:
        """Ask dummy data."""
        return self.client.try_out(sql, data_set=offer.data_set, **offer.price)


@dataclass(frozen=True)
class Local:
    """A data set on this machine; without an analyst it has no data, and only quotes and tries."""

    database: Database
    analyst: str | None

    def ask(self, sql: str, offer: Offer) -> Answer:
        """Ask and pay."""
        assert self.analyst is not None
        return self.database.ask(self.analyst, sql, **offer.price)

    def quote(self, sql: str, offer: Offer) -> QuoteOut:
        """Say what it would cost."""
        from sfumato.server.wire import QuoteOut

        return QuoteOut.of(self.database.quote(sql, **offer.price))

    def try_out(self, sql: str, offer: Offer) -> Answer:
        """Ask dummy data."""
        return self.database.try_out(sql, **offer.price)


@contextmanager
def asker(
    database: Path | None, url: str | None, key_file: Path | None, ledger: str | None, analyst: str | None
) -> Iterator[Asker]:
    """Open whom to ask: a data set here, or a service. Without an analyst no data are opened."""
    if (database is None) == (url is None):
        raise BadInput("whom to ask?", where="--database", remedy="give --database or --url")
    if url is not None:
        with client_of(url, key_file) as client:
            yield Remote(client)
        return
    assert database is not None
    if analyst is None:
        base = _without_data(database)
        try:
            yield Local(base, None)
        finally:
            base.close()
        return
    from sfumato.server.opening import open_all

    opened = open_all([database], ledger, owner=False)
    try:
        base = next(iter(opened.databases.values()))
        _give_budget(opened, base, analyst)
        yield Local(base, analyst)
    finally:
        opened.close()


def _without_data(path: Path) -> Database:
    """Open what is public of a data set, over tables without rows."""
    from sfumato.query.database import Database
    from sfumato.query.dummy import dummy_tables
    from sfumato.query.prepared import Prepared
    from sfumato.query.spelling import read_database

    file = read_database(path)
    public = file.metadata
    empty = Prepared.register(public, dummy_tables(public, rows=0), secret=secrets.token_bytes(32))
    return Database(public, empty, None, window=file.window, limits=file.limits)


def _give_budget(opened: Opened, base: Database, analyst: str) -> None:
    """Let whoever asks on this machine spend what a new analyst may, or else what the data set has.

    They hold the data anyway; the budget of the data set ends it in both cases.
    """
    from sfumato.query.ledger.contract import Scope

    name, window = base.metadata.data_set, base.window
    there = opened.ledger.budgets(name, window, analyst=analyst, group="")
    scopes = {one.scope: one for one in there}
    if Scope.ANALYST not in scopes and Scope.DATA_SET in scopes:
        usual = next(iter(opened.usual), scopes[Scope.DATA_SET])
        given = replace(usual, scope=Scope.ANALYST, name=analyst, data_set=name, window=window)
        opened.ledger.set_budget(given, by="command line")


def client_of(url: str, key_file: Path | None) -> Client:
    """Open a service; the key is never an argument, where others on the machine could read it."""
    from sfumato.server.client import Client

    key = (os.environ.get(KEY, "") if key_file is None else read_key(key_file)).strip()
    if not key or not key.isascii() or not key.isprintable():
        raise BadInput("a service needs a key", where=KEY, remedy=f"set {KEY}, or give --key-file")
    return Client(url, key)


def show_answer(answer: Answer, as_json: bool, console: Console) -> None:
    """Print an answer with its error bars."""
    if as_json:
        from sfumato.query.answer_text import text_of

        console.print_json(text_of(answer))
        return
    measures = len(answer.errors[0]) if answer.errors else 0
    keys = len(answer.columns) - measures
    table = Table(box=None, pad_edge=False)
    for number, name in enumerate(answer.columns):
        table.add_column(name, justify="left" if number < keys else "right")
    for row, errors in zip(answer.rows, answer.errors, strict=True):
        bars = ["" if error is None else f" ± {error:g}" for error in errors]
        table.add_row(
            *(_cell(value) for value in row[:keys]),
            *(_cell(value) + bar for value, bar in zip(row[keys:], bars, strict=True)),
        )
    console.print(table)
    paid = "nothing" if answer.dummy else str(answer.price)
    _say(console, f"Cost: {paid}. Errors are ± at 95 %." + (f" {answer.note}" if answer.note else ""))


def show_quote(quote: QuoteOut, as_json: bool, console: Console) -> None:
    """Print what a question would cost."""
    if as_json:
        console.print_json(quote.model_dump_json())
        return
    table = Table(box=None, pad_edge=False)
    for name in ("measure", "mechanism", "ε", "± at 95 %", "note"):
        table.add_column(name)
    for one in quote.measures:
        error = "–" if one.error is None else f"{one.error:g}"
        table.add_row(one.name, one.mechanism, one.epsilon or "–", error, one.note)
    console.print(table)
    price = quote.price
    cost = f"ρ = {price.rho}" if price.epsilon is None else f"ε = {price.epsilon}"
    groups = "chosen by partition selection" if quote.cells is None else str(quote.cells)
    _say(
        console,
        f"Cost: {cost}, δ = {price.delta}. Groups: {groups}." + (f" {quote.note}" if quote.note else ""),
    )


def write_draft(data: Path, out: Path | None, replace: bool, console: Console) -> None:
    """Write the draft of a database.yaml."""
    from sfumato.query.spelling import draft

    target = out if out is not None else data.parent / "database.yaml"
    if target.exists() and not replace:
        raise BadInput("the file exists already", where=str(target), remedy="give --replace or another --out")
    write_whole(target, draft(data))
    _say(
        console,
        f"Draft: {target}\nTake the '#' away from the columns that may be asked about, mend their bounds "
        f"from what you know, then: sfumato serve {target}",
    )


def _say(console: Console, text: str) -> None:
    console.print(text, soft_wrap=True, markup=False, highlight=False)


def _cell(value: str | int | float | bool | None) -> str:
    return "(missing)" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
