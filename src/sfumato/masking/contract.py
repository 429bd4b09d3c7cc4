"""What every mask can do: turn the values of a column into labels that do not name anybody.

A mask is a small frozen dataclass. It sees the distinct values of a column as text and answers with one
label for each; engines then replace the values in one pass, wherever the rows live.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from sfumato.core.errors import BadInput
from sfumato.masking.keys import KeySource, derive
from sfumato.masking.vault import Vault


@dataclass(frozen=True)
class Scope:
    """For whom and for what a release is made: codes of two scopes have nothing in common."""

    recipient: str = ""
    purpose: str = ""


@dataclass(frozen=True)
class Secrets:
    """What masks draw on: the key of the house, the scope of the release, the vault of codes."""

    key: KeySource | None = None
    scope: Scope = field(default_factory=Scope)
    vault: Vault = field(default_factory=Vault)

    def derived(self, use: str, domain: str = "", length: int = 32) -> bytes:
        """Return a key for one use, recipient, purpose and domain."""
        if self.key is None:
            raise BadInput(
                f"the mask '{use}' needs a key",
                remedy="give 'keyFrom' (an environment variable) or 'keyFile' under 'masking'",
            )
        if not self.scope.recipient or not self.scope.purpose:
            raise BadInput(
                f"the mask '{use}' needs to know for whom and for what: two releases must not join by chance",
                remedy="give 'recipient' and 'purpose' under 'masking', or an 'agreement' that names them",
            )
        where = ("sfumato", use, self.scope.recipient, self.scope.purpose, domain)
        return derive(self.key.load(), where, length)


class Mask(Protocol):
    """A way to hide identifiers. See ``masking/spec.py`` for those that exist."""

    @property
    def name(self) -> str:
        """The name that recipes use."""

    @property
    def keeps_apart(self) -> bool:
        """Whether different values get different labels, so that people can still be counted."""

    @property
    def repeats(self) -> bool:
        """Whether equal values get equal labels one by one: the frequencies of the column stay visible."""

    @property
    def invents(self) -> bool:
        """Whether a label may look like a true value and is none."""

    @property
    def partial(self) -> bool:
        """Whether a label still holds a part of the value, or is computed from it."""

    def describe(self) -> str:
        """Say in words what is done, for the evidence."""


class ValueMask(Mask, Protocol):
    """A mask that answers each value with a label, whoever it belongs to."""

    def labels(self, values: Sequence[str], secrets: Secrets) -> list[str | None]:
        """Return the label of each of the distinct values of a column."""
