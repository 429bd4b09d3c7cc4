"""Columns that are no quasi-identifiers, and what they tell when an adversary knows them, too.

For each of them the people with fewer than k candidates are counted. A plain sensitive column is reported
only: that it is not known is the assumption of every promise about it. Others are warned of, and refused
above a fifth of the people until the column is ``confirmed``: insensitive ones, which nobody is asked to
protect, and sensitive ones that others know all the same, because they follow from a quasi-identifier, are
dates, or are free text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from sfumato.core.domain import Domain, as_text
from sfumato.core.errors import PromiseNotMet
from sfumato.core.evidence import ColumnExposure
from sfumato.core.findings import many
from sfumato.core.schema import Field, Role, Schema
from sfumato.core.verdict import Basis
from sfumato.engine.contract import Groups, Table
from sfumato.recipe import detectors
from sfumato.recipe.guess import MOST_LOOK_ALIKE
from sfumato.table.published import PublishedTable
from sfumato.table.risk.dependence import Dependence, Dependences, Dependent
from sfumato.table.risk.known_columns import candidates_with

MOST_SENTENCES = 0.5
"""values are free text when at least this share of them are sentences"""
ONE_IN = 5
"""more than one in so many people with too few candidates, and the column must be confirmed"""
USUALLY_SINGLE = 10
"""where more than one in so many numbers is a single person's, they are amounts: salaries, days, doses"""
DATES = "dates, which others may know"
FREE_TEXT = "free text, which others may know parts of"
DECLARED_KNOWN = "declared known to the adversary"
_DAY_OF = r"\d{1,2}(?:st|nd|rd|th)?"
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|ene|abr|ago|dic|mai|mär|okt|dez|fév|avr|aoû|déc"
_MONTH = re.compile(
    rf"(?:{_DAY_OF}[ .-]{{1,2}})?(?:de )?(?:{_MONTHS})[^\W\d_]*[ .-]{{1,2}}(?:{_DAY_OF},? |de )?\d{{2,4}}",
    re.IGNORECASE,
)
"""days and months written with a word: 14 March 2020, Mar 14, 2020"""
_COPIES = (f"{Dependence.FUNCTION} ", f"{Dependence.FINER} ")
_RELEASED_AS_IT_IS = (Role.INSENSITIVE, Role.WEIGHT)
OTHERS = (Role.SENSITIVE, *_RELEASED_AS_IT_IS)
"""roles of columns that are released and are no quasi-identifiers"""


@dataclass(frozen=True)
class Looked:
    """How a table is looked at: as whom it shows, for how many candidates, under which reading."""

    k: int
    wildcards: bool = False
    """whether a hidden quasi-identifier agrees with every value"""
    basis: Basis = Basis.RELEASE
    codes: frozenset[str] = frozenset()
    """columns of codes that nobody outside can know: pseudonyms and surrogates"""


def exposures(
    published: PublishedTable, before: Table, schema: Schema, looked: Looked
) -> Iterator[ColumnExposure]:
    """Look at every released column that is no quasi-identifier.

    ``published`` is the table as it is released, ``before`` the same people before they were generalised.
    """
    depends = Dependences(before, schema.quasi, schema.person)
    for field in schema.fields:
        if field.name not in schema.released or field.role is Role.QUASI_IDENTIFIER:
            continue
        found = candidates_with(published, field.name, looked.k, wildcards=looked.wildcards)
        values = None
        if field.role is Role.SENSITIVE:
            values = published.table.engine.groups(published.table, (field.name,), person=published.person)
        yield ColumnExposure(
            column=field.name,
            role=str(field.role),
            k=looked.k,
            people=found.people,
            fewer=found.fewer,
            added=found.added,
            singles=None if values is None else values.singles,
            amounts=values is not None and often_single(values) and _are_numbers(published.table, field.name),
            why=[] if field.name in looked.codes else list(_why(field, published.table, depends)),
            confirmed=field.confirmed,
            basis=str(looked.basis),
        )


def _why(field: Field, released: Table, depends: Dependences) -> Iterator[str]:
    """List the reasons to take a column as known to others."""
    if field.role in _RELEASED_AS_IT_IS:
        yield str(field.role)
    elif field.role is not Role.SENSITIVE:
        yield f"a masked {field.role}"
    if field.known:
        yield DECLARED_KNOWN
    if dependent := depends.of(field.name):
        yield in_words(dependent)
    yield from _looks_known(released, field.name)


def often_single(values: Groups) -> bool:
    """Check whether so many values are a single person's that this is usual for the column."""
    return USUALLY_SINGLE * values.singles > values.number


def _are_numbers(table: Table, column: str) -> bool:
    sample = [as_text(value) for value in table.engine.sample(table, column)]
    return detectors.share(sample, detectors.is_number) == 1


def in_words(dependent: Dependent) -> str:
    """Write what a column depends on.

    >>> in_words(Dependent(Dependence.FUNCTION, ("age",)))
    "follows from 'age'"
    """
    return f"{dependent.kind} {', '.join(repr(name) for name in dependent.quasi)}"


