"""How direct identifiers are written: forms of those Safe Harbor kinds that can be told by their look.

A form finds an identifier that is a whole value (``7ABC123``) or a part of one (``call 617-555-0199``). Some
forms are *sure*: nothing else is written so. The others also fit a few codes and measurements, so that one
value alone says little and many in a column say much. Values never leave this file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sfumato.core.domain import as_number, as_text
from sfumato.recipe import detectors

_EMAIL = re.compile(r"[\w.+'-]+@[\w-]+(?:\.[\w-]+)+")
_SSN = re.compile(r"(?<![\d-])\d{3}-\d{2}-\d{4}(?![\d-])")
_PHONE = re.compile(
    r"(?<![\w+.-])\+\d{1,3}[\s().-]{0,2}\d(?:[\s().-]{0,2}\d){6,12}(?![\w-])"
    r"|(?<![\w.-])(?:1[ .-])?(?:\(\d{3}\) ?|\d{3}([-. ]))\d{3}[-. ]\d{4}(?![\w-])"
)
_LOOSE_PHONE = re.compile(
    r"(?:tel|phone|fax|fon|tfno|mobil\w*|handy)\W{0,4}\d[\d\s()./-]{4,}\d", re.IGNORECASE
)
_NO_PHONE = re.compile(
    r"\d{4,5}-\d{3,4}-\d{1,2}|\d{4}[./-]\d{1,2}[./-]\d{1,2}|\d{1,3}(?:[ .]\d{3})+"
    r"|\d+(?:\.\d+)?\s?-\s?\d+(?:\.\d+)?|[012]\.\d{1,2}(?:\.\d+)+"
)
"""drug codes (NDC), days, thousands, ranges and object identifiers have groups of digits as telephones do"""
_DOMESTIC_PHONE = re.compile(r"\(?0\d{1,4}\)?[\s/-]{1,3}\d{2,4}[\d\s-]{2,9}\d")
_IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?!\w)", re.IGNORECASE)
_HANDLE = re.compile(r"@[A-Za-z0-9_.]{3,30}")
_MAC = re.compile(r"(?<![\w:-])(?:[0-9A-F]{2}([:-]))(?:[0-9A-F]{2}\1){4}[0-9A-F]{2}(?![\w:-])", re.IGNORECASE)
_WEB = re.compile(r"(?:https?|ftp)://\S+|(?<!\w)www\.\S+\.\S+", re.IGNORECASE)
_IMAGE = re.compile(
    r"[^\s]+\.(?:jpe?g|png|gif|tiff?|bmp|heic|webp|dcm|mp4|mov|avi|wav|mp3)(?!\w)", re.IGNORECASE
)
_STREET = re.compile(
    r"\d+[a-z]?,? +(?:[^\W\d_][\w.'’-]* +){1,4}"
    r"(?:street|st|road|rd|lane|ln|avenue|ave|drive|dr|boulevard|blvd|way|court|ct|place|pl|square|terrace)\b"
    r"|[^\W\d_]+(?:stra(?:ß|ss)e|str\.|weg|gasse|platz|allee|straat|gatan|vej)[ ,]+\d+"
    r"|(?<!\w)(?:calle|c/|avda\.?|avenida|plaza|rue|via|viale|piazza|rua|ul\.|ulica)[ ]+[^\W\d_].*\d",
    re.IGNORECASE,
)
_VIN = re.compile(r"(?=(?:.*[A-Z]){3})[A-HJ-NPR-Z0-9]{13}\d{4}", re.IGNORECASE)
_HASH = re.compile(r"(?=.*\d)(?=.*[a-f])[0-9a-f]{16,}", re.IGNORECASE)
_MEDICARE = re.compile(
    r"[1-9][AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9]\d-?[AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9]\d-?"
    r"[AC-HJKMNP-RT-Y]{2}\d{2}"
)
"""the beneficiary identifier of Medicare (CMS, 2018)"""
_PLATE = re.compile(
    r"\d[A-Z]{3}\d{3}|[A-Z]{1,3}-[A-Z]{1,2}[ -]?\d{1,4}|[A-Z]{3}[- ]\d{4}|[A-Z]{2}\d{2} ?[A-Z]{3}"
)
"""plates of California, Germany, several other states, the United Kingdom"""
_NUMBERED = re.compile(
    r"[A-Z]{1,4}[- ]?\d{6,12}[A-Z]?|\d{6,12}[A-Z]{1,3}|[A-Z]{2,4}-\d{4,8}(?:-[A-Z0-9]{1,6})+"
)
"""a few letters and a long number: how records, plans, licences and devices are numbered"""
_LABELS = {
    "medical-record-number": r"mrn|mr ?no|medical record|record|chart|patient ?(?:id|no|number)",
    "health-plan-number": r"plan|policy|member|beneficiary|subscriber|medicare|medicaid|insurance",
    "account-number": r"acct|account|konto|cuenta",
    "licence-number": r"licen[cs]e|lic|dea|npi|certificate|cert|passport|driver",
    "vehicle-id": r"vin|plate|vehicle|registration",
    "device-id": r"serial|s/?n|device|imei|udi|pacemaker|implant",
    "biometric": r"fingerprint|voiceprint|iris|retina|biometric|faceprint",
    "ssn": r"ssn|social security",
    "other-id": r"id|case|sample|accession",
}
_LABELLED = re.compile(
    r"(?<![^\W_])(?:"
    + "|".join(f"(?P<{kind.replace('-', '_')}>{words})" for kind, words in _LABELS.items())
    + r")(?:\.|\s?(?:id|no|nr|number|num|plate|hash|template))?[\s.:#=_-]{0,3}"
    + r"(?=[\w-]{0,12}\d)[A-Z0-9][\w-]{3,}",
    re.IGNORECASE,
)
_WORTH_A_LOOK = re.compile(
    r"@|://|::|\d,? +\w|\w[ ,]+\d|\d\D*\d\D*\d|\w[:-]\w+[:-]\w|www\.|\.[a-z]\w{2,3}(?!\w)|[0-9a-f]{16}",
    re.IGNORECASE,
)
"""no form fits a value without one of these; most values have none"""


@dataclass(frozen=True)
class Form:
    """A way in which identifiers are written: its plural, its kind in a policy, how it is found."""

    plural: str
    kind: str
    found: Callable[[str], bool]
    sure: bool = False


def _inside(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda value: pattern.search(value) is not None


def _whole(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda value: pattern.fullmatch(value) is not None


def _account(value: str) -> bool:
    return any(detectors.is_iban(match[0]) for match in _IBAN.finditer(value))


def _device(value: str) -> bool:
    return _MAC.search(value) is not None


def _any_phone(value: str) -> bool:
    if _NO_PHONE.fullmatch(value):
        return False
    return (
        detectors.is_phone_number(value)
        or _LOOSE_PHONE.search(value) is not None
        or (_DOMESTIC_PHONE.fullmatch(value) is not None and not detectors.is_date(value))
    )


def _labelled(kind: str) -> Callable[[str], bool]:
    group = kind.replace("-", "_")
    return lambda value: any(match[group] for match in _LABELLED.finditer(value))


FORMS = (
    Form("e-mail addresses", "email", _inside(_EMAIL), sure=True),
    Form("national identity numbers", "ssn", _inside(_SSN), sure=True),
    Form("telephone numbers", "phone", _inside(_PHONE), sure=True),
    Form("bank account numbers (IBAN)", "account-number", _account, sure=True),
    Form("hardware addresses (MAC)", "device-id", _device, sure=True),
    Form("web addresses", "url", _inside(_WEB)),
    Form("names in social networks", "url", _whole(_HANDLE)),
    Form("unique identifiers (UUID)", "other-id", detectors.is_uuid),
    Form("internet addresses (IP)", "ip-address", detectors.is_ip_address),
    Form("national identity numbers", "ssn", detectors.is_national_number),
    Form("payment card numbers", "account-number", detectors.is_card_number),
    Form("telephone numbers", "phone", _any_phone),
    Form("names of image, sound or film files", "image", _inside(_IMAGE)),
    Form("postal addresses", "street", _inside(_STREET)),
    Form("vehicle identification numbers", "vehicle-id", _whole(_VIN)),
    Form("Medicare numbers", "health-plan-number", _whole(_MEDICARE)),
    Form("medical record numbers", "medical-record-number", _labelled("medical-record-number")),
    Form("health plan numbers", "health-plan-number", _labelled("health-plan-number")),
    Form("account numbers", "account-number", _labelled("account-number")),
    Form("licence numbers", "licence-number", _labelled("licence-number")),
    Form("vehicle numbers", "vehicle-id", _labelled("vehicle-id")),
    Form("device numbers", "device-id", _labelled("device-id")),
    Form("biometric identifiers", "biometric", _labelled("biometric")),
    Form("social security numbers", "ssn", _labelled("ssn")),
    Form("numbered codes", "other-id", _labelled("other-id")),
    Form("licence plates", "vehicle-id", _whole(_PLATE)),
    Form("fingerprints of data (hashes)", "biometric", _whole(_HASH)),
    Form("long numbers behind letters", "other-id", _whole(_NUMBERED)),
)
"""the sure ones first; the first that fits a value says what it is"""
STRONG = FORMS[:-3]
"""those that ordinary codes hardly ever have: without plates, hashes and numbers behind letters"""
SOME = 0.1
"""from this share of its values on, a column holds what they look like"""
_LONGEST, _OVERLAP = 400, 100
"""characters that are looked at together; parts of longer texts share so many with the next"""
DATES = Form("dates", "date", detectors.is_date)


def form_of(value: str, forms: Iterable[Form] = FORMS) -> Form | None:
    """Return the form that a value fits, as a whole or in a part, or None.

    >>> form_of("write to ada@x.org").kind, form_of("7ABC123").kind, form_of("I21.4")
    ('email', 'vehicle-id', None)
    """
    text = detectors.as_meant(value)
    if len(text) > _LONGEST:
        # Forms take the square of the length where a text is one word: a sequence, a picture as letters.
        parts = (text[start : start + _LONGEST] for start in range(0, len(text), _LONGEST - _OVERLAP))
        return next((form for part in parts if (form := form_of(part, forms))), None)
    if not _WORTH_A_LOOK.search(text) or _is_amount(text):
        return None
    return next((form for form in forms if form.found(text)), None)


def _is_amount(text: str) -> bool:
    """Whether a value is a plain number, of which nothing can be told: 13 digits and more may be a card."""
    digits = text.lstrip("+-")
    return as_number(text) is not None and not text.startswith("+") and len(digits.split(".")[0]) < 13


def scalars_of(value: Any) -> list[str]:
    """Return the single values in a value: those of a list, also of one that is written as JSON.

    >>> scalars_of(["a", None, "b"]), scalars_of('["a", "b"]'), scalars_of(3)
    (['a', 'b'], ['a', 'b'], ['3'])
    """
    opened = _opened(value)
    if isinstance(opened, Mapping):
        opened = list(opened.values())
    if isinstance(opened, list | tuple):
        return [single for part in opened for single in scalars_of(part)]
    return [] if opened is None else [as_text(opened)]


def is_nested(value: Any) -> bool:
    """Whether a value holds an object, or lists in a list: several things under names of their own.

    >>> is_nested({"family": "Curie"}), is_nested('[{"system": "phone"}]'), is_nested(["a", "b"])
    (True, True, False)
    """
    opened = _opened(value)
    if isinstance(opened, list | tuple):
        return any(isinstance(part, list | tuple | Mapping) for part in map(_opened, opened))
    return isinstance(opened, Mapping)


def _opened(value: Any) -> Any:
    """Read text that is written as a JSON object or list; anything else stays as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "[") and value.rstrip()[-1:] in ("}", "]"):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value
