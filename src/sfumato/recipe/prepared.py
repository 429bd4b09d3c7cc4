"""From a recipe to what is done with it, whatever kind of data it is about.

Each kind is imported when a recipe asks for it.
"""

from __future__ import annotations

from dataclasses import replace as replace_fields
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.core.errors import BadInput
from sfumato.core.evidence import StewardEvidence
from sfumato.core.progress import SILENT, Progress
from sfumato.recipe.job import Job, job_of
from sfumato.recipe.model import Recipe
from sfumato.recipe.plan import Plan, plan_of
from sfumato.recipe.release import Released, make_release

if TYPE_CHECKING:
    from sfumato.core.evidence_codes import StewardCodesEvidence
    from sfumato.core.evidence_query import StewardQueryEvidence
    from sfumato.core.evidence_text import StewardTextEvidence
    from sfumato.recipe.codes.job import CodesJob
    from sfumato.recipe.codes.plan import CodesPlan
    from sfumato.recipe.query.job import QueryJob
    from sfumato.recipe.query.plan import QueryPlan
    from sfumato.recipe.records.job import RecordsJob
    from sfumato.recipe.records.plan import RecordsPlan
    from sfumato.recipe.text.job import TextJob
    from sfumato.recipe.text.plan import TextPlan


def prepared(recipe: Recipe, folder: Path) -> Job | CodesJob | RecordsJob | QueryJob | TextJob:
    """Turn a recipe into a job; paths are taken from the recipe's folder."""
    if len(recipe.resources) > 1:
        from sfumato.recipe.records.job import records_job_of

        return records_job_of(recipe, folder)
    if recipe.resource.kind == "codes":
        from sfumato.recipe.codes.job import codes_job_of

        return codes_job_of(recipe, folder)
    if recipe.resource.kind == "query":
        from sfumato.recipe.query.job import query_job_of

        return query_job_of(recipe, folder)
    if recipe.resource.kind == "text":
        from sfumato.recipe.text.job import text_job_of

        return text_job_of(recipe, folder)
    return job_of(recipe, folder)


def with_options(
    job: Job | CodesJob | RecordsJob | QueryJob | TextJob, jobs: int | None, restart: bool
) -> Job | CodesJob | RecordsJob | QueryJob | TextJob:
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


def planned(
    job: Job | CodesJob | RecordsJob | QueryJob | TextJob,
    target: Path,
    *,
    replace: bool = False,
    progress: Progress = SILENT,
) -> Plan | CodesPlan | RecordsPlan | QueryPlan | TextPlan:
    """Say what a job would do; nothing is decided or written."""
    if isinstance(job, Job):
        return plan_of(job, target, replace=replace, progress=progress)
    from sfumato.recipe.records.job import RecordsJob

    if isinstance(job, RecordsJob):
        from sfumato.recipe.records.plan import plan_of_records

        return plan_of_records(job, target, replace=replace, progress=progress)
    from sfumato.recipe.query.job import QueryJob

    if isinstance(job, QueryJob):
        from sfumato.recipe.query.plan import plan_of_query

        return plan_of_query(job, target, replace=replace, progress=progress)
    from sfumato.recipe.text.job import TextJob

    if isinstance(job, TextJob):
        from sfumato.recipe.text.plan import plan_of_text

        return plan_of_text(job, target, replace=replace, progress=progress)
    from sfumato.recipe.codes.plan import plan_of_codes

    return plan_of_codes(job, target, replace=replace, progress=progress)


def released(
    job: Job | CodesJob | RecordsJob | QueryJob | TextJob,
    target: Path,
    *,
    replace: bool = False,
    progress: Progress = SILENT,
) -> (
    Released[StewardEvidence]
    | Released[StewardCodesEvidence]
    | Released[StewardQueryEvidence]
    | Released[StewardTextEvidence]
):
    """Make the release of a job: all of it, checked, or nothing."""
    if isinstance(job, Job):
        return make_release(job, target, replace=replace, progress=progress)
    from sfumato.recipe.records.job import RecordsJob

    if isinstance(job, RecordsJob):
        from sfumato.recipe.records.release import make_records_release

        return make_records_release(job, target, replace=replace, progress=progress)
    from sfumato.recipe.query.job import QueryJob

    if isinstance(job, QueryJob):
        from sfumato.recipe.query.release import make_query_release

        return make_query_release(job, target, replace=replace, progress=progress)
    from sfumato.recipe.text.job import TextJob

    if isinstance(job, TextJob):
        from sfumato.recipe.text.release import make_text_release

        return make_text_release(job, target, replace=replace, progress=progress)
    from sfumato.recipe.codes.release import make_codes_release

    return make_codes_release(job, target, replace=replace, progress=progress)
