"""Questions that know their meaning: each can be spelt in many ways, and evaluated row by row in fractions.

Slow and obvious. Missing is None, and conditions have three values: True, False and None.
"""

from __future__ import annotations

import datetime
import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Row = Mapping[str, Any]
Chance = random.Random
FIRST_DAY = datetime.date(1970, 1, 1)


@dataclass(frozen=True)
class Term:
    """An expression: how it may be spelt, and what it is for a row."""

    spell: Callable[[Chance], str]
    value: Callable[[Row], Any]

    def __repr__(self) -> str:
        return self.spell(random.Random(0))


def word(chance: Chance, text: str) -> str:
    return chance.choice([text.lower(), text.upper(), text.capitalize()])


def brackets(chance: Chance, text: str) -> str:
    return chance.choice(["({})", "({})", "( {} )", "(({}))"]).format(text)


def column(name: str) -> Term:
    return Term(lambda chance: chance.choice([name, name.upper(), f'"{name}"']), lambda row: row[name])


def number(value: Fraction) -> Term:
    """A constant that has few decimals."""
    decimal = f"{float(abs(value)):.4f}".rstrip("0").rstrip(".")
    assert Fraction(decimal) == abs(value)

    def spell(chance: Chance) -> str:
        text = chance.choice([decimal, decimal + "e0", decimal + ("0" if "." in decimal else ".0")])
        return f"(-{text})" if value < 0 else text

    return Term(spell, lambda row: value)


def of_present(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function be missing where one of its arguments is."""
    return lambda *values: None if any(value is None for value in values) else function(*values)


def arithmetic(sign: str, left: Term, right: Term) -> Term:
    function = {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
        "/": lambda a, b: Fraction(a) / b,
    }[sign]

    def spell(chance: Chance) -> str:
        sides = [left.spell(chance), right.spell(chance)]
        if sign in "+*":
            chance.shuffle(sides)
        return brackets(chance, f"{sides[0]} {sign} {sides[1]}")

    return Term(spell, lambda row: of_present(function)(left.value(row), right.value(row)))


def of_one(name: str, inner: Term) -> Term:
    functions: dict[str, Callable[[Any], Any]] = {
        "abs": abs,
        "floor": math.floor,
        "ceil": math.ceil,
        "-": lambda value: -value,
    }
    return Term(
        lambda chance: f"{word(chance, name)}({inner.spell(chance)})",
        lambda row: of_present(functions[name])(inner.value(row)),
    )


def of_several(name: str, parts: Sequence[Term]) -> Term:
    def spell(chance: Chance) -> str:
        texts = [part.spell(chance) for part in parts]
        if name != "coalesce":
            chance.shuffle(texts)
        return f"{word(chance, name)}({', '.join(texts)})"

    def value(row: Row) -> Any:
        present = [found for part in parts if (found := part.value(row)) is not None]
        if not present:
            return None
        return present[0] if name == "coalesce" else min(present) if name == "least" else max(present)

    return Term(spell, value)


def case(arms: Sequence[tuple[Term, Term]], other: Term | None) -> Term:
    def spell(chance: Chance) -> str:
        text = " ".join(
            f"{word(chance, 'when')} {when.spell(chance)} {word(chance, 'then')} {then.spell(chance)}"
            for when, then in arms
        )
        tail = f" else {other.spell(chance)}" if other else chance.choice(["", " ELSE NULL"])
        return f"{word(chance, 'case')} {text}{tail} {word(chance, 'end')}"

    def value(row: Row) -> Any:
        for when, then in arms:
            if when.value(row) is True:
                return then.value(row)
        return None if other is None else other.value(row)

    return Term(spell, value)


def year(inner: Term) -> Term:
    return Term(
        lambda chance: chance.choice(["extract(year from {})", "YEAR({})"]).format(inner.spell(chance)),
        lambda row: of_present(lambda days: (FIRST_DAY + datetime.timedelta(days=int(days))).year)(
            inner.value(row)
        ),
    )


def day(days: int) -> Term:
    text = (FIRST_DAY + datetime.timedelta(days=days)).isoformat()
    return Term(lambda chance: chance.choice([f"DATE '{text}'", f"date  '{text}'"]), lambda row: days)


def text(value: str) -> Term:
    return Term(lambda chance: "'" + value.replace("'", "''") + "'", lambda row: value)


def compared(sign: str, left: Term, right: Term) -> Term:
    function = {
        "=": lambda a, b: a == b,
        "<>": lambda a, b: a != b,
        "<": lambda a, b: a < b,
        "<=": lambda a, b: a <= b,
        ">": lambda a, b: a > b,
        ">=": lambda a, b: a >= b,
    }[sign]
    mirrored = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(sign, sign)

    def spell(chance: Chance) -> str:
        one, two, how = left.spell(chance), right.spell(chance), sign
        if chance.random() < 0.5:
            one, two, how = two, one, mirrored
        how = {"<>": chance.choice(["<>", "!="]), "=": chance.choice(["=", "=="])}.get(how, how)
        return brackets(chance, f"{one} {how} {two}")

    return Term(spell, lambda row: of_present(function)(left.value(row), right.value(row)))


def between(inner: Term, low: Term, high: Term) -> Term:
    def spell(chance: Chance) -> str:
        one = f"{inner.spell(chance)} between {low.spell(chance)} and {high.spell(chance)}"
        two = (
            f"{inner.spell(chance)} <= {high.spell(chance)} AND {low.spell(chance)} <= {inner.spell(chance)}"
        )
        return f"({chance.choice([one, two])})"

    below, above = compared(">=", inner, low), compared("<=", inner, high)
    return Term(spell, joined("AND", [below, above]).value)


def one_of(inner: Term, constants: Sequence[Term]) -> Term:
    def spell(chance: Chance) -> str:
        texts = [constant.spell(chance).strip("()") for constant in constants]
        chance.shuffle(texts)
        if chance.random() < 0.5:
            return "(" + " or ".join(f"{inner.spell(chance)} = {each}" for each in texts) + ")"
        return f"({inner.spell(chance)} {word(chance, 'in')} ({', '.join(texts)}))"

    return Term(
        spell,
        lambda row: of_present(lambda value: value in [constant.value(row) for constant in constants])(
            inner.value(row)
        ),
    )


def joined(sign: str, parts: Sequence[Term]) -> Term:
    def spell(chance: Chance) -> str:
        texts = [part.spell(chance) for part in parts]
        texts += [texts[0]] if chance.random() < 0.2 else []
        chance.shuffle(texts)
        return "(" + f" {word(chance, sign)} ".join(texts) + ")"

    def value(row: Row) -> bool | None:
        values = [part.value(row) for part in parts]
        decided = sign == "OR"
        return decided if decided in values else None if None in values else not decided

    return Term(spell, value)


def negated(inner: Term) -> Term:
    return Term(
        lambda chance: f"({word(chance, 'not')} {inner.spell(chance)})",
        lambda row: of_present(lambda value: not value)(inner.value(row)),
    )


def is_missing(inner: Term) -> Term:
    return Term(lambda chance: f"({inner.spell(chance)} is null)", lambda row: inner.value(row) is None)


def is_true(inner: Term) -> Term:
    return Term(lambda chance: f"({inner.spell(chance)} is true)", lambda row: inner.value(row) is True)
