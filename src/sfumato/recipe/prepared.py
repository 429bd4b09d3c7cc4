"""From a recipe to what is done with it, whatever kind of data it is about (see ``core/registry``)."""

from __future__ import annotations

from dataclasses import replace as replace_fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.registry import entries
from sfumato.recipe.model import Recipe
from sfumato.release.pipeline import Released, make_release

if TYPE_CHECKING:
    from sfumato.recipe.codes.job import CodesJob
    from sfumato.recipe.codes.plan import CodesPlan
    from sfumato.recipe.dna.job import DnaJob
    from sfumato.recipe.dna.plan import DnaPlan
    from sfumato.recipe.graph.job import GraphJob
    from sfumato.recipe.graph.plan import GraphPlan
    from sfumato.recipe.job import Job
    from sfumato.recipe.plan import Plan
    from sfumato.recipe.query.job import QueryJob
    from sfumato.recipe.query.plan import QueryPlan
    from sfumato.recipe.records.job import RecordsJob
    from sfumato.recipe.records.plan import RecordsPlan
    from sfumato.recipe.text.job import TextJob
    from sfumato.recipe.text.plan import TextPlan

    AnyJob = Job | CodesJob | RecordsJob | QueryJob | TextJob | DnaJob | GraphJob
    AnyPlan = Plan | CodesPlan | RecordsPlan | QueryPlan | TextPlan | DnaPlan | GraphPlan


def prepared(recipe: Recipe, folder: Path) -> AnyJob:
    """Turn a recipe into a job; paths are taken from the recipe's folder."""
    kinds = [resource.kind for resource in recipe.resources]
    kind = "graph" if "graph" in kinds else "records" if len(kinds) > 1 else kinds[0]
    return cast("AnyJob", entries()[kind].part("job")(recipe, folder))


def with_options(job: AnyJob, jobs: int | None, restart: bool) -> AnyJob:
    """Say how a job is run, where that can be said: in so many processes, from the beginning."""
    if jobs is None and not restart:
        return job
    from sfumato.recipe.text.job import TextJob

    if not isinstance(job, TextJob):
        raise BadInput(
            "only notes are handled in several processes and taken up again",
            remedy="leave --jobs and --restart out",
        )
    return replace_fields(job, jobs=jobs, restart=restart)


def planned(job: AnyJob, target: Path, *, replace: bool = False, progress: Progress = SILENT) -> AnyPlan:
    """Say what a job would do; nothing is decided or written."""
    found = entries()[job.kind].part("plan")(job, target, replace=replace, progress=progress)
    return cast("AnyPlan", found)


def released(
    job: AnyJob, target: Path, *, replace: bool = False, progress: Progress = SILENT
) -> Released[Any]:
    """Make the release of a job: all of it, checked, or nothing."""
    kind = entries()[job.kind].kind(getattr(job, "form", ""))
    return make_release(kind, job, target, replace=replace, progress=progress)
