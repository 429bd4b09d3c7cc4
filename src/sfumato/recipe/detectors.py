"""What values look like: patterns of the obvious identifiers, and of dates, numbers, sexes and codes.

Each detector is a function from one value, as text, to true or false. Values never leave this file.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sfumato.core.domain import as_day, as_number
from sfumato.text.look_alikes import plain

Detector = Callable[[str], bool]

_EMAIL = re.compile(r"[\w.+'-]+@[\w-]+(\.[\w-]+)+")
_URL = re.compile(r"(https?|ftp)://\S+|www\.\S+\.\S+", re.IGNORECASE)
_UUID = re.compile(r"\{?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?", re.IGNORECASE)
_SSN = re.compile(r"\d{3}-\d{2}-\d{4}")
_DNI = re.compile(r"([XYZ]?)(\d{7,8})-?([A-Z])")
_NIR = re.compile(r"([12]\d{2}(0[1-9]|1[0-2]|[2-9]\d)\d{2}\d{6})(\d{2})")
_IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}")
_CARD = re.compile(r"[2-6]\d{12,18}")
_PHONE = re.compile(r"\+?[\d\s()./-]+(\s?(x|ext\.?)\s?\d+)?")
_DATE = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}([T ]\d{1,2}:\d{2}(:\d{2})?\S*)?"
    r"|\d{1,2}([./-])\d{1,2}\3(\d{4}|\d{2})( \d{1,2}:\d{2}\S*)?|\d{4}/\d{1,2}/\d{1,2}"
)
_COMPACT = re.compile(r"(?:18|19|20)\d{6}", re.ASCII)
_ICD_10 = re.compile(r"[A-TV-Z]\d[\dA-Z](\.[\dA-Z]{1,4})?")
_GENOTYPE = re.compile(r"[ACGT][/|]?[ACGT]|[012]/[012]|[01]\|[01]|--|NN")
_FULL_NAME = re.compile(r"[^\W\d_a-z][^\W\d_]+([ '’-][^\W\d_]+)*,?( [^\W\d_a-z][\w.'’-]*){1,3}")
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
_SHEET = re.compile(r'=?"([^"]*)"|\'(.*)')
"""how spreadsheets keep digits as text: ``="0123"`` and ``'0123``"""
_SEXES = (
    "m f male female man woman w mannlich weiblich männlich h hombre mujer masculino femenino homme femme "
    "masculin feminin féminin d divers x other o unknown u nonbinary non-binary"
)


@dataclass(frozen=True)
class Pattern:
    """A kind of value that points at one person, in the plural, and how to recognise it."""

    plural: str
    matches: Detector


def as_meant(value: str) -> str:
    """Return a value without what hides it: look-alikes, unseen signs, the marks of a spreadsheet.

    >>> as_meant("617\u2011555\u20110199"), as_meant('="934415864"')
    ('617-555-0199', '934415864')
    """
    text = _UNSEEN.sub("", value)
    text = text if text.isascii() else plain(text)
    sheet = _SHEET.fullmatch(text.strip())
    return text.strip() if sheet is None else (sheet[1] or sheet[2] or "").strip()


def is_email(value: str) -> bool:
    """Check whether a value is written like an e-mail address."""
    return _EMAIL.fullmatch(value) is not None


def is_web_address(value: str) -> bool:
    """Check whether a value is written like a web address."""
    return _URL.fullmatch(value) is not None


def is_uuid(value: str) -> bool:
    """Check whether a value is a universally unique identifier."""
    return _UUID.fullmatch(value) is not None


def is_ip_address(value: str) -> bool:
    """Check whether a value is an address of the Internet protocol, version 4 or 6."""
    if "." not in value and ":" not in value:
        return False
    try:
        ipaddress.ip_address(value)
    except ValueError:
        return False
    return True


def is_national_number(value: str) -> bool:
    """Check whether a value is a US social security number, a Spanish DNI/NIE or a French NIR.

    The last two have a check: DNI a letter for the number modulo 23, NIR the complement of it modulo 97.
    """
    if _SSN.fullmatch(value):
        return True
    if dni := _DNI.fullmatch(value.upper()):
        first, digits, letter = dni.groups()
        number = int(f"{'XYZ'.index(first) if first else ''}{digits}")
        return len(digits) == (7 if first else 8) and "TRWAGMYFPDXBNJZSQVHLCKE"[number % 23] == letter
    if nir := _NIR.fullmatch(value.replace(" ", "")):
        return 97 - int(nir[1]) % 97 == int(nir[3])
    return False


