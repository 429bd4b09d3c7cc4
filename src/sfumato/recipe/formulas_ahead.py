"""Warn before a release is made of cells of the input that a spreadsheet would run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sfumato.core.formulas import formulas_in_words
from sfumato.core.schema import Role
from sfumato.engine.formulas import formula_cells
from sfumato.engine.sources import CsvFile
from sfumato.recipe.model import Recipe
from sfumato.release.data_files import CSV_NAMES

_LEFT_OUT = (Role.PERSON, Role.IDENTIFIER)


def warned_ahead(recipe: Recipe, folder: Path) -> Iterator[str]:
    """Warn before a release is made: of cells of the data, in columns that are not left out."""
    for resource in recipe.resources:
        # Networks are published with numbers for names, databases with declared values.
        if resource.kind in ("graph", "query") or resource.path is None:
            continue
        if not resource.path.lower().endswith((*CSV_NAMES, ".tsv", ".tsv.gz")):
            continue
        path = folder / resource.path
        source = CsvFile(path, resource.delimiter, resource.encoding)
        fields = resource.table_schema.fields
        gone = {one.name for one in fields if one.role in _LEFT_OUT and one.mask is None}
        found = formula_cells(path, source.header()[0], resource.encoding)
        told = formulas_in_words({name: cells for name, cells in found.items() if name not in gone})
        if told is not None:
            yield f"{resource.path}: {told}"
