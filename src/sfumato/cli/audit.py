"""``sfumato audit``: check what was promised from what was written down."""

from __future__ import annotations

from typing import Annotated

import typer

from sfumato.cli.options import consoles

audit = typer.Typer(
    help="Check a ledger (was anything overspent, changed or cut off?) or the noise of mechanisms.",
    no_args_is_help=True,
)


@audit.callback()
def _group() -> None:
    """Check what was promised from what was written down."""


@audit.command("ledger")
def ledger(
    ledger: Annotated[str, typer.Argument(help="A file, sqlite:///… or postgresql://…")],
    head: Annotated[
        str | None,
        typer.Option(
            help="A head of the log that you kept (12:3f…): shows also what was cut off or rewritten."
        ),
    ] = None,
) -> None:
    """Recompute the chain of hashes, every budget and every answer; leave with 1 if something is wrong."""
    console, _ = consoles()
    from sfumato.query.ledger.audit import verify_chain
    from sfumato.query.ledger.chain import Head
    from sfumato.query.ledger.sql_ledger import SqlLedger
    from sfumato.server.opening import ledger_url

    kept = None if head is None else Head.read(head)
    opened = SqlLedger(ledger_url(ledger))
    try:
        found = verify_chain(opened, kept)
    finally:
        opened.close()
    console.print(str(found), soft_wrap=True, markup=False, highlight=False)
    if not found.holds:
        raise typer.Exit(1)


@audit.command("mechanism")
def mechanism(
    name: Annotated[str | None, typer.Argument(help="The mechanism; all of ours without one.")] = None,
    samples: Annotated[
        int | None, typer.Option(help="Runs on each of two neighbouring inputs; more find smaller faults.")
    ] = None,
    confidence: Annotated[
        float, typer.Option(help="How sure all that is printed is, taken together.")
    ] = 0.99,
    listed: Annotated[bool, typer.Option("--list", help="Only list the mechanisms.")] = False,
    broken: Annotated[
        bool,
        typer.Option("--broken", help="Audit mechanisms that are broken on purpose: they must be refuted."),
    ] = False,
) -> None:
    """Estimate from samples what ε mechanisms have at least; leave with 1 if a claim is refuted."""
    from sfumato.cli.audit_mechanism import audit_mechanisms, list_mechanisms

    if listed:
        list_mechanisms(consoles()[0])
    elif audit_mechanisms(name, samples, confidence, broken, *consoles()):
        raise typer.Exit(1)
