"""Codes with their last characters masked: 47677 → 4767* → 476** → … → *."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from sfumato.core.domain import Domain
from sfumato.core.errors import BadInput
from sfumato.hierarchy.build import Level, UnreadableValues, assemble, present_values, root_level
from sfumato.hierarchy.ladder import Ladder

_LARGEST_POWER = 52
"""leaves are counted in floats: exact up to this power of two"""


@dataclass(frozen=True)
class Mask:
    """Replace ``step`` more characters by ``char`` at each level, from the end (or the start).

    ``keep``      at least so many characters stay; the level after that is ``*``.
    ``length``    values of another length are not covered; None takes the length that all have.
    ``pad``       what to do with shorter values. ``"left"`` fills them with leading zeros (ZIP codes
                  that were read as numbers), ``"right"`` takes their missing characters as masked
                  (E11 and E119 meet in E11*). None refuses columns of several lengths.
    ``alphabet``  how many characters may stand at each place: a masked place then stands for so many
                  leaves (10 for ZIP codes). None counts the values of the column.

    Level 0 is the value as it is; padding shows from level 1 on.

    >>> Mask(char="X", step=3, keep=2).ladder(Domain.of("zip", ["61802"])).labels
    (('61802',), ('61XXX',), ('*',))
    """

    keep: int = 1
    step: int = 1
    from_end: bool = True
    char: str = "*"
    length: int | None = None
    pad: str | None = None
    alphabet: int | None = None

    def __post_init__(self) -> None:
        for name, least in (("keep", 1), ("step", 1), ("length", 1), ("alphabet", 2)):
            number = getattr(self, name)
            if number is not None and (type(number) is not int or number < least):
                raise BadInput(f"{name} must be a whole number, at least {least}", where="mask")
        if not isinstance(self.char, str) or len(self.char) != 1:
            raise BadInput("char must be one character", where="mask")
        if self.pad not in (None, "left", "right"):
            raise BadInput("pad must be left or right", where="mask")
        if self.alphabet and self.pad == "right":
            raise BadInput(
                "an alphabet cannot count values that end early", where="mask", remedy="leave out alphabet"
            )

    def ladder(self, domain: Domain) -> Ladder:
        """Lay the masks over the codes of a column."""
        codes = self._padded(domain)
        length = len(codes[0]) if codes else 0
        if self.alphabet and len({*"".join(codes)}) > self.alphabet:
            raise BadInput(
                "the values have more different characters than the alphabet",
                where=f"column '{domain.name}'",
                remedy="raise alphabet, or leave it out",
            )
        if self.alphabet and length * math.log2(self.alphabet) > _LARGEST_POWER:
            raise BadInput(
                "the values are too long to count all codes of their length",
                where=f"column '{domain.name}'",
                remedy="leave out alphabet",
            )
        # Values that padding makes alike count once each, at every level.
        extra = len(codes) - len({*codes})
        levels = [
            self._level(codes, masked) for masked in range(self.step, length - self.keep + 1, self.step)
        ]
        size = self.alphabet**length + extra if self.alphabet and codes else len(codes)
        return assemble(domain, [*levels, root_level(len(codes), size)], size)

    def _padded(self, domain: Domain) -> list[str]:
        texts = [text or "" for text in domain.texts[: present_values(domain)]]
        lengths = {len(text) for text in texts}
        longest = self.length or max(lengths, default=0)
        strange = [code for code, text in enumerate(texts) if self._misfit(len(text), longest)]
        if strange and self.length is None:
            raise BadInput(
                f"the values have {len(lengths)} different lengths",
                where=f"column '{domain.name}'",
                remedy="set pad to left or right, or give the length that they should have",
            )
        if strange:
            kind = f"of {longest} characters"
            raise UnreadableValues(domain.name, tuple(strange), f"a code {kind}", f"codes {kind}")
        if self.pad == "left":
            return [text.rjust(longest, "0") for text in texts]
        return [text.ljust(longest, self.char) for text in texts]

    def _misfit(self, length: int, longest: int) -> bool:
        return length > longest or (self.pad is None and length < longest)

    def _level(self, codes: list[str], masked: int) -> Level:
        if self.from_end:
            labels = [code[:-masked] + self.char * masked for code in codes]
        else:
            labels = [self.char * masked + code[masked:] for code in codes]
        group_of = {label: group for group, label in enumerate(dict.fromkeys(labels))}
        groups = np.array([group_of[label] for label in labels], np.int64)
        leaves = np.bincount(groups, minlength=len(group_of)).astype(np.float64)
        if self.alphabet:
            first_seen = {code: index for index, code in reversed(list(enumerate(codes)))}
            once = np.zeros(len(codes))
            once[list(first_seen.values())] = 1
            leaves += self.alphabet**masked - np.bincount(groups, once, minlength=len(group_of))
        return Level(groups, list(group_of), leaves)
