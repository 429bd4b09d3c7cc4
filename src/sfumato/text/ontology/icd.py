"""The ICD as an ontology: by its codes, or by what they are called.

``data/icd10cm_names.xz`` holds, packed by LZMA, a line for each chapter, block and code of ICD-10-CM (April
2026): the code, its name and the inclusion terms, cut by tabs. ``hierarchy/icd.py`` says what lies in what.
"""

from __future__ import annotations

import functools
import lzma
from importlib.resources import files

import numpy as np

from sfumato.hierarchy.icd import icd_table
from sfumato.text.ontology.ontology import Ontology, folded
from sfumato.text.ontology.sources import from_pairs, laid

DIAGNOSIS = "diagnosis"
"""what lies above all chapters"""


@functools.cache
def icd(system: str) -> Ontology:
    """Take the codes of a classification, ``icd9cm`` or ``icd10cm``: code, category, block, chapter.

    Terms are the codes as they are written with a dot (E11.9). They say less as E11, then E08-E13.
    """
    table = icd_table(system)
    pairs = [
        (table.labels[node], table.labels[above])
        for node, above in enumerate(table.parent.tolist())
        if above >= 0 and table.labels[node] != table.labels[above]
    ]
    chapters = [table.labels[node] for node in np.flatnonzero(table.parent < 0).tolist()]
    return from_pairs([*pairs, *((chapter, DIAGNOSIS) for chapter in chapters)], system)


@functools.cache
def icd_names() -> Ontology:
    """Take what the codes of ICD-10-CM are called, with their inclusion terms as other words for them.

    Codes of seven places, which only add the encounter to the name above them, are left out.

    >>> names = icd_names()
    >>> [names.labels[above] for above in names.above(names.one("Cholera"))][:2]
    ['cholera', 'intestinal infectious diseases']
    """
    packed = files("sfumato.text.ontology").joinpath("data", "icd10cm_names.xz").read_bytes()
    lines = [line.split("\t") for line in lzma.decompress(packed).decode().split("\n")]
    table = icd_table("icd10cm")
    place = {label: node for node, label in reversed([*enumerate(table.labels)])}
    labels = [DIAGNOSIS]
    parents: list[list[int]] = [[]]
    number: dict[int, int] = {}
    terms: dict[str, list[int]] = {DIAGNOSIS: [0]}
    for code, name, *others in lines:
        node = table.number.get(code, place.get(code, -1))
        if node < 0 or node in number:
            continue
        number[node] = len(labels)
        above = int(table.parent[node])
        parents.append([number.get(above, 0)])
        labels.append(name)
        for term in dict.fromkeys(folded(word) for word in (name, *others)):
            if term:
                terms.setdefault(term, []).append(number[node])
    starts, above_all = laid(parents)
    sense_starts, senses = laid([*terms.values()])
    return Ontology(
        "ICD-10-CM",
        labels,
        starts,
        above_all,
        {term: number for number, term in enumerate(terms)},
        sense_starts,
        senses,
        np.zeros(len(senses), np.bool_),
        np.zeros(len(senses), np.int64),
    )
