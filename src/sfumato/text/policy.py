"""Policies: which of the things that were found are replaced, and what may still be shown of them.

Safe Harbor (45 CFR 164.514(b)(2)) lists what must go: names; places smaller than a state; all elements of
dates but the year; ages over 89 and whatever tells them; numbers and addresses of every sort. Dates that are
moved by a secret number of days are more useful and are *not* in that list: such a release rests on an
expert's determination (45 CFR 164.514(b)(1)). The two are therefore two policies with two names.

A policy says which transformations are applied to what was found. It cannot say that everything was found.

>>> from sfumato.text.span import Span
>>> policy = text_policy_named("safe-harbor")
>>> policy.keeps(Span(0, 2, Kind.LOCATION, "state")), policy.keeps(Span(0, 2, Kind.LOCATION, "city"))
(True, False)
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Literal

from sfumato.core.errors import BadInput, nearest
from sfumato.masking.reduce import OLDEST
from sfumato.text.kinds import Kind
from sfumato.text.span import Span

_NO_DAYS = ("DATE/time", "DATE/year")
"""what may be kept of dates where the others are moved"""


@dataclass(frozen=True)
class TextPolicy:
    """What is replaced, and what of a date, an age or a ZIP code may be shown."""

    name: str
    title: str
    claim: str
    """what a release under it may say of itself"""
    dates: Literal["year", "shifted", "hidden"] = "year"
    ages: Literal["over-89", "all"] = "over-89"
    """which ages are replaced; one that cannot be read always is"""
    zips: Literal["zip3", "hidden"] = "zip3"
    kept: frozenset[str] = frozenset()
    """what stays as it is: kinds (``SEX``), or a kind and a label (``LOCATION/state``)"""
    initials: bool = False
    """whether a tag may show the middle initial, as DE-ID prints it"""
    this_year: int | None = None
    """the year of the release, from which ages are counted; the year of today if not given"""

    def __post_init__(self) -> None:
        kinds = {kind.value for kind in Kind}
        for entry in self.kept:
            if entry.partition("/")[0] not in kinds:
                raise BadInput(
                    f"'{entry}' is no kind of thing that is found in a text",
                    where=f"policy '{self.name}'",
                    remedy=nearest(entry, kinds),
                )
            if self.dates == "shifted" and entry.partition("/")[0] == "DATE" and entry not in _NO_DAYS:
                raise BadInput(
                    f"'{entry}' is kept and other dates are moved: together they tell by how much",
                    where=f"policy '{self.name}'",
                    remedy="take it out of 'kept', or show the year of all dates",
                )

    def keeps(self, span: Span) -> bool:
        """Say whether a thing stays whatever it says. Dates and ages are looked at one by one elsewhere."""
        return (
            span.kind is Kind.CLINICAL
            or span.kind.value in self.kept
            or f"{span.kind.value}/{span.label}" in self.kept
        )

    @property
    def last_lumped_year(self) -> int:
        """The latest year that somebody of 90 or more was born in: it and all before are one group."""
        return (dt.date.today().year if self.this_year is None else self.this_year) - OLDEST

    def describe(self, dates: str = "") -> str:
        """Say which transformations are applied, for the evidence; ``dates`` where a replacement differs."""
        dates = (
            dates
            or {
                "year": "dates reduced to the year",
                "shifted": "all dates of a person moved by one secret number of days (to the year alone in a "
                "note with a date that could not be read, and in a record with one that was not found)",
                "hidden": "dates left out",
            }[self.dates]
        )
        ages = "ages over 89 lumped" if self.ages == "over-89" else "all ages replaced"
        zips = (
            "at most the first three digits of ZIP codes shown"
            if self.zips == "zip3"
            else "ZIP codes left out"
        )
        kept = ", ".join(sorted(entry.replace("/", " ").lower() for entry in self.kept)) or "nothing"
        return (
            f"Transformations applied ({self.title}): {dates}, years up to {self.last_lumped_year} and "
            f"{ages}, {zips}; kept: {kept}. {self.claim}"
        )


_NO_IDENTIFIERS = frozenset(
    {"PROFESSION", "SEX", "OTHER/kinship", "LOCATION/state", "LOCATION/country", "DATE/time"}
)

SAFE_HARBOR = TextPolicy(
    "safe-harbor",
    "the list of HIPAA Safe Harbor",
    "The transformations are those that 45 CFR 164.514(b)(2) names, applied to what was found; what was not "
    "found still stands in the notes.",
    kept=_NO_IDENTIFIERS,
)
SHIFTED_DATES = TextPolicy(
    "shifted-dates",
    "shifted dates",
    "Shifted dates are not on the list of Safe Harbor: such a release needs an expert's determination "
    "(45 CFR 164.514(b)(1)). Whoever knows one true date of a person learns all of that person's dates.",
    dates="shifted",
    kept=_NO_IDENTIFIERS,
    initials=True,
)
EVERYTHING = TextPolicy(
    "everything",
    "all that was found",
    "More is replaced than 45 CFR 164.514(b)(2) names; what was not found still stands in the notes.",
    dates="hidden",
    ages="all",
    zips="hidden",
)
TEXT_POLICIES = {policy.name: policy for policy in (SAFE_HARBOR, SHIFTED_DATES, EVERYTHING)}
"""the policies that come with Sfumato, by name"""


def text_policy_named(name: str) -> TextPolicy:
    """Return a policy by its name.

    >>> text_policy_named("shifted-dates").dates
    'shifted'
    """
    if name not in TEXT_POLICIES:
        raise BadInput(
            f"there is no policy '{name}' for text", where="policy", remedy=nearest(name, TEXT_POLICIES)
        )
    return TEXT_POLICIES[name]
