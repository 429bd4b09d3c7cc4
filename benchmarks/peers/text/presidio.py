"""Presidio's own recognisers over a blank spaCy pipeline. Runs in its own environment.

Its recommended model (en_core_web_lg) is not on the package index, so that names and places come from
``spacy_model.py`` and are added by the benchmark.
"""

from __future__ import annotations

import logging
import tempfile
import warnings

logging.disable(logging.CRITICAL)
warnings.filterwarnings("ignore")

import spacy  # noqa: E402 - warnings must be off before it is loaded
from common import Spans, answer  # noqa: E402 - warnings must be off before it is loaded
from presidio_analyzer import AnalyzerEngine  # noqa: E402 - warnings must be off before it is loaded
from presidio_analyzer.nlp_engine import NlpEngineProvider  # noqa: E402 - warnings must be off before it is loaded

KINDS = {
    "PERSON": "NAME",
    "DATE_TIME": "DATE",
    "LOCATION": "LOCATION",
    "PHONE_NUMBER": "PHONE",
    "EMAIL_ADDRESS": "EMAIL",
    "URL": "URL",
    "IP_ADDRESS": "IP",
    "US_SSN": "SSN",
}


def engine() -> AnalyzerEngine:
    """Build the analyser on a pipeline that only cuts words."""
    folder = tempfile.mkdtemp()
    spacy.blank("en").to_disk(folder)
    models = [{"lang_code": "en", "model_name": folder}]
    provider = NlpEngineProvider(nlp_configuration={"nlp_engine_name": "spacy", "models": models})
    return AnalyzerEngine(nlp_engine=provider.create_engine(), supported_languages=["en"])


analyser = engine()


def find(text: str) -> Spans:
    """Return all that is found at the default threshold."""
    return [
        (one.start, one.end, KINDS.get(one.entity_type, "ID"))
        for one in analyser.analyze(text=text, language="en")
    ]


if __name__ == "__main__":
    answer(find)
