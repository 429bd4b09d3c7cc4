"""Ladders of two levels, the value or missing: what suppressing single values and whole columns climbs."""

from __future__ import annotations

import numpy as np

from sfumato.core.domain import Domain
from sfumato.hierarchy.ladder import Ladder
from sfumato.table.solution import Problem


def suppression_ladders(problem: Problem, label: str | None) -> tuple[Ladder, ...]:
    """Return for each quasi-identifier a ladder whose second level is ``label`` for every value.

    A hierarchy that hides values outside it is followed: what it hides at its lowest level stays hidden.
    """
    return tuple(
        _ladder(domain, ladder, label)
        for domain, ladder in zip(problem.cells.domains, problem.ladders, strict=True)
    )


def _ladder(domain: Domain, given: Ladder | None, label: str | None) -> Ladder:
    if given is None:
        texts, leaves = domain.texts, np.ones(len(domain))
    else:
        texts = tuple(given.labels[0][group] for group in given.rungs[0])
        leaves = given.leaves[0][given.rungs[0]]
    place: dict[str | None, int] = {}
    lowest = np.array([place.setdefault(text, len(place)) for text in texts], np.int32)
    of_group = np.ones(len(place))
    of_group[lowest] = leaves
    size = max(len(domain), given.size if given is not None else 0)
    return Ladder(
        domain.name,
        np.array([lowest, np.zeros(len(domain), np.int32)]),
        (tuple(place), (label,)),
        (of_group, np.array([float(size)])),
        size,
    )
