"""Ages over 89 that no unit gives away: ``Eleanor is 93.``, ``GM deceased 101``, ``ninety three``, ``M/92``.

Such an age identifies (45 CFR 164.514(b)(2)(i)(C)), so numbers from 90 on are looked at more closely than
lower ones: an age is one that is said of a person. Who is spoken of stands before it (a relative, a pronoun,
a name, a sex), or what people do at an age (die, turn, reach), or years or a sex behind it. What is counted
or measured (``95 %``, ``97 on room air``, ``HR is 95``) is none.
"""

from __future__ import annotations

from collections.abc import Iterator

from sfumato.text.detectors.dictionary import NAMED
from sfumato.text.languages.en import old_age_forms as forms
from sfumato.text.lexicon import Lexicon, Mark
from sfumato.text.page import Page
from sfumato.text.span import PROBABLE
from sfumato.text.word_list import word_list

SAID = 0.62
"""of a number that only the words around make an age"""
OF_SOMEBODY = 0.85
"""of one that is said of a relative or of somebody by name: above what a value of a laboratory has"""
_BEHIND = 72
"""characters before a number that are looked at"""
_SHORTEST_NAME = 4
"""letters of a name in capitals: shorter ones are abbreviations (HR, SAT)"""
_NO_NAME = int(Mark.WORD | Mark.MEDICAL | Mark.DRUG | Mark.MONTH | Mark.WEEKDAY | Mark.ORGANISATION)


def old_ages(page: Page) -> Iterator[tuple[int, int, float]]:
    """Yield where ages over 89 stand, and how certain that is.

    >>> text = "Eleanor is 93. GM deceased 101; HR is 95, 97 on room air, 92 % today. She is ninety three."
    >>> [text[start:end] for start, end, _ in old_ages(Page(text))]
    ['93', '101', 'ninety three']
    """
    text, starts = page.text, page.tokens.starts
    for place in page.numbers:
        start = starts[place]
        found = forms.DECADE.match(text, start)
        if found is not None:
            yield *found.span(found.lastgroup or 0), PROBABLE
            continue
        found = forms.NUMBER.match(text, start)
        if found is None or _is_inside(text, start):
            continue
        certainty = _certainty(text, start, found.end(), word_list("en"))
        if certainty:
            yield start, found.end(), certainty
    yield from _in_words(page)


def _in_words(page: Page) -> Iterator[tuple[int, int, float]]:
    text, starts = page.text, page.tokens.starts
    for word in forms.FIRST_WORDS & page.places.keys():
        for place in page.places[word]:
            ordinal = forms.ORDINAL.match(text, starts[place]) or forms.DECADE.match(text, starts[place])
            if ordinal is not None:
                yield *ordinal.span(ordinal.lastgroup or 0), PROBABLE
                continue
            found = forms.SPELT.match(text, starts[place])
            if (
                found is None
                or forms.MEASURED.match(text, found.end())
                or text[found.end() : found.end() + 1] == "-"
            ):
                continue
            if found["sure"] or _certainty(text, *found.span(), word_list("en")):
                yield *found.span(), SAID


def _is_inside(text: str, start: int) -> bool:
    """Return whether a number goes on before: of 3.95, 120/95, 7-95 and #95 nothing is an age; M/95 is."""
    before = text[start - 1 : start]
    if before in ("/", "-", ":", ",", "'", "\u2019"):
        return text[start - 2 : start - 1].isdigit() or before in ("'", "\u2019")
    return before.isalnum() or before in ("_", ".", "#", "$", "+", "<", "@")


def _certainty(text: str, start: int, end: int, lexicon: Lexicon) -> float:
    """Return how certain it is that a number from 90 on is somebody's age; 0 where nothing says so."""
    before = forms.ROUGHLY.sub("", text[max(0, start - _BEHIND) : start])
    if (
        forms.BIRTHDAY.match(text, end)
        or forms.SEX_AFTER.match(text, end)
        or (forms.LIVED.search(before) and forms.SO_LONG.match(text, end))
        or (forms.YEARS.match(text, end) and not forms.LAPSING.search(before))
    ):
        return PROBABLE
    if forms.MEASURED.match(text, end):
        return 0.0
    if forms.KIN_AFTER.match(text, end) or (forms.AT.search(before) and forms.SOMEBODY.match(text, end)):
        return SAID
    if forms.DOING.search(before) and forms.GOES_ON.match(text, end) and not forms.MEASURES.search(before):
        return SAID
    if forms.AGED.search(before):
        return OF_SOMEBODY
    if forms.OF_KIN.search(before) and (forms.GOES_ON.match(text, end) or text[end + 1 : end + 3].isupper()):
        return OF_SOMEBODY
    who = forms.WHO.search(before)
    if who is not None and forms.GOES_ON.match(text, end) and _is_somebody(who["who"], lexicon):
        return OF_SOMEBODY
    if not forms.ENDS.match(text, end):
        return 0.0
    if forms.SEXED.search(before) or forms.LABELLED.search(before):
        return SAID
    called = forms.CALLED.search(before)
    return SAID if called is not None and _is_called(called["who"], lexicon) else 0.0


def _is_somebody(word: str, lexicon: Lexicon) -> bool:
    """Return whether a sentence may be about somebody who is named so: a pronoun, a relative, a name."""
    return word.lower() in forms.PERSONS or _is_called(word, lexicon)


def _is_called(word: str, lexicon: Lexicon) -> bool:
    """Return whether a word with a capital names somebody and nothing else: Glucose is nobody."""
    marks = lexicon.marks(word)
    if not word[0].isupper() or (word.isupper() and (len(word) < _SHORTEST_NAME or not marks & NAMED)):
        return False
    return (not marks & _NO_NAME and (bool(marks & NAMED) or not marks)) or bool(marks & Mark.NAME_COMMON)
