"""Detected identifiers removed: rules that read the released notes find nothing of these kinds any more.

For released notes R, kinds K, and the rules ρ of a language (patterns and lexicons without a learned model),

    { s ∈ ρ(r) : r ∈ R, kind(s) ∈ K, certainty(s) ≥ threshold, s in no tag } = ∅.

A release that was searched and replaced should pass it; one that was never searched, or was changed
afterwards, does not. After Sweeney, "Replacing personally-identifying information in medical records, the
Scrub system", 1996, whose detectors these are. Characters
that stand for others (full-width digits, hyphens that do not break) are read as what they stand for.

It protects from what everybody can find with the same rules. It says nothing about what the rules do not
know: what they missed once they miss again, so that this is no measure of recall (``recall-at-least`` is).
Made-up values are found as what they imitate: with surrogates nothing can be promised this way.

>>> from sfumato.text.models.contract import Handled
>>> from sfumato.text.note import Record
>>> promise = DetectedIdentifiersRemoved()
>>> print(promise.verdict(promise.counted(Handled(Record.of(""), ("Write to **EMAIL.",), ((),)))))
detected-identifiers-removed holds: required nothing found by rules, achieved 0 found in 1 note
>>> promise.verdict(promise.counted(Handled(Record.of(""), ("Write to ada@example.org.",), ((),)))).holds
False
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from sfumato.core.errors import BadInput, nearest
from sfumato.core.verdict import Basis, Threat, Verdict
from sfumato.text.compete import compete
from sfumato.text.detectors.contract import Detector
from sfumato.text.kinds import Kind
from sfumato.text.language import LANGUAGES, language_of
from sfumato.text.look_alikes import Reading
from sfumato.text.models.contract import Handled
from sfumato.text.page import Page
from sfumato.text.replace.settled import TAG
from sfumato.text.span import LIKELY, Span

PLAINEST = (Kind.EMAIL, Kind.URL, Kind.IP, Kind.SSN, Kind.PHONE)
"""kinds whose form little else has"""


@dataclass(frozen=True)
class DetectedIdentifiersRemoved:
    """Rules that read the released notes find nothing of these kinds, from this certainty on."""

    kinds: tuple[str, ...] = tuple(map(str, PLAINEST))
    threshold: float = LIKELY
    language: str = "en"
    name: ClassVar[str] = "detected-identifiers-removed"
    basis: ClassVar[Basis] = Basis.RELEASE
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY,)

    def __post_init__(self) -> None:
        known = [kind.value for kind in Kind if kind.identifies]
        object.__setattr__(self, "kinds", tuple(map(str, self.kinds)))
        for kind in self.kinds:
            if kind not in known:
                raise BadInput(
                    f"there is no kind '{kind}' of thing in a text",
                    where=self.name,
                    remedy=nearest(kind, known),
                )
        if not self.kinds:
            raise BadInput("no kind is listed", where=self.name, remedy="write kinds: [EMAIL, PHONE]")
        if not 0 < self.threshold <= 1:
            raise BadInput(
                "the threshold must lie above 0 and not above 1", where=self.name, remedy="try 0.9"
            )
        if self.language not in LANGUAGES:
            raise BadInput(
                f"there is no language '{self.language}'",
                where=self.name,
                remedy=nearest(self.language, LANGUAGES),
            )

    def counted(self, handled: Handled) -> Counter[str]:
        """Count the released notes, what is found in them by kind, and the notes that hold it."""
        counts: Counter[str] = Counter()
        for text in handled.released:
            found = [span for span in found_by_rules(text, self.language, self.threshold) if self._asks(span)]
            counts["notes"] += 1
            counts["holding"] += bool(found)
            counts.update(f"found/{span.kind}" for span in found)
        return counts

    def _asks(self, span: Span) -> bool:
        return span.kind.value in self.kinds

    def verdict(self, counts: Counter[str]) -> Verdict:
        """Judge by the sums: nothing may have been found."""
        kinds = {what.partition("/")[2]: n for what, n in counts.items() if what.startswith("found/") and n}
        found, notes = sum(kinds.values()), counts["notes"]
        listed = ", ".join(f"{number:,} {kind}" for kind, number in sorted(kinds.items()))
        return Verdict(
            self.name,
            holds=not found,
            required="nothing found by rules",
            achieved=f"{found:,} found in {notes:,} {'note' if notes == 1 else 'notes'}",
            basis=self.basis,
            protects_from=self.protects_from,
            violations=counts["holding"],
            note=listed,
        )

    def in_words(self) -> str:
        """Say in one sentence what is promised."""
        return f"rules that read the released notes find no {', '.join(self.kinds)} in them"


def found_by_rules(text: str, language: str, threshold: float = LIKELY) -> list[Span]:
    """Return what patterns and lexicons find in a text with some certainty, outside the tags in it.

    Look-alikes are read as the finder reads them: what is not looked at as the same text cannot be compared.
    """
    reading = Reading.of(text)
    page = Page(reading.text)
    proposed = [span for detector in _detectors(language) for span in detector.find(page)]
    tags = [match.span() for match in TAG.finditer(text)] if "**" in text else []
    return [
        span
        for span in map(reading.as_it_came, compete(page.text, proposed, threshold))
        if not any(start <= span.start < end for start, end in tags)
    ]


@lru_cache(maxsize=2)
def _detectors(language: str) -> tuple[Detector, ...]:
    return language_of(language).detectors()
