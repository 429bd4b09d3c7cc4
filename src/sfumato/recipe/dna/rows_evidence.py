"""From an outcome over rows to its evidence, public and for the steward."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

import numpy as np

from sfumato.core import evidence as ev
from sfumato.core import evidence_dna as evd
from sfumato.core.describe import software, today, verdict_told
from sfumato.core.kind import Gathered
from sfumato.core.named import parameters_of
from sfumato.core.progress import SILENT, Progress
from sfumato.core.schema import Role
from sfumato.core.verdict import Verdict
from sfumato.dna.align import snvrs
from sfumato.dna.aligned import Aligned, Unaligned
from sfumato.dna.models.classes import row_numbers
from sfumato.dna.reading import Content
from sfumato.recipe.dna.rows_attacked import attacked_rows
from sfumato.recipe.dna.rows_measured import exposed, measured_for
from sfumato.recipe.dna.rows_outcome import RowsOutcome
from sfumato.recipe.dna.rows_shown import along_positions, bins_of, shown_by
from sfumato.recipe.dna.rows_warned import warnings_of
from sfumato.recipe.risk import PERSONS_COUNTED, ROWS_AS_PEOPLE

_STRIPPED = {
    Content.FASTA.value: ["headers of the sequences"],
    Content.VCF.value: [
        "sample names",
        "INFO, FILTER and QUAL",
        "header lines",
        "names of sites of the house",
    ],
    Content.BCF.value: [
        "sample names",
        "INFO, FILTER and QUAL",
        "header lines",
        "names of sites of the house",
    ],
    Content.PLINK.value: [
        "family and individual ids",
        "parents, sex and phenotype",
        "names of sites of the house",
    ],
}
STRIPPED_OF_ROWS = ([], *_STRIPPED.values())
"""what may be told to have been stripped: nothing of a table, and of each file what it holds beside rows"""


def gather_rows(
    outcome: RowsOutcome,
    read_again: Aligned | Unaligned,
    verdicts: Sequence[Verdict],
    data: ev.DataEvidence,
    schema_sha256: str,
    fingerprint: ev.InputEvidence,
    seconds: Mapping[str, float] | None = None,
    *,
    progress: Progress = SILENT,
) -> Gathered[evd.DnaEvidence, evd.StewardDnaEvidence]:
    """Write down what was found; ``verdicts`` are about the rows that were read again from the file."""
    public = _public(outcome, read_again, verdicts, data, schema_sha256)
    spent = {**outcome.seconds, **(seconds or {})}
    progress.step("measuring risk and loss")
    started = time.perf_counter()
    before, after, said = exposed(outcome, progress)
    utility = measured_for(outcome)
    spent["measure"] = round(time.perf_counter() - started, 3)
    started = time.perf_counter()
    attacks = attacked_rows(outcome, progress)
    spent["attack"] = round(time.perf_counter() - started, 3)
    exact, nothing = along_positions(outcome.released)
    shared = public.model_dump()
    shared.update(edition="steward")
    steward = evd.StewardDnaEvidence(
        **shared,
        input=fingerprint,
        utility=utility,
        seconds=spent,
        attacks=attacks,
        read=_read(outcome),
        notes=list(outcome.notes),
        risk_before=before,
        risk_after=after,
        risk_said=said,
        search=dict(outcome.solution.details),
        sizes_before=bins_of(np.bincount(row_numbers(outcome.read.rows.cells))),
        by_position=exact,
        open_by_position=nothing,
    )
    return Gathered(tuple(verdicts), public, steward)


def _public(
    outcome: RowsOutcome,
    read_again: Aligned | Unaligned,
    verdicts: Sequence[Verdict],
    data: ev.DataEvidence,
    schema_sha256: str,
) -> evd.DnaEvidence:
    job = outcome.job
    told = [
        verdict_told(model, verdict, parameters_of(model))
        for model, verdict in zip(job.models, verdicts, strict=True)
    ]
    return evd.DnaEvidence(
        title=job.title,
        created=today(),
        software=software(),
        recipe=job.public_recipe(outcome.shape.format),
        data=data,
        verdicts=told,
        people=PERSONS_COUNTED if job.counts_persons else ROWS_AS_PEOPLE,
        order=str(job.order),
        truthful=True,
        method=job.method.name,
        warnings=list(
            warnings_of(
                job.models,
                person=job.counts_persons,
                aligned=isinstance(read_again, Aligned),
                beside=job.beside,
                sensitive=job.schema.with_role(Role.SENSITIVE),
                order=str(job.order),
            )
        ),
        form="sequences" if outcome.read.form == "sequences" else "genotypes",
        rows=shown_by(read_again),
        schema_sha256=schema_sha256,
        stripped=_STRIPPED.get(outcome.read.origin, []),
    )


def _read(outcome: RowsOutcome) -> evd.ReadDnaEvidence:
    rows = outcome.read.rows
    left_out = outcome.read.left_out
    gone = len(rows) - len(outcome.kept)
    if gone:
        left_out["rows that the method left out"] = gone
    return evd.ReadDnaEvidence(
        rows=len(rows),
        persons=len(np.unique(rows.owners)),
        positions=rows.width,
        varying=len(snvrs(rows)),
        different=int(row_numbers(rows.cells).max()) + 1,
        missing=int(np.count_nonzero(rows.cells == rows.lattice.top)),
        left_out=left_out,
    )
