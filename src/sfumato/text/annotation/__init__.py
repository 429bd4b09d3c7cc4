"""Annotated notes: read, written, corrected, compared between annotators."""

from sfumato.text.annotation.annotated import Annotated, Labels, kind_of
from sfumato.text.annotation.jsonl import format_jsonl, parse_jsonl, read_jsonl, write_jsonl

__all__ = ["Annotated", "Labels", "format_jsonl", "kind_of", "parse_jsonl", "read_jsonl", "write_jsonl"]
