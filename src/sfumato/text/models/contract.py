"""What a promise about notes looks like. It is asked record by record, so that notes can stream by.

``counted`` looks at one record and returns small whole numbers; they are added up over all records in any
order (several processes, resumed runs) and ``verdict`` reads the sums. No number is about one person.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Protocol

from sfumato.core.verdict import Basis, Threat, Verdict
from sfumato.text.note import Record
from sfumato.text.replace.contract import Change


@dataclass(frozen=True, slots=True)
class Handled:
    """One record with what became of it: the released texts, and the changes that made them."""

    record: Record
    released: tuple[str, ...] = field(repr=False)
    changes: tuple[tuple[Change, ...], ...]


class TextModel(Protocol):
    """A promise about released notes: frozen dataclass, parameters in the constructor."""

    @property
    def name(self) -> str:
        """The name that recipes use."""

    @property
    def basis(self) -> Basis:
        """What it is checked from."""

    @property
    def protects_from(self) -> tuple[Threat, ...]:
        """What an adversary does not learn when it holds."""

    def counted(self, handled: Handled) -> Counter[str]:
        """Count in one record what ``verdict`` needs."""

    def verdict(self, counts: Counter[str]) -> Verdict:
        """Judge by the sums over all records."""

    def in_words(self) -> str:
        """Say in one sentence what is promised, without its full stop."""
