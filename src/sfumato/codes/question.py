"""What every promise about sets asks, in one form.

*For every itemset β of a family that some record holds: at least K records hold β, and for every sensitive
item e outside β at most a share C of them also hold e.* Models differ in the family, K and C alone, so one
check answers for all of them and methods read from the same form what they have to reach.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from sfumato.core.errors import BadInput
from sfumato.core.verdict import Witness


class Family(StrEnum):
    """The itemsets that an adversary may know."""

    UP_TO = "up to m items"
    """every itemset of at most ``size`` items"""
    ANY = "any itemset"
    """every itemset of any size"""
    RECORD = "whole record"
    """a record as it is shown: it must look exactly like others"""
    LISTED = "listed"
    """the itemsets that a policy lists, by their codes"""


@dataclass(frozen=True)
class Question:
    """One promise as a family of itemsets, a bound K on support and a bound C on confidence.

    ``listed`` are antecedents as codes; with ``told``, which has as many entries, the confidence of
    ``listed[i]`` → ``told[i]`` is bounded (a rule), else that of every sensitive item. A confidence bound
    is ``≤``, with ``below`` it is ``<``. ``sensitive_known`` lets antecedents hold sensitive items, too.
    ``leaves`` counts *leaf matches* (every known code lies under some item that the record shows) instead of
    items as they are shown. With ``all_or_subsets`` a listed itemset that no record holds is protected only
    if each of its proper subsets is held by K records or by none. ``spread`` bounds how far the share of
    a sensitive item among those who hold β may lie from its share in all records.
    """

    family: Family
    support: int = 1
    size: int | None = None
    listed: tuple[tuple[str, ...], ...] = field(default=(), repr=False)
    told: tuple[tuple[str, ...], ...] = field(default=(), repr=False)
    confidence: Fraction | None = None
    below: bool = False
    sensitive_known: bool = False
    leaves: bool = False
    all_or_subsets: bool = False
    spread: Fraction | None = None

    def __post_init__(self) -> None:
        if self.support < 1:
            raise BadInput("k must be at least 1", remedy="choose 2 or more")
        if (self.family is Family.UP_TO) != (self.size is not None) or (self.size or 1) < 1:
            raise BadInput("the number of codes that an adversary knows must be at least 1")
        if self.told and len(self.told) != len(self.listed):
            raise BadInput("every rule needs what is known and what is told")


@dataclass(frozen=True)
class ItemsetWitness(Witness):
    """Where a promise about sets breaks: how many items, how many records hold them, which ones.

    ``items`` are positions in the items of the published sets (of listed itemsets: positions in their
    domain). They are not printed: labels of a release that fails may be raw codes. ``size`` is the support;
    ``joint`` how many of these records also hold the sensitive item.
    """

    items: tuple[int, ...] = ()
    joint: int | None = None

    def __str__(self) -> str:
        shown = ", ".join(str(row) for row in self.rows)
        what = "1 item" if len(self.items) == 1 else f"{len(self.items)} items"
        also = "" if self.joint is None else f", {self.joint} of them with a sensitive item"
        held = "1 record" if self.size == 1 else f"{self.size} records"
        return f"{what} held by {held}{also} (row {shown})" if shown else f"{what} held by {held}{also}"
