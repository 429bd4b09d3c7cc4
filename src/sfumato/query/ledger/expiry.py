"""Until when a key holds: a day, a moment, a number of days, or never an end."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from sfumato.core.errors import BadInput

NEVER = "never"
_DAYS = re.compile(r"([1-9][0-9]{0,4})d")
_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def expiry_of(text: str, now: int) -> int | None:
    """Return the moment from which on a key is worth nothing, in microseconds since 1970; None for never.

    A day ends the key when it begins, in UTC; so does a moment without a time zone.

    >>> expiry_of("90d", 0) == 90 * 24 * 3600 * 10**6, expiry_of("never", 0)
    (True, None)
    >>> moment_told(expiry_of("2027-01-31", 0)).isoformat()
    '2027-01-31T00:00:00+00:00'
    """
    if text == NEVER:
        return None
    days = _DAYS.fullmatch(text)
    try:
        if days is not None:
            moment = moment_told(now) + timedelta(days=int(days[1]))
        else:
            moment = datetime.fromisoformat(text)
            moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadInput(
            "this is no time at which a key could expire",
            where="expires",
            remedy="write it like 2027-01-31, 90d or never",
        ) from None
    expires = (moment - _BEGINNING) // _MICROSECOND
    if expires <= now:
        raise BadInput("the key would have expired already", where="expires", remedy="choose a later day")
    return expires


def moment_told(microseconds: int) -> datetime:
    """Return a time of the ledger as a date and time in UTC; exactly, without floats."""
    return _BEGINNING + timedelta(microseconds=microseconds)
