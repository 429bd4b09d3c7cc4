"""Who is ill: a case, a control, or not known. What is not known is never taken for a control."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput

CASE, CONTROL, NOT_KNOWN = 1, 0, -1
_SPELLINGS: tuple[tuple[str, str], ...] = (
    ("2", "1"),
    ("1", "0"),
    ("case", "control"),
    ("true", "false"),
    ("yes", "no"),
)
"""how a case and a control are written in the same file"""
_NOTHING = frozenset(
    ("", "-9", "na", "n/a", "nan", "null", ".", "-", "?", "none", "missing", "unknown", "not known")
)


@dataclass(frozen=True, eq=False)
class Phenotype:
    """For each person 1 (case), 0 (control) or −1 (not known)."""

    states: NDArray[np.int8] = field(repr=False)

    @property
    def known(self) -> NDArray[np.bool_]:
        """Of whom it is known."""
        return np.asarray(self.states != NOT_KNOWN)

    @property
    def cases(self) -> NDArray[np.bool_]:
        """Who is a case; refused where that is not known of somebody."""
        unknown = int(np.count_nonzero(~self.known))
        if unknown:
            raise BadInput(
                f"of {unknown:,} of {len(self.states):,} people it is not known whether they are cases",
                remedy="leave them out: SomePeople(source, phenotype.known)",
            )
        return np.asarray(self.states == CASE)

    def some(self, which: NDArray[np.bool_]) -> Phenotype:
        """Return some of the people."""
        return Phenotype(self.states[which])


def plink_phenotype(texts: Sequence[str]) -> Phenotype | None:
    """Read the last column of a .fam file: 1 control, 2 case, −9 and 0 not known; None for anything else.

    Without a single 2 it is None too: where 0 and 1 were written for controls and cases, all cases would be
    taken for controls.

    >>> plink_phenotype(["2", "1", "-9"]).states.tolist()
    [1, 0, -1]
    >>> plink_phenotype(["0.43", "2"]) is None
    True
    """
    states = {"1": CONTROL, "2": CASE, "0": NOT_KNOWN}
    found = [states.get(text, NOT_KNOWN if text.lower() in _NOTHING else None) for text in texts]
    if None in found or CASE not in found:
        return None
    return Phenotype(np.array(found, np.int8))


def read_phenotype(texts: Sequence[str | None], *, case: str | None = None, where: str = "") -> Phenotype:
    """Read cases and controls from texts. ``case`` is how a case is written; everything else that is not
    missing is then a control. Without it the texts must be one of the usual pairs. Beside 1 and 2 the 0 is
    PLINK's sign for not known.

    >>> read_phenotype(["case", "control", None]).states.tolist()
    [1, 0, -1]
    """
    folded = [(text or "").strip().lower() for text in texts]
    there = set(folded) - _NOTHING
    if case is not None:
        ill = case.strip().lower()
        if ill not in there:
            raise BadInput("nobody is a case", where=where, remedy="check how a case is written")
        if ill == "2" and there == {"0", "1", "2"}:
            there.discard("0")
        return _states(folded, {text: CASE if text == ill else CONTROL for text in there})
    for ill, well in _SPELLINGS:
        if there == {ill, well}:
            return _states(folded, {ill: CASE, well: CONTROL})
    if there == {"0", "1", "2"}:
        return _states(folded, {"0": NOT_KNOWN, "1": CONTROL, "2": CASE})
    raise BadInput(
        f"the column has {len(there):,} different values, which are not cases and controls as they are "
        "usually written",
        where=where,
        remedy="say how a case is written: 'cases: …' in a recipe, --case for a command",
    )


def _states(folded: Sequence[str], meaning: dict[str, int]) -> Phenotype:
    return Phenotype(np.array([meaning.get(text, NOT_KNOWN) for text in folded], np.int8))
