"""Spanish: patterns, a lexicon, and a model that was trained on MEDDOCAN (Marimon et al., 2019)."""

from __future__ import annotations

from pathlib import Path

from sfumato.text.detectors.contract import Detector
from sfumato.text.language import Language


def _detectors() -> tuple[Detector, ...]:
    from sfumato.text.detectors.patterns.accounts import Accounts
    from sfumato.text.detectors.patterns.already import Already
    from sfumato.text.detectors.patterns.web import Web
    from sfumato.text.languages.es.ages import SpanishAges
    from sfumato.text.languages.es.dates import SpanishDates
    from sfumato.text.languages.es.names import SpanishEponyms, SpanishNames
    from sfumato.text.languages.es.numbers import SpanishNumbers
    from sfumato.text.languages.es.places import SpanishPlaces

    return (
        Already(),
        SpanishDates(),
        SpanishAges(),
        SpanishNumbers(),
        SpanishPlaces(),
        SpanishNames(),
        SpanishEponyms(),
        Web(),
        Accounts(),
    )


LANGUAGE = Language(
    code="es",
    name="Spanish",
    folder=Path(__file__).parent,
    detectors=_detectors,
    locale="es_ES",
    sort_before_name=True,
)
