"""Rules in words, for errors."""

from __future__ import annotations

from sfumato.table.rule import Rule, RuleKind


def name_of(rule: Rule) -> str:
    """Name what a rule asks for, with its numbers.

    >>> name_of(Rule(RuleKind.RECURSIVE, (3, 1, 2), True, "ill"))
    'recursive diversity with c = 3 and l = 2'
    """
    numbers = rule.parameters
    first = numbers[0] / numbers[1] if len(numbers) > 1 else float(numbers[0])
    match rule.kind:
        case RuleKind.MIN_PERSONS:
            return f"k = {numbers[0]}"
        case RuleKind.MIN_POPULATION:
            return f"k = {numbers[0]} in the population"
        case RuleKind.PRESENCE:
            return f"a presence between {first:g} and {numbers[2] / numbers[3]:g}"
        case RuleKind.DISTINCT:
            return f"l = {numbers[0]} different values"
        case RuleKind.MAX_SHARE:
            return f"a share of at most {first:g} for every value"
        case RuleKind.ENTROPY:
            return f"the entropy of l = {first:g} values"
        case RuleKind.RECURSIVE:
            return f"recursive diversity with c = {first:g} and l = {numbers[2]}"
        case RuleKind.RANGE:
            return f"a range of {first:g}"
        case RuleKind.NEIGHBOURHOOD:
            return f"at most 1 in {numbers[2]} within {first:g} of any value"
        case RuleKind.GUARDED:
            return f"at most {first:g} below any guarded node"
        case RuleKind.DISCLOSURE:
            return f"δ-disclosure with δ = {first:g}"
        case RuleKind.LIKENESS | RuleKind.LIKENESS_ENHANCED:
            return f"β-likeness with β = {first:g}"
        case _:
            return f"t-closeness with t = {first:g}"


def column_of(rule: Rule) -> str:
    """Say which column a rule watches, as the place of an error."""
    return "" if rule.column is None else f"column '{rule.column}'"
