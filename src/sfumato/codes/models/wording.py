"""What models of sets share: parameters read as they are written, and answers as sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from typing import Any

from sfumato.codes.check import Answer
from sfumato.codes.contract import SetModel
from sfumato.codes.published import PublishedSets
from sfumato.core.errors import BadInput, nearest
from sfumato.core.verdict import Verdict

MOST = 10**12
"""more people or codes than anybody has"""


def check_whole(value: Any, what: str, where: str) -> None:
    """Refuse what is not a whole number of at least 1, and what is more than counters hold."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST:
        raise BadInput(
            f"{what} must be a whole number of at least 1"
            + (f", and at most {MOST}" if isinstance(value, int) and value > MOST else ""),
            where=where,
            remedy=f"try {what}: {5 if what == 'k' else 2}",
        )


def check_choice(value: Any, choices: Sequence[str], what: str, where: str) -> None:
    """Refuse what is not one of the choices."""
    if value not in choices:
        raise BadInput(f"the {what} is not known", where=where, remedy=nearest(str(value), choices))


def share(value: Any, what: str, where: str) -> Fraction:
    """Return a share as it was written; it lies above 0 and is at most 1.

    >>> share(0.2, "c", "ps-rules")
    Fraction(1, 5)
    """
    if isinstance(value, int | float | Fraction | Decimal) and not isinstance(value, bool):
        with suppress(ValueError):  # what is not finite, or has thousands of digits, is no fraction
            exact = Fraction(str(value))
            if 0 < exact <= 1:
                return exact
    raise BadInput(f"{what} must be a share above 0, of at most 1", where=where, remedy=f"try {what}: 0.5")


def code_lists(value: Any, what: str, where: str) -> tuple[tuple[str, ...], ...]:
    """Return lists of codes as they were given, each without repetitions; refuse empty ones."""
    lists = []
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise BadInput(f"{what} must be lists of codes", where=where, remedy="write each as a list")
    for position, one in enumerate(value, 1):
        listed = [] if isinstance(one, str) or not isinstance(one, Iterable) else list(one)
        if not listed or not all(isinstance(code, str) for code in listed):
            raise BadInput(
                f"number {position} of the {what} is not a list of at least one code",
                where=where,
                remedy="write codes as texts, in a list",
            )
        lists.append(tuple(dict.fromkeys(listed)))
    return tuple(lists)


def as_sets(published: Any, where: str) -> PublishedSets:
    """Refuse what is not published as sets of items."""
    if isinstance(published, PublishedSets):
        return published
    raise BadInput(
        "this promise is about records that are shown as sets of items, and these are shown in parts",
        where=where,
        remedy="check disassociated data with the promise that is made for it",
    )


def with_sensitive(published: Any, where: str) -> PublishedSets:
    """Refuse sets in which nothing is marked as sensitive.

    Where every sensitive code was suppressed, its item is still one of the published items, marked, with no
    record that shows it: that tells it from sets of which nobody said what is sensitive.
    """
    sets = as_sets(published, where)
    if sets.items.sensitive.any():
        return sets
    raise BadInput(
        "no published code is marked as sensitive, so that there is nothing to protect",
        where=where,
        remedy="name the sensitive codes, or choose k-m-anonymity",
    )


def never_shown(published: PublishedSets, listed: Sequence[Sequence[str]], what: str) -> str:
    """Say how many listed itemsets hold a code that stands under no published item."""
    items = published.items
    shown = {
        items.domain[code] for item in published.supports.nonzero()[0].tolist() for code in items.under(item)
    }
    number = sum(not shown.issuperset(codes) for codes in listed)
    if not number:
        return ""
    return (
        f"1 {what} has a code that nobody shows"
        if number == 1
        else f"{number} {what}s have a code that nobody shows"
    )


def others(k: int) -> str:
    """Say how many others k leaves.

    >>> others(2), others(5)
    ('at least 1 other', 'at least 4 others')
    """
    return f"at least {k - 1} other{'s' * (k != 2)}"


def verdict(model: SetModel, found: Answer, required: str, achieved: str, note: str = "") -> Verdict:
    """Turn an answer into what a model says."""
    return Verdict(
        model.name,
        found.holds,
        required=required,
        achieved=achieved,
        basis=model.basis,
        protects_from=model.protects_from,
        witness=None if found.holds else found.witness,
        violations=found.violations,
        note=note,
    )


def support_reached(answer: Answer) -> str:
    """Say how few records hold the worst itemset."""
    if answer.support is None:
        return "no codes to know"
    sign = "=" if answer.exact else "≥" if answer.holds else "≤"
    return f"k {sign} {answer.support}"


def confidence_reached(answer: Answer, bound: Fraction) -> str:
    """Say how sure the worst itemset makes of a sensitive item."""
    if answer.confidence is None:
        return "nothing sensitive is shown"
    sign = "" if answer.exact else "≤ " if answer.holds else "≥ "
    return f"confidence {sign}{per_unit(answer.confidence, bound)}"


def both_reached(answer: Answer, bound: Fraction) -> str:
    """Say how few hold the worst itemset, and how sure the worst one makes."""
    if answer.support is None and answer.confidence is None:
        return "no codes to know"
    parts = [] if answer.support is None else [support_reached(answer)]
    if answer.confidence is not None:
        parts.append(confidence_reached(answer, bound))
    return ", ".join(parts)


def per_unit(value: Fraction, bound: Fraction) -> str:
    """Write a share with four digits, or as many as it takes to be on its side of a bound.

    >>> per_unit(Fraction(1, 3), Fraction(1, 2)), per_unit(Fraction("0.200004"), Fraction(1, 5))
    ('0.3333', '0.200004')
    """
    for digits in range(4, 18):
        text = f"{float(value):.{digits}g}"
        if (Fraction(text) > bound) == (value > bound) and (Fraction(text) < bound) == (value < bound):
            return text
    return f"{value.numerator}/{value.denominator}"


def written(value: Fraction) -> str:
    """Write a bound as it was given.

    >>> written(Fraction("0.25")), written(Fraction(1)), written(Fraction(1, 3))
    ('0.25', '1', '1/3')
    """
    if value.denominator == 1:
        return str(value.numerator)
    decimal = repr(float(value))
    return decimal if Fraction(decimal) == value else f"{value.numerator}/{value.denominator}"
