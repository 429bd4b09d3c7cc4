"""Places in their parts: street, city, state and ZIP code of an address, or what a place without a label is.

``118 Sycamore Lane, Franklin, TN 37064`` may be one span or four. One span is cut so that each part is
treated as what it is: the state may stay, of the ZIP code three digits may.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_STATES = (
    "Alabama AL,Alaska AK,Arizona AZ,Arkansas AR,California CA,Colorado CO,Connecticut CT,"
    "Delaware DE,District of Columbia DC,Florida FL,Georgia GA,Hawaii HI,Idaho ID,Illinois IL,"
    "Indiana IN,Iowa IA,Kansas KS,Kentucky KY,Louisiana LA,Maine ME,Maryland MD,Massachusetts MA,"
    "Michigan MI,Minnesota MN,Mississippi MS,Missouri MO,Montana MT,Nebraska NE,Nevada NV,"
    "New Hampshire NH,New Jersey NJ,New Mexico NM,New York NY,North Carolina NC,North Dakota ND,"
    "Ohio OH,Oklahoma OK,Oregon OR,Pennsylvania PA,Puerto Rico PR,Rhode Island RI,South Carolina SC,"
    "South Dakota SD,Tennessee TN,Texas TX,Utah UT,Vermont VT,Virginia VA,Washington WA,"
    "West Virginia WV,Wisconsin WI,Wyoming WY"
)
STATES = {code: name for name, _, code in (entry.rpartition(" ") for entry in _STATES.split(","))}
"""states of the United States by their two letters"""
_NAMES = {name.casefold(): code for code, name in STATES.items()}
_STATE = "|".join([*STATES, *sorted(map(re.escape, STATES.values()), key=len, reverse=True)])
_ZIP = re.compile(r"(?:^|(?<=\s))(\d{5})(-\d{4})?\s*$")
_STATE_LAST = re.compile(rf"(?:^|(?<=[\s,]))({_STATE})\.?,?\s*$")
STATE_AFTER = re.compile(rf",?\s+({_STATE})\b")
"""the state behind a city, in what follows it"""
_STREET = re.compile(
    r"(?i)\s*(?:\d|p\.?\s?o\.?\s+box|rural route|r\.?r\.?\s+\d|one\s|apt|apartment|suite|unit)"
)
_HOSPITAL = re.compile(
    r"(?i)\b(?:hospital|clinic|medical|health|healthcare|center|centre|infirmary|rehab\w*|hospice|nursing|"
    r"memorial|sanatorium|surgery|va|hosp|ctr|pharmacy|laborator\w+|hospitalario|cl[ií]nica)\b"
)
_COMPANY = re.compile(
    r"(?i)\b(?:inc|ltd|llc|llp|plc|corp|company|co|group|sons|associates|university|college|school|partners|"
    r"bank|services|industries)\b\.?|&|\w-\w|,"
)


@dataclass(frozen=True, slots=True)
class Address:
    """The parts of a written place; each may be empty. Put together they are what was written."""

    street: str = field(default="", repr=False)
    city: str = field(default="", repr=False)
    state: str = field(default="", repr=False)
    zip: str = field(default="", repr=False)
    joints: tuple[str, str, str] = ("", "", "")
    """what stands between street and city, city and state, state and ZIP code"""
    end: str = ""

    @property
    def state_code(self) -> str:
        """The two letters of the state."""
        return self.state if self.state in STATES else _NAMES.get(self.state.casefold(), "")

    def written(self) -> str:
        """Put the parts together."""
        first, second, third = self.joints
        return f"{self.street}{first}{self.city}{second}{self.state}{third}{self.zip}{self.end}"


def address(text: str) -> Address:
    """Cut a written place into its parts.

    >>> cut = address("118 Sycamore Lane, Franklin, TN 37064")
    >>> cut.street, cut.city, cut.state, cut.zip
    ('118 Sycamore Lane', 'Franklin', 'TN', '37064')
    """
    rest = text.rstrip()
    end = text[len(rest) :]
    code, third = "", ""
    found = _ZIP.search(rest)
    if found is not None:
        code = rest[found.start(1) :]
        rest, third = _split_end(rest[: found.start(1)])
    state, second = "", ""
    found = _STATE_LAST.search(rest)
    if found is not None and (code or found.start(1) > 0):
        state, third = found.group(1), rest[found.end(1) :] + third
        rest, second = _split_end(rest[: found.start(1)])
    elif code:
        second, third = third, ""
    street, first, city = _street_and_city(rest)
    return Address(street, city, state, code, (first, second, third), end)


def _split_end(text: str) -> tuple[str, str]:
    """Part a text from the commas and white space at its end."""
    kept = text.rstrip(" \t\r\n\f\v,")
    return kept, text[len(kept) :]


def _street_and_city(text: str) -> tuple[str, str, str]:
    if not _STREET.match(text):
        return "", "", text
    place = max(text.rfind(","), text.rfind("\n"))
    if place < 0 or _STREET.match(text, place + 1):
        return text, "", ""
    street, joint = _split_end(text[: place + 1])
    city = text[place + 1 :]
    kept = city.lstrip()
    return street, joint + city[: len(city) - len(kept)], kept


def label_of(text: str) -> str:
    """Say what a place without a label is.

    >>> label_of("Mercy Clinic"), label_of("12 Elm St, Ovid"), label_of("Reed-Maynard"), label_of("Ovid")
    ('hospital', 'address', 'organisation', 'city')
    """
    if _STREET.match(text):
        return "address"
    if _HOSPITAL.search(text):
        return "hospital"
    cut = address(text)
    if cut.zip or cut.state:
        return "address"
    return "organisation" if _COMPANY.search(text) else "city"
