"""English: the patterns of notes, and what the lexicon adds."""

from __future__ import annotations

from pathlib import Path

from sfumato.text.detectors.contract import Detector
from sfumato.text.language import Language


def patterns() -> tuple[Detector, ...]:
    """Return the detectors that go by form and by labels; lists only tell them a name from a word."""
    from sfumato.text.detectors.patterns.accounts import Accounts
    from sfumato.text.detectors.patterns.already import Already
    from sfumato.text.detectors.patterns.web import Web
    from sfumato.text.languages.en.addresses import Addresses
    from sfumato.text.languages.en.ages import Ages
    from sfumato.text.languages.en.dates import Dates
    from sfumato.text.languages.en.fields import Fields
    from sfumato.text.languages.en.numbers import Numbers
    from sfumato.text.languages.en.phones import Phones
    from sfumato.text.languages.en.signatures import Signatures
    from sfumato.text.languages.en.tables import Tables

    return (
        Already(),
        Dates(),
        Ages(),
        Phones(),
        Numbers(),
        Addresses(),
        Fields(),
        Signatures(),
        Tables(),
        Web(),
        Accounts(),
    )


def _detectors() -> tuple[Detector, ...]:
    from sfumato.text.languages.en.clinical import EnglishClinical
    from sfumato.text.languages.en.names import EnglishNames
    from sfumato.text.languages.en.organisations import EnglishOrganisations
    from sfumato.text.languages.en.places import EnglishPlaces

    return (*patterns(), EnglishNames(), EnglishPlaces(), EnglishOrganisations(), EnglishClinical())


LANGUAGE = Language(code="en", name="English", folder=Path(__file__).parent, detectors=_detectors)
