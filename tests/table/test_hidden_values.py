"""Values that a hierarchy does not know, and that the recipe sends to the root, are never published."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

import sfumato as sf

METHODS = [
    sf.OptimalLattice(),
    sf.OptimalLattice(suppress=0.2),
    *(
        sf.Mondrian(output=output, strict=strict)
        for output in ("tight", "region", "hierarchy")
        for strict in (True, False)
    ),
]


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_a_value_outside_the_hierarchy_is_published_as_a_star(method: Any) -> None:
    towns = ["a", "b", "c", "d"] * 10 + ["secret", "hidden"] * 3
    data = pd.DataFrame({"town": towns, "age": [i % 7 for i in range(len(towns))]})
    release = sf.protect(
        data,
        quasi=["town", "age"],
        models=[sf.KAnonymity(2)],
        hierarchies={
            "town": {"tree": {"*": {"north": ["a", "b"], "south": ["c", "d"]}}, "others": "root"},
            "age": {"intervals": {"widths": [2, 4], "origin": 0}},
        },
        method=method,
    )
    shown = " ".join(str(value) for value in release.data["town"])
    assert "secret" not in shown
    assert "hidden" not in shown
    assert len(release.data) + release.suppressed == len(data)
