"""Codes that their hierarchy does not know: laid over it where that is allowed, counted, or refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sfumato.codes.prefixes import above
from sfumato.codes.reading.read import ReadCodes
from sfumato.codes.tree import CodeTree, Unknown, unknown_codes
from sfumato.hierarchy.ladder import Hierarchy, UncoveredValues


def tree_over(
    hierarchy: Hierarchy, domain: Sequence[str], unknown: str, read: ReadCodes, name: str = "codes"
) -> CodeTree:
    """Lay a hierarchy over codes that were read; an error names how many it does not know, and the first row.

    ``unknown`` is as recipes spell it; codes that are to be suppressed are taken to be gone already.
    """
    allowed = unknown if unknown in (Unknown.ROOT, Unknown.PREFIX) else Unknown.ERROR
    try:
        return CodeTree.of(hierarchy, domain, name, unknown=allowed)
    except UncoveredValues as error:
        row = read.row_of(domain[code] for code in error.codes)
        if row is not None:
            error.what += f", on row {row:,}" if len(error.codes) == 1 else f", the first on row {row:,}"
        raise


def told_unknown(read: ReadCodes, hierarchy: Hierarchy, unknown: str) -> ReadCodes:
    """Add a note on where codes lie that the hierarchy does not know."""
    if unknown not in (Unknown.ROOT, Unknown.PREFIX):
        return read
    domain = read.sets.domain
    strange = unknown_codes(hierarchy, domain)
    if not strange:
        return read
    found = above(hierarchy, domain, strange) if unknown == Unknown.PREFIX else {}
    row = read.row_of(domain[code] for code in strange)
    many = "1 code is" if len(strange) == 1 else f"{len(strange):,} codes are"
    note = f"{many} not in the hierarchy" + ("" if row is None else f", the first on row {row:,}")
    parts = (
        (len(found), "under what they begin with"),
        (len(strange) - len(found), "right under the root"),
    )
    where = " and ".join(f"{number:,} {place}" for number, place in parts if number)
    return replace(read, notes=(*read.notes, f"{note}: laid {where}"))
