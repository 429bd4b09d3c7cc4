"""Recall at least: in notes like the annotated ones, so much of what identifies is found, with confidence.

The search of the release is run on annotated notes of the same house. With n of them, and of what identifies
in note i the search finds xᵢ of mᵢ tokens, the promise is

    of notes:   p = P(a note has no leak) ≥ share,   shown when  Σ_{j ≥ x} C(n, j) shareʲ (1 − share)ⁿ⁻ʲ ≤ α,
    of tokens:  r = Σxᵢ / Σmᵢ ≥ share,               shown when  its lower bound is above the share,

x the notes without a leak and α = 1 − confidence. The first is the exact test of Clopper and Pearson (1934),
in whole numbers. The second is the bound of Korn and Graubard (1998) for shares of things that come in
clusters (``text/evaluate/intervals.py``), which is close and not exact: tokens of a note stand and fall
together, and are counted as fewer.

It protects from names and numbers that a reader would find in the text. It holds for notes that were drawn as
the annotated ones were: those of another ward or another year may leak more; annotated notes that a model was
trained on make it worthless; and it says nothing about which notes leak.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

from sfumato.core.errors import BadInput
from sfumato.core.verdict import Basis, Threat, Verdict
from sfumato.text.evaluate.compared import Compared
from sfumato.text.evaluate.intervals import at_least, trusted_size
from sfumato.text.models.contract import Handled

Of = Literal["notes", "tokens"]


@dataclass(frozen=True)
class RecallAtLeast:
    """With this confidence at least this share of notes (or of identifying tokens) is found whole.

    Given by ``measured`` over annotated notes; a release without annotated notes cannot be promised anything.

    >>> promise = RecallAtLeast(0.9, of="notes")
    >>> counts = Counter({"notes": 300, "leak-free": 285, "gold": 300, "found": 290})
    >>> print(promise.verdict(counts))
    recall-at-least holds: required 90 % of notes without a leak, with 95 % confidence, achieved 285 of 300
    """

    share: float
    confidence: float = 0.95
    of: Of = "tokens"
    name: ClassVar[str] = "recall-at-least"
    basis: ClassVar[Basis] = Basis.ORIGINAL
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY,)

    def __post_init__(self) -> None:
        for value, what in ((self.share, "share"), (self.confidence, "confidence")):
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1:
                raise BadInput(f"the {what} must lie between 0 and 1", where=self.name, remedy="try 0.95")
        if self.of not in ("notes", "tokens"):
            raise BadInput(
                "a share is of notes or of tokens", where=self.name, remedy="write of: notes, or of: tokens"
            )

    def counted(self, handled: Handled) -> Counter[str]:
        """Count nothing: how much was missed in a released note nobody knows."""
        return Counter()

    def verdict(self, counts: Counter[str]) -> Verdict:
        """Judge by the sums over annotated notes (``measured``)."""
        gold = counts["gold"]
        if not gold:
            raise BadInput(
                "no annotated notes were given, or nothing is annotated in them",
                where=self.name,
                remedy="name annotated notes of the house under 'annotated'",
            )
        if self.of == "notes":
            holds = shown_by_notes(counts["leak-free"], counts["notes"], self.share, self.confidence)
            required, achieved = "notes without a leak", f"{counts['leak-free']:,} of {counts['notes']:,}"
        else:
            bound = token_bound(counts, self.confidence)
            holds = Fraction(bound) >= _decimal(self.share)
            required = "identifying tokens found"
            achieved = f"{counts['found']:,} of {gold:,}, so {100 * bound:.2f} % or more"
        return Verdict(
            self.name,
            holds=holds,
            required=f"{100 * self.share:g} % of {required}, with {100 * self.confidence:g} % confidence",
            achieved=achieved,
            basis=self.basis,
            protects_from=self.protects_from,
            violations=0 if holds else counts["notes"] - counts["leak-free"],
        )

    def in_words(self) -> str:
        """Say in one sentence what is promised."""
        what = "notes without a leak" if self.of == "notes" else "identifying tokens that are found"
        return (
            f"the share of {what} is at least {100 * self.share:g} % in notes like the annotated ones, with "
            f"{100 * self.confidence:g} % confidence"
        )


def measured(compared: Iterable[Compared]) -> Counter[str]:
    """Add up annotated notes that were compared with what was found in them: whole numbers alone."""
    counts: Counter[str] = Counter()
    for one in compared:
        gold, found = one.gold_tokens, one.found_tokens
        counts.update(
            {
                "notes": 1,
                "leak-free": not one.leaks,
                "holding": gold > 0,
                "hit": found > 0,
                "gold": gold,
                "found": found,
                "gold²": gold * gold,
                "found²": found * found,
                "gold·found": gold * found,
            }
        )
    return counts


def shown_by_notes(free: int, notes: int, share: float, confidence: float) -> bool:
    """Say whether so many notes without a leak show the share, in whole numbers.

    >>> shown_by_notes(59, 59, 0.95, 0.95), shown_by_notes(58, 58, 0.95, 0.95)
    (True, False)
    """
    p, alpha = _decimal(share), 1 - _decimal(confidence)
    hit, miss, whole = p.numerator, p.denominator - p.numerator, p.denominator
    tail: int = sum(math.comb(notes, j) * hit**j * miss ** (notes - j) for j in range(free, notes + 1))
    everything: int = whole**notes
    return tail * alpha.denominator <= alpha.numerator * everything


def token_bound(counts: Counter[str], confidence: float) -> float:
    """Return the share of tokens that is exceeded with this confidence, tokens of a note taken together."""
    gold, found, notes = counts["gold"], counts["found"], counts["holding"]
    together = Fraction(gold * gold, counts["gold²"])
    effective = float(together)
    if found not in (0, gold) and notes > 1:
        ratio = Fraction(found, gold)
        squares = counts["found²"] - 2 * ratio * counts["gold·found"] + ratio * ratio * counts["gold²"]
        variance = Fraction(notes, notes - 1) * squares / (gold * gold)
        design = variance / (ratio * (1 - ratio) / gold)
        size = gold / max(design, Fraction(1))
        telling = min(counts["notes"] - counts["leak-free"], counts["hit"])
        effective = trusted_size(float(size), float(together), telling)
    return at_least(effective * found / gold, effective, confidence)


def _decimal(share: float) -> Fraction:
    """Take a share as the decimal that was written."""
    return Fraction(str(share))
