"""Compare released sets with an original: what can be said without knowing which record became which."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from sfumato.codes.disassociated import Disassociated
from sfumato.codes.published import PublishedSets
from sfumato.codes.reading import read_codes
from sfumato.codes.sets import CodeSets, slots_of
from sfumato.core.errors import BadInput
from sfumato.core.evidence_codes import CodesEvidence
from sfumato.core.findings import Finding, finding, many
from sfumato.core.schema import Field, Role, Schema
from sfumato.engine import open_engine
from sfumato.engine.sources import CsvFile, source_of
from sfumato.recipe.codes.layout import layout_of
from sfumato.recipe.model import FieldPart, ResourcePart


def told_resource(evidence: CodesEvidence) -> Mapping[str, Any]:
    """Return what the published recipe says about the data; nothing if it is not as it should be."""
    return next((one for one in _resources(evidence) if one.get("kind") == "codes"), {})


def told_quasi(evidence: CodesEvidence) -> list[str]:
    """Return the quasi-identifiers of a table beside the codes, in their order."""
    table = next((one for one in _resources(evidence) if one.get("kind", "table") == "table"), {})
    fields = _fields(table)
    return [str(field["name"]) for field in fields if field["role"] == Role.QUASI_IDENTIFIER]


def _resources(evidence: CodesEvidence) -> list[Mapping[str, Any]]:
    listed = evidence.recipe.get("resources")
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []


def told_fields(evidence: CodesEvidence) -> list[Mapping[str, Any]]:
    """Return the columns that the published recipe names."""
    return _fields(told_resource(evidence))


def _fields(resource: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    schema = resource.get("schema")
    fields = schema.get("fields") if isinstance(schema, dict) else None
    listed = fields if isinstance(fields, list) else []
    return [field for field in listed if isinstance(field, dict) and {"name", "role"} <= field.keys()]


def told_of_codes(evidence: CodesEvidence) -> dict[str, Any]:
    """Return what the published recipe says about the codes."""
    found: dict[str, Any] = {}
    for field in told_fields(evidence):
        if field["role"] == Role.CODES:
            found |= field
    return found


def against_original(
    path: Path, published: PublishedSets | Disassociated, evidence: CodesEvidence
) -> list[Finding]:
    """Count people, and for every item those who have one of its codes."""
    sets = _original(path, evidence)
    lost = evidence.layout == "long"
    there = int(np.count_nonzero(np.diff(sets.starts) > 0))
    fits = there >= len(published) if lost else len(published) == len(sets)
    findings = [
        finding(
            "there is one record for every person of the original" + (" who shows an item" if lost else ""),
            fits,
            many(len(published), "record"),
            f"the original has {many(len(sets), 'person', 'persons')}",
        )
    ]
    if isinstance(published, PublishedSets):
        wrong = _shown_too_often(published, sets)
        findings.append(
            finding(
                "no item is shown by more people than have one of its codes",
                not wrong,
                many(len(published.items), "item"),
                f"{many(wrong, 'item')} are shown too often",
            )
        )
    return findings


def _shown_too_often(published: PublishedSets, sets: CodeSets) -> int:
    """Count the items that more records show than people of the original can account for."""
    items, wrong = published.items, 0
    place = {code: position for position, code in enumerate(sets.domain)}
    rows = slots_of(sets.starts)
    by_code = np.argsort(sets.codes, kind="stable")
    bounds = np.concatenate([[0], np.cumsum(sets.supports)])
    for item in range(len(items)):
        codes = [items.domain[code] for code in items.under(item)]
        if items.sizes[item] > len(codes):
            continue
        holders = [
            rows[by_code[bounds[place[code]] : bounds[place[code] + 1]]] for code in codes if code in place
        ]
        people = len(np.unique(np.concatenate(holders))) if holders else 0
        wrong += people < published.supports[item]
    return wrong


def _original(path: Path, evidence: CodesEvidence) -> CodeSets:
    """Read the original the way the recipe did."""
    try:
        told = ResourcePart.model_validate(told_resource(evidence))
        codes = FieldPart.model_validate(told_of_codes(evidence))
    except ValidationError:
        raise BadInput(
            "the published recipe is not as it should be", remedy="get the release again"
        ) from None
    source = source_of(path)
    if isinstance(source, CsvFile):
        source = CsvFile(path, told.delimiter, told.encoding, tuple(told.missing_values))
    schema = Schema(tuple(Field(field.name, field.role) for field in told.table_schema.fields))
    engine = open_engine("duckdb")
    try:
        table = engine.read(source)
        layout = layout_of(table, schema, told.layout, codes.separator)
        return read_codes(table, layout, system=codes.system).sets
    finally:
        engine.close()
