"""What the owner is told after attacks that were really run against a ledger."""

from __future__ import annotations

from decimal import Decimal

from sfumato.dp.price import Price
from sfumato.query.attacks import Averaging, Differencing, Exhaustion
from sfumato.query.attacks.contract import Person
from sfumato.query.ledger.accounts import Accounts
from sfumato.query.ledger.contract import Suspended
from sfumato.server.alerts import alerts_of
from tests.query.attacks.conftest import PUBLIC, Open


def test_attacks_show_in_the_alerts_of_the_service(clinic: Open) -> None:
    """10,000 codes and at most 1,000 people: one code and one sex are 0.05 people expected."""
    here = clinic("10", "1")
    known = {"clinic": PUBLIC}
    assert alerts_of(here.ledger, known) == []
    Differencing("people", "ill").run(here.database, here.people[:2])
    (alert,) = alerts_of(here.ledger, known)
    assert (alert.pattern, alert.severity, alert.analyst) == ("differencing pairs", "alarm", "adversary")
    assert len(alert.spends) == 3
    Averaging("people", "ill", repeats=3).run(here.database, here.people[:2])
    assert {one.pattern for one in alerts_of(here.ledger, known)} == {
        "differencing pairs",
        "one-person conditions",
    }
    Exhaustion("people", "1", "code", insist=3).run(here.database)
    pending = here.database.prepare("adversary", "SELECT COUNT(*) FROM people", Price.pure(1))
    here.ledger.charge([pending.asked] * 100)
    refusals = [one for one in alerts_of(here.ledger, known) if one.pattern == "many refusals"]
    assert [one.analyst for one in refusals] == ["adversary"]
    assert here.spent("adversary") == Decimal(1)


def test_a_suspended_adversary_learns_nothing_more(clinic: Open) -> None:
    here = clinic("10", "5")
    accounts = Accounts(here.ledger)
    accounts.add("adversary")
    Differencing("people", "ill").run(here.database, here.people[:1])
    accounts.suspend("adversary")
    found = Averaging("people", "ill", repeats=4).run(here.database, here.people[:2])
    assert found.details["refused"] == 8
    assert found.details["learnt something of"] == 0
    try:
        here.database.ask("adversary", "SELECT COUNT(*) FROM people", epsilon="0.1")
    except Suspended:
        return
    raise AssertionError("a suspended analyst was answered")


def test_alerts_hold_no_constants_of_questions(clinic: Open) -> None:
    here = clinic("10", "1")
    person = Person({"code": 4321, "sex": "f"}, True)
    Differencing("people", "ill").run(here.database, [person])
    Averaging("people", "ill", repeats=2).run(here.database, [person])
    told = " ".join(one.message for one in alerts_of(here.ledger, {"clinic": PUBLIC}))
    assert told
    assert "4321" not in told
