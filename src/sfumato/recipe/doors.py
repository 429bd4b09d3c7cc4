"""Which functions handle each kind of data. A module is imported when a recipe or a release asks for it.

A new kind is one line here: the rest of the recipe speaks to jobs through ``prepared`` and to releases
through ``verify``, and knows none of them by name.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Door:
    """Where a kind's functions lie, each as ``module:function`` below ``sfumato.recipe``."""

    holds: str
    """what such data are called in messages"""
    job: str
    plan: str
    release: str
    verify: str
    remedy: str = "check it with 'sfumato verify'"
    """what to do with a release of this kind where only tables are understood"""
    released: str = ""
    """what a release holds, where that is something else than what was read"""

    def open(self, what: str) -> Callable[..., Any]:
        """Import one of the functions."""
        module, name = str(getattr(self, what)).split(":")
        found: Callable[..., Any] = getattr(importlib.import_module(f"sfumato.recipe.{module}"), name)
        return found


DOORS = {
    "table": Door("a table", "job:job_of", "plan:plan_of", "release:make_release", "verify:verify_table"),
    "codes": Door(
        "sets of codes",
        "codes.job:codes_job_of",
        "codes.plan:plan_of_codes",
        "codes.release:make_codes_release",
        "codes.verify:verify_codes",
        "check it with 'sfumato verify', attack it with sf.attack_codes or 'sfumato attack'",
    ),
    "records": Door(
        "a table and codes",
        "records.job:records_job_of",
        "records.plan:plan_of_records",
        "records.release:make_records_release",
        "codes.verify:verify_codes",
    ),
    "query": Door(
        "a declared database",
        "query.job:query_job_of",
        "query.plan:plan_of_query",
        "query.release:make_query_release",
        "query.verify:verify_query",
        released="what was made under differential privacy",
    ),
    "text": Door(
        "notes",
        "text.job:text_job_of",
        "text.plan:plan_of_text",
        "text.release:make_text_release",
        "text.verify:verify_text",
    ),
    "dna": Door(
        "DNA",
        "dna.job:dna_job_of",
        "dna.plan:plan_of_dna",
        "dna.release:make_dna_release",
        "dna.verify:verify_dna",
    ),
    "graph": Door(
        "a network",
        "graph.job:graph_job_of",
        "graph.plan:plan_of_graph",
        "graph.release:make_graph_release",
        "graph.verify:verify_graph",
    ),
}
"""by the name of the kind; ``records`` is a table and codes of the same people"""
