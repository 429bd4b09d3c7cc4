"""Numbers, names and threats in plain words."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence

from sfumato.core.verdict import Threat
from sfumato.report.markup import Markup, clean, element, together

UNKNOWN = "not known"

_THREATS = {
    Threat.IDENTITY: "identity: which record is a person’s",
    Threat.ATTRIBUTE: "attribute: a sensitive value of a person",
    Threat.MEMBERSHIP: "membership: that a person is in the data at all",
    Threat.INFERENCE: "inference: something likely about a person, from patterns of the whole",
}

_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def threat(name: str) -> str:
    """Say in words what an adversary may learn; a threat without words of ours stays as it is.

    >>> threat("membership")
    'membership: that a person is in the data at all'
    """
    return _THREATS.get(Threat(name), name) if name in set(Threat) else name


def number(value: float | None) -> str:
    """Write a number for reading: thousands apart, four significant digits.

    >>> number(30162), number(0.0456789), number(1234567.8), number(float("nan"))
    ('30,162', '0.04568', '1,234,568', 'not known')
    """
    if value is None or not math.isfinite(value):
        return UNKNOWN
    if isinstance(value, int) or (value.is_integer() and abs(value) < 1e15):
        return f"{int(value):,}"
    if 1000 <= abs(value) < 1e15:
        return f"{value:,.0f}"
    return f"{value:.4g}"


def numbers(value: float | Sequence[float] | None) -> str:
    """Write one number, or several of which the first counts most.

    >>> numbers([0.25, 3])
    '0.25, then 3'
    """
    if value is None or isinstance(value, int | float):
        return number(value)
    return ", then ".join(number(part) for part in value) or UNKNOWN


def percent(share: float | None) -> str:
    """Write a share between 0 and 1 in per cent; "0%" and "100%" are said only when exact.

    >>> percent(0.1428), percent(0), percent(0.00002), percent(0.99999), percent(1)
    ('14.3%', '0%', 'under 0.1%', 'over 99.9%', '100%')
    """
    if share is None or not math.isfinite(100 * share):
        return UNKNOWN
    if 0 < share < 0.001:
        return "under 0.1%"
    if 0.999 < share < 1:
        return "over 99.9%"
    return f"{100 * share:.1f}".removesuffix(".0") + "%"


def chance(risk: float | None) -> str:
    """Write a risk as one in so many, with the per cent beside it.

    >>> chance(0.2), chance(1), chance(0)
    ('1 in 5 (20%)', 'certain (100%)', '0%')
    """
    if risk is None or not math.isfinite(risk) or not 0 < risk <= 1:
        return percent(risk)
    if risk == 1:
        return f"certain ({percent(risk)})"
    return f"1 in {number(round(1 / risk, 1))} ({percent(risk)})"


def count(amount: int, one: str, many: str = "") -> str:
    """Write an amount with its noun.

    >>> count(1, "record"), count(1200, "record"), count(2, "class", "classes")
    ('1 record', '1,200 records', '2 classes')
    """
    return f"{amount:,} {one if amount == 1 else many or one + 's'}"


def were(amount: int) -> str:
    """Return the verb that fits an amount."""
    return "was" if amount == 1 else "were"


def capital(value: str) -> str:
    """Begin a text with a capital letter and leave the rest as it is."""
    return value[:1].upper() + value[1:]


def shorten(value: str, length: int) -> str:
    """Cut a long text and say so with an ellipsis.

    >>> shorten("a very long name", 8)
    'a very …'
    """
    return value if len(value) <= length else value[: length - 1] + "…"


def name(column: str, length: int | None = None) -> Markup:
    """Set the name of a column apart from the words around it, also when it is written right to left."""
    shown = clean(column) if column.strip() else "(no name)"
    return element("bdi", shown if length is None else shorten(shown, length), class_="name")


def names(columns: Sequence[str], *, most: int = 6) -> Markup:
    """List columns in a sentence; a long list is cut and the rest counted.

    >>> names(["age", "sex"])
    '<bdi class="name">age</bdi> and <bdi class="name">sex</bdi>'
    """
    # Cutting a single name would save nothing.
    most = most + 1 if len(columns) == most + 1 else most
    shown: list[Markup] = [name(column, 40) for column in columns[:most]]
    if len(columns) > most:
        shown.append(together(count(len(columns) - most, "other column")))
    if len(shown) < 2:
        return together(shown)
    commas = [together(", ", part) for part in shown[1:-1]]
    return together(shown[0], commas, " and ", shown[-1])


def bin_label(low: int, high: int | None) -> str:
    """Name a bin of class sizes.

    >>> bin_label(1, 1), bin_label(2, 4), bin_label(1000, None)
    ('1', '2–4', '1,000+')
    """
    if high is None:
        return f"{low:,}+"
    return f"{low:,}" if low == high else f"{low:,}–{high:,}"


def moment(created: str) -> str:
    """Write an ISO time for reading; any other text stays as it is.

    >>> moment("2026-02-03"), moment("2026-02-03T09:05:00+00:00"), moment("today")
    ('3 February 2026', '3 February 2026, 09:05 UTC', 'today')
    """
    try:
        read = dt.datetime.fromisoformat(created)
    except ValueError:
        return created
    day = f"{read.day} {_MONTHS[read.month - 1]} {read.year}"
    if len(created) == len("2026-02-03"):
        return day
    zone = f" {read.tzname()}" if read.tzinfo else ""
    return f"{day}, {read:%H:%M}{zone}"
