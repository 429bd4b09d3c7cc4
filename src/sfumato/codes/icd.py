"""ICD codes as they are met in files, brought back to the one right way of writing them.

Blanks, lower case and lost dots are mended: ``4019`` is 401.9, ``e8120`` is E812.0, ``v3000`` is V30.00 in
ICD-9-CM and ``e119`` is E11.9 in ICD-10-CM. Spreadsheets also lose the zeros at the beginning of ICD-9-CM
codes: ``38.9`` can only be 038.9, but ``389`` may be the category 389 or the code 038.9. The rule for a text
that can be read in more than one way:

1. As it is written, if some text of the data begins with a zero (none were lost), or if no text is longer
   than three digits (the data hold categories).
2. Else the reading that is a code without others under it (038.9) before one that is a category (389).
3. Else the reading with the fewest zeros added.

Texts decided by rules 2 and 3 are counted as ambiguous, never silently taken.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from sfumato.core.errors import BadInput, nearest
from sfumato.hierarchy.icd import IcdTable, dotted, icd_table

_SHORT = 3
"""digits of a category"""
_LONG = 5
"""digits of the longest code of ICD-9-CM"""


class System(StrEnum):
    """The classification that codes belong to."""

    ICD9CM = "icd9cm"
    ICD10CM = "icd10cm"
    NONE = "none"
    """none, or one that is not known here: codes are taken as they are"""


@dataclass(frozen=True)
class Recognised:
    """What texts were recognised as.

    ``codes[i]`` is the code for text i: as the classification writes it, or the text itself where it is
    unknown. The others are positions of texts.
    """

    codes: tuple[str, ...] = field(repr=False)
    rewritten: tuple[int, ...] = field(repr=False)
    """known, but written in another way"""
    ambiguous: tuple[int, ...] = field(repr=False)
    """known, with another reading that was not taken"""
    unknown: tuple[int, ...] = field(repr=False)
    """not a code of this classification"""

    def notes(self) -> list[str]:
        """Say it in sentences, by counts alone."""
        total = len(self.codes)
        told = (
            (self.rewritten, "of {} distinct codes were written anew, with dot, zeros and capitals"),
            (self.ambiguous, "of {} distinct codes could be read in more than one way, as zeros may be lost"),
            (self.unknown, "of {} distinct codes are not known to the classification"),
        )
        return [f"{len(found):,} {words.format(f'{total:,}')}" for found, words in told if found]


def recognise(texts: Sequence[str], system: System | str) -> Recognised:
    """Recognise distinct texts as codes of a classification.

    >>> found = recognise(["4019", "e8120", "V30.00", "x"], "icd9cm")
    >>> found.codes, found.unknown
    (('401.9', 'E812.0', 'V30.00', 'x'), (3,))
    >>> recognise(["389", "4019"], "icd9cm").codes, recognise(["389", "0019"], "icd9cm").codes
    (('038.9', '401.9'), ('389', '001.9'))
    """
    if system not in tuple(System):
        raise BadInput(f"there is no code system '{system}'", where="system", remedy=nearest(system, System))
    if system == System.NONE:
        return Recognised(tuple(texts), (), (), ())
    table = icd_table(system)
    plain = ["".join(text.split()).upper().rstrip(".") for text in texts]
    lost = system == System.ICD9CM and _zeros_may_be_lost(plain)
    codes, rewritten, ambiguous, unknown = [], [], [], []
    for position, (text, clean) in enumerate(zip(texts, plain, strict=True)):
        readings = _readings(clean, system, table)
        if not readings:
            codes.append(text)
            unknown.append(position)
            continue
        code = readings[0]
        if lost and len(readings) > 1:
            code = min(readings, key=lambda reading: not table.is_leaf(reading))
            ambiguous.append(position)
        codes.append(code)
        if code != text:
            rewritten.append(position)
    return Recognised(tuple(codes), tuple(rewritten), tuple(ambiguous), tuple(unknown))


def _zeros_may_be_lost(texts: Sequence[str]) -> bool:
    digits = [text for text in texts if re.fullmatch(r"[0-9.]+", text)]
    return not any(text.startswith("0") for text in digits) and any(len(text) > _SHORT for text in digits)


def _readings(text: str, system: str, table: IcdTable) -> list[str]:
    """Return the codes that a text can be, the one with the fewest zeros added first."""
    before, dot, after = text.partition(".")
    if system == System.ICD9CM and before.isdigit():
        if dot:
            candidates = [f"{before.zfill(_SHORT)}.{after}"]
        else:
            longest = max(len(before), _LONG)
            lengths = range(max(len(before), _SHORT), longest + 1)
            candidates = [dotted(before.zfill(length), system) for length in lengths]
    else:
        candidates = [text if dot else dotted(text, system)]
    return [candidate for candidate in candidates if candidate in table.number]
