"""Verify a released network, grouping or statistics, as its evidence says."""

from __future__ import annotations

from pathlib import Path

from sfumato.core.evidence_graph import GraphEvidence
from sfumato.core.progress import SILENT, Progress
from sfumato.recipe.findings import Verification
from sfumato.recipe.on_disk import EVIDENCE, load_part, release_folder


def verify_graph(
    release: str | Path, *, original: str | Path | None = None, progress: Progress = SILENT
) -> Verification:
    """Re-check a folder with a released network from its bytes."""
    if load_part(release_folder(release) / EVIDENCE, GraphEvidence).form == "statistics":
        from sfumato.recipe.graph.statistics_verify import verify_graph_statistics

        return verify_graph_statistics(release, original=original, progress=progress)
    from sfumato.recipe.graph.network_verify import verify_network

    return verify_network(release, original=original, progress=progress)
