"""What a ledger does, the same on every database."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest

from sfumato.core.errors import BadInput, SfumatoError
from sfumato.dp.price import Price
from sfumato.query.ledger.accounts import Accounts
from sfumato.query.ledger.audit import verify_chain
from sfumato.query.ledger.contract import Asked, BudgetGone, Charged, Scope, Suspended
from sfumato.query.ledger.sql_ledger import SqlLedger
from sfumato.query.ledger.tables import LOG, REFUSALS
from tests.query.ledger.ask import asked, budget, give, names, one, open_windows


def spent(ledger: SqlLedger) -> dict[str, Decimal]:
    return {f"{each.scope} {each.name}": each.spent for each in ledger.all_budgets()}


def log_kinds(ledger: SqlLedger) -> list[str]:
    return ledger.read(lambda c: [row.kind for row in c.execute(LOG.select().order_by(LOG.c.sequence))])


def test_three_tenths_pay_for_three_tenths_and_no_more(ledger: SqlLedger) -> None:
    give(ledger, "0.3")
    outcomes = ledger.charge([asked(f"q{i}", "0.1") for i in range(4)])
    assert names(outcomes) == ["Charged", "Charged", "Charged", "BudgetGone"]
    assert spent(ledger) == {"data set clinic": Decimal("0.3"), "analyst ann": Decimal("0.3")}


@pytest.mark.golden
def test_the_golden_budget_stops_where_the_lecture_says(sqlite: SqlLedger, shared: Path) -> None:
    cases = json.loads((shared / "golden" / "query.json").read_text(encoding="utf-8"))["cases"]
    (case,) = [case for case in cases if case["kind"] == "ledger"]
    give(sqlite, str(case["input"]["budget"]))
    prices = [str(epsilon) for epsilon in case["input"]["queries_eps"]]
    outcomes = sqlite.charge([asked(f"q{i}", price) for i, price in enumerate(prices)])
    assert [isinstance(each, Charged) for each in outcomes] == case["expected"]["answered"]
    assert spent(sqlite)["analyst ann"] == Decimal(str(case["expected"]["spent"]))


def test_the_same_question_is_paid_once_and_gets_its_stored_answer(ledger: SqlLedger) -> None:
    give(ledger)
    first = one(ledger, asked("q", "0.1"))
    assert (first.fresh, first.answer) == (True, None)
    again = one(ledger, asked("q", "0.10"))
    assert (again.spend, again.fresh, again.answer) == (first.spend, False, None)
    assert ledger.store([(first.spend, "first"), (first.spend, "second")]) == ["first", "first"]
    assert ledger.store([(first.spend, "third")]) == ["first"]
    assert one(ledger, asked("q", "0.1")).answer == "first"
    assert spent(ledger)["analyst ann"] == Decimal("0.1")


def test_a_repeated_question_in_one_batch_is_paid_once(ledger: SqlLedger) -> None:
    give(ledger, "0.1")
    outcomes = ledger.charge([asked("q"), asked("q"), asked("other")])
    assert names(outcomes) == ["Charged", "Charged", "BudgetGone"]
    assert [each.fresh for each in outcomes[:2] if isinstance(each, Charged)] == [True, False]


@pytest.mark.parametrize(
    "other", [{"version": "2"}, {"window": "2025"}, {"epsilon": "0.2"}, {"question": "r"}, {"analyst": "bo"}]
)
def test_another_question_is_paid_again(ledger: SqlLedger, other: dict[str, str]) -> None:
    give(ledger, "1", "ann", "bo")
    give(ledger, "1", "ann", window="2025")
    open_windows(ledger, "", "2025")
    first = one(ledger, asked())
    again = one(ledger, asked(**other))
    assert again.fresh
    assert again.spend != first.spend


def test_every_scope_pays_or_nobody_does(ledger: SqlLedger) -> None:
    give(ledger, "1")
    ledger.set_budget(budget(Scope.GROUP, "students", "0.15"))
    assert one(ledger, asked("q0", group="students")).fresh
    (refused,) = ledger.charge([asked("q1", group="students")])
    assert isinstance(refused, BudgetGone)
    assert str(refused).startswith("group 'students': the budget does not reach")
    assert set(spent(ledger).values()) == {Decimal("0.1")}


@pytest.mark.parametrize("missing", ["data set", "analyst", "group"])
def test_who_has_no_budget_is_refused(ledger: SqlLedger, missing: str) -> None:
    scopes = {"data set": "clinic", "analyst": "ann", "group": "students"}
    for scope, name in scopes.items():
        if scope != missing:
            ledger.set_budget(budget(Scope(scope), name, "1"))
    (refused,) = ledger.charge([asked(group="students")])
    assert isinstance(refused, BudgetGone)
    assert "there is no budget for this" in str(refused)
    assert set(spent(ledger).values()) == {Decimal(0)}


def test_colluding_analysts_share_the_budget_of_the_data_set(ledger: SqlLedger) -> None:
    ledger.set_budget(budget(Scope.DATA_SET, "clinic", "0.3"))
    for name in ("ann", "bo"):
        ledger.set_budget(budget(Scope.ANALYST, name, "0.2"))
    outcomes = ledger.charge([asked(f"q{i}", analyst=name) for i in range(2) for name in ("ann", "bo")])
    assert names(outcomes) == ["Charged", "Charged", "Charged", "BudgetGone"]


def test_a_budget_of_rho_adds_up_rho(ledger: SqlLedger) -> None:
    give(ledger, "0.01", composition="zcdp", delta="1e-6")
    prices = [
        Price.concentrated("0.005"),
        Price.pure("0.1"),
        Price.concentrated("0.000000000000000001"),
    ]
    outcomes = ledger.charge([Asked("ann", "", "clinic", "", "1", f"q{i}", p) for i, p in enumerate(prices)])
    assert names(outcomes) == ["Charged", "Charged", "BudgetGone"]
    (unpayable,) = ledger.charge([Asked("ann", "", "clinic", "", "1", "q", Price.approximate("0.1", "1e-9"))])
    assert isinstance(unpayable, BadInput)
    assert spent(ledger)["analyst ann"] == Decimal("0.01")


def test_delta_runs_out_as_well(ledger: SqlLedger) -> None:
    give(ledger, "1", delta="1e-9")
    price = Price.approximate("0.1", "6e-10")
    outcomes = ledger.charge([Asked("ann", "", "clinic", "", "1", f"q{i}", price) for i in range(2)])
    assert names(outcomes) == ["Charged", "BudgetGone"]


def test_raising_a_limit_opens_and_lowering_it_below_what_was_spent_stops(ledger: SqlLedger) -> None:
    give(ledger, "0.1")
    one(ledger, asked("q0"))
    assert names(ledger.charge([asked("q1")])) == ["BudgetGone"]
    give(ledger, "0.2")
    one(ledger, asked("q1"))
    ledger.set_budget(budget(Scope.ANALYST, "ann", "0.05"))
    assert names(ledger.charge([asked("q2")])) == ["BudgetGone"]
    assert one(ledger, asked("q1")).fresh is False
    assert spent(ledger)["analyst ann"] == Decimal("0.2")
    assert verify_chain(ledger).holds


def test_how_a_budget_adds_up_changes_only_before_anything_is_spent(ledger: SqlLedger) -> None:
    give(ledger, "1", composition="zcdp")
    give(ledger, "1")
    one(ledger, asked())
    with pytest.raises(BadInput, match="the composition cannot change"):
        give(ledger, "1", composition="zcdp")


def test_budgets_are_set_all_or_none(ledger: SqlLedger) -> None:
    with pytest.raises(BadInput):
        ledger.set_budgets([budget(Scope.ANALYST, "ann", "1"), budget(Scope.ANALYST, "bo", "-1")])
    assert ledger.all_budgets() == []
    assert log_kinds(ledger) == []


def test_the_budgets_of_an_analyst_are_those_that_would_pay(ledger: SqlLedger) -> None:
    give(ledger, "1", "ann", "bo")
    ledger.set_budget(budget(Scope.GROUP, "students", "2"))
    Accounts(ledger).add("ann", group="students")
    found = ledger.budgets("clinic", "", analyst="ann", group="")
    assert [(each.scope, each.name) for each in found] == [
        (Scope.DATA_SET, "clinic"),
        (Scope.GROUP, "students"),
        (Scope.ANALYST, "ann"),
    ]
    assert ledger.budgets("clinic", "2025", analyst="ann", group="students") == []


def test_the_group_of_an_account_pays_even_when_nobody_names_it(ledger: SqlLedger) -> None:
    give(ledger, "1")
    ledger.set_budget(budget(Scope.GROUP, "students", "0.1"))
    Accounts(ledger).add("ann", group="students")
    assert names(ledger.charge([asked("q0"), asked("q1")])) == ["Charged", "BudgetGone"]
    (refused,) = ledger.charge([asked("q2", group="staff")])
    assert isinstance(refused, BadInput)


def test_who_or_what_is_suspended_gets_nothing_not_even_a_stored_answer(ledger: SqlLedger) -> None:
    give(ledger, "1", "ann", "bo")
    accounts = Accounts(ledger)
    accounts.add("ann")
    ledger.store([(one(ledger, asked()).spend, "42")])
    accounts.suspend("ann", by="olga")
    outcomes = ledger.charge([asked(), asked("q1"), asked(analyst="bo")])
    assert names(outcomes) == ["Suspended", "Suspended", "Charged"]
    accounts.resume("ann")
    assert one(ledger, asked()).answer == "42"
    accounts.suspend_data_set("clinic")
    assert names(ledger.charge([asked(), asked(analyst="bo")])) == ["Suspended", "Suspended"]
    assert accounts.suspended_data_sets() == ["clinic"]
    accounts.resume_data_set("clinic")
    assert one(ledger, asked()).answer == "42"
    assert verify_chain(ledger).holds


def test_an_answer_without_a_charge_is_not_stored(ledger: SqlLedger) -> None:
    give(ledger)
    spend = one(ledger, asked()).spend
    for unknown in (spend + 1, spend - 1, 0, -1):
        with pytest.raises(BadInput, match="an answer needs a spend that was charged"):
            ledger.store([(spend, "42"), (unknown, "43")])
    assert one(ledger, asked()).answer is None


class Odd(Price):
    """A price that was made past its constructors."""

    def __post_init__(self) -> None:
        pass


def test_a_price_that_would_refund_or_cost_nothing_is_refused(ledger: SqlLedger) -> None:
    give(ledger)
    prices = [
        Price(Decimal("-0.1")),
        Price(Decimal("NaN")),
        Price(Decimal("sNaN")),
        Price(Decimal("Infinity")),
        Price(Decimal("1e-19")),
        Price(Decimal("0.1"), Decimal("-1e-9")),
        Price(Decimal("0.1"), rho=Decimal("-1")),
        Price(Decimal(0)),
        Odd(None),
    ]
    wrong = [Asked("ann", "", "clinic", "", "1", "q", price) for price in prices]
    assert names(ledger.charge([*wrong, asked("sound")])) == ["BadInput"] * len(prices) + ["Charged"]
    assert spent(ledger)["analyst ann"] == Decimal("0.1")


def test_texts_that_cannot_be_kept_are_refused(ledger: SqlLedger) -> None:
    give(ledger)
    texts: list[dict[str, str]] = [
        {"analyst": ""},
        {"analyst": "a\0b"},
        {"analyst": "x" * 201},
        {"data_set": " clinic"},
        {"question": ""},
        {"question": "a\0b"},
        {"question": "\ud800"},
        {"version": "a\nb"},
        {"window": "\ud800"},
    ]
    outcomes = ledger.charge([*(asked(**wrong) for wrong in texts), asked("sound")])
    assert names(outcomes) == ["BadInput"] * len(texts) + ["Charged"]
    spend = one(ledger, asked("sound")).spend
    for answer in ("a\0b", "\ud800"):
        with pytest.raises(BadInput, match="cannot be stored"):
            ledger.store([(spend, answer)])


def test_words_of_every_language_are_kept(ledger: SqlLedger) -> None:
    give(ledger, "1", "Zoë Ὑπατία 🎨")
    question = 'SELECT "Größe" FROM t -- \\ \' " 🎨'
    spend = one(ledger, asked(question, analyst="Zoë Ὑπατία 🎨")).spend
    assert ledger.store([(spend, question * 1000)]) == [question * 1000]
    assert verify_chain(ledger).holds


def test_nothing_asked_is_nothing_written(ledger: SqlLedger) -> None:
    assert ledger.charge([]) == []
    assert ledger.store([]) == []
    assert ledger.head().sequence == 0


def test_a_batch_larger_than_a_list_of_names_is_one_transaction(ledger: SqlLedger) -> None:
    give(ledger, "100")
    questions = [asked(f"q{i}", "0.1") for i in range(1001)]
    outcomes = ledger.charge(questions)
    assert names(outcomes) == ["Charged"] * 1000 + ["BudgetGone"]
    spends = [each.spend for each in outcomes if isinstance(each, Charged)]
    assert ledger.store([(spend, str(spend)) for spend in spends]) == [str(spend) for spend in spends]
    found = ledger.charge(questions[:1000])
    assert [each.answer for each in found if isinstance(each, Charged)] == [str(spend) for spend in spends]


def test_a_flood_of_refusals_is_counted_and_hardly_told(ledger: SqlLedger) -> None:
    give(ledger, "0.1")
    one(ledger, asked("q"))
    before = ledger.head().sequence
    for batch in range(10):
        ledger.charge([asked(f"r{batch}-{i}") for i in range(100)])
    assert ledger.head().sequence - before == 10
    rows = ledger.read(lambda c: c.execute(REFUSALS.select()).all())
    assert [(row.analyst, row.data_set, row.reason, row.count) for row in rows] == [
        ("ann", "clinic", "budget gone", 512)
    ], "the table has what the log told last; those since are counted in memory"
    ledger.charge([asked(f"s{i}") for i in range(23)])
    assert ledger.head().sequence - before == 10
    ledger.charge([asked("t")])
    assert ledger.head().sequence - before == 11, "the 1024th"
    assert spent(ledger)["analyst ann"] == Decimal("0.1")
    assert verify_chain(ledger).holds


def test_errors_are_those_of_the_contract() -> None:
    assert issubclass(BudgetGone, SfumatoError)
    assert (BudgetGone.exit_code, Suspended.exit_code) == (1, 1)


def test_a_clock_that_goes_backwards_changes_only_the_times_written(url: str) -> None:
    times = iter([1_000_000, 1_000_000, 500, 400, 2_000_000])
    ledger = SqlLedger.create(url, clock=lambda: next(times))
    give(ledger, "0.2")
    assert names(ledger.charge([asked("q0")])) == ["Charged"]
    assert names(ledger.charge([asked("q1")])) == ["Charged"]
    assert names(ledger.charge([asked("q2")])) == ["BudgetGone"]
    rows = ledger.read(lambda c: c.execute(LOG.select().order_by(LOG.c.sequence)).all())
    assert [row.time for row in rows] == [1_000_000] * 4 + [2_000_000]
    assert ["went back" in row.body for row in rows] == [False, False, True, True, False]
    assert verify_chain(ledger).holds
    ledger.close()
