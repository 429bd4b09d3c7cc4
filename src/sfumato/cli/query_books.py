"""The books behind ``sfumato query``: accounts, budgets, alerts, what was answered to whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError
from rich.table import Table

from sfumato.core.errors import BadInput
from sfumato.query.spelling import read_database
from sfumato.server.bond import keep_bond
from sfumato.server.books import Books
from sfumato.server.opening import ledger_url, usual_budgets
from sfumato.server.remote import RemoteBooks
from sfumato.server.wire import AddAnalyst, AlertOut, AnalystOut, BreachOut, BudgetOut, KeyOut, SetBudget

if TYPE_CHECKING:
    from rich.console import Console

    from sfumato.query.metadata import Metadata

BY = "command line"
_SHOWN = 10
"""spends of an alert that are printed"""


@contextmanager
def books(
    ledger: str | None, url: str | None, key_file: Path | None, database: Path | None = None
) -> Iterator[Books | RemoteBooks]:
    """Open the books of a ledger on this machine, or of a service."""
    if url is not None:
        from sfumato.cli.query_work import client_of

        with client_of(url, key_file) as client:
            yield RemoteBooks(client)
        return
    from sfumato.query.ledger.sql_ledger import SqlLedger

    opened = SqlLedger(ledger_url(ledger, database))
    if database is not None:
        keep_bond(database, opened)
    try:
        yield Books(opened, usual_budgets([] if database is None else [read_database(database)]))
    finally:
        opened.close()


def bring_up_to_date(ledger: str | None, database: Path | None, console: Console) -> None:
    """Migrate a ledger, and verify it as a service does before its first answer."""
    from sfumato.query.ledger.sql_ledger import SqlLedger

    url = ledger_url(ledger, database)
    changed = SqlLedger.migrate(url)
    opened = SqlLedger(url)
    try:
        opened.check()
    finally:
        opened.close()
    done = "The ledger was brought up to date" if changed else "The ledger is up to date already"
    console.print(f"{done}; everything in it fits its log.", soft_wrap=True, highlight=False)


def public(database: Path | None) -> Mapping[str, Metadata]:
    """Return what is public of the data set of a file."""
    if database is None:
        return {}
    found = read_database(database).metadata
    return {found.data_set: found}


def add_analyst(
    those: Books | RemoteBooks,
    name: str,
    role: str,
    group: str,
    subject: str | None,
    expires: str | None,
    console: Console,
) -> None:
    """Add somebody and print the key."""
    try:
        body = AddAnalyst.model_validate(
            {"name": name, "role": role, "group": group, "subject": subject, "expires": expires}
        )
    except ValidationError as problem:
        first = problem.errors()[0]
        raise BadInput(first["msg"], where=".".join(map(str, first["loc"]))) from None
    show_key(those.add(body, by=BY), console)


def show_key(made: KeyOut, console: Console) -> None:
    """Print a key."""
    console.print(
        f"The key of {made.name}, shown this once: {made.key}", soft_wrap=True, markup=False, highlight=False
    )
    if made.expires is not None:
        console.print(f"It expires on {_minute(made.expires)}.", soft_wrap=True, highlight=False)


def show_analysts(those: Sequence[AnalystOut], console: Console) -> None:
    """Print accounts."""
    table = _table("name", "role", "group", "state", "key expires")
    for one in those:
        over = one.expires is not None and one.expires <= datetime.now(UTC)
        state = "suspended" if one.suspended else "expired" if over else "active"
        table.add_row(
            one.name, one.role, one.group, state, "" if one.expires is None else _minute(one.expires)
        )
    console.print(table)


def change_budget(
    those: Books | RemoteBooks,
    scope: str,
    name: str,
    data_set: str,
    window: str | None,
    epsilon: str | None,
    rho: str | None,
    delta: str,
) -> BudgetOut:
    """Set a budget."""
    if (epsilon is None) == (rho is None):
        raise BadInput("a budget is either ε or ρ", where="--epsilon", remedy="give --epsilon or --rho")
    try:
        body = SetBudget.model_validate(
            {
                "scope": scope.replace("-", " "),
                "name": name,
                "data_set": data_set,
                "window": window,
                "composition": "zcdp" if epsilon is None else "basic",
                "limit": rho if epsilon is None else epsilon,
                "delta": delta,
            }
        )
    except ValidationError as problem:
        first = problem.errors()[0]
        raise BadInput(first["msg"], where=".".join(map(str, first["loc"]))) from None
    return those.set_budget(body, by=BY)


def show_budgets(those: Sequence[BudgetOut], console: Console) -> None:
    """Print budgets."""
    table = _table("scope", "name", "data set", "window", "in", "spent", "of", "δ spent", "of")
    for one in those:
        unit = "ε" if one.composition == "basic" else "ρ"
        table.add_row(
            one.scope,
            one.name,
            one.data_set,
            one.window,
            unit,
            one.spent,
            one.limit,
            one.spent_delta,
            one.delta,
        )
    console.print(table)


def show_alerts(those: Sequence[AlertOut], console: Console) -> bool:
    """Print alerts; return whether there are any."""
    for one in those:
        more = ", …" if len(one.spends) > _SHOWN else ""
        spends = f" (spends {', '.join(map(str, one.spends[:_SHOWN]))}{more})" if one.spends else ""
        who = f"analyst '{one.analyst}' on '{one.data_set}'"
        console.print(
            f"{one.severity}: {one.pattern}: {who} {one.message}{spends}",
            soft_wrap=True,
            markup=False,
            highlight=False,
        )
    if not those:
        console.print("Nothing was found.")
    return bool(those)


def show_breach(report: BreachOut, as_json: bool, console: Console) -> None:
    """Print what was answered to whom."""
    if as_json:
        console.print_json(report.model_dump_json())
        return
    totals = _table("analyst", "data set", "window", "charged", "answered", "ε", "δ", "ρ")
    for one in report.totals:
        sums = (one.epsilon or "–", one.delta, one.rho or "–")
        totals.add_row(one.analyst, one.data_set, one.window, str(one.questions), str(one.answered), *sums)
    console.print(totals)
    for line in report.disclosed:
        state = "answered" if line.answered else "charged, never answered"
        when = line.when.isoformat(timespec="seconds")
        console.print(
            f"{line.spend}  {when}  {line.analyst}  {line.data_set}  {state}  {line.question}",
            soft_wrap=True,
            markup=False,
            highlight=False,
        )


def in_utc(moment: datetime | None) -> datetime | None:
    """Read a moment without a time zone as UTC."""
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment


def _minute(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def _table(*names: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in names:
        table.add_column(name)
    return table
