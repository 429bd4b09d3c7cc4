"""The files of a release as evidence tells of them: fingerprint, size, and cells that would be run."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from sfumato.__about__ import __version__
from sfumato.core.errors import BadInput
from sfumato.core.evidence import DataEvidence
from sfumato.core.files import read_text
from sfumato.core.formulas import formulas_in_words
from sfumato.core.schema import Role
from sfumato.engine.formulas import formula_cells
from sfumato.engine.sources import CsvFile
from sfumato.recipe.findings import Finding, Status, finding, many
from sfumato.recipe.fingerprint import sha256_of
from sfumato.recipe.model import Recipe
from sfumato.recipe.on_disk import EVIDENCE, MOST_JSON

_CSV = (".csv", ".csv.gz")
_LEFT_OUT = (Role.PERSON, Role.IDENTIFIER)


def released_data(path: Path, rows: int, beside: Iterable[Path] = ()) -> DataEvidence:
    """Describe the file that was written; ``beside`` are more files of the same release."""
    return DataEvidence(
        file=path.name,
        sha256=sha256_of(path),
        rows=rows,
        bytes=path.stat().st_size,
        formulas=formulas_in(path, beside),
    )


def formulas_in(path: Path, beside: Iterable[Path] = ()) -> dict[str, int]:
    """Count cells that a spreadsheet would run, by column; columns of other files are named with these."""
    found = dict(_of(path))
    for other in sorted(beside):
        found |= {f"{other.name}, {column}": cells for column, cells in _of(other).items()}
    return found


def formulas_told(folder: Path) -> Finding:
    """Count them again from the bytes: whoever opens a file must have been warned of all of them."""
    claim = "cells that a spreadsheet would run are reported"
    told = json.loads(read_text(folder / EVIDENCE, most=MOST_JSON))
    alone = told.get("kind") == "query"
    files = [told["data"], *([table["data"] for table in told["tables"]] if alone else [])]
    if all(file.get("formulas") is None for file in files) and told["software"].get("sfumato") != __version__:
        return Finding(claim, Status.NOT_CHECKED, "the version that made it did not count them")
    cells, same = 0, True
    for file in files:
        path = folder / Path(file["file"]).name
        try:
            expected = formulas_in(path, () if alone else others_of(path))
        except BadInput:
            return Finding(claim, Status.REFUTED, "a file cannot be read")
        same = same and (file.get("formulas") or {}) == expected
        cells += sum(expected.values())
    return finding(claim, same, many(cells, "cell"), "there are others")


def others_of(path: Path) -> list[Path]:
    """List the other tables of a release as CSV files."""
    return [other for other in path.parent.iterdir() if other != path and other.name.endswith(_CSV)]


def warned_ahead(recipe: Recipe, folder: Path) -> Iterator[str]:
    """Warn before a release is made: of cells of the data, in columns that are not left out."""
    for resource in recipe.resources:
        # Networks are published with numbers for names, databases with declared values.
        if resource.kind in ("graph", "query") or resource.path is None:
            continue
        if not resource.path.lower().endswith((*_CSV, ".tsv", ".tsv.gz")):
            continue
        path = folder / resource.path
        source = CsvFile(path, resource.delimiter, resource.encoding)
        fields = resource.table_schema.fields
        gone = {one.name for one in fields if one.role in _LEFT_OUT and one.mask is None}
        found = formula_cells(path, source.header()[0], resource.encoding)
        told = formulas_in_words({name: cells for name, cells in found.items() if name not in gone})
        if told is not None:
            yield f"{resource.path}: {told}"


def _of(path: Path) -> Mapping[str, int]:
    return formula_cells(path) if path.name.endswith(_CSV) else {}
