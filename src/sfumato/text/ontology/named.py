"""Ontologies by the names that recipes use, or as a file of pairs."""

from __future__ import annotations

import functools
from collections.abc import Callable

from sfumato.core.errors import BadInput, nearest
from sfumato.core.files import check_file
from sfumato.text.ontology.icd import icd, icd_names
from sfumato.text.ontology.ontology import Ontology
from sfumato.text.ontology.sources import from_csv
from sfumato.text.ontology.wordnet import wordnet

ONTOLOGIES: dict[str, Callable[[], Ontology]] = {
    "wordnet": wordnet,
    "icd10cm": icd_names,
    "icd10cm-codes": functools.partial(icd, "icd10cm"),
    "icd9cm-codes": functools.partial(icd, "icd9cm"),
}
"""nouns of English, what the codes of ICD-10-CM are called, and codes themselves"""


def ontology_named(name: str) -> Ontology:
    """Return an ontology by its name, or read it from a CSV file of pairs ``child,parent``.

    >>> ontology_named("icd10cm").labels[0]
    'diagnosis'
    """
    if name in ONTOLOGIES:
        return ONTOLOGIES[name]()
    if not is_file(name):
        raise BadInput(
            f"there is no ontology '{name}'",
            where="ontology",
            remedy=f"{nearest(name, ONTOLOGIES)}; or give a .csv file of pairs child,parent",
        )
    return _read(name)


def is_file(name: str) -> bool:
    """Say whether a file is meant: its name ends in ``.csv``."""
    return name.lower().endswith(".csv")


@functools.lru_cache(maxsize=4)
def _read(name: str) -> Ontology:
    check_file(name)
    return from_csv(name)
