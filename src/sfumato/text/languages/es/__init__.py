"""Spanish: patterns, a lexicon, and a model that was trained on MEDDOCAN (Marimon et al., 2019)."""

from __future__ import annotations

from pathlib import Path

from sfumato.text.detectors.contract import Detector
from sfumato.text.language import Language


def _detectors() -> tuple[Detector, ...]:
    from sfumato.text.detectors.patterns.accounts import Accounts
    from sfumato.text.detectors.patterns.already import Already
    from sfumato.text.detectors.patterns.web import Web
    from sfumato.text.languages.es.addresses import SpanishAddresses
    from sfumato.text.languages.es.ages import SpanishAges
    from sfumato.text.languages.es.clinical import SpanishClinical
    from sfumato.text.languages.es.dates import SpanishDates
    from sfumato.text.languages.es.labels import SpanishLabels
    from sfumato.text.languages.es.names import SpanishNames
    from sfumato.text.languages.es.numbers import SpanishNumbers
    from sfumato.text.languages.es.places import SpanishPlaces

    return (
        Already(),
        SpanishDates(),
        SpanishAges(),
        SpanishNumbers(),
        SpanishLabels(),
        SpanishAddresses(),
        SpanishPlaces(),
        SpanishNames(),
        SpanishClinical(),
        Web(),
        Accounts(),
    )


def _checked(learned: Detector) -> Detector:
    from sfumato.text.languages.es.known import Checked
    from sfumato.text.word_list import word_list

    return Checked(learned, word_list("es"))


LANGUAGE = Language(
    code="es",
    name="Spanish",
    folder=Path(__file__).parent,
    detectors=_detectors,
    locale="es_ES",
    judges_learned=False,
    checked=_checked,
    sort_before_name=True,
)
