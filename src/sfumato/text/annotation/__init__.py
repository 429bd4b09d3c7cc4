"""Annotated notes: read, written, corrected, compared between annotators."""

from sfumato.text.annotation.agreement import Agreement, agreement
from sfumato.text.annotation.annotated import Annotated, Labels, kind_of
from sfumato.text.annotation.brat import BratNote, parse_brat, read_brat, read_brat_notes, write_brat
from sfumato.text.annotation.correct import Corrections, corrected, corrections, merged
from sfumato.text.annotation.jsonl import format_jsonl, parse_jsonl, read_jsonl, write_jsonl

__all__ = [
    "Agreement",
    "Annotated",
    "BratNote",
    "Corrections",
    "Labels",
    "agreement",
    "corrected",
    "corrections",
    "format_jsonl",
    "kind_of",
    "merged",
    "parse_brat",
    "parse_jsonl",
    "read_brat",
    "read_brat_notes",
    "read_jsonl",
    "write_brat",
    "write_jsonl",
]
