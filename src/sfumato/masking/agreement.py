"""A data use agreement: who receives the data, for what, until when.

A Limited Data Set may only be given to somebody who signed one (45 CFR 164.514(e)(4)). Sfumato reads a
small file about it and refuses when it is missing or has expired; whether the agreement itself is sound
is for people to judge.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sfumato.core.errors import BadInput, nearest
from sfumato.core.files import Unreadable
from sfumato.core.plain_yaml import load_yaml

_KEYS = ("recipient", "purpose", "expires")


@dataclass(frozen=True)
class Agreement:
    """What an agreement says."""

    recipient: str
    purpose: str
    expires: dt.date

    @classmethod
    def read(cls, path: Path, today: dt.date | None = None) -> Agreement:
        """Read the file of an agreement; one that has expired is refused."""
        where = str(path)
        try:
            found = load_yaml(path)
        except Unreadable as problem:
            if not problem.missing:
                raise
            raise BadInput("there is no such agreement", where=where, remedy="check the path") from None
        agreement = cls._of(found, where)
        agreement.refuse_expired(where, today)
        return agreement

    def refuse_expired(self, where: str, today: dt.date | None = None) -> None:
        """Stop where the last day of the agreement has passed."""
        if self.expires < (today or dt.date.today()):
            raise BadInput(
                f"the agreement expired on {self.expires.isoformat()}", where=where, remedy="renew it first"
            )

    @classmethod
    def _of(cls, found: Any, where: str) -> Agreement:
        if not isinstance(found, dict):
            raise BadInput("the agreement has no keys", where=where, remedy=f"write {', '.join(_KEYS)}")
        for key in found:
            if key not in _KEYS:
                raise BadInput(
                    f"'{key}' is not a key of an agreement", where=where, remedy=nearest(str(key), _KEYS)
                )
        for key in ("recipient", "purpose"):
            if not isinstance(found.get(key), str) or not found[key].strip():
                raise BadInput(f"the agreement needs the key '{key}'", where=where, remedy="add it as text")
        expires = found.get("expires")
        if not isinstance(expires, dt.date) or isinstance(expires, dt.datetime):
            raise BadInput(
                "the agreement needs the key 'expires'", where=where, remedy="add a day such as 2027-12-31"
            )
        return cls(found["recipient"].strip(), found["purpose"].strip(), expires)
