"""A small job of every kind of data, written into a folder: its recipe is ``recipe.yaml``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.recipe import examples as table
from tests.recipe import query_examples as query
from tests.recipe.codes import examples as codes
from tests.recipe.dna import rows_examples as dna
from tests.recipe.dna import statistics_examples as dna_statistics
from tests.recipe.graph import network_examples as graph
from tests.recipe.graph import people_examples as people
from tests.recipe.text import examples as text
from tests.record import test_relational_codes_recipe as records


def _people(folder: Path) -> Path:
    people.people(folder)
    return people.recipe(folder)


KINDS: dict[str, Callable[[Path], Path]] = {
    "table": table.ward,
    "codes": codes.ward,
    "records": records.ward,
    "text": text.recipe_in,
    "dna": lambda folder: dna.recipe(folder, dna.vcf(folder)),
    "dna-statistics": dna_statistics.study,
    "graph": lambda folder: graph.recipe(folder, graph.csv(folder)),
    "people": _people,
    "query": query.hospital,
}
"""also a table with codes, figures of sites, and a network with a table about its nodes"""


def write_kinds(folder: Path) -> dict[str, Path]:
    """Write the job of every kind into a folder of its own; return the recipes."""
    recipes = {}
    for kind, write in KINDS.items():
        (folder / kind).mkdir()
        recipes[kind] = write(folder / kind)
    return recipes
