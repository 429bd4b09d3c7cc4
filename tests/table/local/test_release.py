"""The methods of this folder from one end to the other: a frame in, a checked release out."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pandas as pd
import pytest

import sfumato as sf
from sfumato.core.named import build, spell
from sfumato.table.methods import METHODS
from tests.oracles import local_suppression as oracle

PEOPLE = pd.DataFrame(
    {
        "age": [21, 22, 22, 27, None, 45, 46, 48, 61, 61, 67, None],
        "sex": [*"FFMMFFMMFM", None, "F"],
        "city": ["York"] * 5 + ["Hull"] * 6 + ["Leeds"],
        "ill": ["flu", "cold"] * 6,
    }
).astype({"age": "Int64"})
QUASI = ["age", "sex", "city"]
SPELT: list[Any] = [
    "local-recoding",
    {"local-recoding": {"suppress": 0.2, "time_limit": 5.0}},
    "local-suppression",
    {"local-suppression": {"importance": ["city", "age"]}},
    "attribute-suppression",
    {"attribute-suppression": {"suppress": 0.25}},
    "datafly",
    {"datafly": {"suppress": 0.1}},
    "incognito",
    {"incognito": {"suppress": 0.1}},
]


def shown(release: Any) -> list[tuple[Any, ...]]:
    table = release.data[QUASI].astype(object)
    return [tuple(None if pd.isna(value) else value for value in row) for row in table.to_numpy()]


@pytest.mark.parametrize("spelt", SPELT, ids=str)
def test_a_release_holds_what_was_promised(spelt: Any) -> None:
    release = sf.protect(PEOPLE, quasi=QUASI, sensitive="ill", models=[sf.KAnonymity(3)], method=spelt)
    assert all(verdict.holds for verdict in release.verdicts)
    assert min(Counter(shown(release)).values()) >= 3
    assert len(release.data) + release.evidence.suppressed_records == len(PEOPLE)


@pytest.mark.parametrize("up_to", [None, 1, 2])
def test_a_release_in_the_wildcard_reading_holds_it_too(up_to: int | None) -> None:
    release = sf.protect(
        PEOPLE,
        quasi=QUASI,
        sensitive="ill",
        models=[sf.KAnonymity(3, missing="wildcard", up_to=up_to)],
        method={"local-suppression": {"missing": "wildcard", "up_to": up_to}},
    )
    assert all(verdict.holds for verdict in release.verdicts)
    assert len(release.data) == len(PEOPLE)
    for projection in oracle.projections(shown(release), up_to or len(QUASI)):
        assert min(oracle.wildcard_frequencies(projection)) >= 3


@pytest.mark.parametrize("spelt", SPELT, ids=str)
def test_a_method_is_spelt_as_it_was_read(spelt: Any) -> None:
    method = build(METHODS, spelt, "method")
    assert build(METHODS, spell(method), "method") == method
