"""Queries as regions of the quasi-identifiers: which of their values satisfy each condition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.domain import Domain
from sfumato.core.errors import SfumatoError
from sfumato.table.utility.conditions import condition_of
from sfumato.table.utility.labels import LabelReader
from sfumato.table.utility.predicates import On, Ranges
from sfumato.table.utility.records import Records

Region = list[dict[int, NDArray[np.bool_]]]
"""alternatives: for some columns the codes that satisfy a condition"""


def regions_of(queries: Sequence[str], domains: Sequence[Domain]) -> list[Region]:
    """Read queries on the quasi-identifiers.

    >>> regions_of(["age > 30"], [Domain.of("age", [30, 31])])
    [[{0: array([False,  True])}]]
    """
    known = _Domains.of(domains)
    names = [domain.name for domain in domains]
    regions = []
    for number, text in enumerate(queries):
        try:
            alternatives = condition_of(text, known)
        except SfumatoError as problem:
            problem.where = problem.where or f"queries[{number}]"
            raise
        regions.append(
            [
                {(j := names.index(name)): _codes(domains[j], predicate) for name, predicate in one.items()}
                for one in alternatives
            ]
        )
    return regions


def _codes(domain: Domain, predicate: On) -> NDArray[np.bool_]:
    """Return which codes satisfy a condition."""
    if not isinstance(predicate, Ranges):
        return predicate.mask[: len(domain)].copy()
    assert domain.positions is not None
    found = np.zeros(len(domain), np.bool_)
    for low, high in predicate.intervals:
        found |= (domain.positions >= low) & (domain.positions < high)
    if domain.has_missing:
        found[-1] = predicate.missing
    return found


@dataclass(frozen=True)
class _Domains(Records):
    """Columns of which only the values are known: enough to read a condition."""

    domains: tuple[Domain, ...] = ()

    @classmethod
    def of(cls, domains: Sequence[Domain]) -> _Domains:
        nobody = pa.table({domain.name: pa.nulls(1) for domain in domains})
        return cls(nobody, nobody, domains=tuple(domains))

    def reader(self, name: str) -> LabelReader:
        return next(LabelReader(domain) for domain in self.domains if domain.name == name)
