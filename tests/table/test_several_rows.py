"""People with several rows: promises about sensitive values count each person once, and each row too."""

from __future__ import annotations

import random
from collections import defaultdict
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from sfumato.engine import open_engine
from sfumato.engine.sources import Frame
from sfumato.table.count import count
from sfumato.table.judge import Judge
from sfumato.table.rule import Rule, RuleKind
from sfumato.table.solution import SUPPRESSED, Problem

METHODS: list[Any] = [
    "mondrian",
    {"optimal-lattice": {"suppress": 0.1}},
    "local-recoding",
    "bottom-up",
]


def visits(seed: int) -> pd.DataFrame:
    """Make 40 people who come up to four times, often with the same complaint at another age."""
    chance = random.Random(seed)
    rows = []
    for person in range(40):
        age, town = chance.randint(20, 40), chance.choice("abc")
        for _ in range(chance.choice([1, 1, 2, 4])):
            ill = chance.choice(["flu", "flu", "hiv", "leg", "cold"])
            rows.append((person, age + chance.choice([0, 0, 1]), town, ill))
    return pd.DataFrame(rows, columns=["who", "age", "town", "ill"])


def shares(data: pd.DataFrame, persons: list[int] | None) -> list[dict[str, Fraction]]:
    """Return for every class the share of every complaint among its people (or its rows)."""
    found: dict[tuple[str, str], dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    for number, (age, town, ill) in enumerate(zip(data["age"], data["town"], data["ill"], strict=True)):
        found[str(age), str(town)][ill].add(number if persons is None else persons[number])
    classes = []
    for values in found.values():
        total = len(set().union(*values.values()))
        classes.append({ill: Fraction(len(who), total) for ill, who in values.items()})
    return classes


@pytest.mark.parametrize("method", METHODS, ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_no_share_is_larger_than_promised_neither_of_people_nor_of_rows(method: Any, seed: int) -> None:
    data = visits(seed)
    release = sf.protect(
        data.assign(copy=data["who"]),
        quasi=["age", "town"],
        sensitive="ill",
        person="who",
        confirmed=["copy"],
        models=[sf.AlphaKAnonymity(0.8, 6)],
        method=method,
        order="kept",
    )
    persons = release.data["copy"].astype(int).tolist()
    for counted in (persons, None):
        for values in shares(release.data, counted):
            assert max(values.values()) <= Fraction(4, 5)


@pytest.mark.parametrize("method", METHODS, ids=str)
@pytest.mark.parametrize("model", [sf.EntropyLDiversity(2), sf.TCloseness(0.3)], ids=str)
def test_people_in_several_classes_do_not_stop_a_search(method: Any, model: Any) -> None:
    for seed in range(2):
        release = sf.protect(
            visits(seed), quasi=["age", "town"], sensitive="ill", person="who", models=[model], method=method
        )
        assert release.verdicts[0].holds


def test_histograms_know_who_has_one_value_in_several_cells() -> None:
    rows = [(1, 30, "flu"), (1, 31, "flu"), (1, 31, "leg"), (2, 30, "flu"), (2, 30, "flu"), (3, 31, "leg")]
    engine = open_engine("duckdb")
    try:
        table = engine.read(Frame(pd.DataFrame(rows, columns=["who", "age", "ill"])))
        cells = count(table, ["age"], person="who", watched=[("ill", ())]).cells
    finally:
        engine.close()
    persons, in_rows = cells.histograms
    assert persons.domain.values == ("flu", "leg")
    assert persons.persons.tolist() == [2, 1, 2]
    assert in_rows.persons.tolist() == [3, 1, 2]
    assert (persons.in_rows, in_rows.in_rows) == (False, True)
    assert persons.spans is not None
    assert persons.spans.starts.tolist() == [0, 2]
    assert persons.spans.cells.tolist() == [0, 1]


def test_a_share_is_one_of_people_whatever_else_they_have() -> None:
    rows = [(1, "flu"), (1, "hiv"), (2, "flu"), (2, "cold"), (3, "flu"), (4, "cold")]
    data = pd.DataFrame([(who, "a", ill) for who, ill in rows], columns=["who", "town", "ill"])
    asked: dict[str, Any] = {"quasi": ["town"], "sensitive": "ill", "models": [sf.ProbabilisticLDiversity(2)]}
    assert sf.check(data, **asked)[0].achieved == "l = 2"
    (verdict,) = sf.check(data, person="who", **asked)
    assert (verdict.holds, verdict.achieved) == (False, "l = 1.333")
    with pytest.raises(sf.PromiseNotMet):
        sf.protect(data, person="who", method="mondrian", **asked)


def test_cells_that_are_left_out_take_nobody_from_the_last_class() -> None:
    rows = [(1, 30), (1, 31), (1, 32), (2, 32), (3, 32)]
    engine = open_engine("duckdb")
    try:
        table = engine.read(Frame(pd.DataFrame(rows, columns=["who", "age"])))
        cells = count(table, ["age"], person="who").cells
    finally:
        engine.close()
    judge = Judge.of(Problem(cells, (None,), (Rule(RuleKind.MIN_PERSONS, (3,), monotone=True),)))
    found = judge.classes(np.array([SUPPRESSED, SUPPRESSED, 0]), 1)
    assert found.persons.tolist() == [3]
