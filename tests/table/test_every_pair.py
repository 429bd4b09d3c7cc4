"""Every model with every method, from a frame to a release, judged record by record by the oracle.

A pair may refuse (a promise that cannot be kept, a column that does not fit); what it releases must
keep its promise, hold only true values, and lose no row without counting it.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pandas as pd
import pytest

import sfumato as sf
from sfumato.core.errors import SfumatoError
from sfumato.table.methods import METHODS
from tests.oracles.models import HIERARCHY, broken, schema
from tests.table.test_common import ALL, SUFFICIENT

SPECS: dict[str, list[dict[str, Any]]] = {
    "optimal-lattice": [{}, {"suppress": 0.3}],
    "mondrian": [{}, {"strict": False, "choose": "least loss"}],
    "workload-mondrian": [{"target": "ill"}, {"target": "ill", "task": "regression"}],
}
"""parameters to try besides the defaults"""
BY_MECHANISM = {"differential-privacy", "rho-privacy", "delta-growth", "gamma-amplification"}
WITHOUT_PROMISES_OF_CLASSES = {"safepub"}
PAIRS = [
    pytest.param(model, {name: spec}, id=f"{model}-{name}-{number}")
    for model in ALL
    if model.name not in BY_MECHANISM
    for name in METHODS
    if name not in WITHOUT_PROMISES_OF_CLASSES
    for number, spec in enumerate(SPECS.get(name, [{}]))
]
GENERALISING = {"optimal-lattice", "mondrian", "workload-mondrian", "local-recoding"}
"""methods that can always fall back on one class of everybody, which keeps most promises"""
NEEDS_POPULATION = {"k-map", "delta-presence"}


def people(size: int, seed: int) -> pd.DataFrame:
    """Make people whose sensitive number goes with their town, so that promises about it cost something."""
    draws = [(seed * 7919 + 31 * i * i + 17 * i) % 101 for i in range(size)]
    return pd.DataFrame(
        {
            "age": [20 + draw % 9 for draw in draws],
            "town": ["abc"[draw % 3] for draw in draws],
            "ill": [(0, 1, 2, 4, 7)[(draw // 3 + draw % 3) % 5] for draw in draws],
            "shared": [("low", "7", None)[draw % 3] for draw in draws],
        }
    )


@pytest.mark.parametrize(("model", "method"), PAIRS)
def test_what_is_released_keeps_its_promise(model: Any, method: dict[str, Any]) -> None:
    released = 0
    for seed, size in ((1, 40), (3, 9)):
        data = people(size, seed)
        everybody = pd.concat([data, people(60, seed + 10)])[["age", "town"]]
        try:
            release = sf.protect(
                data,
                quasi=["age", "town"],
                sensitive="ill",
                **{"guard" if model.name == "personalised-privacy" else "identifier": "shared"},
                models=[model],
                method=method,
                hierarchies={
                    "age": {"intervals": {"widths": [3, 9]}},
                    "town": "flat",
                    **({"ill": HIERARCHY} if uses_hierarchy(model) else {}),
                },
                population=everybody if compares_with_population(model) else None,
                order="kept",
            )
        except SfumatoError as problem:
            if "report this as a bug" in str(problem):
                raise
            continue
        released += 1
        judge(model, data, release)
    (name, parameters), *_ = method.items()
    if model.name == "delta-presence" and METHODS[name](**parameters).classes_overlap:
        assert not released
    else:
        assert released or name not in GENERALISING, "nothing was ever released"


def compares_with_population(model: Any) -> bool:
    return any(rule.needs_population for rule in model.rules(schema()))


def uses_hierarchy(model: Any) -> bool:
    return model.name == "personalised-privacy" or getattr(model, "distance", "") == "hierarchical"


def judge(model: Any, data: pd.DataFrame, release: sf.Release) -> None:
    shown = release.data
    assert "shared" not in shown.columns
    assert len(shown) + release.suppressed == len(data)
    assert not Counter(shown["ill"].astype(str)) - Counter(data["ill"].astype(str))
    assert release.verdicts[0].holds
    if release.suppressed or model.name in NEEDS_POPULATION | SUFFICIENT:
        guards = [""] * len(shown)
    else:
        guards = list(data["shared"])
    if model.name == "personalised-privacy" and release.suppressed:
        return
    classes = (shown["age"].astype(str) + "|" + shown["town"].astype(str)).tolist()
    rows = [(c, int(ill), guard) for c, ill, guard in zip(classes, shown["ill"], guards, strict=True)]
    if model.name not in NEEDS_POPULATION | SUFFICIENT:
        assert broken(model.rules(schema()), rows) == set()
