"""Keys that expire, and owners who cannot all go."""

from __future__ import annotations

import datetime as dt
import tempfile
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from sfumato.core.errors import BadInput
from sfumato.query.ledger import revisions
from sfumato.query.ledger.accounts import Accounts, Role, _Key, key_vouched
from sfumato.query.ledger.audit import verify_chain
from sfumato.query.ledger.chain import Kind, Pen
from sfumato.query.ledger.expiry import expiry_of, moment_told
from sfumato.query.ledger.sql_ledger import SqlLedger
from tests.oracles.owners import SlowAccounts
from tests.query.ledger.ask import asked, give, one

DAY = 24 * 3600 * 10**6
NOON = 1_800_000_000_000_000
"""of some day in 2027"""


@given(st.integers(1, 99_999), st.dates(dt.date(2027, 2, 1), dt.date(9000, 1, 1)))
def test_days_and_dates_are_read_as_they_are_written(days: int, date: dt.date) -> None:
    assert expiry_of(f"{days}d", NOON) == NOON + days * DAY
    counted = (date - dt.date(1970, 1, 1)).days * DAY
    assert expiry_of(date.isoformat(), NOON) == counted
    assert expiry_of(f"{date}T00:00:00+00:00", NOON) == expiry_of(f"{date}T01:00+01:00", NOON) == counted
    assert moment_told(counted).date() == date


@pytest.mark.parametrize(
    "wrong",
    ["", "0d", "-1d", "100000d", "d", "90", "90 d", "٣d", "tomorrow", "2027-13-01", "2027-02-30", "Never"],
)
def test_what_is_no_time_is_refused(wrong: str) -> None:
    with pytest.raises(BadInput, match="write it like 2027-01-31, 90d or never"):
        expiry_of(wrong, NOON)


def test_a_time_that_is_over_is_refused() -> None:
    now = moment_told(NOON)
    for over in ("2027-01-01", now.isoformat(), "0001-01-01"):
        with pytest.raises(BadInput, match="expired already"):
            expiry_of(over, NOON)
    assert expiry_of((now + dt.timedelta(microseconds=1)).isoformat(), NOON) == NOON + 1


@pytest.fixture
def clock() -> list[int]:
    return [NOON]


@pytest.fixture
def ledger(url: str, clock: list[int]) -> SqlLedger:  # type: ignore[misc] # it yields
    made = SqlLedger.create(url, clock=lambda: clock[0])
    yield made
    made.close()


def test_a_key_holds_until_its_moment_and_not_at_it(ledger: SqlLedger, clock: list[int]) -> None:
    accounts = Accounts(ledger)
    key, other = accounts.add("ann", expires=NOON + 10), accounts.add("bo")
    clock[0] = NOON + 9
    found = accounts.by_key(key)
    assert found is not None
    assert (found.name, found.expires) == ("ann", NOON + 10)
    clock[0] = NOON + 10
    assert accounts.by_key(key) is None
    assert accounts.by_key(other) == accounts.named("bo")
    assert verify_chain(ledger).holds


def test_an_expired_key_of_somebody_suspended_is_unknown_like_any_other(
    ledger: SqlLedger, clock: list[int]
) -> None:
    accounts = Accounts(ledger)
    key = accounts.add("ann", expires=NOON + 10)
    accounts.suspend("ann")
    clock[0] = NOON + 10
    assert accounts.by_key(key) is None


def test_a_clock_that_is_set_back_brings_no_key_to_life(ledger: SqlLedger, clock: list[int]) -> None:
    accounts = Accounts(ledger)
    key = accounts.add("ann", expires=NOON + 10)
    clock[0] = NOON + 20
    accounts.add("bo")
    clock[0] = NOON
    assert accounts.by_key(key) is None


def test_a_new_key_expires_as_the_old_one_unless_it_is_said(ledger: SqlLedger, clock: list[int]) -> None:
    accounts = Accounts(ledger)

    def expires() -> int | None:
        found = accounts.named("ann")
        assert found is not None
        return found.expires

    accounts.add("ann", expires=NOON + 10)
    accounts.rotate("ann")
    assert expires() == NOON + 10
    accounts.rotate("ann", expires=NOON + 20)
    assert expires() == NOON + 20
    clock[0] = NOON + 20
    with pytest.raises(BadInput, match="has expired, and so would the new one; say until when"):
        accounts.rotate("ann")
    accounts.suspend("ann")
    accounts.resume("ann")
    key = accounts.rotate("ann", expires=None)
    assert expires() is None
    assert accounts.by_key(key) is not None
    with pytest.raises(BadInput, match="no key that could expire"):
        accounts.add("bo", key=False, expires=NOON + 30)
    assert verify_chain(ledger).holds


@pytest.mark.parametrize("changed", ["NULL", str(NOON + 11), "0"])
def test_an_audit_finds_that_the_end_of_a_key_was_changed(ledger: SqlLedger, changed: str) -> None:
    Accounts(ledger).add("ann", expires=NOON + 10)
    assert verify_chain(ledger).holds
    ledger.write(lambda c, _: c.execute(text(f"UPDATE ledger_analysts SET expires = {changed}")))
    assert "the account 'ann' differs from what the log tells" in str(verify_chain(ledger))


def test_an_audit_finds_an_end_that_the_log_does_not_know(ledger: SqlLedger) -> None:
    Accounts(ledger).add("ann")
    ledger.write(lambda c, _: c.execute(text(f"UPDATE ledger_analysts SET expires = {NOON}")))
    assert not verify_chain(ledger).holds


