"""What is named after people in medicine: ``síndrome de Sjögren``, ``escala de Glasgow``, ``sonda de Foley``.

It is proposed as clinical content and stays if it wins; behind a title (``Dr. Foley``) it is a name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.text.dates import listed
from sfumato.text.detectors.dictionary import RAISED, reading
from sfumato.text.kinds import Kind
from sfumato.text.page import Page
from sfumato.text.span import LIKELY, Span

_MEDICINE = listed(
    "enfermedad síndrome sindrome signo signos test escala índice indice prueba maniobra "
    "clasificación técnica sonda tubo catéter cateter criterios fractura hernia tumor linfoma sarcoma "
    "bacilo virus esófago operación procedimiento tinción método puntuación aguja pinza pinzas "
    "incisión ángulo asa cápsula conducto glándula anemia enf células gangrena tiroiditis úlcera "
    "divertículo quiste mal corea parálisis ataxia triángulo polígono ligamento músculo trompa "
    "trompas cuerpos reflejo fenómeno solución líquido jeringa drenaje mieloma neumonía artritis "
    "púrpura lesión fibras canal espacio bolsa fascitis demencia distrofia tétrada triada tríada "
    "contractura retinopatía oftalmopatía parkinsonismo sordera neuroma eritema pénfigo osteotomía "
    "vía nódulos nódulo placa agujero arteria vena hemostasia fístula"
)
"""what is called after people"""
_JOINS = listed("- ‐ – / y")


@dataclass(frozen=True)
class SpanishClinical:
    """Proposes what is named after people in medicine, as content that stays.

    >>> text = "Diagnóstico: síndrome de Guillain-Barré; escala de Glasgow 15."
    >>> sorted(span.of(text) for span in SpanishClinical().find(Page(text)))
    ['Glasgow', 'Guillain-Barré']
    """

    name: str = "es.clinical"

    def find(self, page: Page) -> Iterator[Span]:
        """Look behind words such as ``síndrome de``."""
        read = reading(page, "es")
        starts, ends = read.tokens.starts, read.tokens.ends
        for word in page.places.keys() & _MEDICINE:
            for place in page.places[word]:
                first = place + 1
                while first - place < 4 and read.word(first) in ("de", "del", "von", "van", "tipo"):
                    first += 1
                if first == place + 1 or not read.facts[first] & RAISED:
                    continue
                end = first + 1
                while read.word(end) in _JOINS and read.facts[end + 1] & RAISED and end - first < 6:
                    end += 2
                yield Span(starts[first], ends[end - 1], Kind.CLINICAL, "eponym", LIKELY, self.name)
