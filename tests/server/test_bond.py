"""What ties a data set to its ledger, on bad days: crashes, old copies, edits, folders that are read-only."""

from __future__ import annotations

import json
import shutil
import sqlite3
from decimal import Decimal
from pathlib import Path

import pytest
from sqlalchemy import make_url

from sfumato.core.errors import BadInput
from sfumato.query.ledger import kept_head
from sfumato.query.ledger.accounts import Accounts
from sfumato.query.ledger.contract import BudgetGone, LedgerUnavailable
from sfumato.query.ledger.kept_head import KeptHead
from sfumato.query.ledger.sql_ledger import SqlLedger
from sfumato.server.bond import Bond, bond_of
from sfumato.server.opening import Opened, open_all, secret_of
from tests.server.test_kills import YAML, write_town


@pytest.fixture(autouse=True)
def _no_secret_around(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SFUMATO_SECRET", raising=False)


def town(folder: Path, name: str = "town", epsilon: str = "1") -> Path:
    folder.mkdir(exist_ok=True)
    path = write_town(folder)
    path.write_text(
        YAML.replace("epsilon: 1000", f"epsilon: {epsilon}").replace("data_set: town", f"data_set: {name}")
        + f"analyst_budget: {{epsilon: {epsilon}}}\n"
    )
    return path


def ask(found: Opened, number: int, name: str = "town") -> None:
    base = found.databases[name]
    found.ledger.set_budgets(
        [one.__class__(**{**one.__dict__, "name": "me"}) for one in found.usual if one.data_set == name]
    )
    base.ask("me", f"SELECT COUNT(*) FROM people WHERE age > {number}", epsilon="0.1")


def copied(folder: Path, target: Path) -> None:
    source, copy = sqlite3.connect(folder / "ledger.db"), sqlite3.connect(target)
    source.backup(copy)
    source.close()
    copy.close()


def put_back(folder: Path, copy: Path) -> None:
    for side in ("-wal", "-shm"):
        (folder / f"ledger.db{side}").unlink(missing_ok=True)
    shutil.copy(copy, folder / "ledger.db")


def test_a_ledger_put_back_after_a_crash_is_refused(tmp_path: Path) -> None:
    """Nine questions, a copy from before them, and ten more: 1.9 of a budget of 1 would be answered."""
    path = town(tmp_path / "data")
    answered = Decimal(0)
    found = open_all([path], None, owner=False)
    copied(path.parent, tmp_path / "old.db")
    for number in range(9):
        ask(found, number)
        answered += Decimal("0.1")
    found.databases["town"].close()
    found.ledger.connections.close()  # and nothing else is done: the process died
    put_back(path.parent, tmp_path / "old.db")
    (path.parent / "ledger.db.head").unlink()  # the bond alone must tell
    with pytest.raises(BadInput, match="another ledger than before, or an old copy"):
        open_all([path], None, owner=False)
    assert answered <= 1


def test_a_crash_between_any_two_steps_is_never_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = town(tmp_path / "data")
    honest = KeptHead.keep
    for steps in range(1, 14):
        left = iter([True] * steps)

        def keep(self: KeptHead, head: object, left: object = left) -> None:
            if not next(left, False):  # type: ignore[call-overload]  # an iterator
                raise KeyboardInterrupt
            honest(self, head)  # type: ignore[arg-type]  # a head

        with monkeypatch.context() as patched:
            patched.setattr(KeptHead, "keep", keep)
            try:
                found = open_all([path], None, owner=True)
                ask(found, 1)
            except KeyboardInterrupt:
                pass
    found = open_all([path], None, owner=True)
    ask(found, 1)
    spent = {one.name: one.spent for one in found.ledger.all_budgets()}
    found.close()
    assert spent == {"town": Decimal("0.1"), "me": Decimal("0.1")}


def test_totals_that_were_edited_are_refused_before_anything_is_opened(tmp_path: Path) -> None:
    path = town(tmp_path / "data")
    found = open_all([path], None, owner=True)
    for number in range(10):
        ask(found, number)
    with pytest.raises(BudgetGone):
        ask(found, 10)
    found.close()
    with sqlite3.connect(path.parent / "ledger.db") as connection:
        connection.execute("UPDATE ledger_budgets SET spent = '0'")
    connection.close()
    with pytest.raises(LedgerUnavailable, match="the ledger was changed past its log: the budget of"):
        open_all([path], None, owner=True)


def test_every_batch_renews_the_bond_of_every_data_set(tmp_path: Path) -> None:
    paths = [town(tmp_path / name, name) for name in ("east", "west")]
    found = open_all(paths, None, owner=True)
    for number, name in enumerate(["east", "west", "east"]):
        ask(found, number, name)
        kept = {KeptHead(bond_of(path)).read() for path in paths}
        assert kept == {found.ledger.head()}
    found.close()


def test_a_bond_that_cannot_be_renewed_stops_the_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = town(tmp_path / "data")
    found = open_all([path], None, owner=True)
    ask(found, 1)

    def read_only(_file: int) -> None:
        raise OSError(30, "read-only")

    with monkeypatch.context() as patched:
        patched.setattr(kept_head, "_SYNC", read_only)
        with pytest.raises(LedgerUnavailable, match="nothing is answered without it"):
            ask(found, 2)
    ask(found, 2)
    bond_of(path).unlink()
    with pytest.raises(LedgerUnavailable, match="nothing is answered without it"):
        ask(found, 3)
    found.close()


@pytest.mark.parametrize("there", [True, False])
def test_a_folder_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    """SQLite has its own file beside the ledger; a bond that stays as it is would be a lie."""
    path = town(tmp_path / "data")
    open_all([path], None, owner=True).close()
    bond = bond_of(path)
    old = Bond(path, "town", secret_of(path))
    bond.unlink()
    if there:
        bond.write_text(json.dumps({**old._owner(), "head": f"0:{'0' * 64}"}))

    def refuse(*_given: object, **_more: object) -> None:
        raise OSError(30, "read-only")

    monkeypatch.setattr("sfumato.server.bond.write_whole", refuse)
    if there:
        with pytest.raises(LedgerUnavailable, match="let the service write this file"):
            open_all([path], None, owner=True)
    else:
        found = open_all([path], None, owner=True)
        ask(found, 1)
        assert KeptHead(path.parent / "ledger.db.head").read() == found.ledger.head()
        found.close()


@pytest.mark.postgres
def test_on_postgres_nothing_is_answered_without_a_bond(
    tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import psycopg

    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA bonds")
        url = make_url(postgres).update_query_dict({"options": "-csearch_path=bonds"})
        text = url.render_as_string(hide_password=False)
        path = town(tmp_path / "data")
        found = open_all([path], text, owner=True)
        ask(found, 1)
        assert KeptHead(bond_of(path)).read() == found.ledger.head()
        found.close()
        bond_of(path).unlink()

        def refuse(*_given: object, **_more: object) -> None:
            raise OSError(30, "read-only")

        with monkeypatch.context() as patched:
            patched.setattr("sfumato.server.bond.write_whole", refuse)
            with pytest.raises(LedgerUnavailable, match="let the service write this file"):
                open_all([path], text, owner=True)
        connection.execute("DROP SCHEMA bonds CASCADE")


def test_a_bond_of_the_older_form_is_read_and_renewed_from_then_on(tmp_path: Path) -> None:
    path = town(tmp_path / "data")
    found = open_all([path], None, owner=True)
    ask(found, 1)
    head, owner = found.ledger.head(), Bond(path, "town", secret_of(path))._owner()
    found.close()
    for told in (
        {**owner, "head": "1:" + "a" * 64},
        {**owner, "head": str(head), "data_set": "city"},
        {**owner, "head": str(head), "secret": "ab" * 32},
    ):
        bond_of(path).write_text(json.dumps(told, indent=1))
        with pytest.raises(BadInput, match="another"):
            open_all([path], None, owner=True)
    bond_of(path).write_text(json.dumps({**owner, "head": str(head)}, indent=1))
    found = open_all([path], None, owner=True)
    ask(found, 2)
    assert KeptHead(bond_of(path)).read() == found.ledger.head()
    found.close()


def test_what_the_owner_did_on_the_ledger_itself_is_kept_too(tmp_path: Path) -> None:
    """A copy from before somebody was suspended is refused, whoever suspended them."""
    from sfumato.cli.query_books import BY, books

    path = town(tmp_path / "data")
    found = open_all([path], None, owner=True)
    Accounts(found.ledger).add("ana")
    found.close()
    copied(path.parent, tmp_path / "old.db")
    with books(str(path.parent / "ledger.db"), None, None) as those:
        those.suspend("ana", by=BY)
    put_back(path.parent, tmp_path / "old.db")
    with pytest.raises(LedgerUnavailable, match="another ledger than before, or an old copy"):
        open_all([path], None, owner=True)
    (path.parent / "ledger.db.head").unlink()
    found = open_all([path], None, owner=True)
    found.close()
    copied(path.parent, tmp_path / "old.db")
    with books(str(path.parent / "ledger.db"), None, None, path) as those:
        those.suspend("ana", by=BY)
    (path.parent / "ledger.db.head").unlink()
    put_back(path.parent, tmp_path / "old.db")
    with pytest.raises(BadInput, match="another ledger than before, or an old copy"):
        open_all([path], None, owner=True)


def test_an_auditor_can_still_read_a_ledger_that_answers_nothing(tmp_path: Path) -> None:
    path = town(tmp_path / "data")
    found = open_all([path], None, owner=True)
    ask(found, 1)
    found.close()
    with sqlite3.connect(path.parent / "ledger.db") as connection:
        connection.execute("UPDATE ledger_budgets SET spent = '0'")
    connection.close()
    from sfumato.query.ledger.audit import verify_chain

    ledger = SqlLedger(f"sqlite:///{path.parent}/ledger.db")
    assert not verify_chain(ledger).holds
    ledger.close()