def _looks_known(table: Table, column: str) -> Iterator[str]:
    """Recognise dates and free text among the values as they are released."""
    typed = next(one.type for one in table.columns if one.name == column)
    sample = [as_text(value) for value in table.engine.sample(table, column)]
    if typed in ("date", "datetime") or detectors.share(sample, _is_day) >= MOST_LOOK_ALIKE:
        yield DATES
    if detectors.share(sample, detectors.is_prose) >= MOST_SENTENCES:
        yield FREE_TEXT


def _is_day(value: str) -> bool:
    return detectors.is_date(value) or detectors.is_compact_day(value) or _MONTH.fullmatch(value) is not None


def must_be_confirmed(one: ColumnExposure) -> bool:
    """Check whether a column is refused until somebody vouches for it."""
    # Who declares a column known has thought of it: that is warned of, and not asked once more.
    return any(why != DECLARED_KNOWN for why in one.why) and ONE_IN * one.added > one.people


def refuse_unconfirmed(found: Iterable[ColumnExposure]) -> None:
    """Refuse a release by whose columns too many people can be told apart."""
    refused = [one for one in found if must_be_confirmed(one) and not one.confirmed]
    if not refused:
        return
    one, *others = refused
    also = f"; look also at {', '.join(repr(other.column) for other in others)}" if others else ""
    raise PromiseNotMet(
        f"it is {one.role} ({_reasons(one)}), and {_figure(one)} when it is known, too, more than one in "
        f"{ONE_IN}",
        where=f"column '{one.column}'",
        remedy=f"{_instead(one)}, or set 'confirmed: true' for it if nobody outside can know its values"
        f"{also}",
    )


def _instead(one: ColumnExposure) -> str:
    if one.role in OTHERS:
        return "make it a quasi-identifier or an identifier, mask it"
    return "let the mask keep less of it, leave it out"


def sentences(found: Iterable[ColumnExposure], promised: Iterable[str] = ()) -> list[str]:
    """Write what is warned of, one sentence each; ``promised`` are the columns that a promise is about."""
    covered = set(promised)
    return [sentence for one in found for sentence in _sentences(one, one.column in covered)]


def in_one_sentence(found: Iterable[ColumnExposure]) -> list[str]:
    """Write the same of a table that is only measured: what has no role of its own stands in one sentence."""
    found = list(found)
    plain = [one for one in found if one.added and set(one.why) & set(_RELEASED_AS_IT_IS)]
    others = [one for one in found if one not in plain]
    if not plain:
        return sentences(others)
    listed = ", ".join(f"'{one.column}' {one.fewer:,}" for one in plain)
    return [
        *sentences(others),
        f"columns that are neither quasi-identifier nor sensitive are taken as released: so many of "
        f"{plain[0].people:,} people have fewer than {plain[0].k} candidates when one of them is known, too: "
        f"{listed}",
    ]


def _sentences(one: ColumnExposure, covered: bool) -> Iterator[str]:
    copied = any(why.startswith(_COPIES) for why in one.why)
    follows = any(why.startswith(_COPIES[0]) for why in one.why)
    if one.why and (one.added or copied):
        confirmed = ", and it is confirmed" if one.confirmed else ""
        nothing = ""
        if follows and covered:
            nothing = ": promises about its values hide nothing from whoever knows the quasi-identifiers"
        yield (
            f"{_figure(one)} when the {one.role} column '{one.column}' is known, too ({_reasons(one)})"
            f"{confirmed}{nothing}"
        )
    if one.singles and not one.amounts:
        whose = "it finds the person" if one.singles == 1 else "one of them finds the person"
        yield (
            f"{many(one.singles, 'value')} of the sensitive column '{one.column}' "
            f"{'is' if one.singles == 1 else 'are'} a single person's: whoever knows {whose}"
        )


def _figure(one: ColumnExposure) -> str:
    """Write how many people have too few candidates.

    Those who have too few by the quasi-identifiers alone are told apart: the column is not to blame for them.
    """
    verb = "has" if one.fewer == 1 else "have"
    rest = one.fewer - one.added
    alone = f" ({rest:,} by the quasi-identifiers alone)" if rest else ""
    return f"{one.fewer:,} of {one.people:,} people {verb} fewer than {one.k} candidates{alone}"


def _reasons(one: ColumnExposure) -> str:
    plain = [why for why in one.why if why != one.role]
    return "; ".join(plain) or "no promise covers it"


def about_outliers(outliers: Mapping[str, int]) -> Iterator[str]:
    """Warn of outliers that ranges end at, counted by quasi-identifier."""
    for name, people in outliers.items():
        has = "person has" if people == 1 else "people have"
        yield (
            f"a printed range of '{name}' ends at a value far away from the others, which {people:,} {has}: "
            "the range tells it, so cap such values before, or give intervals for the column"
        )


def is_empty(domain: Domain) -> bool:
    """Check whether a column has no value in any row."""
    return all(value is None or not str(value).strip() for value in domain.values)


def about_empty(names: Iterable[str]) -> Iterator[str]:
    """Warn of quasi-identifiers without a value."""
    for name in names:
        yield (
            f"the quasi-identifier '{name}' has no value in any row: nothing is promised of what it should "
            "hold, so check how it was read"
        )
