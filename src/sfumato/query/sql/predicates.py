"""Conditions in a normal form: spellings of one condition become one SQL text.

SQL's logic has three values (Kleene 1938): a comparison with something missing is neither true nor false.
Every law used here holds in it: De Morgan's, double negation, ¬(x ≤ k) = (x ≥ k + 1) for whole numbers,
and that AND and OR may be reordered and doubled. x OR NOT x is *not* always true and is left alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sfumato.engine.sql import literal
from sfumato.query.sql.numbers import Number, common, units

_MIRRORED = {"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_OPPOSITE = {"=": "<>", "<>": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


@dataclass(frozen=True)
class Always:
    """TRUE or FALSE."""

    value: bool
    nullable: bool = False

    @property
    def sql(self) -> str:
        """As SQL."""
        return "TRUE" if self.value else "FALSE"


@dataclass(frozen=True)
class Leaf:
    """A condition that is asked of a row, and its opposite: one is true where the other is false."""

    sql: str
    opposite: str
    nullable: bool = True


@dataclass(frozen=True)
class OneOf:
    """``subject`` is one of some constants (already SQL), or none of them when ``negated``."""

    subject: str
    constants: frozenset[str]
    negated: bool
    nullable: bool = True

    @property
    def sql(self) -> str:
        """As SQL, the constants in order."""
        listed = sorted(self.constants)
        if len(listed) == 1:
            return f"({self.subject} {'<>' if self.negated else '='} {listed[0]})"
        return f"({self.subject} {'NOT IN' if self.negated else 'IN'} ({', '.join(listed)}))"


@dataclass(frozen=True)
class Group:
    """Conditions joined by AND or OR, each once and in order."""

    word: str
    parts: tuple[Truth, ...]

    @property
    def sql(self) -> str:
        """As SQL."""
        return "(" + f" {self.word} ".join(part.sql for part in self.parts) + ")"

    @property
    def nullable(self) -> bool:
        """Whether it can be neither true nor false."""
        return any(part.nullable for part in self.parts)


Truth = Always | Leaf | OneOf | Group


def negation(truth: Truth) -> Truth:
    """Return NOT, pushed down to the leaves."""
    match truth:
        case Always(value):
            return Always(not value)
        case Leaf(sql, opposite, nullable):
            return Leaf(opposite, sql, nullable)
        case OneOf(subject, constants, negated, nullable):
            return OneOf(subject, constants, not negated, nullable)
        case Group(word, parts):
            return joined("OR" if word == "AND" else "AND", [negation(part) for part in parts])


def joined(word: str, truths: Iterable[Truth]) -> Truth:
    """Return the conditions joined by AND or OR.

    >>> a, b = Leaf("a", "(NOT a)"), Leaf("b", "(NOT b)")
    >>> joined("AND", [b, joined("AND", [a, b]), Always(True)]).sql
    '(a AND b)'
    """
    decided = word == "OR"
    flat: list[Truth] = []
    for truth in truths:
        flat.extend(truth.parts if isinstance(truth, Group) and truth.word == word else [truth])
    if Always(decided) in flat:
        return Always(decided)
    # x = 1 OR x = 2 is x IN (1, 2); x <> 1 AND x <> 2 is x NOT IN (1, 2); missing stays missing.
    lists: dict[str, tuple[set[str], bool]] = {}
    found: dict[str, Truth] = {}
    for truth in flat:
        if isinstance(truth, Always):
            continue
        if isinstance(truth, OneOf) and truth.negated == (word == "AND"):
            lists.setdefault(truth.subject, (set(), truth.nullable))[0].update(truth.constants)
        else:
            found[truth.sql] = truth
    for subject, (constants, nullable) in lists.items():
        one = OneOf(subject, frozenset(constants), word == "AND", nullable)
        found[one.sql] = one
    parts = tuple(found[sql] for sql in sorted(found))
    if len(parts) > 1:
        return Group(word, parts)
    return parts[0] if parts else Always(not decided)


def compared(operator: str, left: Number, right: Number) -> Truth:
    """Compare two numbers on their common grid; with a constant, in whole steps of the other's grid."""
    if left.constant and right.constant:
        return Always(_holds(operator, left, right))
    if left.constant:
        return compared(_MIRRORED[operator], right, left)
    if right.constant:
        return _with_constant(operator, left, right)
    one, two = common([left, right])
    if one.sql > two.sql:
        one, two, operator = two, one, _MIRRORED[operator]
    elif one.sql == two.sql:  # x ≤ x and x ≥ x are x = x
        operator = "=" if "=" in operator else "<>"
    nullable = left.nullable or right.nullable
    return Leaf(f"({one.sql} {operator} {two.sql})", f"({one.sql} {_OPPOSITE[operator]} {two.sql})", nullable)


def one_of_texts(subject: str, texts: Iterable[str], *, nullable: bool) -> Truth:
    """Return equality with one of some texts."""
    return OneOf(subject, frozenset(literal(text) for text in texts), False, nullable)


def equal(left: str, right: str, *, nullable: bool) -> Truth:
    """Return equality of two texts or two conditions."""
    one, two = sorted((left, right))
    return Leaf(f"({one} = {two})", f"({one} <> {two})", nullable)


def flag(sql: str) -> Truth:
    """Return a column that is true, false or missing."""
    return Leaf(sql, f"(NOT {sql})")


def missing(sql: str, *, nullable: bool) -> Truth:
    """Return IS NULL."""
    return Leaf(f"({sql} IS NULL)", f"({sql} IS NOT NULL)", False) if nullable else Always(False)


def is_value(truth: Truth, value: bool) -> Truth:
    """Return IS TRUE or IS FALSE, which is never missing itself."""
    if not truth.nullable:
        return truth if value else negation(truth)
    word = "TRUE" if value else "FALSE"
    return Leaf(f"({truth.sql} IS {word})", f"({truth.sql} IS NOT {word})", False)


def _holds(operator: str, left: Number, right: Number) -> bool:
    one, two = left.lower, right.lower
    return {
        "=": one == two,
        "<>": one != two,
        "<": one < two,
        "<=": one <= two,
        ">": one > two,
        ">=": one >= two,
    }[operator]


def _with_constant(operator: str, number: Number, value: Number) -> Truth:
    steps = value.lower / number.grid
    beyond = number.high + 1
    if operator in ("=", "<>"):
        # A constant that the number cannot be is replaced by one step beyond: false, or missing as before.
        whole = steps.denominator == 1 and number.low <= steps <= number.high
        constant = units(steps.numerator if whole else beyond)
        return OneOf(number.sql, frozenset([constant]), operator == "<>", number.nullable)
    if operator in (">", ">="):
        return negation(_with_constant(_OPPOSITE[operator], number, value))
    # x < s is x ≤ ⌈s⌉ − 1 and x ≤ s is x ≤ ⌊s⌋ for whole x; beyond the bounds all constants are alike.
    most = -((-steps.numerator) // steps.denominator) - 1 if operator == "<" else steps.__floor__()
    most = min(max(most, number.low - 1), number.high)
    return Leaf(f"({number.sql} <= {units(most)})", f"({number.sql} >= {units(most + 1)})", number.nullable)
