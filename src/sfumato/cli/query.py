"""``sfumato query``: ask a statistical database, here or over HTTP, and keep its books."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.options import Replace, consoles

query = typer.Typer(help="Ask a statistical database, and keep its books.", no_args_is_help=True)
analysts = typer.Typer(help="Who may ask: add, list, rotate, suspend, resume.", no_args_is_help=True)
budget = typer.Typer(help="What may be spent: show and set.", no_args_is_help=True)
query.add_typer(analysts, name="analysts")
query.add_typer(budget, name="budget")

Sql = Annotated[str, typer.Argument(help="The question, in SQL.")]
Base = Annotated[
    Path | None, typer.Option("--database", help="The database.yaml of a data set on this machine.")
]
Url = Annotated[
    str | None, typer.Option(help="The address of a service; its key is in SFUMATO_API_KEY or --key-file.")
]
KeyFile = Annotated[Path | None, typer.Option(help="A file with the key of the service, and nothing else.")]
LedgerUrl = Annotated[
    str | None,
    typer.Option("--ledger", envvar="SFUMATO_LEDGER", help="A file, sqlite:///… or postgresql://…"),
]
Epsilon = Annotated[str | None, typer.Option(help="What may be spent, as ε.")]
Delta = Annotated[str | None, typer.Option(help="And as δ, for groups that are not public.")]
Rho = Annotated[str | None, typer.Option(help="Or what may be spent, as ρ of zCDP.")]
DataSet = Annotated[str | None, typer.Option(help="The data set, when the service has several.")]
Analyst = Annotated[str, typer.Option(help="Whose budget pays, on this machine.")]
Expires = Annotated[
    str | None, typer.Option(help="When the key ends: a day (2027-01-31, in UTC), 90d or never.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Name = Annotated[str, typer.Argument(help="The name of the account.")]


@query.command()
def draft(
    data: Annotated[Path, typer.Argument(help="A CSV or Parquet file.")],
    out: Annotated[
        Path | None, typer.Option(help="The file to write (default: database.yaml beside the data).")
    ] = None,
    replace: Replace = False,
) -> None:
    """Begin a database.yaml from the names and types of columns; bounds are for you to fill in."""
    from sfumato.cli.query_work import write_draft

    write_draft(data, out, replace, consoles()[0])


@query.command()
def ask(
    sql: Sql,
    database: Base = None,
    url: Url = None,
    key_file: KeyFile = None,
    ledger: LedgerUrl = None,
    analyst: Analyst = "local",
    data_set: DataSet = None,
    epsilon: Epsilon = None,
    delta: Delta = None,
    rho: Rho = None,
    as_json: AsJson = False,
) -> None:
    """Ask, pay, and print the noisy answer. The same question again is free and has the same answer."""
    from sfumato.cli.query_work import Offer, asker, show_answer

    with asker(database, url, key_file, ledger, analyst) as base:
        show_answer(base.ask(sql, Offer(epsilon, delta, rho, data_set)), as_json, consoles()[0])


@query.command()
def quote(
    sql: Sql,
    database: Base = None,
    url: Url = None,
    key_file: KeyFile = None,
    data_set: DataSet = None,
    epsilon: Epsilon = None,
    delta: Delta = None,
    rho: Rho = None,
    as_json: AsJson = False,
) -> None:
    """Print the price of a question and the error to expect, from what is public alone."""
    from sfumato.cli.query_work import Offer, asker, show_quote

    with asker(database, url, key_file, None, None) as base:
        show_quote(base.quote(sql, Offer(epsilon, delta, rho, data_set)), as_json, consoles()[0])


@query.command("try")
def try_out(
    sql: Sql,
    database: Base = None,
    url: Url = None,
    key_file: KeyFile = None,
    data_set: DataSet = None,
    epsilon: Epsilon = None,
    delta: Delta = None,
    rho: Rho = None,
    as_json: AsJson = False,
) -> None:
    """Ask dummy data: free, and nothing of the answer is true."""
    from sfumato.cli.query_work import Offer, asker, show_answer

    with asker(database, url, key_file, None, None) as base:
        show_answer(base.try_out(sql, Offer(epsilon, delta, rho, data_set)), as_json, consoles()[0])


@analysts.command("add")
def add(
    name: Name,
    role: Annotated[str, typer.Option(help="owner, analyst or auditor.")] = "analyst",
    group: Annotated[str, typer.Option(help="The group whose budget pays too.")] = "",
    subject: Annotated[
        str | None, typer.Option(help="The subject of tokens of the identity provider.")
    ] = None,
    expires: Expires = None,
    ledger: LedgerUrl = None,
    database: Base = None,
    url: Url = None,
    key_file: KeyFile = None,
) -> None:
    """Add somebody and print the key, this once; with --database also the usual budget of an analyst."""
    from sfumato.cli.query_books import add_analyst, books

    with books(ledger, url, key_file, database) as those:
        add_analyst(those, name, role, group, subject, expires, consoles()[0])


@analysts.command("list")
def list_analysts(ledger: LedgerUrl = None, url: Url = None, key_file: KeyFile = None) -> None:
    """List everybody who may use the service."""
    from sfumato.cli.query_books import books, show_analysts

    with books(ledger, url, key_file) as those:
        show_analysts(those.analysts(), consoles()[0])


@analysts.command("rotate")
def rotate(
    name: Name,
    expires: Expires = None,
    ledger: LedgerUrl = None,
    url: Url = None,
    key_file: KeyFile = None,
) -> None:
    """Replace a key and print the new one, this once; it expires as the old one would have, unless given."""
    from sfumato.cli.query_books import BY, books, show_key

    with books(ledger, url, key_file) as those:
        show_key(those.rotate(name, expires=expires, by=BY), consoles()[0])


@analysts.command("suspend")
def suspend(name: Name, ledger: LedgerUrl = None, url: Url = None, key_file: KeyFile = None) -> None:
    """Stop somebody, at once."""
    from sfumato.cli.query_books import BY, books, show_analysts

    with books(ledger, url, key_file) as those:
        show_analysts([those.suspend(name, by=BY)], consoles()[0])


@analysts.command("resume")
def resume(name: Name, ledger: LedgerUrl = None, url: Url = None, key_file: KeyFile = None) -> None:
    """Let somebody go on who was stopped."""
    from sfumato.cli.query_books import BY, books, show_analysts

    with books(ledger, url, key_file) as those:
        show_analysts([those.resume(name, by=BY)], consoles()[0])


@budget.command("show")
def show_budget(
    data_set: DataSet = None,
    mine: Annotated[
        bool, typer.Option("--mine", help="Those that your own questions are paid from.")
    ] = False,
    ledger: LedgerUrl = None,
    url: Url = None,
    key_file: KeyFile = None,
) -> None:
    """Print every budget and what was spent of it; with --mine those of an analyst's key at a service."""
    from sfumato.cli.query_books import books, show_budgets

    if mine:
        from sfumato.cli.query_work import client_of

        if url is None:
            raise typer.BadParameter("--mine asks a service: give its --url")
        with client_of(url, key_file) as client:
            show_budgets(client.budgets(data_set), consoles()[0])
        return
    with books(ledger, url, key_file) as those:
        show_budgets(those.all_budgets(data_set), consoles()[0])


