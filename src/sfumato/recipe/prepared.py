"""From a recipe to what is done with it, whatever kind of data it is about.

Each kind is imported when a recipe asks for it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.core.evidence import StewardEvidence
from sfumato.core.progress import SILENT, Progress
from sfumato.recipe.job import Job, job_of
from sfumato.recipe.model import Recipe
from sfumato.recipe.plan import Plan, plan_of
from sfumato.recipe.release import Released, make_release

if TYPE_CHECKING:
    from sfumato.core.evidence_codes import StewardCodesEvidence
    from sfumato.core.evidence_query import StewardQueryEvidence
    from sfumato.recipe.codes.job import CodesJob
    from sfumato.recipe.codes.plan import CodesPlan
    from sfumato.recipe.query.job import QueryJob
    from sfumato.recipe.query.plan import QueryPlan
    from sfumato.recipe.records.job import RecordsJob
    from sfumato.recipe.records.plan import RecordsPlan


def prepared(recipe: Recipe, folder: Path) -> Job | CodesJob | RecordsJob | QueryJob:
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
    return job_of(recipe, folder)


def planned(
    job: Job | CodesJob | RecordsJob | QueryJob,
    target: Path,
    *,
    replace: bool = False,
    progress: Progress = SILENT,
) -> Plan | CodesPlan | RecordsPlan | QueryPlan:
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
    from sfumato.recipe.codes.plan import plan_of_codes

    return plan_of_codes(job, target, replace=replace, progress=progress)


def released(
    job: Job | CodesJob | RecordsJob | QueryJob,
    target: Path,
    *,
    replace: bool = False,
    progress: Progress = SILENT,
) -> Released[StewardEvidence] | Released[StewardCodesEvidence] | Released[StewardQueryEvidence]:
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
    from sfumato.recipe.codes.release import make_codes_release

    return make_codes_release(job, target, replace=replace, progress=progress)
