"""The face that a privacy model shows to a search: a small integer predicate on one class."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class RuleKind(IntEnum):
    """The predicates that kernels know."""

    MIN_PERSONS = 1
    """the class has at least ``parameters[0]`` persons"""


@dataclass(frozen=True)
class Rule:
    """A predicate on one class. ``monotone``: merging classes that satisfy it gives one that does."""

    kind: RuleKind
    parameters: tuple[int, ...]
    monotone: bool


def smallest_class(rules: tuple[Rule, ...]) -> int:
    """Return the number of persons that every class needs under all the rules."""
    return max([rule.parameters[0] for rule in rules if rule.kind is RuleKind.MIN_PERSONS], default=1)
