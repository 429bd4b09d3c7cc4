"""Accounts and their keys."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import text

from sfumato.core.errors import BadInput
from sfumato.query.ledger.accounts import Account, Accounts, Role
from sfumato.query.ledger.audit import verify_chain
from sfumato.query.ledger.contract import Suspended
from sfumato.query.ledger.sql_ledger import SqlLedger


def everything(ledger: SqlLedger) -> str:
    """All texts in all tables."""
    tables = ("ledger_log", "ledger_analysts")
    return ledger.read(lambda c: str([c.execute(text(f"SELECT * FROM {table}")).all() for table in tables]))


def test_a_key_opens_its_account_and_is_kept_nowhere(ledger: SqlLedger) -> None:
    accounts = Accounts(ledger)
    key = accounts.add("ann", "analyst", "students", subject="auth0|123", by="olga")
    assert re.fullmatch("sfu_[0-9a-f]{16}_[0-9a-f]{64}", key)
    found = accounts.by_key(key)
    assert found is not None
    assert (found.name, found.role, found.group, found.subject) == (
        "ann",
        Role.ANALYST,
        "students",
        "auth0|123",
    )
    assert accounts.by_subject("auth0|123") == found == accounts.named("ann")
    kept = everything(ledger)
    assert key.split("_")[2] not in kept
    assert found.key_id is not None
    assert found.key_id in kept


def test_what_is_no_key_opens_nothing(ledger: SqlLedger) -> None:
    accounts = Accounts(ledger)
    key = accounts.add("ann")
    other = accounts.add("bo")
    prefix, identifier, secret = key.split("_")
    for wrong in (
        "",
        "sfu",
        "sfu__",
        secret,
        f"xyz_{identifier}_{secret}",
        f"{prefix}_{identifier}_{secret[:-1]}",
        f"{prefix}_{identifier}_{'0' * 64}",
        f"{prefix}_{'0' * 16}_{secret}",
        f"{prefix}_{identifier}_{other.split('_')[2]}",
        f"{key}_",
        f"{prefix}_{identifier}_{secret[:-1]}é",
        f"{prefix}_{identifier}_{secret.upper()}",
    ):
        assert accounts.by_key(wrong) is None, wrong
    assert accounts.by_subject("nobody") is None
    assert accounts.named("nobody") is None


def test_keys_are_never_the_same(sqlite: SqlLedger) -> None:
    accounts = Accounts(sqlite)
    keys = [accounts.add(f"a{i}") for i in range(20)]
    assert len({part for key in keys for part in key.split("_")[1:]}) == 40


def test_a_rotated_key_ends_the_old_one(ledger: SqlLedger) -> None:
    accounts = Accounts(ledger)
    old = accounts.add("ann")
    new = accounts.rotate("ann")
    assert accounts.by_key(old) is None
    found = accounts.by_key(new)
    assert found is not None
    assert found.name == "ann"
    assert verify_chain(ledger).holds


def test_a_suspended_account_is_told_so_by_key_and_by_subject(ledger: SqlLedger) -> None:
    accounts = Accounts(ledger)
    key = accounts.add("ann", subject="s")
    accounts.suspend("ann")
    for look in (lambda: accounts.by_key(key), lambda: accounts.by_subject("s")):
        with pytest.raises(Suspended, match="suspended by the owner"):
            look()
    prefix, identifier, _ = key.split("_")
    assert accounts.by_key(f"{prefix}_{identifier}_{'0' * 64}") is None
    accounts.resume("ann")
    assert accounts.by_key(key) == accounts.named("ann")


def test_who_logs_in_elsewhere_needs_no_key(ledger: SqlLedger) -> None:
    accounts = Accounts(ledger)
    assert accounts.add("ann", Role.AUDITOR, subject="s", key=False) == ""
    assert accounts.add("bo", key=False) == ""
    assert accounts.all() == [
        Account("ann", Role.AUDITOR, subject="s"),
        Account("bo", Role.ANALYST),
    ]
    assert verify_chain(ledger).holds


def test_mistakes_are_told(ledger: SqlLedger) -> None:
    accounts = Accounts(ledger)
    accounts.add("ann", subject="s")
    with pytest.raises(BadInput, match="an account of this name exists already"):
        accounts.add("ann")
    with pytest.raises(BadInput, match="the subject has an account"):
        accounts.add("bo", subject="s")
    with pytest.raises(BadInput, match="the role is not known; did you mean 'owner'"):
        accounts.add("bo", "ower")
    with pytest.raises(BadInput, match="there is no account of this name; did you mean 'ann'"):
        accounts.suspend("anne")
    with pytest.raises(BadInput):
        accounts.add("")
    assert [account.name for account in accounts.all()] == ["ann"]
