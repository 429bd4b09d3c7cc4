"""What must stay: what is named after people in medicine (``síndrome de Sjögren``), and measures.

It is proposed as clinical content and stays if it wins; behind a title (``Dr. Foley``) it is a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.text.dates import listed
from sfumato.text.detectors.dictionary import GIVEN, RAISED, reading
from sfumato.text.kinds import Kind
from sfumato.text.lexicon import Mark
from sfumato.text.page import Page
from sfumato.text.span import Span

EPONYM = 0.89
"""above two names side by side and a name of the same record; below a title and the learned model"""
_MEDICINE = listed(
    "enfermedad síndrome sindrome signo signos test escala índice indice prueba maniobra "
    "clasificación técnica sonda tubo catéter cateter criterios fractura hernia tumor linfoma sarcoma "
    "bacilo virus esófago procedimiento tinción método puntuación aguja pinza pinzas incisión ángulo "
    "asa cápsula conducto glándula enf gangrena tiroiditis úlcera divertículo corea parálisis ataxia "
    "triángulo polígono ligamento músculo trompa trompas cuerpos reflejo fenómeno jeringa drenaje "
    "mieloma neumonía artritis púrpura fibras fascitis demencia distrofia tétrada triada tríada "
    "contractura retinopatía oftalmopatía parkinsonismo sordera neuroma eritema pénfigo osteotomía "
    "nódulos nódulo agujero fístula"
)
"""what is called after people"""
_JOINS = listed("- ‐ – / y")
_MEASURES = listed(
    "ta pa tas tad fc fr sat sato2 spo2 temp tª glasgow apgar eva hb hto glucemia creatinina urea inr peso "
    "talla imc pcr vsg ldh got gpt ph pco2 po2 na k potasio sodio leucocitos plaquetas hemoglobina ecog "
    "norton barthel"
)
_MEASURE = re.compile(
    r"[^\W_]{1,13}(?:\s?[:=]|\sde)?\s{0,2}[<>~]?\s?[0-9]{1,6}(?:[.,][0-9]{1,3})?(?:\s?[/-]\s?[0-9]{1,3})?"
    r"(?:\s?(?:%|mmHg|lpm|rpm|[ºo]C|mg/dl|g/dl|mEq/l|mmol/l|kg|cm|puntos)(?!\w))?(?![\w/]|[.,-][0-9])"
)


@dataclass(frozen=True)
class SpanishClinical:
    """Proposes what is named after people in medicine, and measures, as content that stays.

    >>> text = "Diagnóstico: síndrome de Guillain-Barré; escala de Glasgow 15."
    >>> sorted(span.of(text) for span in SpanishClinical().find(Page(text)))
    ['Glasgow', 'Glasgow 15', 'Guillain-Barré']
    """

    name: str = "es.clinical"

    def find(self, page: Page) -> Iterator[Span]:
        """Look behind words such as ``síndrome de``, and at numbers behind what is measured."""
        text = page.text
        for word in page.places.keys() & _MEASURES:
            for place in page.places[word]:
                found = _MEASURE.match(text, page.tokens.starts[place])
                if found is not None:
                    yield Span(*found.span(), Kind.CLINICAL, "measure", 0.95, self.name)
        read = reading(page, "es")
        starts, ends = read.tokens.starts, read.tokens.ends
        for word in page.places.keys() & _MEDICINE:
            for place in page.places[word]:
                first = place + 1
                while first - place < 4 and read.word(first) in ("de", "del", "von", "van", "tipo"):
                    first += 1
                if first == place + 1 or not read.facts[first] & RAISED or _is_somebody(read.facts[first]):
                    continue
                end = first + 1
                while read.word(end) in _JOINS and read.facts[end + 1] & RAISED and end - first < 6:
                    end += 2
                yield Span(starts[first], ends[end - 1], Kind.CLINICAL, "eponym", EPONYM, self.name)


def _is_somebody(fact: int) -> bool:
    """Say whether it is a given name that many bear: ``la operación de Carmen``."""
    return bool(fact & GIVEN and fact & Mark.NAME_COMMON)
