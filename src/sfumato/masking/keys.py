"""Keys: from the environment or a file, never from a recipe; derived anew for each use.

From one key of the house a key is derived for every use, recipient, purpose and domain by HKDF with
SHA-256 (Krawczyk 2010, RFC 5869), so that what one recipient holds says nothing about another's codes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sfumato.core.errors import BadInput
from sfumato.core.system import could_not

SHORTEST = 32
"""characters that a key has at least: 32 hexadecimal digits are 128 bits"""


@dataclass(frozen=True)
class KeySource:
    """Where the key lies: the name of an environment variable, or a file.

    >>> KeySource(variable="NOT_SET_ANYWHERE").load()
    Traceback (most recent call last):
    ...
    sfumato.core.errors.BadInput: the environment variable 'NOT_SET_ANYWHERE' is not set; ...
    """

    variable: str | None = None
    file: Path | None = None

    def __post_init__(self) -> None:
        if (self.variable is None) == (self.file is None):
            raise BadInput(
                "a key comes either from an environment variable or from a file", remedy="name one of them"
            )

    def __str__(self) -> str:
        return f"environment variable {self.variable}" if self.variable else f"file {self.file}"

    def load(self) -> bytes:
        """Read the key; it never stands in a message."""
        key = self._from_variable() if self.variable else self._from_file()
        if len(key) < SHORTEST:
            raise BadInput(
                f"the key has fewer than {SHORTEST} characters",
                where=str(self),
                remedy="make one, for example with: openssl rand -hex 32",
            )
        return key

    def _from_variable(self) -> bytes:
        given = os.environ.get(str(self.variable))
        if not given:
            raise BadInput(
                f"the environment variable '{self.variable}' is not set",
                remedy="set it to the key; without the key nothing can be masked alike or revealed",
            )
        return given.strip().encode()

    def _from_file(self) -> bytes:
        assert self.file is not None
        try:
            return self.file.read_bytes().strip()
        except FileNotFoundError:
            raise BadInput(
                "there is no such key file", where=str(self.file), remedy="check the path"
            ) from None
        except OSError as problem:
            raise could_not(problem, "the key file cannot be read", where=str(self.file)) from None


def derive(key: bytes, where: Iterable[str], length: int = 32) -> bytes:
    """Derive a key for one place; each part is preceded by its length, so that no two places look alike.

    >>> derive(b"k" * 32, ("a", "bc")) == derive(b"k" * 32, ("ab", "c"))
    False
    """
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    parts = [part.encode() for part in where]
    info = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    return HKDF(algorithm=SHA256(), length=length, salt=None, info=info).derive(key)