def test_a_ledger_from_before_keys_could_expire_is_migrated_and_keeps_keys_log_and_spends(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    versions = tmp_path / "old" / "versions"
    versions.mkdir(parents=True)
    now = Path(revisions.__file__).parent / "migrations" / "versions" / "r0001_first.py"
    (versions / now.name).write_text(now.read_text())
    with monkeypatch.context() as patched:
        patched.setattr(revisions, "_FOLDER", tmp_path / "old")
        # The old version had other columns, and proved nothing.
        patched.setattr("sfumato.query.ledger.sql_ledger.refuse_refuted", lambda connection: None)
        old = SqlLedger.create(url)
        give(old)
        key = _Key.draw()
        row = {"name": "ann", "role": "analyst", "team": "", "key_id": key.identifier, "key_hash": key.hash}

        def account(connection: object, moment: int) -> None:
            names = [*row, "suspended"]
            listed, given = ", ".join(names), ", ".join(f":{name}" for name in names)
            statement = text(f"INSERT INTO ledger_analysts ({listed}) VALUES ({given})")
            connection.execute(statement, row | {"suspended": False})  # type: ignore[attr-defined] # a Connection
            pen = Pen(connection, moment)  # type: ignore[arg-type] # a Connection
            told = {"name": "ann", "role": "analyst", "group": "", "subject": None, "key_id": key.identifier}
            told |= {"suspended": False, "what": "added", "by": "", "key": key_vouched(key.hash)}
            pen.write(Kind.ACCOUNT, told)
            pen.flush()

        old.write(account)
        one(old, asked())
        head = old.head()
        old.close()
    with pytest.raises(BadInput, match="an older version of Sfumato"):
        SqlLedger(url)
    SqlLedger.migrate(url)
    ledger = SqlLedger(url)
    found = Accounts(ledger).by_key(str(key))
    assert found is not None
    assert found.expires is None
    assert one(ledger, asked()).fresh is False
    assert verify_chain(ledger, head).holds
    ledger.close()


OWNERS = ("olga", "otto", "ann")
CHANGES = st.one_of(
    st.tuples(st.just("suspend"), st.sampled_from(OWNERS), st.none()),
    st.tuples(st.just("resume"), st.sampled_from(OWNERS), st.none()),
    st.tuples(st.just("rotate"), st.sampled_from(OWNERS), st.sampled_from(["as before", None, NOON + 10])),
)


@settings(max_examples=25, deadline=None)
@given(st.sampled_from([None, NOON + 10]), st.booleans(), st.lists(CHANGES, min_size=3, max_size=12))
def test_there_is_always_an_owner_who_can_act(
    otto_expires: int | None, otto_key: bool, changes: list[tuple[str, str, object]]
) -> None:
    """Whatever is done in whatever order, and no change is refused that leaves one."""
    with tempfile.TemporaryDirectory() as folder:
        ledger = SqlLedger.create(f"sqlite:///{folder}/ledger.db", clock=lambda: NOON)
        accounts, slow = Accounts(ledger), SlowAccounts()
        ends = otto_expires if otto_key else None
        accounts.add("olga", Role.OWNER)
        accounts.add("otto", Role.OWNER, subject="o", key=otto_key, expires=ends)
        accounts.add("ann")
        for name, role, key, expires in (
            ("olga", "owner", True, None),
            ("otto", "owner", otto_key, ends),
            ("ann", "analyst", True, None),
        ):
            slow.held[name] = {"role": role, "key": key, "suspended": False, "expires": expires}
        for what, name, given_expires in changes:
            head = ledger.head()
            values: dict[str, object] = {"suspended": what == "suspend"}
            if what == "rotate":
                values = {"key": True}
                if given_expires != "as before":
                    values["expires"] = given_expires
            expected = slow.change(name, **values)
            try:
                if what == "rotate":
                    accounts.rotate(name, expires=given_expires)  # type: ignore[arg-type] # drawn above
                else:
                    getattr(accounts, what)(name)
            except BadInput:
                assert not expected
                assert ledger.head() == head, "what is refused is not in the log"
            else:
                assert expected
            assert slow.can_act_for_ever()
            seen = {a.name: (a.suspended, a.expires, a.key_id is not None) for a in accounts.all()}
            assert seen == {n: (a["suspended"], a["expires"], a["key"]) for n, a in slow.held.items()}
        assert verify_chain(ledger).holds
        ledger.close()


def test_two_owners_who_suspend_each_other_at_once_do_not_both_succeed(ledger: SqlLedger) -> None:
    accounts = Accounts(ledger)
    for owner in ("olga", "otto"):
        accounts.add(owner, Role.OWNER)
    for _ in range(5):
        both = threading.Barrier(2)
        refused: list[str] = []

        def stop(name: str, both: threading.Barrier = both, refused: list[str] = refused) -> None:
            both.wait(60)
            try:
                accounts.suspend(name)
            except BadInput as problem:
                refused.append(str(problem))

        threads = [threading.Thread(target=stop, args=(name,)) for name in ("olga", "otto")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert len(refused) == 1
        assert "the last owner" in refused[0]
        assert sorted(a.suspended for a in accounts.all()) == [False, True]
        for owner in ("olga", "otto"):
            accounts.resume(owner)


def test_a_ledger_without_an_owner_who_can_act_may_be_mended(ledger: SqlLedger) -> None:
    """Whoever was locked out before is let in again by whoever holds the ledger."""
    accounts = Accounts(ledger)
    accounts.add("olga", Role.OWNER, expires=NOON + 10)
    accounts.suspend("olga")
    accounts.resume("olga")
    accounts.rotate("olga", expires=None)
    with pytest.raises(BadInput, match=r"analyst 'olga': this is the last owner .*; add another owner first"):
        accounts.suspend("olga")
