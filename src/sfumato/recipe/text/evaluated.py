"""Measure the search on annotated notes of the same house, and say what it leaves in the release."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from sfumato.core import evidence_text as evt
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.progress import SILENT, Progress
from sfumato.recipe.text.job import TextJob
from sfumato.text.annotation.annotated import Annotated
from sfumato.text.annotation.brat import read_brat
from sfumato.text.annotation.jsonl import read_jsonl
from sfumato.text.evaluate.compared import compare
from sfumato.text.evaluate.evaluation import Evaluation, found_in, tally
from sfumato.text.evaluate.scope import EVERYTHING, HIPAA, Scope
from sfumato.text.models.recall_at_least import RecallAtLeast, measured
from sfumato.text.policy import text_policy_named
from sfumato.text.risk.residual import residual_risk

OF_SUCH_NOTES = "it holds for notes of the same sort, drawn as the annotated ones were"
FROM_THEM = "annotated notes that a model was trained on make it look better than it is"


@dataclass(frozen=True)
class Evaluated:
    """What was measured, and what follows for a release."""

    evaluation: Evaluation = field(repr=False)
    sums: Counter[str] = field(default_factory=Counter, repr=False)
    """what promises about recall are judged by"""

    @property
    def measured(self) -> evt.MeasuredEvidence:
        """The numbers that a release may carry."""
        found = self.evaluation
        assert found.recall.value is not None
        assert found.precision.value is not None
        return evt.MeasuredEvidence(
            notes=found.notes,
            tokens=found.tokens.gold,
            recall=found.recall.value,
            recall_at_least=found.recall.at_least,
            precision=found.precision.value,
            leak_free=found.leak_free,
            kinds=[
                evt.KindScore(
                    kind=kind,
                    tokens=one.tokens.gold,
                    recall=one.tokens.recall,
                    precision=one.tokens.precision,
                )
                for kind, one in found.by_kind.items()
            ],
            said=[OF_SUCH_NOTES, FROM_THEM],
        )

    def residual(self, counts: Counter[str]) -> evt.ResidualEvidence:
        """Say what may still stand in so many notes."""
        risk = residual_risk(self.evaluation, counts["notes"])
        return evt.ResidualEvidence(
            expected=risk.leaked_tokens.value,
            at_most=risk.leaked_tokens.high,
            notes_expected=risk.leaking_notes.value,
            notes_at_most=risk.leaking_notes.high,
        )


def read_annotated(path: Path) -> tuple[Annotated, ...]:
    """Read annotated notes: JSON lines, or a folder of BRAT files."""
    if not path.exists():
        raise BadInput("there are no such annotated notes", where=str(path), remedy="check the path")
    notes = read_brat(path) if path.is_dir() or path.suffix == ".ann" else read_jsonl(path)
    if not notes:
        raise BadInput("there are no annotated notes in it", where=str(path), remedy="check the path")
    return tuple(notes)


def scope_of(job: TextJob) -> Scope:
    """Say what counts as a leak under the policy of a job."""
    return EVERYTHING if text_policy_named(job.method.policy).ages == "all" else HIPAA


def evaluated(job: TextJob, progress: Progress = SILENT) -> Evaluated | None:
    """Run the search of a job on its annotated notes; None where there are none."""
    if job.annotated is None:
        return None
    notes = read_annotated(job.annotated)
    progress.step("measuring on the annotated notes")
    scope = scope_of(job)
    listed = zip(notes, found_in(job.finding.finder(), notes), strict=True)
    compared = [compare(note, spans, scope) for note, spans in listed]
    found = tally(notes, compared, scope)
    if found.recall.value is None or found.precision.value is None:
        raise BadInput(
            "nothing is annotated in them, or nothing was found, so that nothing can be measured",
            where=str(job.annotated),
            remedy="give notes whose identifiers are annotated, or leave 'annotated' out",
        )
    sums = measured(compared)
    for model in job.models:
        if isinstance(model, RecallAtLeast) and not (verdict := model.verdict(sums)).holds:
            # Said before any note is handled: the search alone decides it.
            raise PromiseNotMet(
                str(verdict), remedy="annotate more notes, lower the threshold, or train a model of the house"
            )
    return Evaluated(found, sums)
