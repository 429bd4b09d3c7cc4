"""Verify released DNA: rows or statistics, as its evidence says."""

from __future__ import annotations

from pathlib import Path

from sfumato.core.evidence_dna import DnaEvidence
from sfumato.core.progress import SILENT, Progress
from sfumato.recipe.findings import Verification
from sfumato.recipe.on_disk import EVIDENCE, load_part, release_folder


def verify_dna(
    release: str | Path, *, original: str | Path | None = None, progress: Progress = SILENT
) -> Verification:
    """Re-check a folder with released DNA from its bytes."""
    if load_part(release_folder(release) / EVIDENCE, DnaEvidence).form == "statistics":
        from sfumato.recipe.dna.statistics_verify import verify_statistics

        return verify_statistics(release, original=original, progress=progress)
    from sfumato.recipe.dna.rows_verify import verify_rows

    return verify_rows(release, original=original, progress=progress)