@budget.command("set")
def set_budget(
    scope: Annotated[str, typer.Argument(help="data-set, group or analyst.")],
    name: Annotated[str, typer.Argument(help="Of the data set, the group or the analyst.")],
    data_set: Annotated[str, typer.Option(help="The data set that may be asked.")],
    window: Annotated[str | None, typer.Option(help="The window of the data set.")] = None,
    epsilon: Epsilon = None,
    rho: Rho = None,
    delta: Annotated[str, typer.Option(help="How much δ may be spent besides.")] = "0",
    ledger: LedgerUrl = None,
    url: Url = None,
    key_file: KeyFile = None,
) -> None:
    """Set what may be spent; what was spent stays spent."""
    from sfumato.cli.query_books import books, change_budget, show_budgets

    with books(ledger, url, key_file) as those:
        changed = change_budget(those, scope, name, data_set, window, epsilon, rho, delta)
        show_budgets([changed], consoles()[0])


@query.command()
def alerts(
    ledger: LedgerUrl = None, database: Base = None, url: Url = None, key_file: KeyFile = None
) -> None:
    """Print patterns of attack that the log shows; leave with 1 if there are any."""
    from sfumato.cli.query_books import books, public, show_alerts

    with books(ledger, url, key_file, database) as those:
        if show_alerts(those.alerts(public(database)), consoles()[0]):
            raise typer.Exit(1)


@query.command()
def breach(
    analyst: Annotated[str | None, typer.Option(help="Only what this analyst was answered.")] = None,
    data_set: DataSet = None,
    since: Annotated[datetime | None, typer.Option(help="From this moment on (UTC).")] = None,
    until: Annotated[datetime | None, typer.Option(help="Before this moment (UTC).")] = None,
    ledger: LedgerUrl = None,
    url: Url = None,
    key_file: KeyFile = None,
    as_json: AsJson = False,
) -> None:
    """Print what was answered to whom."""
    from sfumato.cli.query_books import books, in_utc, show_breach

    with books(ledger, url, key_file) as those:
        report = those.breach(analyst, data_set, in_utc(since), in_utc(until))
        show_breach(report, as_json, consoles()[0])


@query.command()
def head(ledger: LedgerUrl = None, url: Url = None, key_file: KeyFile = None) -> None:
    """Print the head of the log: keep it elsewhere, for `sfumato audit ledger --head`."""
    from sfumato.cli.query_books import books

    with books(ledger, url, key_file) as those:
        typer.echo(those.head().head)


@query.command()
def migrate(ledger: LedgerUrl = None, database: Base = None) -> None:
    """Bring the ledger of an older version up to date, and verify it; what was spent stays spent."""
    from sfumato.cli.query_books import bring_up_to_date

    bring_up_to_date(ledger, database, consoles()[0])
