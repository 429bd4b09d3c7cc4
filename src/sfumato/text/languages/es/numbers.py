"""Numbers in Spanish notes: identity cards, case histories, insurance, professional bodies, telephones.

A Spanish identity number carries its proof: its letter is the number mod 23 in the series TRWAGMYFP… (Real
Decreto 1553/2005; foreigners' numbers begin with X, Y or Z for 0, 1 or 2). Other numbers are known by the
label before them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.text.dates import listed
from sfumato.text.detectors.patterns.machinery import begins_number, words_before
from sfumato.text.kinds import Kind
from sfumato.text.page import Page
from sfumato.text.span import DOUBTFUL, LIKELY, PROBABLE, SURE, Span

_WHOLE_PASSPORT = 9
_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_IDENTITY = re.compile(
    r"[0-9]{8}[ -]?[A-Za-z](?![A-Za-z0-9])|[0-9]{2}\.[0-9]{3}\.[0-9]{3}[ -]?[A-Za-z](?![A-Za-z0-9])"
)
_FOREIGN = re.compile(r"[XYZxyz][ -]?[0-9]{7}[ -]?[A-Za-z](?![A-Za-z0-9])")
_NO = r"(?:\s?n[º°o]\.?|\s?núm(?:ero)?\.?|\s?num\.?)?"
_JOINT = r"\s{0,2}[:.=#]?\s{0,3}"
_DIGITS_SOON = r"(?=\S{0,8}[0-9]{3})"
_CODE = r"(?P<v>[A-Z]{0,6}[-/]?[0-9][0-9A-Z]{0,14}(?:[ ./-][0-9A-Z]{1,12}){0,3})(?![0-9])"
_SPACED = r"(?P<v>[0-9]{1,14}(?:[ /-]{1,2}[0-9]{1,10}){0,3})(?![0-9])"
_PLATE = r"(?P<v>[0-9]{4}[ -]?[B-DF-HJ-NP-TV-Z]{3}|[A-Z]{1,2}[ -]?[0-9]{4}[ -]?[A-Z]{0,2})(?![A-Za-z0-9])"
_LABELS = (
    ("mrn", "nhc nh cipa sip cip cipna hc", rf"\w{{2,5}}\b{_NO}[\s:.=#-]{{0,4}}", _CODE),
    ("mrn", "expediente ficha registro", rf"\w{{5,10}}\b{_NO}{_JOINT}{_DIGITS_SOON}", _CODE),
    ("mrn", "historia", rf"historia(?:\sclínica)?{_NO}{_JOINT}{_DIGITS_SOON}", _CODE),
    ("plan", "nass nuss", rf"\w{{4}}\b{_JOINT}", _SPACED),
    ("plan", "seguridad", rf"seguridad\ssocial{_NO}{_JOINT}(?=[0-9])", _SPACED),
    ("plan", "tarjeta", rf"tarjeta(?:\ssanitaria)?{_NO}{_JOINT}{_DIGITS_SOON}", _CODE),
    ("plan", "tarjeta", rf"tarjeta\ssanitaria{_NO}{_JOINT}(?=[A-Z]{{0,6}}[0-9]{{2}}[ -][0-9]{{4}})", _CODE),
    ("plan", "afiliación póliza", rf"\w{{6,10}}{_NO}{_JOINT}{_DIGITS_SOON}", _CODE),
    ("accession", "episodio petición muestra", rf"\w{{7,8}}{_NO}{_JOINT}{_DIGITS_SOON}", _CODE),
    ("accession", "biopsia", rf"biopsia\s?n[º°o]\.?{_JOINT}{_DIGITS_SOON}", _CODE),
    (
        "licence",
        "col colegiado colegiada nºcol ncol n°col nºcolegiado",
        rf"(?:n[º°.]?\s?)?col(?:egiad[oa])?\b\.?{_NO}[\s:.=#]{{0,4}}(?=[0-9])",
        _SPACED,
    ),
    (
        "national",
        "dni nif nie cif pasaporte cédula cedula curp rut run ci documento",
        rf"\w{{2,9}}\b(?:\s?/\s?(?:nif|nie))?{_NO}{_JOINT}{_DIGITS_SOON}",
        _CODE,
    ),
    ("national", "c", rf"c\.\s?i\.?\s?{_NO}{_JOINT}{_DIGITS_SOON}", _CODE),
    ("licence", "mp mn", rf"\w{{2}}\b{_NO}{_JOINT}(?=[0-9]{{3}})", _SPACED),
    (
        "account",
        "cuenta ccc iban",
        rf"\w{{3,6}}\b(?:\s(?:bancaria|corriente|de\sahorro))?{_NO}{_JOINT}",
        r"(?P<v>(?:ES[0-9]{2} ?)?[0-9]{4}[ -]?[0-9]{4}(?:[ -]?[0-9]{2}){2}(?:[ -]?[0-9]{4}){2})(?![0-9])",
    ),
    (
        "card",
        "tarjeta visa mastercard",
        rf"\w{{4,10}}\b(?:\sde\s(?:crédito|credito|débito|debito))?{_NO}{_JOINT}",
        r"(?P<v>[0-9]{4}(?:[ -]?[0-9]{4}){2,3})(?![0-9])",
    ),
    ("vehicle", "matrícula matricula", rf"\w{{9}}{_NO}{_JOINT}", _PLATE),
    ("device", "serie bastidor lote", rf"\w{{4,8}}{_NO}{_JOINT}{_DIGITS_SOON}", _CODE),
)
FORMS: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
"""by the word that a label begins with: what the number may be, and the form of label and number"""
for _label, _words, _before, _value in _LABELS:
    for _word in _words.split():
        FORMS.setdefault(_word, []).append((_label, re.compile(f"(?P<label>(?i:{_before})){_value}")))
_PASSPORT = re.compile(r"[A-Z]{2,3} ?[0-9]{6}(?![A-Za-z0-9])")
_COMPANY = re.compile(r"[ABCDEFGHJNPQRSUVW][ -]?[0-9]{7}[ -]?[0-9A-J](?![A-Za-z0-9])")
_ACCOUNT = re.compile(r"[0-9]{4}(?P<s>[ -])[0-9]{4}(?P=s)[0-9]{2}(?P=s)[0-9]{10}(?![0-9])")
"""a bank account as it was written before IBAN: bank, branch, check digits, number"""
_NEAR = 48

_DIALLED = (
    r"(?:(?:\+|00)\s?34[\s.-]?)?(?:[6-9][0-9]{8}|[6-9][0-9]{2}[\s.-][0-9]{3}[\s.-]?[0-9]{3}"
    r"|[6-9][0-9]{2}(?:[\s.-][0-9]{2}){3}|[89][0-9][\s.-][0-9]{7}"
    r"|[89][0-9][\s.-][0-9]{3}(?:[\s.-][0-9]{2}){2})(?![0-9]|[.,][0-9])"
)
_PHONE = re.compile(_DIALLED)
_ABROAD = re.compile(r"\+\s?[1-9][0-9]{0,2}(?:[\s.()/-]{1,2}[0-9]{1,5}){2,6}(?![0-9])")
_SAYERS = {
    **dict.fromkeys(listed("tel tlf tfno tlfno tno teléfono telefono teléfonos telf teléf tfnos"), "phone"),
    **dict.fromkeys(listed("móvil movil cel celular whatsapp busca extensión ext"), "phone"),
    "fax": "fax",
}
_SAID = re.compile(
    r"[^\W\d_]{2,9}\b\.?(?:\s?/\s?[^\W\d_]{2,8}\.?)?(?:\s?n[º°]\.?)?\s{0,2}[:=]?\s{0,3}"
    r"(?P<v>(?:\(?\+?[0-9][0-9() .-]{2,20}[0-9]|[0-9]{3,12}))(?![0-9])"
)


def identity_letter_fits(text: str) -> bool:
    """Say whether the letter of a Spanish identity number (NIF, NIE) is right.

    >>> [identity_letter_fits(text) for text in ("12345678Z", "12345678A", "X1234567L")]
    [True, False, True]
    """
    plain = re.sub(r"[ .-]", "", text.upper())
    if plain[:1] in ("X", "Y", "Z"):
        plain = str("XYZ".index(plain[0])) + plain[1:]
    return plain[:-1].isdecimal() and _LETTERS[int(plain[:-1]) % 23] == plain[-1]


@dataclass(frozen=True)
class SpanishNumbers:
    """Proposes numbers that stand for somebody.

    >>> text = "NHC: 368503. DNI 12345678Z, tlf. 918 038 014"
    >>> sorted({span.of(text) for span in SpanishNumbers().find(Page(text))})
    ['12345678Z', '368503', '918 038 014']
    """

    name: str = "es.numbers"

    def find(self, page: Page) -> Iterator[Span]:
        """Look at labels, at numbers with a proof, and at numbers that can be dialled."""
        text, starts = page.text, page.tokens.starts
        for word in page.places.keys() & FORMS.keys():
            for place in page.places[word]:
                for label, form in FORMS[word]:
                    found = form.match(text, starts[place])
                    if found is not None and sum(letter.isdigit() for letter in found["v"]) > 2:
                        yield Span(*_whole(text, found), Kind.ID, label, SURE, self.name)
        yield from self._identities(page)
        yield from self._passports(page)
        yield from self._accounts(page)
        yield from self._phones(page)

    def _identities(self, page: Page) -> Iterator[Span]:
        text, starts = page.text, page.tokens.starts
        for place, word in enumerate(page.tokens.words):
            start = starts[place]
            form = None
            if word[0].isdecimal() and (len(word) in (8, 9) or text[start + 2 : start + 3] == "."):
                form = _IDENTITY
            elif word[0] in "XYZxyz" and len(word) in (1, 8, 9):
                form = _FOREIGN
            found = form.match(text, start) if form is not None and begins_number(text, start) else None
            if found is not None and identity_letter_fits(found.group()):
                yield Span(*found.span(), Kind.ID, "national", LIKELY, self.name)

    def _passports(self, page: Page) -> Iterator[Span]:
        """Propose passports: by the word near them, or three letters and six digits for themselves."""
        text, starts = page.text, page.tokens.starts
        said = [starts[place] for place in page.places.get("pasaporte", ())]
        for place, word in enumerate(page.tokens.words):
            start = starts[place]
            if not (word[:2].isupper() and len(word) in (2, 3, 8, 9)) or text[start - 1 : start] in (
                "-",
                "_",
            ):
                continue
            found = _PASSPORT.match(text, start)
            if found is None:
                found = _COMPANY.match(text, start) if page.places.keys() & {"cif", "nif"} else None
            if found is None:
                continue
            at = bisect_left(said, start - _NEAR)
            near = at < len(said) and said[at] <= found.end() + _NEAR
            if near or len(found.group()) == _WHOLE_PASSPORT:
                yield Span(*found.span(), Kind.ID, "national", SURE if near else PROBABLE, self.name)

    def _accounts(self, page: Page) -> Iterator[Span]:
        text, starts = page.text, page.tokens.starts
        for place in page.numbers:
            found = _ACCOUNT.match(text, starts[place])
            if found is not None and begins_number(text, starts[place]):
                yield Span(*found.span(), Kind.ID, "account", LIKELY, self.name)

    def _phones(self, page: Page) -> Iterator[Span]:
        text, starts = page.text, page.tokens.starts
        for place in page.numbers:
            start = starts[place]
            plus = start - 1 if text[max(0, start - 1) : start] == "+" else start
            found = _PHONE.match(text, plus) or (_ABROAD.match(text, plus) if plus < start else None)
            if found is not None and (plus < start or begins_number(text, start)):
                before = words_before(text, plus, 3)
                label = next((_SAYERS[word] for word in before if word in _SAYERS), "")
                grouped = not found.group().isdecimal()
                certainty = LIKELY if label or plus < start else PROBABLE if grouped else DOUBTFUL
                yield Span(*found.span(), Kind.PHONE, label or "phone", certainty, self.name)
        for word in page.places.keys() & _SAYERS.keys():
            for place in page.places[word]:
                found = _SAID.match(text, starts[place])
                if found is not None and 4 <= sum(letter.isdigit() for letter in found["v"]) <= 15:
                    certainty = SURE if word not in ("ext", "extensión", "busca") else PROBABLE
                    yield Span(*found.span("v"), Kind.PHONE, _SAYERS[word], certainty, self.name)


def _whole(text: str, found: re.Match[str]) -> tuple[int, int]:
    """Return where a number stands, without a dash or stop that ends it."""
    start, end = found.span("v")
    while end > start and text[end - 1] in " ./-":
        end -= 1
    return start, end