def is_card_number(value: str) -> bool:
    """Check whether a value is a payment card number: 13 to 19 digits that pass Luhn's check.

    From the right, every second digit is doubled (and its digits added); the sum must divide by 10.

    >>> is_card_number("4111 1111 1111 1111"), is_card_number("4111 1111 1111 1112")
    (True, False)
    """
    digits = re.sub(r"[ -]", "", value)
    if not _CARD.fullmatch(digits):
        return False
    doubled = [int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits))]
    return sum(number - 9 if number > 9 else number for number in doubled) % 10 == 0


def is_iban(value: str) -> bool:
    """Check whether a value is a bank account number (ISO 13616): modulo 97 it leaves 1."""
    plain = value.replace(" ", "").upper()
    if not _IBAN.fullmatch(plain):
        return False
    return int("".join(str(int(letter, 36)) for letter in plain[4:] + plain[:4])) % 97 == 1


def is_phone_number(value: str) -> bool:
    """Check whether a value is written like a telephone number: with a plus sign, or several separators."""
    if not _PHONE.fullmatch(value) or is_date(value) or is_ip_address(value):
        return False
    digits = sum(letter.isdigit() for letter in value)
    groups = len(re.findall(r"\d+", value))
    return 7 <= digits <= 15 and (value.startswith("+") or groups >= 3 or ("(" in value and groups == 2))


def is_date(value: str) -> bool:
    """Check whether a value is written like a date, with or without the time of day."""
    return _DATE.fullmatch(value) is not None


def is_compact_day(value: str) -> bool:
    """Tell whether a value is a day without separators, of the last two centuries or this one.

    >>> is_compact_day("20200314"), is_compact_day("20201340")
    (True, False)
    """
    return (
        _COMPACT.fullmatch(value) is not None and as_day(f"{value[:4]}-{value[4:6]}-{value[6:]}") is not None
    )


def is_iso_day(value: str) -> bool:
    """Check whether a value is a day as hierarchies of dates read it, such as 2024-02-29."""
    return as_day(value) is not None


def is_number(value: str) -> bool:
    """Check whether a value is written like a number."""
    return as_number(value) is not None


def is_icd_code(value: str) -> bool:
    """Check whether a value is written like a code of ICD-10."""
    return _ICD_10.fullmatch(value) is not None


def are_icd_codes(values: Iterable[str]) -> bool:
    """Check whether values spread as codes of ICD-10 do: over chapters, or below a category.

    Wards and hospitals are numbered H01, H02, …: one letter, and no dot.

    >>> are_icd_codes(["H01", "H02", "H03"]), are_icd_codes(["H01", "I10", "J45"]), are_icd_codes(["H01.0"])
    (False, True, True)
    """
    codes = [value.strip() for value in values if is_icd_code(value.strip().upper())]
    return any("." in code for code in codes) or len({code[:1].upper() for code in codes}) >= 3


def is_genotype(value: str) -> bool:
    """Check whether a value is written like the two alleles of a person at one place."""
    return _GENOTYPE.fullmatch(value) is not None


def is_sex(value: str) -> bool:
    """Check whether a value names a sex, in full or by a letter."""
    return value.strip().lower() in _SEXES.split()


def is_full_name(value: str) -> bool:
    """Check whether a value is written like first name and surname."""
    return _FULL_NAME.fullmatch(value) is not None


def is_prose(value: str) -> bool:
    """Check whether a value is a sentence rather than a label."""
    return len(value) >= 40 and value.count(" ") >= 5


IDENTIFIERS = (
    Pattern("e-mail addresses", is_email),
    Pattern("web addresses", is_web_address),
    Pattern("unique identifiers (UUID)", is_uuid),
    Pattern("internet addresses (IP)", is_ip_address),
    Pattern("national identity numbers", is_national_number),
    Pattern("payment card numbers", is_card_number),
    Pattern("bank account numbers (IBAN)", is_iban),
    Pattern("telephone numbers", is_phone_number),
)
DATES = Pattern("dates", is_date)


def share(values: Iterable[str], matches: Detector) -> float:
    """Return the share of the values that match, spaces around them left aside; 0 when there are none.

    >>> share(["a@b.org", "none"], is_email)
    0.5
    """
    found = [matches(value.strip()) for value in values if value.strip()]
    return sum(found) / len(found) if found else 0.0
