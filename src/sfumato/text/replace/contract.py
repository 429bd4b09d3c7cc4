"""How to add a replacement: a frozen dataclass that says, for every span of a record, what stands there now.

A replacement sees the whole record, so that one person keeps one surrogate and one shift of dates in all
their notes. Text outside spans is not its business: ``replace/apply.py`` alone puts texts together, and
copies everything outside spans character by character.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from sfumato.masking.contract import Secrets
from sfumato.text.note import Found
from sfumato.text.span import Span


@dataclass(frozen=True, slots=True)
class Change:
    """One span and what replaces it. ``after`` equal to the old text means that it stays."""

    span: Span
    after: str = field(repr=False)
    how: str = ""
    """what was done, in the words of the evidence: ``shifted``, ``year``, ``tag``, ``surrogate``, ``kept``"""


class Replacement(Protocol):
    """A way to replace. See ``replace/__init__.py`` for those that exist (``REPLACEMENTS``)."""

    @property
    def name(self) -> str:
        """The name that recipes use."""

    @property
    def invents(self) -> bool:
        """Whether what stands there now may look true and is not."""

    @property
    def needs_key(self) -> bool:
        """Whether it draws on the key of the house."""

    def describe(self) -> str:
        """Say in words what is done, for the evidence."""

    def changes(self, found: Found, secrets: Secrets) -> tuple[tuple[Change, ...], ...]:
        """Return, for each note, the changes of its spans, in their order.

        There is one for each span, but where a policy keeps a part of it: that part has its own.
        """
