"""Adversaries run against released rows in the house, before and after: for the steward alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.core import evidence as ev
from sfumato.core.attack import AttackResult, Need
from sfumato.core.errors import BadInput, SfumatoError, SystemFault
from sfumato.core.named import parameters_of
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.dna.aligned import Aligned
from sfumato.dna.attacks import Knowledge, SequenceLinkage
from sfumato.dna.contract import Problem
from sfumato.dna.methods.asked import placed_population
from sfumato.dna.reading import counted_alike, open_rows
from sfumato.dna.reading.tables import columns_of
from sfumato.recipe.attack_ask import AskedAttack
from sfumato.recipe.attack_knowledge import reason_of
from sfumato.recipe.attacked import KNOWS_A_FILE, figures_of, not_run_evidence, refuse_exceeded
from sfumato.recipe.dna.rows_attack_ask import DnaFile
from sfumato.recipe.dna.rows_outcome import RowsOutcome
from sfumato.recipe.dna.rows_phenotype import PhenotypeOfRows

MOST_COMPARED = 200_000_000
"""pairs of a person and a row that linkage compares unasked; of more people some are drawn"""
MOST_KNOWN = 40_000_000
"""cells of people among which linkage chooses unasked"""
KNOWS_SNPS = "some SNPs of everybody in the original"
BETTER = {
    Threat.IDENTITY: "ask for a larger k, on all positions",
    Threat.ATTRIBUTE: "release less",
    Threat.MEMBERSHIP: "ask for a larger k, or release statistics instead of rows",
    Threat.INFERENCE: "release less",
}


def attacked_rows(outcome: RowsOutcome, progress: Progress = SILENT) -> list[ev.AttackEvidence]:
    """Run what the job asks for, and the linkage that attacks every release of rows.

    Raises ``PromiseNotMet`` when a bound does not hold.
    """
    asked = list(outcome.job.attacks)
    found = []
    progress.step("attacking the release")
    for ask in asked:
        found.append(_both(ask, outcome, strict=True))
    if not any(isinstance(one.attack, SequenceLinkage) for one in asked):
        found.append(_both(AskedAttack(_usual(outcome)), outcome, strict=False))
    return found


def _usual(outcome: RowsOutcome) -> Any:
    """Return the linkage of every release: of everybody, or of as many people as some seconds allow."""
    rows = outcome.read.rows
    most = max(1, min(MOST_COMPARED // len(rows), MOST_KNOWN // rows.width))
    everybody = len(np.unique(rows.owners)) <= most
    return SequenceLinkage() if everybody else SequenceLinkage(most_people=most)


def _both(ask: AskedAttack, outcome: RowsOutcome, *, strict: bool) -> ev.AttackEvidence:
    """Attack the rows as they were read, and as they are released."""
    attack: Any = ask.attack
    original = outcome.read.rows
    everybody = np.arange(len(original), dtype=np.int64)
    try:
        after = _run(ask, outcome, outcome.released, outcome.kept)
        before = _run(ask, outcome, original, everybody)
    except SystemFault:
        raise
    except SfumatoError as problem:
        if strict:
            problem.where = f"attacks, {attack.name}" + (f", {problem.where}" if problem.where else "")
            raise
        return not_run_evidence(attack, reason_of(problem))
    refuse_exceeded(ask, after, BETTER)
    return _evidence(ask, before, after)


def _run(ask: AskedAttack, outcome: RowsOutcome, rows: Aligned, kept: NDArray[np.int64]) -> AttackResult:
    """Run an attack on one of the sides, with what its adversary holds."""
    attack: Any = ask.attack
    held = Knowledge(original=outcome.read.rows, kept=kept)
    target: Any = rows
    if isinstance(attack, PhenotypeOfRows):
        target = attack.target(rows, outcome.read.beside, kept)
        held = replace(held, patients=attack.patients(ask.people, outcome.job.beside, _names(outcome), kept))
    elif Need.PEOPLE in attack.needs:
        people, relatives = _relatives(ask.people, outcome, kept)
        held = replace(held, people=people, relatives=relatives)
    found: AttackResult = attack.run(target, held)
    return found


def _relatives(file: Any, outcome: RowsOutcome, kept: NDArray[np.int64]) -> tuple[Aligned, NDArray[np.int64]]:
    """Read people whom the adversary knows; a sample is named after the relative in the data."""
    if not isinstance(file, DnaFile):
        raise BadInput("relatives are given as VCF or PLINK files", remedy="give genotypes of people")
    if not outcome.read.samples:
        raise BadInput(
            "rows of a table have no sample names by which relatives could be told",
            remedy="give the data as VCF or PLINK files",
        )
    read = counted_alike(open_rows(Path(file.path)), outcome.read.as_read, "relatives")
    people = placed_population(Problem(outcome.read.rows, (), population=read.alignment()))
    row_of = {int(original): row for row, original in enumerate(kept.tolist())}
    number_of = {name: number for number, name in enumerate(outcome.read.samples)}
    relatives = np.array([row_of.get(number_of.get(name, -1), -1) for name in read.samples], np.int64)
    return people, relatives


def _names(outcome: RowsOutcome) -> tuple[str | None, ...]:
    """Return what the house calls the person of each row: the text of a column, or the name of the sample."""
    person = outcome.job.schema.person
    if person is None:
        return outcome.read.samples
    return tuple(columns_of(outcome.job.data, [person]).column(person).to_pylist())


def _evidence(ask: AskedAttack, before: AttackResult, after: AttackResult) -> ev.AttackEvidence:
    attack = ask.attack
    return ev.AttackEvidence(
        name=attack.name,
        title=attack.title,
        threat=str(attack.threat),
        parameters={
            key: f"{len(value)} given" if isinstance(value, list) else value
            for key, value in parameters_of(attack).items()
        },
        knows=KNOWS_SNPS if ask.people is None else KNOWS_A_FILE,
        before=figures_of(before),
        after=figures_of(after),
        bounds=dict(ask.bounds),
        held=True if ask.bounds else None,
    )
