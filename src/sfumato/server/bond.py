"""What ties a data set to its ledger: a small file beside ``database.yaml`` that remembers both.

A ledger that was deleted, put back from an old copy or exchanged for another has forgotten what was spent,
and every budget would begin anew; so would that of a data set under another name, or that of people whose
hashes are made with another secret. The file ``database.bond`` keeps the head of the ledger's log (Haber &
Stornetta 1991; see ``ledger.chain``), renewed with every batch before anything is run or handed over (see
``ledger.kept_head``), the name of the data set and a keyed hash that tells one secret from another. What does
not fit is refused, and so is a file that is there and cannot be renewed. It holds nothing secret; who removes
it says that budgets begin anew.
"""

from __future__ import annotations

import hmac
import json
import os
from dataclasses import dataclass
from pathlib import Path

from sfumato.core.errors import BadInput
from sfumato.query.ledger.chain import Head, has_head
from sfumato.query.ledger.contract import LedgerUnavailable
from sfumato.query.ledger.kept_head import KeptHead, Unreadable, read_owner, write_whole
from sfumato.query.ledger.sql_ledger import SqlLedger

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
        if not hmac.compare_digest(tag.encode(), self._owner()["secret"].encode()):
            raise BadInput(
                "the secret of the data set is another one than before, so nobody in it would be recognised",
                where=str(place),
                remedy=f"restore the secret from a copy; {_ANEW}",
            )
        if not ledger.read(lambda connection: has_head(connection, head)):
            raise BadInput(
                f"this is another ledger than before, or an old copy: its entry {head.sequence} is missing "
                "or different",
                where=str(place),
                remedy=f"put the newest ledger back, it knows what was spent; {_ANEW}",
            )

    def tie(self, ledger: SqlLedger) -> None:
        """Let the ledger keep its head in the file from now on; made, or brought to its newer form, before.

        Where a folder cannot be written and there is no file, a ledger on SQLite still has its own beside it.
        One on Postgres would have nothing, and is refused.
        """
        place = bond_of(self.path)
        try:
            if not place.exists():
                write_whole(place, self._owner(), ledger.head(), replace=False)
            elif not _is_renewed(place):
                write_whole(place, self._owner(), _read(place)[0], replace=True)
        except OSError:
            if not place.exists() and ledger.connections.path is not None:
                return
            raise LedgerUnavailable(
                "what ties the data set to its ledger cannot be written, so nobody could tell an old copy of "
                "the ledger from the newest",
                where=str(place),
                remedy="let the service write this file",
            ) from None
        ledger.keep_head(KeptHead(place))

    def _owner(self) -> dict[str, str]:
        tag = hmac.digest(self.secret, b"which secret", "sha256").hex()
        return {"data_set": self.data_set, "secret": tag}


def bond_of(path: Path) -> Path:
    """Return the file that ties a data set to its ledger."""
    return path.with_suffix(".bond")


def keep_bond(path: Path, ledger: SqlLedger) -> None:
    """Let the ledger keep its head in the file of a data set, where there is one."""
    place = bond_of(path)
    if place.exists() and _is_renewed(place):
        ledger.keep_head(KeptHead(place))


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


def _is_renewed(place: Path) -> bool:
    """Say whether a file has the form that is renewed with every batch, and not the older one."""
    try:
        read_owner(place)
    except Unreadable:
        return False
    return True


def _read(place: Path) -> tuple[Head, str, str]:
    """Read a file of either form: the older one was written anew as a whole whenever a ledger was closed."""
    try:
        if _is_renewed(place):
            file = KeptHead(place)
            head, told = file.read(), read_owner(place)
            file.close()
        else:
            told = json.loads(place.read_text(encoding="utf-8"))
            head = Head.read(told["head"])
        if head is None:
            raise ValueError("gone")
        return head, str(told["data_set"]), str(told["secret"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, BadInput, Unreadable):
        raise BadInput(
            "what ties the data set to its ledger cannot be read",
            where=str(place),
            remedy=f"restore the file from a copy; {_ANEW}",
        ) from None
