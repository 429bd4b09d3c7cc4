"""The smallest recipe of every kind with its files: where hostile input is put in place of a good one."""

from __future__ import annotations

import functools
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.recipe import examples as table
from tests.recipe import query_examples as query
from tests.recipe.codes import examples as codes
from tests.recipe.dna import rows_examples as rows
from tests.recipe.dna import statistics_examples as statistics
from tests.recipe.graph import network_examples as network
from tests.recipe.graph import people_examples as people
from tests.recipe.text import examples as text
from tests.record import test_relational_codes_recipe as records


@dataclass(frozen=True)
class SmallKind:
    """A kind of release: how its files are made, and which of them come from outside."""

    make: Callable[[Path], Path]
    """write the files into a folder; return the recipe"""
    files: tuple[str, ...]
    """what the recipe reads"""


def _rows_of_csv(folder: Path) -> Path:
    return rows.recipe(folder, rows.letters(folder), fields=rows.LETTER_FIELDS)


def _network(folder: Path) -> Path:
    return network.recipe(folder, network.csv(folder))


def _network_and_people(folder: Path) -> Path:
    people.people(folder)
    return people.recipe(folder)


def _figures(folder: Path) -> Path:
    return network.recipe(folder, network.gml(folder), models="differential-privacy: {epsilon: 0.5}")


def fresh(kind: str, folder: Path) -> Path:
    """Copy the files of a kind, which are made once, into a folder; return the recipe."""
    made = _made(kind)
    shutil.copytree(made.parent, folder, dirs_exist_ok=True)
    return folder / made.name


@functools.cache
def _made(kind: str) -> Path:
    return KINDS[kind].make(Path(tempfile.mkdtemp(prefix="sfumato-tests-")))


KINDS = {
    "table": SmallKind(table.ward, ("people.csv",)),
    "codes": SmallKind(codes.ward, ("visits.csv",)),
    "records": SmallKind(records.ward, ("people.csv", "codes.csv")),
    "query": SmallKind(query.hospital, ("patients.csv", "database.yaml")),
    "text": SmallKind(text.recipe_in, ("notes.csv",)),
    "dna rows": SmallKind(lambda folder: rows.recipe(folder, rows.fasta(folder)), ("data.fasta",)),
    "dna calls": SmallKind(lambda folder: rows.recipe(folder, rows.vcf(folder)), ("data.vcf",)),
    "dna bed": SmallKind(
        lambda folder: rows.recipe(folder, rows.bed(folder)), ("data.bed", "data.bim", "data.fam")
    ),
    "dna columns": SmallKind(_rows_of_csv, ("snps.csv",)),
    "dna statistics": SmallKind(statistics.study, ("study.vcf", "outside.vcf")),
    "graph": SmallKind(_network, ("friends.csv",)),
    "graph people": SmallKind(_network_and_people, ("friends.csv", "people.csv")),
    "graph statistics": SmallKind(_figures, ("friends.gml",)),
}
