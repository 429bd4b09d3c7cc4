"""Recall, precision and F1 of tokens and of spans, as counts that can be added up.

recall = found / (found + missed), precision = found / (found + too much), F1 = 2PR / (P + R)
(van Rijsbergen, 1979). A share of nothing is ``None``, never 0 or 1.
"""

from __future__ import annotations

from dataclasses import dataclass


def share(part: int, whole: int) -> float | None:
    """Return a share, ``None`` of nothing."""
    return part / whole if whole else None


def f1(recall: float | None, precision: float | None) -> float | None:
    """Return the harmonic mean of recall and precision.

    >>> f1(1.0, 0.5), f1(None, 1.0), f1(0.0, 0.0)
    (0.6666666666666666, None, 0.0)
    """
    if recall is None or precision is None:
        return None
    return 2 * recall * precision / (recall + precision) if recall + precision else 0.0


@dataclass(frozen=True, slots=True)
class TokenScore:
    """What became of tokens."""

    found: int = 0
    missed: int = 0
    too_much: int = 0
    typed: int = 0
    """found, and as the kind that they are"""

    def __add__(self, other: TokenScore) -> TokenScore:
        return TokenScore(
            self.found + other.found,
            self.missed + other.missed,
            self.too_much + other.too_much,
            self.typed + other.typed,
        )

    @property
    def gold(self) -> int:
        """Identifying tokens."""
        return self.found + self.missed

    @property
    def recall(self) -> float | None:
        """Share of identifying tokens that were found, as whatever."""
        return share(self.found, self.gold)

    @property
    def precision(self) -> float | None:
        """Share of the tokens found that identify."""
        return share(self.found, self.found + self.too_much)

    @property
    def f1(self) -> float | None:
        """Harmonic mean of the two."""
        return f1(self.recall, self.precision)

    @property
    def typed_recall(self) -> float | None:
        """Share of identifying tokens that were found as the kind that they are."""
        return share(self.typed, self.gold)


@dataclass(frozen=True, slots=True)
class SpanScore:
    """What became of annotated spans, and how many spans were found."""

    gold: int = 0
    exact: int = 0
    typed: int = 0
    """exact, and of the right kind"""
    covered: int = 0
    touched: int = 0
    found: int = 0
    """found spans; those that only share characters with neutral annotations are not counted"""

    def __add__(self, other: SpanScore) -> SpanScore:
        return SpanScore(
            self.gold + other.gold,
            self.exact + other.exact,
            self.typed + other.typed,
            self.covered + other.covered,
            self.touched + other.touched,
            self.found + other.found,
        )

    @property
    def exact_recall(self) -> float | None:
        """Share of annotated spans found with both ends right."""
        return share(self.exact, self.gold)

    @property
    def exact_precision(self) -> float | None:
        """Share of found spans with both ends right."""
        return share(self.exact, self.found)

    @property
    def exact_f1(self) -> float | None:
        """Harmonic mean of the two: "leak" scores of shared tasks, which ignore the kind."""
        return f1(self.exact_recall, self.exact_precision)

    @property
    def typed_recall(self) -> float | None:
        """Share of annotated spans found with both ends and the kind right."""
        return share(self.typed, self.gold)

    @property
    def typed_precision(self) -> float | None:
        """Share of found spans with both ends and the kind right."""
        return share(self.typed, self.found)

    @property
    def typed_f1(self) -> float | None:
        """Harmonic mean of the two: the score of most shared tasks."""
        return f1(self.typed_recall, self.typed_precision)

    @property
    def covered_recall(self) -> float | None:
        """Share of annotated spans of which no token stays."""
        return share(self.covered, self.gold)

    @property
    def touched_recall(self) -> float | None:
        """Share of annotated spans that were found at least in part."""
        return share(self.touched, self.gold)
