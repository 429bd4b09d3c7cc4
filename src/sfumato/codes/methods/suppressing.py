"""Global suppression: a code is left out of every record, or of none."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.contract import Problem, Solution
from sfumato.codes.published import SUPPRESSED, Items, PublishedSets


def without_codes(
    problem: Problem, gone: NDArray[np.bool_], details: Mapping[str, int | float | str]
) -> Solution:
    """Publish the sets without some codes of the domain, and count what was lost.

    Sensitive codes stay among the items even when no record shows them any more: a check then sees that there
    was something to protect.
    """
    sets = problem.sets
    kept = np.flatnonzero(~gone | problem.marked)
    item_of = np.full(len(sets.domain), SUPPRESSED, np.int64)
    item_of[kept] = np.arange(len(kept))
    item_of[gone] = SUPPRESSED
    items = Items.of_groups(
        sets.domain,
        [(code,) for code in kept.tolist()],
        labels=[sets.domain[code] for code in kept.tolist()],
        sensitive=problem.sensitive,
    )
    return Solution(
        PublishedSets.by_code(sets, items, item_of),
        {
            **details,
            "suppressed_codes": int(gone.sum()),
            "suppressed_occurrences": int(sets.supports[gone].sum()),
        },
    )
