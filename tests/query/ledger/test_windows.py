"""A budget follows the person: nobody is in two windows."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from sfumato.core.errors import BadInput
from sfumato.query.ledger.audit import verify_chain
from sfumato.query.ledger.contract import BudgetGone, Charged, Scope
from sfumato.query.ledger.sql_ledger import SqlLedger
from sfumato.query.ledger.windows import admit, people_hashes, windows_of
from tests.query.ledger.ask import asked, budget, give, names, open_windows

SECRET = b"a secret of the data set, 32 byt"


def enter(ledger: SqlLedger, window: str, people: str, data_set: str = "clinic") -> str:
    """Admit people named by letters and return the letters of those who belong to the window."""
    mask = admit(ledger, data_set, window, people_hashes(SECRET, people))
    return "".join(person for person, inside in zip(people, mask, strict=True) if inside)


def test_only_people_who_were_in_no_earlier_window_are_new(ledger: SqlLedger) -> None:
    assert enter(ledger, "2024", "abca") == "abca"
    assert enter(ledger, "2025", "bcd") == "d"
    assert enter(ledger, "2026", "abcd") == ""
    assert windows_of(ledger, "clinic") == ["2024", "2025", "2026"]
    assert enter(ledger, "2024", "ab", data_set="ward") == "ab"
    assert windows_of(ledger, "ward") == ["2024"]
    assert enter(ledger, "2026", "") == ""
    assert verify_chain(ledger).holds


def test_a_new_version_of_a_window_keeps_its_people_and_what_was_spent(ledger: SqlLedger) -> None:
    enter(ledger, "2024", "ab")
    enter(ledger, "2025", "c")
    give(ledger, "0.1", window="2024")
    assert names(ledger.charge([asked(window="2024", version="1")])) == ["Charged"]
    assert enter(ledger, "2024", "abcd") == "abd"
    assert enter(ledger, "2025", "abcd") == "c"
    assert names(ledger.charge([asked(window="2024", version="2")])) == ["BudgetGone"]
    assert windows_of(ledger, "clinic") == ["2024", "2025"]


def test_windows_have_budgets_of_their_own(ledger: SqlLedger) -> None:
    for window in ("2024", "2025"):
        give(ledger, "0.1", window=window)
    open_windows(ledger, "2024", "2025", "2026")
    outcomes = ledger.charge([asked(f"q{i}", window=window) for i in range(2) for window in ("2024", "2025")])
    assert names(outcomes) == ["Charged", "Charged", "BudgetGone", "BudgetGone"]
    ledger.set_budget(budget(Scope.DATA_SET, "clinic", "1", window="2026"))
    assert names(ledger.charge([asked(window="2026")])) == ["BudgetGone"]


@pytest.mark.parametrize("opened", [(), ("2024",), ("2025",)])
def test_a_second_window_is_charged_only_when_it_shares_nobody_with_the_first(
    ledger: SqlLedger, opened: tuple[str, ...]
) -> None:
    for window in ("2024", "2025"):
        give(ledger, "1", window=window)
    open_windows(ledger, *opened)
    first, second = ledger.charge([asked(window="2024"), asked(window="2025")])
    assert isinstance(first, Charged)
    assert isinstance(second, BudgetGone)
    assert "a budget follows the person" in str(second)
    assert [each.spent for each in ledger.all_budgets() if each.window == "2025"] == [0, 0]
    open_windows(ledger, "2024", "2025")
    again = names(ledger.charge([asked("later", window="2025")]))
    assert again == (["Charged"] if "2024" in opened else ["BudgetGone"])
    assert names(ledger.charge([asked("more", window="2024")])) == ["Charged"]
    assert verify_chain(ledger).holds


@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(st.tuples(st.sampled_from("xyz"), st.text("abcdef", max_size=8)), max_size=8))
def test_everybody_belongs_to_the_window_that_saw_them_first(
    sqlite: SqlLedger, entries: list[tuple[str, str]]
) -> None:
    data_set = f"clinic {len(windows_of(sqlite, 'all'))}"
    enter(sqlite, data_set, "a", data_set="all")
    first: dict[str, str] = {}
    for window, people in entries:
        for person in people:
            first.setdefault(person, window)
        expected = "".join(person for person in people if first[person] == window)
        assert enter(sqlite, window, people, data_set=data_set) == expected


def test_windows_that_open_at_once_share_nobody(ledger: SqlLedger) -> None:
    everybody = people_hashes(SECRET, (str(number) for number in range(3000)))
    orders = [np.random.default_rng(seed).permutation(3000) for seed in range(6)]
    with ThreadPoolExecutor(6) as pool:
        masks = list(pool.map(lambda i: admit(ledger, "clinic", f"w{i}", everybody[orders[i]]), range(6)))
    homes = np.zeros(3000, int)
    for order, mask in zip(orders, masks, strict=True):
        homes[order[mask]] += 1
    assert (homes == 1).all()
    assert verify_chain(ledger).holds


def test_people_are_kept_as_keyed_hashes_and_counted_nowhere_in_the_log(ledger: SqlLedger) -> None:
    hashes = people_hashes(SECRET, ["ada", "bo"])
    assert (hashes != people_hashes(b"another secret of 32 bytes ......", ["ada", "bo"])).all()
    assert admit(ledger, "clinic", "2024", hashes).all()
    bodies = ledger.read(lambda c: list(c.execute(text("SELECT body FROM ledger_log")).scalars()))
    told = {"complete": True, "data_set": "clinic", "window": "2024"}
    digests = []
    for body in map(json.loads, bodies):
        digests.append((body.pop("salt"), body.pop("people")))
        assert body == told
    assert [(len(salt), len(people)) for salt, people in digests] == [(32, 64)] * 2
    assert not [number for number in hashes.tolist() if str(number) in str(bodies)]
    admit(ledger, "clinic", "2024", hashes)
    assert ledger.head().sequence == 2, "nobody was new"
    with pytest.raises(BadInput, match="too short"):
        people_hashes(b"short", ["ada"])


def test_the_ends_of_the_range_of_hashes_are_kept(ledger: SqlLedger) -> None:
    ends = np.array([-(2**63), 2**63 - 1, 0, -1], np.int64)
    assert admit(ledger, "clinic", "a", ends).all()
    assert not admit(ledger, "clinic", "b", ends).any()
