"""Check digits: a number that fits its own is hardly anything else.

- Luhn (US patent 2,950,048, 1960): payment cards; with the prefix 80840 also the US provider number (NPI).
- ISO 7064 mod 97-10: IBAN.
- ISO 3779 and 49 CFR 565: vehicle identification numbers.
- 21 CFR 1306 practice: DEA registrations. 20 CFR 422: what a social security number cannot be.
"""

from __future__ import annotations

_VIN_VALUES = {
    **{str(digit): digit for digit in range(10)},
    **dict(zip("ABCDEFGH", range(1, 9), strict=True)),
    **dict(zip("JKLMNPR", (1, 2, 3, 4, 5, 7, 9), strict=True)),
    **dict(zip("STUVWXYZ", range(2, 10), strict=True)),
}
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


def luhn(digits: str) -> bool:
    """Say whether digits fit the check digit at their end.

    >>> luhn("4111111111111111"), luhn("4111111111111112")
    (True, False)
    """
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit)
        if place % 2:
            value = value * 2 - 9 if value > 4 else value * 2
        total += value
    return total % 10 == 0


def provider_number(digits: str) -> bool:
    """Say whether ten digits are a US national provider identifier.

    >>> provider_number("1234567893"), provider_number("1234567890")
    (True, False)
    """
    return len(digits) == 10 and digits[0] in "12" and luhn("80840" + digits)


def iban(text: str) -> bool:
    """Say whether letters and digits are an international bank account number.

    >>> iban("GB82WEST12345698765432"), iban("GB82WEST12345698765433")
    (True, False)
    """
    if not 15 <= len(text) <= 34 or not text.isascii() or not text.isalnum():
        return False
    turned = text[4:] + text[:4]
    return int("".join(str(int(letter, 36)) for letter in turned)) % 97 == 1


def vehicle_number(text: str) -> bool:
    """Say whether 17 letters and digits are a vehicle identification number.

    >>> vehicle_number("1M8GDM9AXKP042788"), vehicle_number("1M8GDM9A0KP042788")
    (True, False)
    """
    upper = text.upper()
    if len(upper) != 17 or any(letter not in _VIN_VALUES for letter in upper):
        return False
    total = sum(_VIN_VALUES[letter] * weight for letter, weight in zip(upper, _VIN_WEIGHTS, strict=True))
    return upper[8] == "0123456789X"[total % 11]


def drug_registration(text: str) -> bool:
    """Say whether two letters and seven digits are a registration of the Drug Enforcement Administration.

    >>> drug_registration("BB1388568"), drug_registration("BB1388567")
    (True, False)
    """
    digits = text[2:]
    if len(text) != 9 or not text[0].isalpha() or not digits.isdecimal():
        return False
    odd, even = sum(map(int, digits[0:6:2])), sum(map(int, digits[1:6:2]))
    return (odd + 2 * even) % 10 == int(digits[6])


def social_security(digits: str) -> bool:
    """Say whether nine digits may be a social security number: no area 000, 666 or 9xx, no part of zeros.

    >>> social_security("411168757"), social_security("990437654"), social_security("411008757")
    (True, False, False)
    """
    area, group, serial = digits[:3], digits[3:5], digits[5:]
    return area not in ("000", "666") and area[0] != "9" and group != "00" and serial != "0000"
