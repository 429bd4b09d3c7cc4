"""``sfumato serve``: the query service."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.guard import PATIENCE
from sfumato.cli.options import consoles
from sfumato.cli.stop import STOP


def serve(
    databases: Annotated[list[Path], typer.Argument(help="The database.yaml of each data set.")],
    ledger: Annotated[
        str | None,
        typer.Option(
            envvar="SFUMATO_LEDGER",
            help="A file, sqlite:///… or postgresql://… (default: ledger.db beside the first data set).",
        ),
    ] = None,
    host: Annotated[
        str, typer.Option(help="The address to listen on; the default is this machine alone.")
    ] = ("127.0.0.1"),
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes one that is free.")] = 8000,
    certificate: Annotated[Path | None, typer.Option(help="A certificate for TLS (PEM).")] = None,
    key: Annotated[Path | None, typer.Option(help="The key of the certificate (PEM).")] = None,
    settings: Annotated[
        Path | None, typer.Option(help="YAML with settings of the service: ticks, queues, OpenID Connect.")
    ] = None,
    show_facts: Annotated[
        bool,
        typer.Option("--show-facts", help="Print what was left out of the data: exact, for your eyes only."),
    ] = False,
) -> None:
    """Answer questions over HTTP: noisy, charged, and logged."""
    console, errors = consoles()
    from sfumato.core.errors import MissingPart

    try:
        from sfumato.server.app import create_app
    except ImportError:
        raise MissingPart("the service needs FastAPI", remedy="pip install 'sfumato[server]'") from None
    from sfumato.server.opening import open_all
    from sfumato.server.running import LEAVE_WITHIN, Address, listen
    from sfumato.server.settings import Settings, read_settings

    address = Address(host, port, certificate, key)
    chosen = Settings() if settings is None else read_settings(settings)
    if address.warning:
        errors.print(f"warning: {address.warning}", soft_wrap=True, markup=False, highlight=False)
    opened = open_all(databases, ledger, owner=True)
    try:
        opened.warm_up()
        app = create_app(opened.databases, opened.ledger, chosen, usual=opened.usual)

        def ready(url: str) -> None:
            for line in [*opened.told(), *(opened.facts() if show_facts else ())]:
                console.print(line, soft_wrap=True, markup=False, highlight=False)
            console.print(f"Listening on {url}", soft_wrap=True, markup=False, highlight=False)
            console.file.flush()
            # Requests under way are given their time; what hangs after it is not.
            STOP.patience(LEAVE_WITHIN + PATIENCE)

        listen(app, address, ready)
    finally:
        opened.close()
