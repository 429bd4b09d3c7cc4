"""The files of a release as evidence tells of them: fingerprint, size, and cells that would be run."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from sfumato.__about__ import __version__
from sfumato.core.errors import BadInput
from sfumato.core.evidence import DataEvidence
from sfumato.core.files import read_text
from sfumato.core.findings import Finding, Status, finding, many
from sfumato.core.fingerprint import sha256_of
from sfumato.engine.formulas import formula_cells
from sfumato.release.names import EVIDENCE, MOST_JSON

CSV_NAMES = (".csv", ".csv.gz")


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
    return [other for other in path.parent.iterdir() if other != path and other.name.endswith(CSV_NAMES)]


def _of(path: Path) -> Mapping[str, int]:
    return formula_cells(path) if path.name.endswith(CSV_NAMES) else {}
