"""The digest of the people of a window, by which the log vouches for every one of them.

SHA-256 of a salt and of the keyed hashes of all people of the window, in order: whoever adds, removes or
moves one of them changes it. The salt is drawn anew for each entry, so entries do not tell which windows are
alike, and neither it nor the digest tells how many people there are.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Any

import numpy as np
from numpy.typing import NDArray


def digest_begun(salt: str) -> Any:
    """Return the hash of a salt alone, to which people are added in order, eight bytes each."""
    return hashlib.sha256(bytes.fromhex(salt))


def vouched(people: NDArray[np.int64]) -> dict[str, str]:
    """Return what an entry of the log tells of the people of a window: a new salt and their digest."""
    salt = secrets.token_hex(16)
    digest = digest_begun(salt)
    digest.update(np.sort(people).astype("<i8").tobytes())
    return {"salt": salt, "people": digest.hexdigest()}
