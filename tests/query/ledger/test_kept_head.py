"""The file that keeps the head: whole at every moment, never going back, and nothing is answered without."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.query.ledger import kept_head
from sfumato.query.ledger.accounts import Accounts
from sfumato.query.ledger.chain import Head
from sfumato.query.ledger.contract import LedgerUnavailable
from sfumato.query.ledger.kept_head import BLOCK, KeptHead, read_owner
from sfumato.query.ledger.sql_ledger import SqlLedger
from tests.query.ledger.ask import asked, give, one


def head(number: int) -> Head:
    return Head(number, hashlib.sha256(str(number).encode()).hexdigest())


def test_a_head_is_kept_for_its_owner_alone_and_never_goes_back(tmp_path: Path) -> None:
    kept = KeptHead(tmp_path / "head", {"data_set": "Zoë"})
    assert kept.read() is None
    assert not list(tmp_path.iterdir())
    for number in (3, 4, 4, 2, 9, 1):
        kept.keep(head(number))
    assert kept.read() == KeptHead(kept.path).read() == head(9)
    assert read_owner(kept.path) == {"data_set": "Zoë"}
    assert stat.S_IMODE(kept.path.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["head"]
    assert kept.path.stat().st_size == 3 * BLOCK


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    heads=st.lists(st.integers(1, 10**15), min_size=2, max_size=6, unique=True).map(sorted),
    cut=st.integers(0, 128),
    rubbish=st.binary(max_size=128),
)
def test_a_write_that_was_torn_anywhere_leaves_the_head_before_it(
    tmp_path: Path, heads: list[int], cut: int, rubbish: bytes
) -> None:
    kept = KeptHead(tmp_path / "head")
    kept.path.unlink(missing_ok=True)
    *earlier, last = heads
    for number in earlier:
        kept.keep(head(number))
    before = kept.path.read_bytes()
    kept.keep(head(last))
    after = kept.path.read_bytes()
    kept.close()
    (place,) = (
        place for place in (BLOCK, 2 * BLOCK) if before[place : place + 128] != after[place : place + 128]
    )
    new = after[place : place + 128]
    for torn in (
        new[:cut] + before[place + cut : place + 128],
        new[:cut] + rubbish[cut:].ljust(128 - cut, b"\0")[: 128 - cut],
    ):
        kept.path.write_bytes(after[:place] + torn + after[place + 128 :])
        again = KeptHead(kept.path)
        found = again.read()
        assert found == (head(last) if torn == new else head(earlier[-1]))
        again.keep(head(last + 1))
        assert again.read() == head(last + 1)
        again.close()
    kept.path.unlink()


def test_a_file_that_keeps_nothing_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "head"
    KeptHead(path).keep(head(5))
    whole = path.read_bytes()
    for wrong in (b"", b"x", whole[:-1], whole + b"x", whole[:BLOCK] + bytes(2 * BLOCK)):
        path.write_bytes(wrong)
        for use in (KeptHead(path).read, lambda: KeptHead(path).keep(head(6))):
            with pytest.raises(LedgerUnavailable, match="remembers where the log of the ledger ended"):
                use()


def test_another_head_of_the_same_number_is_refused(tmp_path: Path) -> None:
    kept = KeptHead(tmp_path / "head")
    kept.keep(head(5))
    with pytest.raises(LedgerUnavailable):
        kept.keep(Head(5, "a" * 64))
    assert kept.read() == head(5)


def _keep_many(path: Path, first: int) -> None:
    kept = KeptHead(path)
    for number in range(first, 400, 4):
        kept.keep(head(number))


def test_processes_that_share_a_file_keep_the_newest(tmp_path: Path) -> None:
    path = tmp_path / "head"
    with multiprocessing.get_context("fork").Pool(4) as pool:
        pool.starmap(_keep_many, [(path, first) for first in range(1, 5)])
    assert KeptHead(path).read() == head(400 - 4 + 3)


def test_a_file_that_was_put_in_its_place_is_used_and_one_that_is_gone_stops(tmp_path: Path) -> None:
    kept = KeptHead(tmp_path / "head")
    kept.keep(head(1))
    other = KeptHead(tmp_path / "other")
    other.keep(head(7))
    os.replace(other.path, kept.path)
    assert kept.read() == head(7)
    kept.keep(head(8))
    assert KeptHead(kept.path).read() == head(8)
    kept.path.unlink()
    with pytest.raises(LedgerUnavailable):
        kept.keep(head(9))


def test_what_another_process_wrote_is_waited_for_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may have been killed between writing and waiting for the disk."""
    waited: list[int] = []
    monkeypatch.setattr(kept_head, "_SYNC", waited.append)
    KeptHead(tmp_path / "head").keep(head(5))
    KeptHead(tmp_path / "head").keep(head(6))
    mine = KeptHead(tmp_path / "head")
    del waited[:]
    mine.keep(head(4))
    mine.keep(head(6))
    assert len(waited) == 1


def test_nothing_is_charged_stored_or_changed_without_the_file(
    sqlite: SqlLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    give(sqlite, "1")
    spend = one(sqlite, asked()).spend

    def full(_file: int) -> None:
        raise OSError(28, "no space")

    with monkeypatch.context() as patched:
        patched.setattr(kept_head, "_SYNC", full)
        for use in (
            lambda: sqlite.charge([asked("another")]),
            lambda: sqlite.store([(spend, "42")]),
            lambda: Accounts(sqlite).add("bo"),
            lambda: give(sqlite, "2"),
        ):
            with pytest.raises(LedgerUnavailable, match="nothing is answered without it"):
                use()
    again = one(sqlite, asked("another"))
    assert (again.fresh, again.answer) == (False, None), "charged, never run: it runs for nothing"
    assert one(sqlite, asked()).answer == "42", "stored, never handed over: it is from now on"


def test_the_head_is_on_disk_before_a_write_returns(ledger: SqlLedger, tmp_path: Path) -> None:
    kept = KeptHead(tmp_path / "elsewhere.head")
    ledger.keep_head(kept)

    def now() -> Head | None:
        return KeptHead(kept.path).read()

    give(ledger)
    assert now() == ledger.head()
    spend = one(ledger, asked()).spend
    assert now() == ledger.head()
    ledger.store([(spend, "1")])
    assert now() == ledger.head()
    Accounts(ledger).add("bo")
    assert now() == ledger.head()
    Accounts(ledger).suspend("bo")
    assert now() == ledger.head()


def test_a_ledger_that_was_lost_is_not_made_anew(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/ledger.db"
    ledger = SqlLedger.create(url)
    give(ledger)
    ledger.close()
    (tmp_path / "ledger.db").unlink()
    with pytest.raises(BadInput, match="there was a ledger here, and a new one would forget what was spent"):
        SqlLedger.create(url)
    assert not (tmp_path / "ledger.db").exists()
    (tmp_path / "ledger.db.head").unlink()
    SqlLedger.create(url).close()


@pytest.mark.postgres
def test_on_postgres_the_head_is_kept_where_one_says(postgres_url: str, tmp_path: Path) -> None:
    place = tmp_path / "ledger.head"
    ledger = SqlLedger.create(postgres_url, kept=place)
    give(ledger)
    one(ledger, asked())
    assert KeptHead(place).read() == ledger.head()
    ledger.close()
    KeptHead(place).keep(head(10**6))
    again = SqlLedger(postgres_url, kept=place)
    with pytest.raises(
        LedgerUnavailable, match="another ledger than before, or an old copy: its entry 1000000"
    ):
        again.charge([asked("another")])
    again.close()
