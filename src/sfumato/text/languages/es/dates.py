"""Dates in Spanish notes: ``03/05/2016``, ``3 de mayo de 2016``, ``mayo del 2016``, ``año 2004``.

The words that belong to a date are part of it (``año 2004``), as annotators of Spanish notes have it. Every
proposal is read again by ``text/dates.py``: what is no day of any calendar is not proposed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.text.dates import listed, read_date
from sfumato.text.detectors.patterns.machinery import begins_number, compiled, words_after, words_before
from sfumato.text.kinds import Kind
from sfumato.text.languages.es.calendar import CALENDAR, HOLIDAYS, MONTHS, WEEKDAYS
from sfumato.text.page import Page
from sfumato.text.span import DOUBTFUL, LIKELY, PROBABLE, Span

_SPELT = sorted((spelling for names in MONTHS for spelling in names), key=len, reverse=True)
_MONTH = rf"(?:{'|'.join(_SPELT)})\b\.?"
_DAY = r"(?:0?[1-9]|[12][0-9]|3[01])(?:\s?[º°]|er\b|ro\b|(?![0-9]))"
_YEAR = r"(?:1[89]|20)[0-9]{2}(?![0-9])"
_OF = r"(?:\s{1,3}(?:de|del)(?:\s{1,2}año)?\s{1,3}|\s{0,2}[-/.,]?\s{0,2})"
_NUMERIC = compiled(
    rf"""(?:[0-2]?[0-9]|3[01])\s?(?P<s>[-/.])\s?(?:0?[1-9]|1[0-2])\s?(?P=s)\s?
    (?:{_YEAR}|[0-9]{{2}}(?![0-9]))(?![-/.]?[0-9]|[a-z]|\s?%)"""
)
_ISO = compiled(rf"{_YEAR}(?P<s>[-/.])(?:0?[1-9]|1[0-2])(?P=s)(?:[0-2]?[0-9]|3[01])(?![-/.]?[0-9])")
_WRITTEN = compiled(
    rf"""{_DAY}(?:\s{{0,2}}(?:-|y|al?)\s{{0,2}}{_DAY})?
    (?:\s{{1,3}}de\s{{1,3}}|\s{{0,2}}[-/.]?\s{{0,2}}){_MONTH}(?![a-z])
    (?:{_OF}(?:{_YEAR}|[0-9]{{2}}(?![0-9]|\s?[a-z%]|[.,/:][0-9])))?"""
)
_AT_MONTH = compiled(rf"{_MONTH}(?:{_OF}{_YEAR}|[-/][0-9]{{2}}(?![0-9]))")
_MONTH_AND_YEAR = compiled(rf"(?:0?[1-9]|1[0-2])\s?[-/]\s?{_YEAR}(?![-/.][0-9])")
_DAY_AND_MONTH = compiled(r"(?:[0-2]?[0-9]|3[01])/(?:0?[1-9]|1[0-2])(?![0-9/.,]|\s?(?:%|m[gml]\b))")
_BARE_YEAR = compiled(rf"{_YEAR}(?![a-z]|[-/.,:][0-9]|\s?%)")
_AT_YEAR = compiled(rf"años?\s{{1,2}}{_YEAR}(?![.,/][0-9])")
_SEASON = compiled(rf"(?:primavera|verano|otoño|invierno)\s(?:del?\s)?(?:año\s)?{_YEAR}")
_AT_WORDS = {
    **dict.fromkeys(("año", "años"), ("year", _AT_YEAR)),
    **dict.fromkeys(("primavera", "verano", "otoño", "invierno"), ("partial", _SEASON)),
}
_AFTER_DAY = re.compile(r"(?<![0-9.,])[0-3]?[0-9][º°]?(?:\s{1,3}de\s{1,3}|\s?[-/.]?\s?)$")
"""a day before a month: both are proposed together"""
_NUMERAL = (
    r"uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|dieci\w{3,5}|veinte"
    r"|veinti\w{2,7}|treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa|y"
)
_IN_WORDS = compiled(
    rf"{_MONTH}\s{{1,2}}del?\s{{1,2}}(?:mil\s(?:ochocientos|novecientos)|dos\smil)(?:\s(?:{_NUMERAL})\b){{0,4}}"
)
_DAY_IN_WORDS = compiled(rf"(?<!\w)(?:primero|(?:{_NUMERAL})(?:\sy\suno)?)\s{{1,2}}de\s{{1,2}}$")
_MONTH_WORDS = frozenset(_SPELT)
_WHOLE_MONTHS = frozenset(names[0] for names in MONTHS) | {"setiembre"}
_WEEKDAYS = frozenset(spelt for names in WEEKDAYS for spelt in names)
_DATED = listed(
    "el en desde hasta fecha día dia del de nacimiento ingreso alta ingresó ingresa consulta fue "
    "revisión visita"
)
_YEAR_CUES = listed("en desde hasta año años de del entre y durante a antes después tras hacia")
_MONTH_CUES = listed(
    "en desde hasta de del entre y durante mes pasado a finales principios mediados hacia este"
)
_MEASURED = listed(
    "ml mg mcg g kg cc cm mm ui kcal leucocitos plaquetas cel células por x pacientes casos calorías l euros "
    "hematíes copias metros litros m u cal unidades gr"
)
_NAMED_BEFORE_YEAR = _MONTH_WORDS | _AT_WORDS.keys()
"""with these before it a year was proposed already"""
_CALLED = listed("hospital universitario calle c avenida avda av plaza pza paseo h u colegio instituto")
"""what is called after a day: Hospital Universitario 12 de Octubre"""
_HOLIDAYS = {
    first: re.compile(
        "|".join(re.escape(name) for name in HOLIDAYS if name.split()[0] == first), re.IGNORECASE
    )
    for first in {name.split()[0] for name in HOLIDAYS}
}
"""by their first word"""


@dataclass(frozen=True)
class SpanishDates:
    """Proposes dates.

    >>> text = "Ingresó el 3 de mayo de 2016; IAM en 2004, control 12/06/2016."
    >>> sorted({span.of(text) for span in SpanishDates().find(Page(text))})
    ['12/06/2016', '2004', '3 de mayo de 2016']
    """

    name: str = "es.dates"

    def find(self, page: Page) -> list[Span]:
        """Propose dates at numbers, months, seasons and holidays."""
        return page.once(self.name, lambda page: sorted(self._find(page)))

    def _find(self, page: Page) -> Iterator[Span]:
        text, starts = page.text, page.tokens.starts
        taken = 0
        for place in page.numbers:
            if starts[place] >= taken:
                for span in self._at_number(text, starts[place]):
                    taken = span.end
                    yield span
        for word in page.places.keys() & _MONTH_WORDS:
            for place in page.places[word]:
                yield from self._at_month(text, starts[place], word)
        for words, form in (
            (("año", "años"), _AT_YEAR),
            (("primavera", "verano", "otoño", "invierno"), _SEASON),
        ):
            for word in page.places.keys() & {*words}:
                for place in page.places[word]:
                    found = form.match(text, starts[place])
                    if found is not None:
                        label = "year" if form is _AT_YEAR else "partial"
                        yield self._span(*found.span(), label, LIKELY)
        for word in page.places.keys() & _WEEKDAYS:
            for place in page.places[word]:
                if words_before(text, starts[place], 1)[:1] in (["el"], ["pasado"], ["los"]):
                    yield self._span(starts[place], starts[place] + len(word), "weekday", 0.55)
        for word in page.places.keys() & _HOLIDAYS.keys():
            for place in page.places[word]:
                found = _HOLIDAYS[word].match(text, starts[place])
                if found is not None:
                    yield self._span(*found.span(), "holiday", PROBABLE)

    def _span(self, start: int, end: int, label: str, certainty: float) -> Span:
        return Span(start, end, Kind.DATE, label, certainty, self.name)

    def _at_number(self, text: str, start: int) -> Iterator[Span]:
        if not begins_number(text, start):
            return
        for form in (_ISO, _NUMERIC, _WRITTEN):
            found = form.match(text, start)
            if found is None:
                continue
            end = _end_trimmed(found)
            parsed = read_date(text[start:end], CALENDAR)
            if parsed is not None:
                label = "full" if parsed.precision == "day" else "partial"
                short = re.fullmatch(r"[0-9]{1,2}[-.][0-9]{1,2}[-.][0-9]{2}", text[start:end]) is not None
                before = words_before(text, start, 2)
                sure = not short or bool(_DATED.intersection(before))
                named = parsed.year is None and bool(_CALLED.intersection(before))
                yield self._span(start, end, label, DOUBTFUL if named else LIKELY if sure else PROBABLE)
                return
        found = _MONTH_AND_YEAR.match(text, start)
        if found is not None:
            yield self._span(start, found.end(), "partial", LIKELY)
            return
        found = _DAY_AND_MONTH.match(text, start)
        if found is not None and read_date(found.group(), CALENDAR) is not None:
            if words_before(text, start, 1)[:1] in (["el"], ["día"], ["dia"], ["fecha"]):
                yield self._span(start, found.end(), "partial", PROBABLE)
            return
        found = _BARE_YEAR.match(text, start)
        if found is not None and not _MEASURED.intersection(words_after(text, found.end(), 1)):
            before = words_before(text, start, 2)
            if _NAMED_BEFORE_YEAR.intersection(before[:1] if before[:1] not in (["de"], ["del"]) else before):
                return
            cued = bool(_YEAR_CUES.intersection(before[:1])) or text[start - 1 : start] == "("
            yield self._span(start, found.end(), "year", PROBABLE if cued else DOUBTFUL)

    def _at_month(self, text: str, start: int, word: str) -> Iterator[Span]:
        if _AFTER_DAY.search(text, max(0, start - 12), start):
            return
        written = _IN_WORDS.match(text, start)
        if written is not None:
            day = _DAY_IN_WORDS.search(text, max(0, start - 24), start)
            first = day.start() if day is not None else start
            yield self._span(first, written.end(), "full" if day is not None else "partial", LIKELY)
            return
        found = _AT_MONTH.match(text, start)
        if found is not None:
            end = _end_trimmed(found)
            if read_date(text[start:end], CALENDAR) is not None:
                yield self._span(start, end, "partial", LIKELY)
            return
        before = words_before(text, start, 1)
        if word in _WHOLE_MONTHS and _MONTH_CUES.intersection(before):
            yield self._span(start, start + len(word), "partial", PROBABLE)


def _end_trimmed(found: re.Match[str]) -> int:
    """Leave a full stop after the last word outside."""
    end = found.end()
    while end > found.start() and found.string[end - 1] in "., -/":
        end -= 1
    return end
