"""What models of rows share: parameters read as they are written, and verdicts as sentences."""

from __future__ import annotations

from typing import Any

from sfumato.core.errors import BadInput
from sfumato.core.verdict import Verdict, Witness
from sfumato.dna.aligned import Aligned, Unaligned
from sfumato.dna.contract import RowModel
from sfumato.dna.models.classes import basis_of

MOST = 10**12
"""more people or positions than anybody has"""


def check_whole(value: Any, what: str, where: str) -> None:
    """Refuse what is not a whole number of at least 1, and what is more than counters hold."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST:
        more = f", and at most {MOST}" if isinstance(value, int) and value > MOST else ""
        raise BadInput(
            f"{what} must be a whole number of at least 1{more}", where=where, remedy=f"try {what}: 2"
        )


def as_aligned(published: Aligned | Unaligned, where: str) -> Aligned:
    """Refuse sequences that have no columns to speak of."""
    if isinstance(published, Aligned):
        return published
    raise BadInput(
        "this promise is about positions, and sequences that are not aligned have none in common",
        where=where,
        remedy="align them, or check sequence-k-anonymity on whole sequences",
    )


def others(k: int) -> str:
    """Say how many others k leaves.

    >>> others(2), others(5)
    ('at least 1 other', 'at least 4 others')
    """
    return f"at least {k - 1} other{'s' * (k != 2)}"


def verdict(
    model: RowModel,
    published: Aligned | Unaligned,
    *,
    required: str,
    achieved: str,
    witness: Witness | None,
    violations: int,
    note: str = "",
) -> Verdict:
    """Turn what was counted into what a model says of a release."""
    return Verdict(
        model.name,
        violations == 0,
        required=required,
        achieved=achieved,
        basis=basis_of(published),
        protects_from=model.protects_from,
        witness=witness if violations else None,
        violations=violations,
        note=note,
    )
