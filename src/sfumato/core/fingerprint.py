"""Fingerprints: of what is released, plain; of the input, keyed, so that guesses cannot be tested."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path

from sfumato.core.errors import BadInput
from sfumato.core.evidence import InputEvidence
from sfumato.core.files import open_plain

KEY_VARIABLE = "SFUMATO_KEY"
KEY_FILE = "fingerprint.key"
SHORTEST_KEY = 16
_CHUNK = 1 << 20


def chunks_of(path: Path) -> Iterator[bytes]:
    """Read a file piece by piece."""
    with open_plain(path) as file:
        while chunk := file.read(_CHUNK):
            yield chunk


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    digest = hashlib.sha256()
    for chunk in chunks_of(path):
        digest.update(chunk)
    return digest.hexdigest()


def key_of_the_house() -> bytes | None:
    """Return the key from the environment, if one is set; a short one is refused."""
    given = os.environ.get(KEY_VARIABLE)
    if given and len(given) < SHORTEST_KEY:
        raise BadInput(
            f"the key in {KEY_VARIABLE} is shorter than {SHORTEST_KEY} characters", remedy="give a longer one"
        )
    return given.encode() if given else None


def input_fingerprint(chunks: Iterable[bytes], rows: int, steward: Path | None) -> InputEvidence:
    """Return the HMAC-SHA-256 of the input.

    The key comes from the environment; without it a fresh one is made and kept in the steward's
    folder.
    """
    given = key_of_the_house()
    if given:
        key, name = given, f"environment variable {KEY_VARIABLE}"
    else:
        key, name = secrets.token_hex(32).encode(), "made for this run and not kept"
        if steward is not None:
            path = steward / KEY_FILE
            path.touch(0o600)
            path.write_bytes(key)
            name = f"steward/{KEY_FILE}"
    digest = hmac.new(key, digestmod=hashlib.sha256)
    for chunk in chunks:
        digest.update(chunk)
    return InputEvidence(rows=rows, fingerprint=f"hmac-sha256:{digest.hexdigest()}", key=name)
