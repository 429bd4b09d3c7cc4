"""Words that a label may keep: whether a text is, word by word, what its label says.

Policies keep some things because of their label: words for relatives, professions, sexes, ages up to 89,
times of day. Labels come from models, from annotators, and from competition, where "hijo" and "hijo Evric
Calvan" become one span. So a label is believed of no span, only of words: each must be one that such a label
is made of. What is left is a name, a number or an age over 89 that stood beside it, and is never kept.

>>> text = "hijo mayor Evric de la Calva"
>>> [(text[part.start : part.end], part.kind) for part in strangers(Kind.OTHER, "kinship", text, "es")]
[('Evric de la Calva', <Kind.NAME: 'NAME'>)]
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from sfumato.masking.reduce import OLDEST
from sfumato.text.folding import folded, listed
from sfumato.text.kinds import Kind
from sfumato.text.lexicon import Lexicon, Mark
from sfumato.text.page import Tokens, tokenise
from sfumato.text.span import Span
from sfumato.text.word_list import word_list

SEXES = listed(
    "h m f v x varón varon varones mujer mujeres hombre hombres niño niña niños niñas masculino masculina "
    "femenino femenina chico chica señor señora anciano anciana recién nacido nacida lactante bebé macho "
    "hembra sexo neonato male males female females man men woman women boy boys girl girls gentleman lady "
    "newborn infant sex gender trans transgender nonbinary intersex and or y o e"
)
_GIVEN = int(Mark.GIVEN_FEMALE | Mark.GIVEN_MALE)
_NAMED = _GIVEN | int(Mark.FAMILY | Mark.CITY)
_WORD = int(Mark.WORD | Mark.WORD_COMMON | Mark.MEDICAL)
_OWN = {"kinship": int(Mark.RELATIVE), "PROFESSION": int(Mark.PROFESSION | Mark.TITLE)}
"""marks of the words that a label is about"""
_MORE = listed(
    "sobrinos sobrinas esposos gemelas mellizo melliza mellizos mellizas consuegro consuegra paterno paterna "
    "paternos paternas materno materna maternos maternas político política joven jóvenes mayor menor "
    "adoptivo adoptiva biológico biológica segundo segunda fallecido fallecida vivo viva sano sana sanos "
    "ama casa hogar comercial empresario empresaria militar bombero bombera autónomo autónoma"
)
"""words of relatives and of work, in small letters, that the lexicon does not know as such"""
_PARTICLES = listed("de del la las los el y e i da do dos van von der den bin ibn al")
"""what joins the parts of a name"""
_AGE_WORDS = listed(
    "y yo yr yrs year years old o of age aged ages mo mos month months m wk wks week weeks w d day days h hr "
    "hrs hour hours f male female man woman boy girl about almost approximately nearly now over under just "
    "and to or the a an his her their in at is was early mid middle late upper lower s st nd rd th birthday "
    "año años ano anos mes meses semana semanas día días dia dias hora horas edad de la los las el unos "
    "medio media a y casi más menos gestacional actual vida entre "
    "young teenager teen tween twenties thirties forties fifties sixties seventies eighties "
    "quadragenarian quinquagenarian sexagenarian septuagenarian octogenarian hundred"
)
_NUMBER_WORDS = listed(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty thirty forty fourty fifty sixty seventy eighty ninety "
    "un una uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis "
    "diecisiete dieciocho diecinueve veinte veintiuno veintiún veintidós veintitrés veinticuatro veinticinco "
    "veintiséis veintisiete veintiocho veintinueve treinta cuarenta cincuenta sesenta setenta ochenta noventa"
)
_TIME_WORDS = listed(
    "am pm a m p t z utc gmt est edt cst cdt mst mdt pst pdt h hs hr hrs hour hours o clock oclock noon "
    "midnight midday morning afternoon evening night at by about around approximately the in of hora horas "
    "mediodía medianoche mañana tarde noche de la las a por"
)
_TELLS_AGE = re.compile(
    r"(?<![\w.,/])(?:9[0-9]|1[0-3][0-9])(?:\s*-\s*(?:9[0-9]|1[0-3][0-9]))?(?![\w.,/])"
    r"|\b(?:(?:one|a)[ -])?(?:ninet(?:y|ies)|hundred|noventa|cien(?:to)?)\b(?:[ -](?:and|y)\b)?"
    rf"(?:[ -](?:{'|'.join(sorted(_NUMBER_WORDS))})\b)?|\b(?:nonagenari|centenari)[a-z]{{1,3}}\b",
    re.IGNORECASE,
)
"""an age over 89, in figures or in words"""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a text that is not what the label of the whole says, and what it is taken for."""

    start: int
    end: int
    kind: Kind
    label: str = ""


Known = Callable[[str, int], bool]
"""says of a word, and of its place among the words, whether the label may be made of it"""


def is_checked(kind: Kind, label: str) -> bool:
    """Return whether words are known that such a label is made of: for all others a policy is believed."""
    return kind in (Kind.PROFESSION, Kind.SEX, Kind.AGE) or (kind, label) in (
        (Kind.OTHER, "kinship"),
        (Kind.DATE, "time"),
    )


