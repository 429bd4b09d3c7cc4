"""Check digits decide."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.text.detectors.patterns.accounts import Accounts
from sfumato.text.detectors.patterns.checks import (
    drug_registration,
    iban,
    luhn,
    provider_number,
    social_security,
    vehicle_number,
)
from tests.text.patterns.marking import as_found, lines, spans

FOUND = """
card {4111 1111 1111 1111}, or {5500005555555559}
pay to {GB82 WEST 1234 5698 7654 32} today
account {DE89370400440532013000}.
car {1M8GDM9AXKP042788}
UDI {(01)00844588003288(17)141120(10)7654321D(21)10987654d321}
"""
LEFT = """
card 4111 1111 1111 1112
pay to XX82 WEST 1234 5698 7654 33
car 1M8GDM9A0KP042788
"""


@pytest.mark.parametrize("line", [*lines(FOUND), *lines(LEFT)])
def test_only_what_fits_its_check_digit_is_found(line: str) -> None:
    assert as_found(line, Accounts()) == line


def test_the_labels_say_what_it_is() -> None:
    found = [spans(line.replace("{", "").replace("}", ""), Accounts())[0].label for line in lines(FOUND)]
    assert found == ["card", "iban", "iban", "vehicle", "device"]


@given(st.text("0123456789", min_size=12, max_size=18))
def test_exactly_one_last_digit_fits_luhn(digits: str) -> None:
    assert sum(luhn(f"{digits}{last}") for last in range(10)) == 1


@given(st.text("0123456789", min_size=15, max_size=15), st.integers(0, 14), st.integers(1, 9))
def test_one_wrong_digit_never_fits_luhn(digits: str, place: int, change: int) -> None:
    right = next(f"{digits}{last}" for last in range(10) if luhn(f"{digits}{last}"))
    wrong = right[:place] + str((int(right[place]) + change) % 10) + right[place + 1 :]
    assert not luhn(wrong)


@given(st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", min_size=11, max_size=25))
def test_an_iban_has_one_pair_of_check_digits(rest: str) -> None:
    fitting = [pair for pair in range(2, 99) if iban(f"GB{pair:02d}{rest}")]
    assert len(fitting) == 1


def test_known_numbers_fit() -> None:
    assert provider_number("1234567893")
    assert not provider_number("3234567893")
    assert vehicle_number("11111111111111111")
    assert not vehicle_number("IOQ11111111111111")
    assert drug_registration("BB1388568")
    assert [
        social_security(digits)
        for digits in ("000123456", "666123456", "900123456", "123004567", "123450000")
    ] == [False] * 5
    assert social_security("123456789")
