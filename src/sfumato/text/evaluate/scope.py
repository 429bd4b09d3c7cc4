"""Which annotations count: what identifies under a policy is to be found, what does not is left alone.

An age of 57 is annotated by most corpora and identifies nobody under Safe Harbor (45 CFR 164.514(b)(2)(C):
only ages over 89 do). A year alone stays, too (all elements of dates *except year* must go), unless it is so
long ago that it tells such an age. A span outside the scope is *neutral*: finding it is no hit, and covering
its text is no fault. What a finder marks and the policy would leave standing does not count as found either:
it hides nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from sfumato.masking.reduce import OLDEST
from sfumato.text.kinds import Kind
from sfumato.text.policy import SAFE_HARBOR, TextPolicy
from sfumato.text.span import Span

_TENS = {"ninety": 90, "noventa": 90, "nineties": 90, "hundred": 100, "cien": 100, "ciento": 100}
"""words of an age over 89; all other ages in words lie below"""
_NUMBER = re.compile(r"\d+")
_YEAR = re.compile(r"(?:1[5-9]|20|21)\d\d(?:['\u2019]?s)?")


@dataclass(frozen=True, slots=True)
class Scope:
    """What counts: all but what a policy keeps, and ages from which one on.

    >>> HIPAA.counts(Span(0, 2, Kind.AGE), "89-year-old"), HIPAA.counts(Span(0, 2, Kind.AGE), "90-year-old")
    (False, True)
    >>> HIPAA.counts(Span(0, 4, Kind.DATE), "1984"), HIPAA.counts(Span(0, 6, Kind.DATE), "5/1984")
    (False, True)
    """

    name: str
    over: int | None = None
    """ages up to this one identify nobody; ``None``: every age counts"""
    kept: frozenset[str] = frozenset()
    """what identifies nobody: kinds (``SEX``), or a kind and a label (``LOCATION/state``)"""
    after: int | None = None
    """years alone after this one identify nobody; ``None``: every date counts"""

    @classmethod
    def of_policy(cls, policy: TextPolicy) -> Scope:
        """Return what counts under a policy that notes are released under."""
        over = None if policy.ages == "all" else OLDEST - 1
        return cls(
            policy.name, over, policy.kept, policy.last_lumped_year if policy.dates == "year" else None
        )

    def counts(self, span: Span, text: str) -> bool:
        """Say whether a span points at somebody under this policy."""
        if span.kind is Kind.CLINICAL or not self.kept.isdisjoint((span.kind, f"{span.kind}/{span.label}")):
            return False
        if span.kind is Kind.DATE and self.after is not None and _YEAR.fullmatch(span.of(text)):
            return int(span.of(text)[:4]) <= self.after
        return span.kind is not Kind.AGE or self.over is None or oldest(span.of(text)) > self.over


EVERYTHING = Scope("all")
"""whatever was annotated"""
HIPAA = replace(Scope.of_policy(SAFE_HARBOR), name="hipaa")
"""the identifiers of Safe Harbor: ages over 89 only, no years alone that tell no such age, no states,
countries, times of day, professions, sex"""
SCOPES = {scope.name: scope for scope in (EVERYTHING, HIPAA)}


def oldest(age: str) -> int:
    """Return the highest number that an age names; what cannot be read is taken as older than everybody.

    >>> oldest("93"), oldest("85-90"), oldest("ninety-three"), oldest("forty"), oldest("?")
    (93, 90, 90, 0, 999)
    """
    numbers = [int(found) for found in _NUMBER.findall(age) if len(found) < 10]
    if numbers:
        return max(numbers)
    words = [word for word in re.split(r"[\W_]+", age.casefold()) if word.isalpha()]
    return max((_TENS.get(word, 0) for word in words), default=999)
