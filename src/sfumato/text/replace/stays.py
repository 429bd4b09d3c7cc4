"""What a policy keeps, decided once for every span, after competition, word by word.

Labels come from finders and annotators, and may be wrong: of "Troy, Tennessee" one may call the whole a
state, of "7/4 14:30" the whole a time, of "hijo Evric Calvan" the whole a relative. What stays because of
its label is therefore looked at once more (``text/kept.py``), and cut where only a part of it is what the
label says.

Two things depend on what stands beside a state or a country. Half of a name does not stay: of "University of
Michigan" and "Israel Katz" everything goes. And where a state is called as a town is, the town is meant
unless something says otherwise: "Buffalo, New York" names a state, "moved to New York" may not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from sfumato.masking.reduce import OLDEST
from sfumato.text.dates import read_date
from sfumato.text.kept import is_checked, pieces, strangers
from sfumato.text.kinds import Kind
from sfumato.text.language import language_of
from sfumato.text.lexicon import Mark
from sfumato.text.look_alikes import plain, seen
from sfumato.text.note import Found
from sfumato.text.page import tokenise
from sfumato.text.policy import TextPolicy
from sfumato.text.replace.addresses import STATES
from sfumato.text.replace.ages import age_of
from sfumato.text.span import Span
from sfumato.text.word_list import word_list

_TIME = re.compile(
    r"T?\d{1,2}[:.]\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?|(?<!\d)\d{3,4}(?![\d/-])|\d{1,2}(?=\s?[ap]\.?\s?m\b)"
    r"|(?<=[+-])\d{2}:?\d{2}|\d{1,2}(?=\s?(?:h|hrs?|hours|o['’]clock)\b)",
    re.IGNORECASE,
)
_STATES = frozenset(name.casefold() for pair in STATES.items() for name in pair)
_LARGE = ("state", "country")
_INSTITUTIONS = ("hospital", "organisation")
_ALSO_TOWNS = ("new york", "washington")
"""states that are called as a large town is"""
_OF = re.compile(r"\s{1,3}(?:(?:of|de|del|da|do)\s{1,3})?|-")
"""what joins the parts of one name"""
_STATE_BEFORE = re.compile(
    r"\b(?:states?\sof|(?:up|down)state|northern|southern|eastern|western|central|rural)\s{1,3}$",
    re.IGNORECASE,
)
_STATE_AFTER = re.compile(r"\s{1,3}state(?![\w'’-]|\s(?:university|college|prison|hospital))", re.IGNORECASE)
_LISTED = re.compile(r"\s{0,2}(?:,|/|&|,?\s(?:and|or|y|o))\s{0,2}", re.IGNORECASE)
_GROUP = re.compile(r"[0-9]{4}")
_YEAR = re.compile(r"(?:1[89]|20)[0-9]{2}")
_REACH = 40
"""characters on either side in which the groups of a number are looked for"""
_GROUPS_BEFORE = re.compile(r"(?<![0-9A-Za-z.,/])(?:[0-9]{4,10}[ -]){1,7}$")
_GROUPS_AFTER = re.compile(
    r"(?:[ -][0-9]{4,10}){1,7}(?![0-9])|(?:[ -][0-9]{4})(?:[ -][0-9]{2,10}){1,6}(?![0-9])"
)
_GIVEN = int(Mark.GIVEN_FEMALE | Mark.GIVEN_MALE)
_LEADING = re.compile(
    r"(?:\b(?:in|into|from|to|of|near|at|through|across|outside|via|for|throughout|within|around|visiting|en|de"
    r"|del|a|al|desde|hasta|por|hacia)\s{1,3}|[:|(]\s{0,3})(?:the\s{1,3})?$",
    re.IGNORECASE,
)
"""what leads to a place, or is the label of a field"""
_AFTER_TOWN = re.compile(r",?\s{1,3}|\s?\(")


def stays(policy: TextPolicy, span: Span, text: str, language: str) -> bool:
    """Return whether a policy keeps all that stands in a span.

    >>> from sfumato.text.policy import SAFE_HARBOR
    >>> stays(SAFE_HARBOR, Span(0, 2, Kind.LOCATION, "state"), "TN", "en")
    True
    >>> stays(SAFE_HARBOR, Span(0, 4, Kind.LOCATION, "state"), "Troy", "en")
    False
    >>> stays(SAFE_HARBOR, Span(0, 12, Kind.PROFESSION), "nurse Jarek", "en")
    False
    """
    if not policy.keeps(span):
        return False
    if is_checked(span.kind, span.label) and strangers(span.kind, span.label, text, language):
        return False
    if span.kind.value in policy.kept:
        return True
    if span.kind is Kind.DATE and span.label == "time":
        return is_time(text, language)
    if span.kind is Kind.DATE and span.label == "year":
        return _is_recent_year(text, policy, language)
    if span.kind is Kind.LOCATION and span.label in _LARGE:
        return is_state_or_country(text, language)
    return True


def cut(found: Found, policy: TextPolicy, language: str) -> Found:
    """Return what was found, cut so that what a policy keeps is what its label says, and no half of a name.

    >>> from sfumato.text.note import Record
    >>> from sfumato.text.policy import SAFE_HARBOR
    >>> text = "su hijo Evric Calvan"
    >>> spans = (Span(3, 20, Kind.OTHER, "kinship"),)
    >>> [span.of(text) for span in cut(Found(Record.of(text), (spans,)), SAFE_HARBOR, "es").spans[0]]
    ['hijo', 'Evric Calvan']
    """
    made = []
    for note, spans in zip(found.record.notes, found.spans, strict=True):
        text = plain(note.text)
        made.append(tuple(_whole(text, [*_pieces(text, spans, policy, language)], policy, language)))
    return Found(found.record, tuple(made))


def _pieces(text: str, spans: Sequence[Span], policy: TextPolicy, language: str) -> Iterator[Span]:
    """Cut what a policy keeps into words that are what their label says, and others."""
    for span in spans:
        if not _may_stay(text, span, policy) or not is_checked(span.kind, span.label):
            yield span
        else:
            yield from pieces(text, span, language)


def _may_stay(text: str, span: Span, policy: TextPolicy) -> bool:
    """Return whether a policy keeps something by its label, or an age by what it says."""
    if span.kind is Kind.AGE and policy.ages == "over-89":
        age = age_of(seen(span.of(text)), text[span.end : span.end + 20])
        return age is not None and age < OLDEST
    return policy.keeps(span)


def _whole(text: str, spans: Sequence[Span], policy: TextPolicy, language: str) -> list[Span]:
    """Let a state or country that is half of a name go with the rest, and one that is a town be one."""
    whole: list[Span] = []
    for place, span in enumerate(spans):
        if span.kind is Kind.LOCATION and span.label in _LARGE and policy.keeps(span):
            before = spans[place - 1] if place else None
            after = spans[place + 1] if place + 1 < len(spans) else None
            span = replace(span, label=_label(text, span, before, after, language))
        whole.append(span)
    return whole


def _label(text: str, span: Span, before: Span | None, after: Span | None, language: str) -> str:
    """Return what a state or country is, by what stands beside it: that, a town, or a part of a name."""
    if before is not None and _is_second_half(text, before, span, language):
        return before.label if before.label in _INSTITUTIONS else "city"
    if after is not None and text[span.end : after.start] in (" ", "-") and _goes_on(after):
        return "city"
    named = _is_town(text, span, before, after) or _is_bearer(text, span, before, after, language)
    return "city" if named else span.label


def _is_second_half(text: str, before: Span, span: Span, language: str) -> bool:
    """Return whether a state or country and what stands before it may be one name: no comma between them.

    Where the sort stands before the name (``Laboratorios Argentina``), its first half may pass for a town.
    """
    joint = _OF.fullmatch(text, before.end, span.start)
    if joint is None:
        return False
    if before.kind is Kind.LOCATION and before.label in ("city", ""):
        return len(joint.group().split()) > 0 or language_of(language).sort_before_name
    return before.kind is Kind.NAME or (before.kind is Kind.LOCATION and before.label in _INSTITUTIONS)


def _goes_on(span: Span) -> bool:
    """Return whether what follows a state may be the other half of its name: no ZIP code, no other state."""
    return span.kind is Kind.NAME or (
        span.kind is Kind.LOCATION and span.label in (*_INSTITUTIONS, "", "street", "county", "city")
    )


def _is_town(text: str, span: Span, before: Span | None, after: Span | None) -> bool:
    """Return whether a name that a state and a town share means the town: nothing says otherwise."""
    if " ".join(span.of(text).split()).casefold() not in _ALSO_TOWNS:
        return False
    if after is not None and after.kind is Kind.LOCATION:
        between = text[span.end : after.start]
        if after.label == "zip" or (_is_another(text, span, after) and _LISTED.fullmatch(between)):
            return False
    if before is not None and before.kind is Kind.LOCATION:
        between = text[before.end : span.start]
        if before.label in _LARGE:
            return not (_is_another(text, span, before) and _LISTED.fullmatch(between))
        if before.label not in _INSTITUTIONS and _AFTER_TOWN.fullmatch(between):
            return False
    return not (
        _STATE_BEFORE.search(text[max(0, span.start - 24) : span.start]) or _STATE_AFTER.match(text, span.end)
    )


def _is_bearer(text: str, span: Span, before: Span | None, after: Span | None, language: str) -> bool:
    """Return whether a state or country that people are called after may be one of them: Georgia, Israel.

    It stays behind a word that leads to a place, behind a town, in a list of states, or as a field's value.
    """
    if not word_list(language).marks(span.of(text)) & _GIVEN:
        return False
    if _LEADING.search(text[max(0, span.start - 24) : span.start]):
        return False
    if (
        before is not None
        and before.kind is Kind.LOCATION
        and _AFTER_TOWN.fullmatch(text, before.end, span.start)
    ):
        return False
    sides = [text[before.end : span.start] if before is not None and before.label in _LARGE else ""]
    sides += [text[span.end : after.start] if after is not None and after.label in (*_LARGE, "zip") else ""]
    return not any(_LISTED.fullmatch(side) or side == " " for side in sides)


def _is_another(text: str, span: Span, other: Span) -> bool:
    """Return whether another state is named: NY is the same as New York."""
    said, beside = (" ".join(one.of(text).replace(".", "").split()).casefold() for one in (span, other))
    return other.label in _LARGE and beside != said and STATES.get(beside.upper(), "").casefold() != said


def _is_recent_year(text: str, policy: TextPolicy, language: str) -> bool:
    """Return whether a text is a year alone, and none that tells of somebody over 89."""
    read = read_date(text, language)
    return read is not None and read.precision == "year" and (read.year or 0) > policy.last_lumped_year


def is_part_of_number(text: str, start: int, end: int) -> bool:
    """Return whether four digits are one group of a longer number, and no year: half of it would stay.

    >>> [is_part_of_number(said, 0, 4) for said in ("2100 0418 4502", "2004 1998 2010 2001", "2004-2010")]
    [True, True, False]
    """
    if not _GROUP.fullmatch(text, start, end):
        return False
    before = _GROUPS_BEFORE.search(text[max(0, start - _REACH) : start])
    after = _GROUPS_AFTER.match(text[end : end + _REACH])
    groups = re.findall(r"[0-9]+", (before.group() if before else "") + (after.group() if after else ""))
    if len(groups) < 2:
        # Four digits more may be the time of day: "1988 0118h".
        return any(len(group) > 4 for group in groups)
    return len(groups) > 2 or any(not _YEAR.fullmatch(group) for group in groups)


def is_time(text: str, language: str) -> bool:
    """Return whether a text is a time of day and holds no day.

    >>> [is_time(said, "en") for said in ("14:30", "9am", "noon", "7/4 14:30", "Monday 9am")]
    [True, True, True, False, False]
    """
    rest = _TIME.sub(" ", text)
    if any(map(str.isdigit, rest)):
        return False
    return not any(read_date(word, language) for word in re.findall(r"[^\W\d_]{3,}", rest))


def is_state_or_country(text: str, language: str) -> bool:
    """Return whether a text is the name of a state or a country, and nothing else.

    >>> [is_state_or_country(said, "en") for said in ("New York", "Nigeria", "Troy, Tennessee")]
    [True, True, False]
    """
    name = " ".join(text.replace(".", "").split()).casefold()
    if name in _STATES:
        return True
    lexicon, tokens = word_list(language), tokenise(text.strip(" ."))
    large = Mark.STATE | Mark.COUNTRY
    if len(tokens) == 1:
        return bool(lexicon.marks(tokens.words[0].lower()) & large)
    return any(
        first == 0 and end == len(tokens) and marks & large for first, end, marks in lexicon.phrases(tokens)
    )
