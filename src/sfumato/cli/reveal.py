"""``sfumato reveal``: pseudonyms back into values, for who holds the key or the vault."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def reveal(
    file: Annotated[Path, typer.Argument(help="A released CSV or Parquet file.")],
    column: Annotated[str, typer.Option(help="The column with the codes.")],
    out: Annotated[Path, typer.Option(help="The file to write, readable for you alone.")],
    vault: Annotated[Path | None, typer.Option(help="The vault in the steward's folder.")] = None,
    key_env: Annotated[str | None, typer.Option(help="The environment variable that holds the key.")] = None,
    key_file: Annotated[Path | None, typer.Option(help="The file that holds the key.")] = None,
    recipient: Annotated[str, typer.Option(help="Who received the release, as in the recipe.")] = "",
    purpose: Annotated[str, typer.Option(help="What it was for, as in the recipe.")] = "",
    domain: Annotated[str, typer.Option(help="The domain of the mask, if the recipe names one.")] = "",
) -> None:
    """Turn the codes of a column back into values: all of them, or nothing is written."""
    from sfumato.masking.contract import Scope
    from sfumato.masking.keys import KeySource
    from sfumato.masking.reveal import reveal as turn_back

    key = KeySource(key_env, key_file) if key_env is not None or key_file is not None else None
    done = turn_back(file, column, out, key=key, vault=vault, scope=Scope(recipient, purpose), domain=domain)
    typer.echo(f"Revealed: {done.path} ({done.rows:,} rows). It names people: keep it in the house.")
