"""``--dry-run`` over sets of codes: what would be done. Reads and settles, decides and writes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sfumato.codes.policies import feasibility
from sfumato.codes.question import Family
from sfumato.core.named import parameters_of
from sfumato.core.progress import SILENT, Progress
from sfumato.core.schema import Role
from sfumato.engine import open_engine
from sfumato.recipe.codes.job import CodesJob, public_parameters
from sfumato.recipe.codes.outcome import Found, look_at
from sfumato.release.folders import refuse_existing


@dataclass(frozen=True)
class CodesPlan:
    """What a run would do."""

    job: CodesJob
    target: Path
    found: Found

    def __str__(self) -> str:
        job, problem = self.job, self.found.problem
        sets, tree = problem.sets, problem.tree
        lengths = np.diff(sets.starts)
        lines = {
            "records": f"{len(sets):,} people, up to {int(lengths.max(initial=0)):,} codes each, "
            f"{float(lengths.mean()):.1f} on average",
            "codes": f"{len(sets.domain):,} different, {sets.occurrences:,} occurrences",
        }
        if problem.visits is not None:
            lines["visits"] = f"{len(problem.visits.sets):,}"
        if tree is not None:
            lines["hierarchy"] = f"{len(tree) - tree.leaves:,} groups over {tree.total:,} codes"
        if job.sensitive:
            lines["sensitive"] = f"{len(job.sensitive):,} codes"
        left_out = job.schema.with_role(Role.IDENTIFIER)
        if left_out:
            lines["left out"] = ", ".join(left_out)
        lines["promise"] = ", ".join(_spelt(m.name, public_parameters(m)) for m in problem.models)
        lines["method"] = _spelt(job.method.name, parameters_of(job.method))
        if problem.utility:
            lines["utility policy"] = f"{len(problem.utility):,} constraints"
        lines["writes"] = f"{self.target / 'release'} and {self.target / 'steward'}"
        told = [f"  {what:<18}{text}" for what, text in lines.items()]
        told += [f"  {'note':<18}{note}" for note in (*self.found.notes, *self._feasible())]
        return "\n".join([f"Plan: {job.title}", *told, "Nothing was written."])

    def _feasible(self) -> list[str]:
        """Say of every privacy policy whether generalisation can satisfy it."""
        problem = self.found.problem
        utility = problem.utility or None
        found = []
        for model in problem.models:
            question = model.question()
            if question.family is Family.LISTED and not question.told:
                judged = feasibility(
                    problem.sets,
                    question.listed,
                    question.support,
                    utility,
                    sensitive=problem.sensitive,
                    strict=question.all_or_subsets,
                )
                found += str(judged).splitlines()
        return found


def _spelt(name: str, parameters: Mapping[str, object]) -> str:
    """Write it as a recipe does: ``k-m-anonymity (k 5, m 2)``."""
    told = ", ".join(f"{key} {value}" for key, value in parameters.items())
    return f"{name} ({told})" if told else name


def plan_of_codes(
    job: CodesJob, target: Path, *, replace: bool = False, progress: Progress = SILENT
) -> CodesPlan:
    """Read and settle, but decide and write nothing."""
    refuse_existing(target, replace=replace)
    engine = open_engine(job.engine, memory_limit=job.memory)
    try:
        return CodesPlan(job, target, look_at(job, engine, progress))
    finally:
        engine.close()
