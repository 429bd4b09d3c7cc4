"""A language is a folder under ``text/languages``: its patterns, lexicons and trained model."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sfumato.core.errors import BadInput, nearest
from sfumato.text.detectors.contract import Detector

LANGUAGES = {"en": "sfumato.text.languages.en", "es": "sfumato.text.languages.es"}
"""where each language lives; the module offers ``LANGUAGE``"""


@dataclass(frozen=True)
class Language:
    """What is known about one language."""

    code: str
    name: str
    folder: Path
    detectors: Callable[[], tuple[Detector, ...]]
    """patterns, lexicons and the allow-list: all but the learned model"""
    model: str = "model.crf.xz"
    """the shipped model, a file of the folder"""
    locale: str = "en_US"
    """whose manner surrogates are made up in"""
    judges_learned: bool = True
    """whether what the model holds for something must look like it (``detectors/plausible.py``)"""
    checked: Callable[[Detector], Detector] = lambda learned: learned
    """what the learned detector is wrapped in, so that a language can have a say in what it proposes"""
    sort_before_name: bool = False
    """whether a street or hospital is called by its sort first, and its number last: ``Calle Mayor, 3``"""


def language_of(code: str) -> Language:
    """Return a language by its code."""
    if code not in LANGUAGES:
        raise BadInput(f"there is no language '{code}'", where="language", remedy=nearest(code, LANGUAGES))
    found = importlib.import_module(LANGUAGES[code]).LANGUAGE
    assert isinstance(found, Language)
    return found
