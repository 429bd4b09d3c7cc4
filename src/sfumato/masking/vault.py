"""The vault: a file of the steward that says which random code stands for which value.

A code is drawn by chance, not computed, so that nothing can be learned from it without the vault; the
vault makes it the same in every column, table and run. Codes are kept apart by scope (recipient and
purpose) and by domain. Each entry carries a check, so that a damaged vault is noticed and never reveals
a wrong value.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sfumato.core.errors import BadInput
from sfumato.core.files import Unreadable, open_plain
from sfumato.core.system import could_not

CODE_LETTERS = 16
"""letters of a code: 80 random bits"""
VAULT_FILE = "vault.jsonl"
_FORMAT = {"format": "sfumato-vault", "version": 1}

Place = tuple[str, str, str]
"""recipient, purpose and domain"""


def _draw(number: int) -> bytes:
    return secrets.token_bytes(number)


@dataclass
class Vault:
    """Codes by place and value; grows while a release is made, and is written with it or not at all.

    >>> vault = Vault()
    >>> first = vault.codes(["Ada", "Bo"], ("", "", ""))
    >>> vault.codes(["Bo"], ("", "", "")) == first[1:], vault.values(first, ("", "", ""))
    (True, ['Ada', 'Bo'])
    """

    entries: dict[Place, dict[str, str]] = field(default_factory=dict, repr=False)
    draw: Callable[[int], bytes] = field(default=_draw, repr=False, compare=False)

    def __len__(self) -> int:
        return sum(len(codes) for codes in self.entries.values())

    def codes(self, values: Sequence[str], place: Place) -> list[str]:
        """Return the code of each value, drawing new ones where there is none."""
        known = self.entries.setdefault(place, {})
        taken = {code for codes in self.entries.values() for code in codes.values()}
        for value in values:
            while value not in known:
                code = base64.b32encode(self.draw(CODE_LETTERS * 5 // 8)).decode()
                if code not in taken:
                    known[value] = code
                    taken.add(code)
        return [known[value] for value in values]

    def values(self, codes: Sequence[str], place: Place) -> list[str | None]:
        """Return the value behind each code, or None where the vault does not know it."""
        behind = {code: value for value, code in self.entries.get(place, {}).items()}
        return [behind.get(code) for code in codes]

    def values_anywhere(self, codes: Sequence[str]) -> list[str | None]:
        """Return the value behind each code, whatever its place: no two places share a code."""
        behind = {code: value for known in self.entries.values() for value, code in known.items()}
        return [behind.get(code) for code in codes]

    def write(self, path: Path) -> None:
        """Write the vault for its owner alone."""
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(json.dumps(_FORMAT) + "\n")
            for place, codes in self.entries.items():
                for value, code in codes.items():
                    entry = [*place, value, code]
                    file.write(json.dumps([*entry, _check(entry)], ensure_ascii=False) + "\n")

    @classmethod
    def read(cls, path: Path) -> Vault:
        """Read a vault; a line that is damaged stops it."""
        try:
            with io.TextIOWrapper(open_plain(path), encoding="utf-8") as file:
                header = _parsed(file.readline())
                if not isinstance(header, dict) or header.get("format") != _FORMAT["format"]:
                    raise BadInput("this is no vault", where=str(path), remedy=f"give a {VAULT_FILE}")
                if header != _FORMAT:
                    raise BadInput(
                        "the vault is of another version", where=str(path), remedy="use a newer Sfumato"
                    )
                vault = cls()
                taken: set[str] = set()
                for number, line in enumerate(file, 2):
                    vault._add(_parsed(line), taken, f"{path}, line {number}")
                return vault
        except Unreadable as problem:
            if not problem.missing:
                raise
            raise BadInput("there is no such vault", where=str(path), remedy="check the path") from None
        except (OSError, UnicodeDecodeError) as problem:
            raise could_not(problem, "the vault cannot be read", where=str(path)) from None

    def _add(self, entry: Any, taken: set[str], where: str) -> None:
        sound = isinstance(entry, list) and len(entry) == 6 and all(isinstance(part, str) for part in entry)
        if not sound or _check(entry[:5]) != entry[5]:
            raise BadInput(
                "the entry is damaged, and would reveal a wrong value",
                where=where,
                remedy="restore the vault",
            )
        recipient, purpose, domain, value, code, _ = entry
        known = self.entries.setdefault((recipient, purpose, domain), {})
        if value in known or code in taken:
            raise BadInput("the entry is there twice", where=where, remedy="restore the vault")
        known[value] = code
        taken.add(code)

    def holds(self, other: Vault) -> bool:
        """Say whether every code of another vault is in this one, for the same value."""
        return all(
            codes.items() <= self.entries.get(place, {}).items() for place, codes in other.entries.items()
        )


def _parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _check(entry: Sequence[str]) -> str:
    """Return a checksum that notices damage; who can read the vault could forge it."""
    return hashlib.sha256(json.dumps(list(entry)).encode()).hexdigest()[:16]