def strangers(kind: Kind, label: str, text: str, language: str) -> list[Part]:
    """Return the parts of a text that are not what its label says, in their order; none if all of it is."""
    tokens = tokenise(text)
    old = (
        [Part(*found.span(), Kind.AGE, "age") for found in _TELLS_AGE.finditer(text)]
        if kind in (Kind.PROFESSION, Kind.OTHER)
        else []
    )
    unknown = _runs(tokens, _known(kind, label, tokens, word_list(language)))
    named = "relative" if label == "kinship" else ""
    parts = [*old]
    for first, end in unknown:
        part = Part(tokens.starts[first], tokens.ends[end - 1], Kind.NAME, named)
        if any(one.start < part.end and part.start < one.end for one in old):
            # What is left of a number beside the age goes with it: "ninety-three" is one.
            parts = [*_joined(parts, part)]
            continue
        if not any(map(str.isalpha, text[part.start : part.end])):
            part = Part(part.start, part.end, Kind.ID)
        parts.append(part)
    return sorted(parts, key=lambda one: one.start)


def pieces(text: str, span: Span, language: str) -> Iterator[Span]:
    """Yield the parts of a span in their order: those that its label may keep, and those that it may not.

    >>> text = "su hijo Evric"
    >>> [(part.of(text), part.label) for part in pieces(text, Span(3, 13, Kind.OTHER, "kinship"), "es")]
    [('hijo', 'kinship'), ('Evric', 'relative')]
    """
    unknown = strangers(span.kind, span.label, span.of(text), language)
    if not unknown:
        yield span
        return
    at = span.start
    for part in unknown:
        start, end = span.start + part.start, span.start + part.end
        yield from _words(text, span, at, start)
        yield replace(span, start=start, end=end, kind=part.kind, label=part.label)
        at = end
    yield from _words(text, span, at, span.end)


def _words(text: str, span: Span, start: int, end: int) -> Iterator[Span]:
    """Yield a part of a span without what is no word at its ends."""
    while start < end and not text[start].isalnum():
        start += 1
    while end > start and not text[end - 1].isalnum():
        end -= 1
    if start < end:
        yield replace(span, start=start, end=end)


def _joined(parts: list[Part], more: Part) -> Iterator[Part]:
    """Let the parts that share text with one more become one with it."""
    sharing = [one for one in parts if one.start < more.end and more.start < one.end]
    yield from (one for one in parts if one not in sharing)
    start, end = min(one.start for one in (*sharing, more)), max(one.end for one in (*sharing, more))
    yield Part(start, end, sharing[0].kind, sharing[0].label)


def _runs(tokens: Tokens, is_known: Known) -> list[tuple[int, int]]:
    """Return runs of words that are not known, with the particles and punctuation between two of them."""
    runs: list[tuple[int, int]] = []
    for place, word in enumerate(tokens.words):
        if not word[0].isalnum() or is_known(word, place):
            continue
        if runs and all(_joins(other) for other in tokens.words[runs[-1][1] : place]):
            runs[-1] = (runs[-1][0], place + 1)
        else:
            runs.append((place, place + 1))
    return runs


def _joins(word: str) -> bool:
    return folded(word) in _PARTICLES or word in "-‐–'’."


def _known(kind: Kind, label: str, tokens: Tokens, lexicon: Lexicon) -> Known:
    if kind is Kind.SEX:
        return lambda word, _: folded(word) in SEXES
    if kind is Kind.AGE:
        return lambda word, _: _is_of_age(word, lexicon)
    if kind is Kind.DATE:
        return lambda word, _: _is_of_time(word, lexicon)
    own = _OWN[label if label in _OWN else kind.value]
    first = next((place for place, word in enumerate(tokens.words) if word[0].isalnum()), 0)
    return lambda word, place: _is_about(word, own, place == first, lexicon)


def _is_about(word: str, own: int, first: bool, lexicon: Lexicon) -> bool:
    """Return whether a word tells of relatives or of work: one of its own, or an ordinary one.

    A capital inside means a name, unless the word is one of its own and nobody is called so. A given name in
    small letters is no ordinary word either: "hija rosa".
    """
    if word.isdecimal():
        return len(word) < 3 and int(word) < OLDEST
    marks = lexicon.marks(word)
    if word != word.lower():
        return bool(marks & own) and (first or not marks & _NAMED)
    if marks & own or word in _MORE:
        return True
    if own & Mark.RELATIVE and marks & _GIVEN:
        return False
    return bool(marks & _WORD) and (not marks & _NAMED or bool(marks & Mark.WORD_COMMON))


def _is_of_age(word: str, lexicon: Lexicon) -> bool:
    """Return whether a word may stand in an age: a number of up to three digits, in figures or in words."""
    figures = re.match(r"\d*", word)
    assert figures is not None
    digits, rest = figures.group(), folded(word[figures.end() :])
    return len(digits) < 4 and (
        not rest or rest in _AGE_WORDS or rest in _NUMBER_WORDS or _is_plain(rest, word, lexicon)
    )


def _is_of_time(word: str, lexicon: Lexicon) -> bool:
    """Return whether a word may stand in a time of day; which digits may is for the form to say."""
    letters = folded(word.strip("0123456789"))
    return not letters or letters in _TIME_WORDS or _is_plain(letters, word, lexicon)


def _is_plain(letters: str, word: str, lexicon: Lexicon) -> bool:
    """Return whether it is a word that everybody uses, in small letters, and nobody's given name."""
    marks = lexicon.marks(letters)
    return word == word.lower() and bool(marks & Mark.WORD_COMMON) and not marks & _GIVEN
