"""Every kernel is compiled for one signature, whatever is asked of microaggregation and swapping."""

from __future__ import annotations

import itertools
from typing import Any

import pyarrow as pa

from sfumato.core.randomness import SecretRandom
from sfumato.table.perturbation import (
    Microaggregation,
    RankSwapping,
    _kernels_microaggregation,
    _kernels_optimal,
    _kernels_swapping,
)


def test_every_kernel_has_one_signature() -> None:
    table = pa.table(
        {
            "x": list(range(60)),
            "y": [7 * i % 11 for i in range(60)],
            "s": ["a", "b"] * 30,
            "p": [i // 2 for i in range(60)],
        }
    )
    ways: list[dict[str, Any]] = [{"method": "mdav"}, {"method": "v-mdav"}, {"block": 20}]
    for way, columns, person in itertools.product(ways, [("x", "y"), ("x", "s")], [None, "p"]):
        Microaggregation(columns, k=3, person=person, **way).apply(table)
    for person in (None, "p"):
        Microaggregation(("x",), k=3, method="optimal", person=person).apply(table)
    RankSwapping(("x", "y")).apply(table, SecretRandom())
    modules = (_kernels_microaggregation, _kernels_optimal, _kernels_swapping)
    found = {
        name: len(kernel.signatures)
        for module in modules
        for name, kernel in vars(module).items()
        if hasattr(kernel, "py_func")
    }
    assert found["mdav"] == found["v_mdav"] == found["optimal_cuts"] == found["partners"] == 1
    assert max(found.values()) == 1, found
