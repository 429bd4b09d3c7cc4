"""The kinds of data that there are: one entry each (see ``core/registry.py``)."""

from __future__ import annotations

from sfumato.core.registry import Entry

KINDS = {
    "table": Entry(
        "a table",
        job="sfumato.recipe.job:job_of",
        plan="sfumato.recipe.plan:plan_of",
        forms={"": "sfumato.recipe.release:TABLE"},
    ),
    "codes": Entry(
        "sets of codes",
        job="sfumato.recipe.codes.job:codes_job_of",
        plan="sfumato.recipe.codes.plan:plan_of_codes",
        forms={"": "sfumato.recipe.codes.release:CODES"},
        remedy="check it with 'sfumato verify', attack it with sf.attack_codes or 'sfumato attack'",
    ),
    "records": Entry(
        "a table and codes",
        job="sfumato.recipe.records.job:records_job_of",
        plan="sfumato.recipe.records.plan:plan_of_records",
        forms={"": "sfumato.recipe.records.release:RECORDS"},
    ),
    "query": Entry(
        "a declared database",
        job="sfumato.recipe.query.job:query_job_of",
        plan="sfumato.recipe.query.plan:plan_of_query",
        forms={"": "sfumato.recipe.query.release:QUERY"},
        released="what was made under differential privacy",
    ),
    "text": Entry(
        "notes",
        job="sfumato.recipe.text.job:text_job_of",
        plan="sfumato.recipe.text.plan:plan_of_text",
        forms={"": "sfumato.recipe.text.release:TEXT"},
    ),
    "dna": Entry(
        "DNA",
        job="sfumato.recipe.dna.job:dna_job_of",
        plan="sfumato.recipe.dna.plan:plan_of_dna",
        forms={
            "": "sfumato.recipe.dna.rows_release:ROWS",
            "statistics": "sfumato.recipe.dna.statistics_release:STATISTICS",
        },
    ),
    "graph": Entry(
        "a network",
        job="sfumato.recipe.graph.job:graph_job_of",
        plan="sfumato.recipe.graph.plan:plan_of_graph",
        forms={
            "": "sfumato.recipe.graph.network_release:NETWORK",
            "statistics": "sfumato.recipe.graph.statistics_release:GRAPH_STATISTICS",
        },
    ),
}
"""by the name of the kind; ``records`` is a table and codes of the same people"""
