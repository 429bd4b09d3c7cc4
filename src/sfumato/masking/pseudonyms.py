"""Pseudonyms: the same person, the same code, and nobody's name.

Three ways, from the safest on: a random code that only a vault ties to its value; a code computed one
way with a key (HMAC with SHA-256; Bellare, Canetti & Krawczyk 1996); a code that who holds the key can
turn back (AES-SIV, deterministic authenticated encryption; Rogaway & Shrimpton 2006). The same value has
the same code in every column, table and run of one recipient and purpose, unless ``domain`` sets columns
apart.

They hide who somebody is, not how often a code occurs: frequencies give common values away, so columns of
few values are refused. And a code is personal data still for whoever holds vault or key.
"""

from __future__ import annotations

import base64
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.masking.contract import Secrets

FEWEST_LETTERS = 16
_BLOCK = 16


@dataclass(frozen=True)
class VaultPseudonym:
    """A random code of 80 bits from the vault in the steward's folder.

    >>> ada, bo, again = VaultPseudonym().labels(["Ada", "Bo", "Ada"], Secrets())
    >>> ada == again, ada == bo
    (True, False)
    """

    domain: str = ""
    name: ClassVar[str] = "pseudonym"
    keeps_apart: ClassVar[bool] = True
    repeats: ClassVar[bool] = True
    invents: ClassVar[bool] = False
    partial: ClassVar[bool] = False

    def describe(self) -> str:
        """Say in words what is done."""
        return "replaced by a random code from the steward's vault"

    def labels(self, values: Sequence[str], secrets: Secrets) -> list[str | None]:
        """Look every value up, or draw a code for it."""
        place = (secrets.scope.recipient, secrets.scope.purpose, self.domain)
        return list(secrets.vault.codes(values, place))


@dataclass(frozen=True)
class KeyedPseudonym:
    """One way: base32(HMAC-SHA-256(key, value)), cut to ``letters`` (5 bits each). Nobody turns it back;
    who holds the key can test whether a code stands for a value that they guess.
    """

    letters: int = 24
    domain: str = ""
    name: ClassVar[str] = "keyed-pseudonym"
    keeps_apart: ClassVar[bool] = True
    repeats: ClassVar[bool] = True
    invents: ClassVar[bool] = False
    partial: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not FEWEST_LETTERS <= self.letters <= 51:
            raise BadInput(
                f"'letters' of keyed-pseudonym must lie between {FEWEST_LETTERS} and 51",
                remedy="fewer would give two people one code",
            )

    def describe(self) -> str:
        """Say in words what is done."""
        return "replaced by a keyed one-way code"

    def labels(self, values: Sequence[str], secrets: Secrets) -> list[str | None]:
        """Compute the code of every value."""
        key = secrets.derived(self.name, self.domain)
        codes: list[str | None] = [self._code(key, value) for value in values]
        if len(set(codes)) < len(set(values)):
            raise PromiseNotMet("two values got one code", remedy="give keyed-pseudonym more 'letters'")
        return codes

    def _code(self, key: bytes, value: str) -> str:
        digest = hmac.digest(key, value.encode(), "sha256")
        return base64.b32encode(digest).decode()[: self.letters]


@dataclass(frozen=True)
class ReversiblePseudonym:
    """base64(AES-SIV(key, value)): who holds the key turns it back with ``sfumato reveal``.

    Values are filled up to whole blocks, so that a code does not show how long its value is but for
    16 bytes. A wrong key or a damaged code is noticed: it never reveals a wrong value.
    """

    domain: str = ""
    name: ClassVar[str] = "reversible-pseudonym"
    keeps_apart: ClassVar[bool] = True
    repeats: ClassVar[bool] = True
    invents: ClassVar[bool] = False
    partial: ClassVar[bool] = True

    def describe(self) -> str:
        """Say in words what is done."""
        return "encrypted; who holds the key can reveal it"

    def labels(self, values: Sequence[str], secrets: Secrets) -> list[str | None]:
        """Encrypt every value."""
        from cryptography.hazmat.primitives.ciphers.aead import AESSIV

        cipher = AESSIV(secrets.derived(self.name, self.domain, 64))
        return [
            base64.urlsafe_b64encode(cipher.encrypt(_filled(value.encode()), None)).decode().rstrip("=")
            for value in values
        ]

    def values(self, codes: Sequence[str], secrets: Secrets) -> list[str | None]:
        """Decrypt codes; None for each that was not made with this key, recipient, purpose and domain."""
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESSIV

        cipher = AESSIV(secrets.derived(self.name, self.domain, 64))
        found: list[str | None] = []
        for code in codes:
            try:
                sealed = base64.b64decode(code + "=" * (-len(code) % 4), altchars=b"-_", validate=True)
                found.append(cipher.decrypt(sealed, None).rstrip(b"\0")[:-1].decode())
            except (InvalidTag, ValueError):
                found.append(None)
        return found


def _filled(value: bytes) -> bytes:
    """Add one byte 0x80 and then zeros up to a whole block (ISO/IEC 7816-4)."""
    return value + b"\x80" + b"\0" * (-(len(value) + 1) % _BLOCK)
