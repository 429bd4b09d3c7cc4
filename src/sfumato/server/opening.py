"""From files to a service: the data sets, their secrets, and the ledger beside them."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sfumato.core.errors import BadInput
from sfumato.query.database import Database
from sfumato.query.ledger.accounts import Accounts, Role
from sfumato.query.ledger.contract import Budget
from sfumato.query.ledger.sql_ledger import SqlLedger
from sfumato.query.prepared import Prepared
from sfumato.query.spelling import DatabaseFile, read_database

OWNER = "owner"
LEDGER = "ledger.db"
SECRET = "SFUMATO_SECRET"
"""the environment's variable with the secret of the data sets, in hexadecimal digits"""


def ledger_url(text: str | None, beside: Path | None = None) -> str:
    """Return the address of a ledger: a path means SQLite, and nothing a file beside the data.

    >>> ledger_url("ledgers/main.db"), ledger_url("postgresql://db/ledger")
    ('sqlite:///ledgers/main.db', 'postgresql://db/ledger')
    """
    if text is None:
        return f"sqlite:///{(beside.parent if beside is not None else Path()) / LEDGER}"
    return text if "://" in text else f"sqlite:///{text}"


def secret_of(path: Path) -> bytes:
    """Return the secret of a data set: from the environment, or from a file that only its owner can read.

    It decides which rows of a person count, and whether data are the same as before: it must stay the same.
    """
    told = os.environ.get(SECRET)
    if told is not None:
        try:
            return bytes.fromhex(told)
        except ValueError:
            raise BadInput(
                "the secret is not hexadecimal", where=SECRET, remedy="openssl rand -hex 32"
            ) from None
    place = path.with_suffix(".secret")
    with contextlib.suppress(FileExistsError):
        handle = os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(32))
            file.flush()
            os.fsync(file.fileno())
    try:
        return bytes.fromhex(place.read_text(encoding="ascii"))
    except (OSError, ValueError):
        raise BadInput(
            "the secret cannot be read", where=str(place), remedy="restore it from a copy"
        ) from None


@dataclass(frozen=True)
class Opened:
    """All that a service needs."""

    databases: dict[str, Database]
    ledger: SqlLedger
    usual: tuple[Budget, ...]
    owner_key: str | None
    """shown once, when the ledger was made"""

    def close(self) -> None:
        """Let go of data and ledger."""
        for base in self.databases.values():
            base.prepared.close()
        self.ledger.close()
