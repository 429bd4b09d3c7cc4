"""Ages in Spanish notes: ``53 años``, ``18 meses``, ``tres años y medio``, ``Edad: 39``.

The unit is part of the span, as annotators of Spanish notes have it; a replacement puts another number in the
place of the number and lets the unit stand. "hace 10 años" and "10 años de evolución" are durations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.text.dates import listed
from sfumato.text.detectors.patterns.machinery import begins_number, compiled, words_before
from sfumato.text.kinds import Kind
from sfumato.text.page import Page
from sfumato.text.span import DOUBTFUL, LIKELY, PROBABLE, SURE, Span

_UNIT = r"\s{1,2}(?P<unit>años?|anos|meses|mes|semanas?|días?|dias?|horas?)\b"
_AND = r"(?:\s(?:y\smedio|y\smedia|y\s[0-9]{1,2}\smeses|y\s[0-9]{1,2}\sdías))?"
_NUMBER = r"(?:1[01][0-9]|[1-9]?[0-9])(?![0-9]|[.,/:-][0-9])"
_AT_NUMBER = compiled(rf"{_NUMBER}{_UNIT}{_AND}")
_FIELD = compiled(
    rf"""edad\b(?:\s(?:actual|gestacional|del\spaciente))?\s{{0,2}}[:=]\s{{0,3}}
    (?P<v>{_NUMBER}(?:{_UNIT}{_AND}|\sa\b)?)"""
)
_AT_THE_AGE = compiled(rf"edad\sde\s(?P<v>{_NUMBER}(?:{_UNIT}{_AND})?)")
_TENS = "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa"
_ONES = (
    "uno un dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis "
    "diecisiete dieciocho diecinueve veintiuno veintiún veintidós veintitrés veinticuatro veinticinco "
    "veintiséis veintisiete veintiocho veintinueve"
)
_SPELT = listed(f"{_TENS} {_ONES} cien ciento")
_UNITS = "|".join(sorted(_ONES.split(), key=len, reverse=True))
_AT_WORD = compiled(
    rf"(?:(?:{'|'.join(_TENS.split())})(?:\sy\s(?:un|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve))?"
    rf"|{_UNITS}|ciento\s(?:{_UNITS})|cien){_UNIT}{_AND}"
)
_PEOPLE = listed(
    "paciente pacientes varón varon mujer hombre niño niña señor señora chico chica joven lactante "
    "adolescente anciano anciana escolar neonato recién nacido nacida edad gestante embarazada "
    "individuo persona sujeto bebé masculino femenino femenina adulto adulta trabajador trabajadora "
    "hijo hija madre padre hermano hermana"
)
_DURATIONS = listed(
    "hace durante desde cada tras últimos últimas primeros unos varios próximos siguientes en por"
)
_GOES_ON = re.compile(
    r"\s(?:de\s(?:evolución|seguimiento|antigüedad|tratamiento|duración|vida\smedia)|antes|después"
    r"|más\starde|tras)\b",
    re.IGNORECASE,
)
_OLD = re.compile(r"(?:9[0-9]|1[01][0-9]|noventa|cien(?:to)?)\b.*\baño", re.IGNORECASE)
"""so many years are hardly anything but an age, and one that identifies"""
_OLD_FIGURES = re.compile(r"(?:9[0-9]|1[01][0-9])(?![0-9]|[.,/:-][0-9])")
_MEASURED = re.compile(
    r"\s?(?:%|\u00b0|/|x\b)|\s(?:mg|mcg|g|kg|ml|cc|l|cm|mm|mmhg|lpm|ui|u|meq|mmol|por|d[ií]as?|semanas?"
    r"|mes(?:es)?|horas?|minutos?|segundos?|veces|metros?|grados?|latidos?|puntos?|kilos?|euros?|pacientes|casos)\b",
    re.IGNORECASE,
)
_SAID_OLD = re.compile(
    r"(?:\b(?:tiene|ten[ií]a|cumple|cumpli[óo]|cumplir|cumplidos|edad)"
    r"|\b(?:falleci[óo]|fallecid[oa]s?|muri[óo]|muert[oa]|viv[eií][óa]?)\s(?:a\slos|con|hasta\slos)|\ba\slos|\ba\ssus"
    r"|\b(?:mujer|var[óo]n|hombre|paciente|madre|padre|abuel[oa]|t[íi][oa]|herman[oa]|espos[oa]|marido|suegr[oa]"
    r"|bisabuel[oa])[,(]?(?:\s(?:de|con))?)\s\(?$",
    re.IGNORECASE,
)
"""what stands before a number from 90 on that is an age without a unit"""
_OLD_WORDS = compiled(
    r"(?:noventa(?:\sy\s(?:un|uno|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve))?"
    rf"|ciento\s(?:{_UNITS})|cien)\b"
)
_NAMED_OLD = listed(
    "nonagenario nonagenaria nonagenarios nonagenarias centenario centenaria centenarios centenarias "
    "supercentenario supercentenaria"
)
_AT_THEIR = re.compile(r"\ba\ssus\s$", re.IGNORECASE)
_SHORT_UNIT = re.compile(r"\s?a(?:\.|ñ\.?)?(?=[\s,;).]|$)")
_ENDS = re.compile(r"\s{0,2}(?:[,.;)]|$|\n|\s(?:y|con|que|por|en|de|vive|viv[íi]a)\s)")
_OF_AGE = re.compile(r"\s(?:de\s(?:edad|vida)|edad)\b", re.IGNORECASE)


@dataclass(frozen=True)
class SpanishAges:
    """Proposes ages.

    >>> text = "Varón de 91 años con tos desde hace 3 años."
    >>> [span.of(text) for span in SpanishAges().find(Page(text))]
    ['91 años']
    """

    name: str = "es.ages"

    def find(self, page: Page) -> Iterator[Span]:
        """Propose ages at numbers, in figures and in words, and after ``edad``."""
        text, starts = page.text, page.tokens.starts
        for place in page.numbers:
            if begins_number(text, starts[place]):
                yield from self._judged(text, _AT_NUMBER.match(text, starts[place]))
                yield from self._old(text, starts[place])
        for word in page.places.keys() & _SPELT:
            for place in page.places[word]:
                yield from self._judged(text, _AT_WORD.match(text, starts[place]))
                yield from self._old(text, starts[place], _OLD_WORDS)
        for word in page.places.keys() & _NAMED_OLD:
            for place in page.places[word]:
                yield Span(starts[place], page.tokens.ends[place], Kind.AGE, "age", PROBABLE, self.name)
        for place in page.places.get("edad", ()):
            for form, certainty in ((_FIELD, SURE), (_AT_THE_AGE, LIKELY)):
                found = form.match(text, starts[place])
                if found is not None:
                    yield Span(*found.span("v"), Kind.AGE, _label(found["unit"]), certainty, self.name)

    def _old(self, text: str, start: int, form: re.Pattern[str] = _OLD_FIGURES) -> Iterator[Span]:
        """Propose a number from 90 on without a unit, where what stands before says that it is an age."""
        found = form.match(text, start)
        if found is None:
            return
        short = _SHORT_UNIT.match(text, found.end())
        said = text[max(0, start - 40) : start]
        before = _SAID_OLD.search(said)
        alone = _ENDS.match(text, found.end()) or _AT_THEIR.search(said)
        ends = alone is not None and not _MEASURED.match(text, found.end())
        if before is not None and (short or ends):
            yield Span(start, found.end(), Kind.AGE, "age", PROBABLE, self.name)

    def _judged(self, text: str, found: re.Match[str] | None) -> Iterator[Span]:
        if found is None or _GOES_ON.match(text, found.end()):
            return
        before = words_before(text, found.start(), 3)
        if before[:1] and before[0] in _DURATIONS:
            return
        certainty = 0.0
        if _OF_AGE.match(text, found.end()) or (before[:1] == ["de"] and _PEOPLE.intersection(before[1:])):
            certainty = LIKELY
        elif _OLD.match(found.group()):
            certainty = PROBABLE
        elif before[:2] == ["los", "a"]:
            certainty = DOUBTFUL if (found["unit"] or "").lower().startswith("año") else 0.0
        elif before[:1] and before[0] in _PEOPLE:
            certainty = PROBABLE
        elif before[:1] == ["de"] and (found["unit"] or "").lower().startswith("año"):
            certainty = DOUBTFUL
        if certainty:
            yield Span(*found.span(), Kind.AGE, _label(found["unit"]), certainty, self.name)


def _label(unit: str | None) -> str:
    """Name the unit as everywhere: ``age`` for years."""
    units = {"m": "months", "s": "weeks", "d": "days", "h": "hours"}
    return units.get((unit or "a")[0].lower(), "age")
