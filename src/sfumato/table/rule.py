"""The face that a privacy model shows to a search: small integer predicates on one class.

A rule is declarative: what it means on the data at hand (shares of the whole table, places on an
axis, nodes of a hierarchy) is worked out once by ``judge`` and then read by kernels.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class RuleKind(IntEnum):
    """The predicates that kernels know.

    n is the number of persons of the class, f_v those with sensitive value v, p_v the share of v in
    the whole table. A fraction a/b is given by two parameters.
    """

    MIN_PERSONS = 1
    """n ≥ parameters[0]"""
    MIN_POPULATION = 2
    """at least parameters[0] persons of the population match the class"""
    PRESENCE = 3
    """a/b ≤ n / population ≤ c/d"""
    DISTINCT = 10
    """at least parameters[0] values occur"""
    MAX_SHARE = 11
    """f_v / n ≤ a/b for every v (or for those of ``values`` alone)"""
    ENTROPY = 12
    """−Σ (f_v/n) ln(f_v/n) ≥ ln(a/b), which is Π f_v^f_v · (a/b)^n ≤ n^n"""
    RECURSIVE = 13
    """f_(1) < (a/b) · (f_(l) + f_(l+1) + …) with f_(1) ≥ f_(2) ≥ … and l = parameters[2]"""
    CLOSE_EQUAL = 14
    """½ Σ |f_v/n − p_v| ≤ a/b"""
    CLOSE_ORDERED = 15
    """earth mover's distance along the order of the values, neighbours 1/(m − 1) apart, ≤ a/b"""
    CLOSE_NUMERIC = 16
    """the same, neighbours as far apart as their numbers, as a share of the range"""
    CLOSE_HIERARCHICAL = 17
    """earth mover's distance in a hierarchy: (level of the lowest common node) / height, ≤ a/b"""
    LIKENESS = 18
    """(f_v/n − p_v) / p_v ≤ a/b for every v"""
    LIKENESS_ENHANCED = 19
    """(f_v/n − p_v) / p_v ≤ min(a/b, −ln p_v) for every v"""
    DISCLOSURE = 20
    """|log2((f_v/n) / p_v)| < a/b for every v that occurs in the class"""
    RANGE = 21
    """largest − smallest value ≥ a/b"""
    NEIGHBOURHOOD = 22
    """for every x that occurs, those within x ± a/b (of x, if parameters[3]) are at most n / parameters[2]"""
    GUARDED = 23
    """for every node that somebody of the class wants guarded, those with a value below it are ≤ (a/b) · n"""


ALONG_A_HIERARCHY = frozenset({RuleKind.CLOSE_HIERARCHICAL, RuleKind.GUARDED})
"""kinds that need a hierarchy of the sensitive column"""
_HEREDITARY = frozenset({RuleKind.MIN_PERSONS, RuleKind.MIN_POPULATION, RuleKind.DISTINCT, RuleKind.RANGE})


@dataclass(frozen=True)
class Rule:
    """A predicate on one class. ``monotone``: merging classes that satisfy it gives one that does.

    ``column`` is the sensitive column that it watches. ``known`` are columns that the adversary knows
    besides the quasi-identifiers: the rule must then hold among those of the class who share them (for
    GUARDED it is the column that names the guarded nodes instead).
    """

    kind: RuleKind
    parameters: tuple[int, ...]
    monotone: bool
    column: str | None = None
    known: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    """the sensitive values that are watched; all when empty"""
    in_rows: bool = False
    """rows are counted, not persons: so it must hold for whoever reads a release"""
    as_released: bool = False
    """the whole table that it compares with is the one that is released, without what is left out; else
    the one that was counted"""

    @property
    def hereditary(self) -> bool:
        """Whether every class that contains a satisfying class satisfies: more than monotone."""
        return self.kind in _HEREDITARY and not self.known

    @property
    def needs_population(self) -> bool:
        """Whether it compares with a population."""
        return self.kind in (RuleKind.MIN_POPULATION, RuleKind.PRESENCE)


def smallest_class(rules: tuple[Rule, ...]) -> int:
    """Return the number of persons that every class needs under all the rules.

    >>> smallest_class((Rule(RuleKind.DISTINCT, (3,), True, "ill"),))
    3
    """
    least = 1
    for rule in rules:
        if rule.kind in (RuleKind.MIN_PERSONS, RuleKind.DISTINCT):
            least = max(least, rule.parameters[0])
    return least
