"""Who is asking: an API key of the ledger's accounts, or a bearer token of an identity provider.

``Authorization: Bearer sfu_…`` is looked up by its public part and compared by hash in constant time; any
other bearer is read as a signed token. Every failure has the same words. A key that was checked is believed
for a second: rotating and suspending take effect after that at the latest, and questions of somebody who
is suspended stop at once, since the ledger looks at every charge. A key that expires is believed no longer
than it holds.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from sfumato.query.ledger.accounts import PREFIX, Account, Role
from sfumato.query.ledger.sql_ledger import now
from sfumato.server.oidc import Tokens
from sfumato.server.problems import NotAllowed, NotKnown
from sfumato.server.settings import OidcSettings

_MOST_REMEMBERED = 10_000
_LONGEST_NAME = 200


class Accounts(Protocol):
    """What is asked of the accounts."""

    def by_key(self, key: str) -> Account | None:
        """Return whose key it is."""

    def by_subject(self, subject: str) -> Account | None:
        """Return whose token it is."""

    def welcome(self, subject: str, name: str, group: str, role: Role) -> Account:
        """Return the account of somebody whom the identity provider sent, made when there is none."""


@dataclass(frozen=True)
class Caller:
    """Somebody who was recognised."""

    name: str
    role: Role
    group: str

    def must_be(self, *roles: Role) -> Caller:
        """Refuse those whose role is another.

        >>> Caller("ana", Role.ANALYST, "").must_be(Role.ANALYST, Role.OWNER).name
        'ana'
        """
        if self.role not in roles:
            allowed = " or ".join(f"the {role}" for role in roles)
            raise NotAllowed(f"this is for {allowed}", where="Authorization", remedy="ask the owner")
        return self


class Doorkeeper:
    """Recognises callers. ``seconds`` is how long a key that was checked is believed."""

    def __init__(
        self,
        accounts: Accounts,
        tokens: Tokens | None = None,
        *,
        seconds: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], int] = now,
    ) -> None:
        self.accounts = accounts
        self.tokens = tokens
        self.seconds = seconds
        self._clock = clock
        self._wall = wall
        self._remembered: dict[bytes, tuple[float, Caller]] = {}
        self._lock = threading.Lock()

    def remembered(self, header: str | None) -> Caller | None:
        """Return who it is when that was checked a moment ago."""
        if header is None:
            return None
        found = self._remembered.get(_digest(header))
        return found[1] if found is not None and self._clock() < found[0] else None

    def recognise(self, header: str | None) -> Caller:
        """Return who sends this ``Authorization`` header, or refuse."""
        scheme, _, credential = (header or "").partition(" ")
        credential = credential.strip()
        if scheme.lower() != "bearer" or not credential.isascii() or not credential:
            raise _unknown()
        checked_at = self._clock()
        account = self._account(credential)
        caller = Caller(account.name, account.role, account.group)
        if self.seconds:
            with self._lock:
                if len(self._remembered) >= _MOST_REMEMBERED:
                    self._remembered.clear()
                until = checked_at + self._believed(account, credential)
                self._remembered[_digest(header or "")] = (until, caller)
        return caller

    def _believed(self, account: Account, credential: str) -> float:
        """Return for how many seconds somebody is believed: a key no longer than it holds."""
        if account.expires is None or not credential.startswith(f"{PREFIX}_"):
            return self.seconds
        return min(self.seconds, (account.expires - self._wall()) / 1_000_000)

    def forget(self) -> None:
        """Believe nobody without checking again: accounts have changed."""
        with self._lock:
            self._remembered.clear()

    def _account(self, credential: str) -> Account:
        if credential.startswith(f"{PREFIX}_"):
            account = self.accounts.by_key(credential)
        elif self.tokens is not None and credential.count(".") == 2:
            account = self._of_token(self.tokens.claims(credential), self.tokens.settings)
        else:
            account = None
        if account is None:
            raise _unknown()
        return account

    def _of_token(self, claims: Mapping[str, Any], settings: OidcSettings) -> Account | None:
        subject = _short(claims.get("sub"))
        if settings.role_claim is None:
            return self.accounts.by_subject(subject)
        told = claims.get(settings.role_claim)
        said = told if isinstance(told, list) else [told]
        roles = {settings.roles[one] for one in said if isinstance(one, str) and one in settings.roles}
        if len(roles) != 1:
            raise NotAllowed(
                "the token gives no role here, or more than one",
                where="Authorization",
                remedy="ask the owner",
            )
        group = (
            "" if settings.group_claim is None else _short(claims.get(settings.group_claim, ""), empty=True)
        )
        return self.accounts.welcome(
            subject, _short(claims.get(settings.name_claim)), group, Role(roles.pop())
        )


def is_key(header: str | None) -> bool:
    """Say whether a header is to be read as an API key, and not as a token.

    >>> is_key("Bearer sfu_1"), is_key("Bearer eyJ.eyJ.x"), is_key(None)
    (True, False, False)
    """
    return (header or "").partition(" ")[2].strip().startswith(f"{PREFIX}_")


def _short(claim: object, *, empty: bool = False) -> str:
    if not isinstance(claim, str) or len(claim) > _LONGEST_NAME or not (claim or empty):
        raise _unknown()
    return claim


def _digest(header: str) -> bytes:
    return hashlib.sha256(header.encode("utf-8", "replace")).digest()


def _unknown() -> NotKnown:
    return NotKnown(
        "the key is not known here", where="Authorization", remedy="send 'Authorization: Bearer' and your key"
    )
