"""English: the patterns of notes, and what the lexicon adds."""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from pathlib import Path

from sfumato.text.detectors.contract import Detector
from sfumato.text.language import Language


def patterns() -> tuple[Detector, ...]:
    """Return the detectors that go by form and by labels alone, without any list of names."""
    from sfumato.text.detectors.patterns.accounts import Accounts
    from sfumato.text.detectors.patterns.already import Already
    from sfumato.text.detectors.patterns.web import Web
    from sfumato.text.languages.en.addresses import Addresses
    from sfumato.text.languages.en.ages import Ages
    from sfumato.text.languages.en.dates import Dates
    from sfumato.text.languages.en.fields import Fields
    from sfumato.text.languages.en.numbers import Numbers
    from sfumato.text.languages.en.phones import Phones
    from sfumato.text.languages.en.tables import Tables

    return (
        Already(),
        Dates(),
        Ages(),
        Phones(),
        Numbers(),
        Addresses(),
        Fields(),
        Tables(),
        Web(),
        Accounts(),
    )


_LEXICAL = {
    "names": "EnglishNames",
    "places": "EnglishPlaces",
    "organisations": "EnglishOrganisations",
    "clinical": "EnglishClinical",
}
"""what the lexicon adds: its modules, and the detector in each"""


def _detectors() -> tuple[Detector, ...]:
    found = list(patterns())
    for module, detector in _LEXICAL.items():
        name = f"{__name__}.{module}"
        if find_spec(name) is not None:
            found.append(getattr(importlib.import_module(name), detector)())
    return tuple(found)


LANGUAGE = Language(code="en", name="English", folder=Path(__file__).parent, detectors=_detectors)
