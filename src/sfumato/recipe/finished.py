"""The last steps of every release, whatever it holds: evidence and report for both audiences, and the check
that a reader would make."""

from __future__ import annotations

from sfumato.core.errors import PromiseNotMet
from sfumato.core.evidence import ReleaseEvidence
from sfumato.recipe.findings import Verification
from sfumato.recipe.folders import Folders
from sfumato.recipe.on_disk import EVIDENCE
from sfumato.report import write as write_report

REPORT = "report.html"


def write_evidence(folders: Folders, public: ReleaseEvidence, steward: ReleaseEvidence) -> None:
    """Write evidence and report into both folders, to each audience its own."""
    for folder, evidence in ((folders.release, public), (folders.steward, steward)):
        (folder / EVIDENCE).write_text(evidence.model_dump_json(indent=2), encoding="utf-8")
        write_report(evidence, folder / REPORT)


def refuse_refuted(verification: Verification) -> None:
    """What a reader would refute is not published: the same check, from the written bytes."""
    if verification.refuted:
        raise PromiseNotMet(
            f"the release that was written is not what it claims to be: {verification.refuted[0].claim}",
            remedy="nothing was published; please report this as a bug",
        )
