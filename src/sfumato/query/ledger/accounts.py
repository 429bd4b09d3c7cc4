"""Who may ask: analysts, owners and auditors, their keys, and stopping them.

A key is ``sfu_``, an identifier that is no secret, and 256 random bits. Only the SHA-256 of the secret part
is kept: a slow hash protects secrets that can be guessed, which 256 random bits cannot. A key is shown once.
It may expire. A clock that is set back brings no key to life again as far as the log is newer than it.

There is always an owner who can act: the last one with a key that does not expire cannot be suspended, and
their key cannot be exchanged for one that expires. Tokens do not count, since only the identity provider
knows what they will say tomorrow. Changes are made one after the other, so two owners who suspend each other
at the same time do not both succeed.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

from sqlalchemy import Connection, Row, insert, select, update

from sfumato.core.errors import BadInput, nearest
from sfumato.query.ledger.chain import Kind, Pen, head_of, text_hash
from sfumato.query.ledger.contract import Suspended
from sfumato.query.ledger.sql_ledger import SqlLedger
from sfumato.query.ledger.tables import ANALYSTS, DATA_SETS
from sfumato.query.ledger.words import name_checked

PREFIX = "sfu"
"""what every key begins with, so that it is recognised where it should not be"""
_NOBODY = hashlib.sha256(b"nobody").hexdigest()


class Role(StrEnum):
    """What an account may do."""

    OWNER = "owner"
    ANALYST = "analyst"
    AUDITOR = "auditor"


@dataclass(frozen=True)
class Account:
    """An account, without anything secret."""

    name: str
    role: Role
    group: str = ""
    subject: str | None = None
    """the ``sub`` of an OpenID Connect token"""
    key_id: str | None = None
    suspended: bool = False
    expires: int | None = None
    """from this moment on (microseconds since 1970) the key is worth nothing; None: never"""


class Accounts:
    """The accounts of a ledger. Every change is an entry of its log."""

    def __init__(self, ledger: SqlLedger) -> None:
        self._ledger = ledger

    def add(
        self,
        name: str,
        role: Role | str = Role.ANALYST,
        group: str = "",
        *,
        subject: str | None = None,
        key: bool = True,
        expires: int | None = None,
        by: str = "",
    ) -> str:
        """Make an account and return its key, which is shown this once ('' where ``key`` is False)."""
        if expires is not None and not key:
            raise BadInput("there is no key that could expire", where="expires", remedy="leave it out")
        account = Account(
            name_checked(name, "analyst"),
            _role(role),
            name_checked(group, "group", empty=True),
            None if subject is None else name_checked(subject, "subject"),
        )
        issued = _Key.draw() if key else None

        def work(connection: Connection, moment: int) -> None:
            _refuse_taken(connection, ANALYSTS.c.name, account.name, "an account of this name exists already")
            if account.subject is not None:
                _refuse_taken(connection, ANALYSTS.c.subject, account.subject, "the subject has an account")
            row: dict[str, Any] = {"name": account.name, "role": str(account.role), "team": account.group}
            row |= {"subject": account.subject, "suspended": False, "expires": expires}
            if issued is not None:
                row |= {"key_id": issued.identifier, "key_hash": issued.hash}
            connection.execute(insert(ANALYSTS).values(**row))
            _tell(connection, moment, "added", _account(connection, account.name), by)

        self._ledger.write(work)
        return "" if issued is None else str(issued)

    def rotate(
        self, name: str, *, expires: int | Literal["as before"] | None = "as before", by: str = ""
    ) -> str:
        """Give an account a new key and return it; the old one is worth nothing from then on.

        The new one expires when the old one would have, unless another moment is given, or None for never.
        """
        issued = _Key.draw()
        changed: dict[str, Any] = {"key_id": issued.identifier, "key_hash": issued.hash}
        if expires != "as before":
            changed["expires"] = expires
        self._change(name, "key rotated", by, **changed)
        return str(issued)

    def suspend(self, name: str, *, by: str = "") -> None:
        """Stop an account: from the next charge on everything is refused, stored answers too."""
        self._change(name, "suspended", by, suspended=True)

    def resume(self, name: str, *, by: str = "") -> None:
        """Let a suspended account ask again."""
        self._change(name, "resumed", by, suspended=False)

    def suspend_data_set(self, data_set: str, *, by: str = "") -> None:
        """Stop a data set for everybody."""
        self._ledger.write(lambda connection, moment: _stop(connection, moment, data_set, True, by))

    def resume_data_set(self, data_set: str, *, by: str = "") -> None:
        """Let a suspended data set be asked again."""
        self._ledger.write(lambda connection, moment: _stop(connection, moment, data_set, False, by))

    def suspended_data_sets(self) -> list[str]:
        """Return the data sets that are stopped."""
        stopped = select(DATA_SETS.c.name).where(DATA_SETS.c.suspended).order_by(DATA_SETS.c.name)
        return self._ledger.read(lambda connection: list(connection.execute(stopped).scalars()))

    def by_key(self, key: str) -> Account | None:
        """Return who a key belongs to, None for an unknown or expired one; a suspended account raises
        ``Suspended``.

        The secret is compared in constant time, also when the identifier is unknown.
        """
        asked = _Key.read(key)
        if asked is None:
            return None
        row, last = self._ledger.read(
            lambda connection: (
                _row(connection, ANALYSTS.c.key_id == asked.identifier),
                head_of(connection)[1],
            )
        )
        kept = _NOBODY if row is None else row.key_hash
        right = hmac.compare_digest(kept, asked.hash)
        if row is None or not right or _expired(row.expires, max(self._ledger.moment(), last)):
            return None
        return _allowed(row)

    def by_subject(self, subject: str) -> Account | None:
        """Return whose OpenID Connect subject this is; a suspended account raises ``Suspended``."""
        row = self._ledger.read(lambda connection: _row(connection, ANALYSTS.c.subject == subject))
        return None if row is None else _allowed(row)

    def named(self, name: str) -> Account | None:
        """Return an account, suspended or not."""
        row = self._ledger.read(lambda connection: _row(connection, ANALYSTS.c.name == name))
        return None if row is None else _read(row)

    def all(self) -> list[Account]:
        """Return every account."""
        rows = select(ANALYSTS).order_by(ANALYSTS.c.name)
        return self._ledger.read(lambda connection: [_read(row) for row in connection.execute(rows)])

    def _change(self, name: str, what: str, by: str, **values: Any) -> None:
        def work(connection: Connection, moment: int) -> None:
            expires = values.get("expires", _account(connection, name).expires)
            if "key_id" in values and _expired(expires, moment):
                raise BadInput(
                    "the key has expired, and so would the new one",
                    where="expires",
                    remedy="say until when it is to hold, such as 90d or never",
                )
            owners = _lasting_owners(connection)
            connection.execute(update(ANALYSTS).where(ANALYSTS.c.name == name).values(**values))
            if owners and not _lasting_owners(connection):
                raise BadInput(
                    "this is the last owner with a key that does not expire: nobody could act afterwards",
                    where=f"analyst '{name}'",
                    remedy="add another owner first",
                )
            _tell(connection, moment, what, _account(connection, name), by)

        self._ledger.write(work)


@dataclass(frozen=True)
class _Key:
    identifier: str
    secret: str

    @classmethod
    def draw(cls) -> _Key:
        return cls(secrets.token_hex(8), secrets.token_hex(32))

    @classmethod
    def read(cls, text: str) -> _Key | None:
        parts = text.split("_")
        lengths = [len(part) for part in parts]
        fits = lengths == [len(PREFIX), 16, 64] and parts[0] == PREFIX and text.isascii()
        return cls(parts[1], parts[2]) if fits else None

    @property
    def hash(self) -> str:
        return hashlib.sha256(self.secret.encode()).hexdigest()

    def __str__(self) -> str:
        return f"{PREFIX}_{self.identifier}_{self.secret}"


def account_body(account: Account) -> dict[str, Any]:
    """Return what the log tells of an account."""
    return {
        "name": account.name,
        "role": str(account.role),
        "group": account.group,
        "subject": account.subject,
        "key_id": account.key_id,
        "suspended": account.suspended,
        "expires": account.expires,
    }


def key_vouched(key_hash: str | None) -> str | None:
    """Return what the log says of a key: enough to tell that it was exchanged, and nothing to check it by."""
    return None if key_hash is None else text_hash(key_hash)


def _role(role: Role | str) -> Role:
    try:
        return Role(role)
    except ValueError:
        raise BadInput("the role is not known", where="role", remedy=nearest(str(role), list(Role))) from None


def _tell(connection: Connection, moment: int, what: str, account: Account, by: str) -> None:
    pen = Pen(connection, moment)
    row = _row(connection, ANALYSTS.c.name == account.name)
    body = account_body(account) | {"what": what, "by": name_checked(by, "by", empty=True)}
    body["key"] = None if row is None else key_vouched(row.key_hash)
    pen.write(Kind.ACCOUNT, body)
    pen.flush()


def _stop(connection: Connection, moment: int, data_set: str, suspended: bool, by: str) -> None:
    name = name_checked(data_set, "data set")
    number = number_of(connection, name)
    connection.execute(update(DATA_SETS).where(DATA_SETS.c.number == number).values(suspended=suspended))
    pen = Pen(connection, moment)
    body = {"data_set": name, "suspended": suspended, "by": name_checked(by, "by", empty=True)}
    pen.write(Kind.DATA_SET, body)
    pen.flush()


def number_of(connection: Connection, data_set: str) -> int:
    """Return the number of a data set in the ledger; a new one gets the next."""
    rows = connection.execute(select(DATA_SETS.c.name, DATA_SETS.c.number))
    numbers: dict[str, int] = {row.name: row.number for row in rows}
    if data_set not in numbers:
        numbers[data_set] = max(numbers.values(), default=0) + 1
        values = {"number": numbers[data_set], "name": data_set, "suspended": False}
        connection.execute(insert(DATA_SETS).values(**values))
    return numbers[data_set]


def _row(connection: Connection, condition: Any) -> Row[Any] | None:
    return connection.execute(select(ANALYSTS).where(condition)).first()


def _account(connection: Connection, name: str) -> Account:
    row = _row(connection, ANALYSTS.c.name == name)
    if row is None:
        known = connection.execute(select(ANALYSTS.c.name)).scalars()
        raise BadInput("there is no account of this name", where="analyst", remedy=nearest(name, known))
    return _read(row)


def _refuse_taken(connection: Connection, column: Any, value: str, what: str) -> None:
    if _row(connection, column == value) is not None:
        raise BadInput(what, where="analyst", remedy="choose another, or change that one")


def _read(row: Row[Any]) -> Account:
    return Account(row.name, Role(row.role), row.team, row.subject, row.key_id, row.suspended, row.expires)


def _expired(expires: int | None, moment: int) -> bool:
    return expires is not None and expires <= moment


def _lasting_owners(connection: Connection) -> list[str]:
    """Return the owners who can act tomorrow: not suspended, with a key that does not expire."""
    lasting = select(ANALYSTS.c.name).where(
        ANALYSTS.c.role == str(Role.OWNER),
        ANALYSTS.c.suspended.is_(False),
        ANALYSTS.c.key_id.is_not(None),
        ANALYSTS.c.expires.is_(None),
    )
    return list(connection.execute(lasting).scalars())


def _allowed(row: Row[Any]) -> Account:
    account = _read(row)
    if account.suspended:
        raise Suspended(
            "the key was suspended by the owner", where=f"analyst '{account.name}'", remedy="ask them"
        )
    return account
