"""Not for next to nothing, and not without end."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from sfumato.core.errors import BadInput
from sfumato.dp.price import Price
from sfumato.server.allowance import DAY, Allowance
from sfumato.server.problems import TooMany
from sfumato.server.settings import Settings
from tests.server.conftest import COUNT, Make, Service

LEAST = Fraction(1, 1000)


@pytest.mark.parametrize(
    ("price", "fits"),
    [
        (Price.pure("0.001"), True),
        (Price.pure("0.000999"), False),
        (Price.approximate("0.001", "1e-7"), True),
        (Price.approximate("0.000999", "1e-7"), False),
        (Price.concentrated("0.0000005"), True),
        (Price.concentrated("0.000000499"), False),
    ],
)
def test_a_price_has_a_lower_bound_in_both_currencies(price: Price, fits: bool) -> None:
    allowance = Allowance(LEAST, 10)
    if fits:
        allowance.check(price)
    else:
        with pytest.raises(BadInput, match="a question costs at least"):
            allowance.check(price)


def test_a_day_has_a_number_of_questions_for_each_analyst_and_a_new_day_has_as_many() -> None:
    now = [0.0]
    allowance = Allowance(LEAST, 3, clock=lambda: now[0])
    for _ in range(3):
        allowance.count("ana")
    with pytest.raises(TooMany, match="3 questions today"):
        allowance.count("ana")
    allowance.count("ben")
    now[0] = DAY - 0.001
    with pytest.raises(TooMany):
        allowance.count("ana")
    now[0] = float(DAY)
    allowance.count("ana")


def test_a_service_that_starts_again_counts_what_the_ledger_has_of_the_day() -> None:
    seen = []

    def charged(analyst: str, since: int) -> int:
        seen.append((analyst, since))
        return 2

    allowance = Allowance(LEAST, 3, charged, clock=lambda: 5.0 * DAY + 77)
    allowance.count("ana")
    with pytest.raises(TooMany):
        allowance.count("ana")
    assert seen == [("ana", 5 * DAY)]


def test_too_small_a_price_is_refused_before_it_is_charged(service: Service) -> None:
    for path in ("/v1/ask", "/v1/quote", "/v1/try"):
        reply = service.call("ana", "POST", path, {"sql": COUNT, "epsilon": "0.0009"})
        assert (reply.status_code, reply.json()["where"]) == (400, "epsilon")
    assert service.spent("ana") == 0
    assert service.ask("ana", COUNT, "0.001").is_success


def test_the_owner_sets_the_least_price_and_the_questions_of_a_day(make: Make) -> None:
    service = make(Settings(tick_ms=0, least_epsilon=Decimal("1e-9"), questions_per_day=3))
    assert service.ask("ana", COUNT, "1e-9").is_success
    for path in ("/v1/quote", "/v1/try"):
        assert service.call("ana", "POST", path, {"sql": COUNT, "epsilon": "0.1"}).is_success
    reply = service.ask("ana", COUNT, "0.1")
    assert (reply.status_code, reply.json()["code"]) == (429, "too-many")
    assert service.spent("ana") == Decimal("1e-9")
    assert service.ask("ben", COUNT, "0.1").is_success
