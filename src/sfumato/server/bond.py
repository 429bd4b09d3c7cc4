"""What ties a data set to its ledger: a small file beside ``database.yaml`` that remembers both.

A ledger that was deleted, put back from an old copy or exchanged for another has forgotten what was spent,
and every budget would begin anew; so would that of a data set under another name, or that of people whose
hashes are made with another secret. The file ``database.bond`` keeps the head of the ledger's log (Haber &
Stornetta 1991; see ``ledger.chain``), the name of the data set and a keyed hash that tells one secret from
another. What does not fit is refused. It holds nothing secret; who removes it says that budgets begin anew.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import select

from sfumato.core.errors import BadInput
from sfumato.query.ledger.chain import Head
from sfumato.query.ledger.sql_ledger import SqlLedger
from sfumato.query.ledger.tables import LOG

_ANEW = "only if nothing was ever answered may you remove this file and begin anew"


@dataclass(frozen=True)
class Bond:
    """A data set (the path of its ``database.yaml``, its name, its secret) and what is kept of its ledger."""

    path: Path
    data_set: str
    secret: bytes

    def check(self, ledger: SqlLedger) -> None:
        """Refuse a ledger, a name or a secret that is not the one of before."""
        place = bond_of(self.path)
        if not place.exists():
            return
        head, data_set, tag = _read(place)
        if data_set != self.data_set:
            raise BadInput(
                "the data set had another name before, and what was spent is written under that name",
                where=str(place),
                remedy=f"name it as it was; {_ANEW}",
            )
        if not hmac.compare_digest(tag.encode(), self._tag().encode()):
            raise BadInput(
                "the secret of the data set is another one than before, so nobody in it would be recognised",
                where=str(place),
                remedy=f"restore the secret from a copy; {_ANEW}",
            )
        entry = select(LOG.c.hash).where(LOG.c.sequence == head.sequence)
        if head.sequence and ledger.read(lambda connection: connection.execute(entry).scalar()) != head.hash:
            raise BadInput(
                f"this is another ledger than before, or an old copy: its entry {head.sequence} is missing "
                "or different",
                where=str(place),
                remedy=f"put the newest ledger back, it knows what was spent; {_ANEW}",
            )

    def keep(self, ledger: SqlLedger) -> None:
        """Write down where the log of the ledger ends now; the file is whole at every moment."""
        place = bond_of(self.path)
        told = {"data_set": self.data_set, "head": str(ledger.head()), "secret": self._tag()}
        fresh = place.with_name(f".{place.name}.{secrets.token_hex(8)}")
        try:
            handle = os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(told, file, ensure_ascii=False, indent=1)
                file.flush()
                os.fsync(file.fileno())
            os.replace(fresh, place)
        finally:
            fresh.unlink(missing_ok=True)

    def _tag(self) -> str:
        return hmac.digest(self.secret, b"which secret", "sha256").hex()


def bond_of(path: Path) -> Path:
    """Return the file that ties a data set to its ledger."""
    return path.with_suffix(".bond")


def refuse_lost_ledger(path: Path) -> None:
    """Refuse to make a ledger for a data set that had one, or where it cannot be told later that it did."""
    place = bond_of(path)
    if not os.access(path.parent, os.W_OK):
        raise BadInput(
            "there is no ledger, and what would tie one to the data set cannot be written",
            where=str(path.parent),
            remedy="give the address of the ledger with --ledger, or let the service write here",
        )
    if place.exists():
        raise BadInput(
            "the ledger of this data set is gone, and a new one would forget what was spent",
            where=str(place),
            remedy=f"put the ledger back, or give its address with --ledger; {_ANEW}",
        )


def _read(place: Path) -> tuple[Head, str, str]:
    try:
        told = json.loads(place.read_text(encoding="utf-8"))
        return Head.read(told["head"]), str(told["data_set"]), str(told["secret"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, BadInput):
        raise BadInput(
            "what ties the data set to its ledger cannot be read",
            where=str(place),
            remedy=f"restore the file from a copy; {_ANEW}",
        ) from None
