"""Names in Spanish notes: one or two given names, two family names, with ``de``, ``del`` and ``y`` between.

Announced by a title (``Dra.``), a field (``Médico:``, ``Remitido por:``) or a relative (``su hija Carmen``);
without any of them two names of the lexicon side by side are probable.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.text.dates import listed
from sfumato.text.detectors.dictionary import (
    CAPITAL,
    GIVEN,
    INITIAL,
    LOWER,
    NAMED,
    RAISED,
    UPPER,
    Reading,
    reading,
)
from sfumato.text.kinds import Kind
from sfumato.text.lexicon import Mark
from sfumato.text.page import Page
from sfumato.text.span import LIKELY, PROBABLE, SURE, Span

TITLED = 0.95
"""behind a title: above what the learned model may say"""
_TITLES = {
    **dict.fromkeys(listed("dr dra drs dres doctor doctora prof profesor profesora"), "doctor"),
    **dict.fromkeys(listed("don doña d dña dª sr sra srta señor señora srª hna"), ""),
}
_PATIENT = listed("nombre nombres apellido apellidos paciente")
_STAFF = listed(
    "médico medico médica facultativo facultativa cirujano cirujana anestesista firmado fdo enfermera "
    "enfermero responsable autor autora radiólogo patólogo clínico clinico firma matrona ayudante "
    "informado tratante solicitante remitente especialista"
)
_RELATIVES = listed("madre padre tutor tutora acompañante contacto esposo esposa hijo hija")
_FIELDS = {
    **dict.fromkeys(_PATIENT, "patient"),
    **dict.fromkeys(_STAFF, "doctor"),
    **dict.fromkeys(_RELATIVES, "relative"),
}
_BY = listed(
    "remitido remitida firmado firmada realizado realizada informado informada derivado derivada "
    "valorado valorada atendido atendida intervenido intervenida visto vista enviado enviada "
    "solicitado solicitada redactado"
)
_JOINING = listed("de del la las los y i e da do dos van von der den san santa mª m")
_NEVER = int(
    Mark.STREET | Mark.ORGANISATION | Mark.MONTH | Mark.WEEKDAY | Mark.TITLE | Mark.DRUG | Mark.COUNTRY
)
_WORD = int(Mark.WORD | Mark.WORD_COMMON | Mark.MEDICAL)
_MARKED = (1 << 24) - 1
"""marks of all sorts: a word without any is unknown"""
_LONGEST = 9
_PARTS_OF_LABELS = listed("clínico clinico médica")
"""words that name somebody only behind another: ``Responsable clínico:``, but not ``Informe clínico:``"""
_PEOPLE = listed(
    "varón varon mujer hombre niño niña lactante paciente anciano anciana joven adolescente recién "
    "neonato señor señora gestante médico país pais localidad provincia edad sexo fecha datos email "
    "mail correo teléfono servicio"
)
"""words with a capital behind a field that are no names, although people are called some of them"""
_JOINED_TO_LETTERS = listed("/ - @ ) º ª")


@dataclass(frozen=True)
class SpanishNames:
    """Proposes names of people.

    >>> text = "Dra. Lucía de la Fuente Ortiz. Su hija Carmen refiere tos."
    >>> [span.of(text) for span in SpanishNames().find(Page(text))]
    ['Lucía de la Fuente Ortiz', 'Carmen']
    """

    name: str = "es.names"

    def find(self, page: Page) -> list[Span]:
        """Look at every capital that may begin a name."""
        return page.once(self.name, lambda page: [*self._find(page)])

    def _find(self, page: Page) -> Iterator[Span]:
        read = reading(page, "es")
        starts, ends = read.tokens.starts, read.tokens.ends
        done = 0
        for place, fact in enumerate(read.facts):
            if place < done:
                continue
            if fact & LOWER:
                label, certainty = _in_small_letters(read, place)
                if certainty:
                    yield Span(starts[place], ends[place], Kind.NAME, label, certainty, self.name)
                continue
            if not fact & (RAISED | INITIAL):
                continue
            label, announced = _announced(read, place)
            end = _run(read, place, bool(announced))
            if end is None:
                continue
            certainty = _certainty(read, place, end, announced)
            if certainty:
                done = end
                yield Span(starts[place], ends[end - 1], Kind.NAME, label, certainty, self.name)


def _announced(read: Reading, place: int) -> tuple[str, float]:
    """Return who stands before a word, and how certain that makes a name: 0 where nobody does."""
    before = read.word(place - 1)
    if before in (".", "ª", "º") and read.word(place - 2) in _TITLES and read.beside(place - 1):
        return _TITLES[read.word(place - 2)], TITLED if len(read.word(place - 2)) > 1 else PROBABLE
    if before in _TITLES and len(before) > 1:
        return _TITLES[before], TITLED
    if before == ":" or (before == "." and read.word(place - 2) == "fdo"):
        return _field(read, place - 1)
    if before == "por" and read.word(place - 2) in _BY:
        return "doctor", PROBABLE
    return _of_relative(read, place)


def _of_relative(read: Reading, place: int) -> tuple[str, float]:
    """Check whether a name stands behind a relative: ``su hija Carmen``, ``(hija, Rocío)``.

    With a capital it need not be a name that lists know (``su hijo Evric``); behind a profession
    (``la enfermera Evric``) it is one, too, and before a relative in brackets (``Evric (madre)``).
    """
    behind = place - 1 - (read.word(place - 1) == ",")
    fact = read.facts[place]
    if fact & _WORD:
        return "", 0.0
    unknown = bool(fact & CAPITAL) and not fact & _MARKED
    if read.fact(behind) & Mark.RELATIVE and (fact & NAMED or unknown):
        if not fact & GIVEN:
            return "relative", PROBABLE
        return "relative", TITLED if behind == place - 1 else 0.8
    if not fact & CAPITAL or not (fact & NAMED or unknown):
        return "", 0.0
    if behind == place - 1 and read.fact(behind) & Mark.PROFESSION and read.fact(behind) & LOWER:
        return "", PROBABLE
    return ("relative", PROBABLE) if _before_relative(read, place) else ("", 0.0)


def _before_relative(read: Reading, place: int) -> bool:
    """Return whether a relative in brackets follows one to three words with a capital."""
    for after in range(place + 1, place + 4):
        if read.word(after) == "(":
            return bool(read.fact(after + 1) & Mark.RELATIVE) and read.word(after + 2) in (")", ",")
        if not read.fact(after) & RAISED:
            return False
    return False


def _in_small_letters(read: Reading, place: int) -> tuple[str, float]:
    """Take one word behind a title or a relative: ``avisado dr. pineda``, ``esposa marta``."""
    fact = read.facts[place]
    if not fact & NAMED or fact & _WORD or len(read.word(place)) < 3:
        return "", 0.0
    title = read.word(place - 2) if read.word(place - 1) == "." else read.word(place - 1)
    if len(title) > 1 and title in _TITLES:
        return _TITLES[title], LIKELY
    label, certainty = _of_relative(read, place)
    return label, min(certainty, 0.8)


def _field(read: Reading, colon: int) -> tuple[str, float]:
    """Return who the field before a colon names: ``Remitido por:``, ``Nombre y apellidos:``."""
    words = [read.word(place) for place in range(colon - 1, max(-1, colon - 5), -1)]
    if words[:1] == ["por"] and len(words) > 1 and words[1] in _BY:
        return "doctor", SURE
    if (
        not words
        or words[0] not in _FIELDS
        or (words[0] in _PARTS_OF_LABELS and words[1:2] != ["responsable"])
    ):
        return "", 0.0
    if words[0] == "paciente" and words[1:2] and words[1] in _JOINING | {"el", "al"}:
        return "", 0.0
    if words[0] in ("nombre", "apellido", "apellidos", "nombres"):
        other = next((word for word in words[1:] if word in _FIELDS and _FIELDS[word] != "patient"), "")
        return _FIELDS[other] if other else "patient", SURE
    return _FIELDS[words[0]], LIKELY


def _run(read: Reading, place: int, announced: bool) -> int | None:
    """Return the token after the last of a name that begins here; None where none can."""
    end, last = place, None
    while end - place < _LONGEST and (end == place or read.beside(end - 1)):
        fact, word = read.facts[end], read.word(end)
        labels = read.word(end + 1) == ":" and (end > place or word in _FIELDS)
        if labels or word in _PEOPLE or "º" in word:
            break
        if fact & INITIAL or word == "mª":
            if read.glued(end) and read.word(end + 1) in _JOINED_TO_LETTERS:
                break
            end += 1
            if read.word(end) in (".", "ª") and (read.beside(end) or read.word(end) == "ª"):
                end += 1
            last = end
        elif announced and end == place and fact & RAISED and word in _JOINING:
            end += 1
        elif fact & RAISED and not _breaks(fact, announced, end - place):
            end += 1
            last = end
            if (
                read.word(end) in ("-", "‐", "–")
                and read.glued(end - 1)
                and read.glued(end)
                and read.facts[end + 1] & RAISED
            ):
                end += 1
        elif (
            last is not None
            and word in _JOINING
            and read.facts[end + 1] & RAISED | (read.word(end + 1) in _JOINING)
        ):
            end += 1
        else:
            break
    return last


def _breaks(fact: int, announced: bool, before: int) -> bool:
    """Check whether a word with a capital ends a name: a street, an organisation, an ordinary word."""
    if fact & _NEVER and not (fact & NAMED and announced and not before):
        return True
    plain = announced and before < 3 and not fact & (Mark.WORD_COMMON | Mark.MEDICAL)
    return bool(fact & _WORD) and not fact & NAMED and not plain


def _certainty(read: Reading, first: int, end: int, announced: float) -> float:
    facts = [read.facts[place] for place in range(first, end)]
    named = [fact for fact in facts if fact & NAMED and not fact & _WORD]
    words = sum(bool(fact & RAISED) for fact in facts)
    if announced:
        return announced if words else 0.0
    if words < 2 or len(named) < 2 or not facts[0] & GIVEN:
        return 0.0
    if all(fact & UPPER for fact in facts if fact & RAISED) and any(fact & _WORD for fact in facts):
        return 0.0
    common = any(fact & Mark.NAME_COMMON for fact in named)
    return PROBABLE if common else 0.55
