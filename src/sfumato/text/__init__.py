"""Clinical notes and other free text: find what points at people, and replace it.

The window of the room: ``from sfumato import text`` and then ``text.finder_of("en")``. Names are loaded when
they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.core.window import window

if TYPE_CHECKING:
    from sfumato.text.annotation import (
        Agreement,
        Annotated,
        BratNote,
        Corrections,
        agreement,
        corrected,
        corrections,
        format_jsonl,
        merged,
        parse_brat,
        parse_jsonl,
        read_brat,
        read_brat_notes,
        read_jsonl,
        write_brat,
        write_jsonl,
    )
    from sfumato.text.attacks import (
        DateOffset,
        HiddenInPlainSight,
        Identified,
        Knowledge,
        OtherNotes,
        RareTerms,
        ReleasedNotes,
        TextLinkage,
    )
    from sfumato.text.crf.model import Model
    from sfumato.text.crf.train import Settings, train
    from sfumato.text.detectors.contract import Detector, RecordPass
    from sfumato.text.detectors.plugin import PluginDetector, SpacyDetector, TransformersDetector
    from sfumato.text.evaluate import (
        EVERYTHING,
        HIPAA,
        Evaluation,
        OverRedaction,
        Scope,
        evaluate_finder,
        examples,
        found_in,
        over_redaction,
    )
    from sfumato.text.finder import Finder
    from sfumato.text.finders import LanguageFinding, finder_of
    from sfumato.text.kinds import Kind
    from sfumato.text.language import Language, language_of
    from sfumato.text.methods import Deidentify
    from sfumato.text.methods.sanitise import Sanitise
    from sfumato.text.models import (
        DetectedIdentifiersRemoved,
        KnownIdentifiersRemoved,
        RecallAtLeast,
        TPlausibility,
    )
    from sfumato.text.note import Found, Known, Note, Record
    from sfumato.text.ontology import Ontology, extended, from_csv, from_hierarchy, from_pairs, icd, wordnet
    from sfumato.text.page import Page
    from sfumato.text.policy import TextPolicy, text_policy_named
    from sfumato.text.replace import Generalisation, Masks, Pseudonyms, Removal, Replacement, Surrogates, Tags
    from sfumato.text.risk import ResidualRisk, TextRisk, exposure, residual_risk
    from sfumato.text.span import Span
    from sfumato.text.training import augmented, generated_notes, template_names
    from sfumato.text.utility import IntervalsLost, OutsideChanged, TokensChanged, Unreadable, over_redacted

_HOMES = {
    "sfumato.text.annotation": (
        "Agreement Annotated BratNote Corrections agreement corrected corrections format_jsonl merged "
        "parse_brat parse_jsonl read_brat read_brat_notes read_jsonl write_brat write_jsonl"
    ),
    "sfumato.text.attacks": (
        "DateOffset HiddenInPlainSight Identified Knowledge OtherNotes RareTerms ReleasedNotes TextLinkage"
    ),
    "sfumato.text.crf.model": "Model",
    "sfumato.text.crf.train": "Settings train",
    "sfumato.text.detectors.contract": "Detector RecordPass",
    "sfumato.text.detectors.plugin": "PluginDetector SpacyDetector TransformersDetector",
    "sfumato.text.evaluate": (
        "EVERYTHING HIPAA Evaluation OverRedaction Scope evaluate_finder examples found_in over_redaction"
    ),
    "sfumato.text.finder": "Finder",
    "sfumato.text.finders": "LanguageFinding finder_of",
    "sfumato.text.kinds": "Kind",
    "sfumato.text.language": "Language language_of",
    "sfumato.text.methods": "Deidentify",
    "sfumato.text.methods.sanitise": "Sanitise",
    "sfumato.text.models": "DetectedIdentifiersRemoved KnownIdentifiersRemoved RecallAtLeast TPlausibility",
    "sfumato.text.note": "Found Known Note Record",
    "sfumato.text.ontology": "Ontology extended from_csv from_hierarchy from_pairs icd wordnet",
    "sfumato.text.page": "Page",
    "sfumato.text.policy": "TextPolicy text_policy_named",
    "sfumato.text.replace": "Generalisation Masks Pseudonyms Removal Replacement Surrogates Tags",
    "sfumato.text.risk": "ResidualRisk TextRisk exposure residual_risk",
    "sfumato.text.span": "Span",
    "sfumato.text.training": "augmented generated_notes template_names",
    "sfumato.text.utility": "IntervalsLost OutsideChanged TokensChanged Unreadable over_redacted",
}

__all__ = [
    "EVERYTHING",
    "HIPAA",
    "Agreement",
    "Annotated",
    "BratNote",
    "Corrections",
    "DateOffset",
    "Deidentify",
    "DetectedIdentifiersRemoved",
    "Detector",
    "Evaluation",
    "Finder",
    "Found",
    "Generalisation",
    "HiddenInPlainSight",
    "Identified",
    "IntervalsLost",
    "Kind",
    "Knowledge",
    "Known",
    "KnownIdentifiersRemoved",
    "Language",
    "LanguageFinding",
    "Masks",
    "Model",
    "Note",
    "Ontology",
    "OtherNotes",
    "OutsideChanged",
    "OverRedaction",
    "Page",
    "PluginDetector",
    "Pseudonyms",
    "RareTerms",
    "RecallAtLeast",
    "Record",
    "RecordPass",
    "ReleasedNotes",
    "Removal",
    "Replacement",
    "ResidualRisk",
    "Sanitise",
    "Scope",
    "Settings",
    "SpacyDetector",
    "Span",
    "Surrogates",
    "TPlausibility",
    "Tags",
    "TextLinkage",
    "TextPolicy",
    "TextRisk",
    "TokensChanged",
    "TransformersDetector",
    "Unreadable",
    "agreement",
    "augmented",
    "corrected",
    "corrections",
    "evaluate_finder",
    "examples",
    "exposure",
    "extended",
    "finder_of",
    "format_jsonl",
    "found_in",
    "from_csv",
    "from_hierarchy",
    "from_pairs",
    "generated_notes",
    "icd",
    "language_of",
    "merged",
    "over_redacted",
    "over_redaction",
    "parse_brat",
    "parse_jsonl",
    "read_brat",
    "read_brat_notes",
    "read_jsonl",
    "residual_risk",
    "template_names",
    "text_policy_named",
    "train",
    "wordnet",
    "write_brat",
    "write_jsonl",
]

__getattr__, __dir__ = window(__name__, _HOMES, __all__)
