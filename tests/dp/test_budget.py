"""Filters: exact to the last unit, and deaf to everything but money."""

from __future__ import annotations

import decimal
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.dp.budget import BASIC, FILTERS, ZCDP, after_basic, after_zcdp, within
from sfumato.dp.exact import as_decimal
from sfumato.dp.price import Price

ZERO = Decimal(0)
UNITS = st.integers(1, 10**18).map(lambda units: as_decimal(Decimal(units).scaleb(-18)))


def test_ten_tenths_are_exactly_one() -> None:
    spent = ZERO
    for _ in range(10):
        found = BASIC.pays(Decimal(1), ZERO, spent, ZERO, Price.pure(0.1))
        assert found is not None
        spent = found[0]
    assert spent == 1
    assert BASIC.pays(Decimal(1), ZERO, spent, ZERO, Price.pure("1e-18")) is None


@given(st.lists(UNITS, min_size=1, max_size=30), UNITS)
def test_what_is_spent_is_the_sum_of_what_was_paid_and_never_more_than_the_limit(
    prices: list[Decimal], limit: Decimal
) -> None:
    spent, units = ZERO, 0
    for price in prices:
        found = BASIC.pays(limit, ZERO, spent, ZERO, Price.pure(price))
        fits = units + int(price.scaleb(18)) <= int(limit.scaleb(18))
        assert (found is not None) == fits
        if found is not None:
            spent, units = found[0], units + int(price.scaleb(18))
    assert int(spent.scaleb(18)) == units


def test_the_precision_of_the_caller_changes_nothing() -> None:
    with decimal.localcontext(prec=3):
        spent, _ = after_basic(Decimal("1000.1"), ZERO, Price.pure("1e-18"))
    assert spent == Decimal("1000.100000000000000001")


def test_a_sum_that_cannot_be_exact_is_refused() -> None:
    with pytest.raises(BadInput, match="exactly"):
        after_basic(Decimal("1e90"), ZERO, Price.pure("1e-18"))


def test_delta_is_limited_beside_epsilon() -> None:
    price = Price.approximate("0.1", "1e-6")
    assert BASIC.pays(Decimal(1), Decimal("1e-6"), ZERO, ZERO, price) == (Decimal("0.1"), Decimal("1e-6"))
    assert BASIC.pays(Decimal(1), Decimal("1e-6"), ZERO, Decimal("1e-18"), price) is None


def test_rho_adds_up_with_the_delta_of_thresholds_alone() -> None:
    price = Price.approximate(1, "1e-6", rho="0.02", rho_delta="1e-7")
    assert after_zcdp(Decimal("0.01"), ZERO, price) == (Decimal("0.03"), Decimal("1e-7"))
    assert ZCDP.pays(Decimal("0.02"), Decimal("1e-8"), ZERO, ZERO, price) is None


def test_a_price_in_the_wrong_form_says_what_to_ask_instead() -> None:
    with pytest.raises(BadInput, match="ask with ε"):
        after_basic(ZERO, ZERO, Price.concentrated("0.1"))
    with pytest.raises(BadInput, match="with ρ"):
        after_zcdp(ZERO, ZERO, Price.approximate(1, "1e-6"))


@pytest.mark.parametrize("bad", [Decimal("NaN"), Decimal("Infinity"), Decimal(-1)])
def test_neither_price_nor_budget_may_be_negative_or_endless(bad: Decimal) -> None:
    with pytest.raises(BadInput):
        after_basic(ZERO, ZERO, Price(bad))
    with pytest.raises(BadInput):
        after_zcdp(ZERO, ZERO, Price(None, rho=bad))
    with pytest.raises(BadInput):
        after_basic(ZERO, ZERO, Price(Decimal(1), delta=bad))
    with pytest.raises(BadInput):
        within(bad, ZERO, ZERO, ZERO)


def test_filters_are_found_by_the_name_of_their_composition() -> None:
    assert FILTERS == {"basic": BASIC, "zcdp": ZCDP}
