"""What synthesisers over a graphical model begin and end with."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from sfumato.core.errors import BadInput
from sfumato.query.methods.contract import Coded, DpSolution, NoisyTable
from sfumato.query.methods.curator import Curator, NoisyCounts
from sfumato.query.methods.graphical_model import GraphicalModel, Measurement
from sfumato.query.methods.grouping import Grouping, grouped
from sfumato.query.methods.marginals import Pairs
from sfumato.query.methods.sampling import draw
from sfumato.query.methods.simplex import people_to_draw


def checked_share(share: float, name: str, where: str) -> None:
    """Refuse what is not a share of the budget."""
    if isinstance(share, bool) or not 0 < share < 1:
        raise BadInput(f"{name} must lie between 0 and 1", where=where, remedy=f"try {name}: 0.3")


def checked_grouping(rare: float, groups: int, where: str) -> None:
    """Refuse what values cannot be grouped by."""
    if not (math.isfinite(rare) and rare >= 0) or groups < 1:
        raise BadInput(
            "rare must be at least 0 and groups at least 1", where=where, remedy="try rare: 3 and groups: 32"
        )


def group_all(
    curator: Curator, noisy: Sequence[NoisyCounts], total: float, *, rare: float, most: int
) -> list[Grouping]:
    """Group the values of every attribute by their noisy counts."""
    return [
        grouped(attribute, counts, total, rare=rare, most=most)
        for attribute, counts in zip(curator.attributes, noisy, strict=True)
    ]


def solution(
    curator: Curator,
    model: GraphicalModel,
    pairs: Pairs,
    measured: Sequence[Measurement],
    noisy: Sequence[NoisyCounts],
) -> DpSolution:
    """Draw people from a model and say what they cost."""
    people = people_to_draw(model.total, curator.most_people)
    records = draw(model, pairs.groupings, people, curator.random)
    records.setflags(write=False)
    spent, steps = curator.spent()
    names = [attribute.name for attribute in curator.attributes]
    together = [m for m in measured if len(m.attributes) > 1]
    error = {"single attributes": max(n.deviation for n in noisy)}
    if together:
        error["pairs"] = max(float(np.max(m.deviation)) for m in together)
    return DpSolution(
        spent=spent,
        records=Coded(curator.attributes, records),
        tables=tuple(
            NoisyTable((name,), n.counts.astype(np.float64), n.deviation)
            for name, n in zip(names, noisy, strict=True)
        ),
        expected_error=error,
        steps=steps,
        published={
            "people": people,
            "pairs": ", ".join(" × ".join(names[a] for a in m.attributes) for m in together),
            "cells": model.tree.cells(model.sizes),
        },
    )
