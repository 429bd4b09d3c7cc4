"""The whole table counted in persons: what one class of everybody would show."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.engine import open_engine
from sfumato.engine.sources import Frame
from sfumato.table.count import count
from tests.oracles.models import publish
from tests.oracles.whole_table import equal_distance, likeness

ROWS = st.lists(
    st.tuples(st.sampled_from("ABCDE"), st.sampled_from("1234"), st.sampled_from(["x", "y", "z", None])),
    min_size=1,
    max_size=14,
)
MODELS: list[Any] = [
    sf.TCloseness(0.3),
    sf.TCloseness(0.3, "ordered", alphabetical=True),
    sf.BasicBetaLikeness(1),
    sf.EnhancedBetaLikeness(1),
    sf.DeltaDisclosure(1),
]


def frame(rows: list[Any]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["who", "zip", "ill"], dtype=object)


@pytest.mark.parametrize("model", MODELS[:2], ids=str)
def test_somebody_in_four_classes_is_one_of_two_people(model: Any) -> None:
    data = frame(list(zip("ABAAA", "11234", "xyxxx", strict=True)))
    (verdict,) = sf.check(data, quasi="zip", sensitive="ill", person="who", models=model)
    assert not verdict.holds, "A is one of two people, not four of five"
    assert verdict.achieved == "t = 0.5"
    assert verdict.note == "persons counted; in the whole table each counts once for each of their values"
    assert sf.check(data, quasi="zip", sensitive="ill", models=model)[0].achieved == "t = 0.3"


@settings(max_examples=150, deadline=None)
@given(ROWS)
def test_checkers_compare_with_everybody_counted_once(rows: list[Any]) -> None:
    table = publish(frame(rows), ["zip"], ["ill"], person="who")
    assert sf.TCloseness(0.3).measured(table)["ill"] == equal_distance(rows)
    assert float(sf.BasicBetaLikeness(1).measured(table)["ill"]) == pytest.approx(float(likeness(rows)))


@settings(max_examples=60, deadline=None)
@given(ROWS)
def test_a_table_of_one_class_is_as_close_to_the_whole_as_can_be(rows: list[Any]) -> None:
    data = frame([(who, "0", ill) for who, _, ill in rows])
    for model in MODELS:
        assert model.check(publish(data, ["zip"], ["ill"], person="who")).holds


@settings(max_examples=60, deadline=None)
@given(ROWS, st.lists(st.booleans(), min_size=14, max_size=14), st.lists(st.sampled_from("pq"), min_size=14))
def test_searches_count_the_same_whole_table(rows: list[Any], kept: list[bool], shared: list[str]) -> None:
    data = frame(rows).assign(shared=shared[: len(rows)])
    engine = open_engine("duckdb")
    try:
        table = engine.read(Frame(data))
        cells = count(table, ["zip"], person="who", watched=[("ill", ()), ("ill", ("shared",))]).cells
    finally:
        engine.close()
    some = np.array(kept[: len(cells)])
    names = [str(cells.domains[0].values[code]) for code in cells.codes[0]]
    inside = {name for name, taken in zip(names, some, strict=True) if taken}
    for known in ((), ("shared",)):
        found = cells.histogram("ill", known)
        for expected, base in (
            ({(who, ill) for who, _, ill in rows}, found.base()),
            ({(who, ill) for who, name, ill in rows if name in inside}, found.base(some)),
        ):
            counted = {value: int(n) for value, n in zip(found.domain.values, base, strict=True) if n}
            values = [ill for _, ill in expected]
            assert counted == {value: values.count(value) for value in values}


def test_an_adversary_compares_with_the_same_whole_table() -> None:
    # By rows x has four fifths, so that nobody gains much; of the two people one has x.
    data = frame(list(zip("ABAAA", "11234", "xyxxx", strict=True)))
    asked: dict[str, Any] = {"quasi": "zip", "sensitive": "ill"}
    attack = {"skewness": {"factor": 2, "confidence": 0.9}}
    assert sf.attack(data, attack, **asked)[0].success == 0
    found = sf.attack(data, attack, person="who", **asked)[0]
    assert found.details["largest_factor"] == 2
    assert found.success == 0.6


def test_what_is_known_besides_does_not_count_anybody_twice() -> None:
    data = pd.DataFrame(
        [("A", "1", "p", "x"), ("A", "1", "q", "x"), ("B", "1", "p", "y"), ("B", "2", "p", "y")],
        columns=["who", "zip", "shared", "ill"],
    )
    table = publish(data, ["zip"], ["ill", "shared"], person="who", known=("shared",))
    assert table.values_of("ill", ("shared",)).base.tolist() == [1, 1]
    assert table.values_of("ill", ("shared",)).added_up.tolist() == [2, 2]


def test_blanked_records_are_in_no_whole_table() -> None:
    rows = [("A", "1", "x"), ("B", "1", "y"), ("A", "*", None), ("B", "2", None), ("C", "2", None)]
    table = publish(frame(rows), ["zip"], ["ill"], person="who", blanked=1)
    whole = dict(zip(table.values_of("ill").domain.values, table.values_of("ill").base.tolist(), strict=True))
    assert whole == {"x": 1, "y": 1, None: 2}


@pytest.mark.parametrize("suppressed", ["drop", "star"])
@pytest.mark.parametrize("method", ["mondrian", {"optimal-lattice": {"suppress": 0.3}}], ids=str)
def test_what_is_released_is_close_to_its_people(method: Any, suppressed: str) -> None:
    rng = np.random.default_rng(7)
    rows = [(str(rng.integers(12)), str(rng.integers(8)), "xyz"[min(rng.integers(4), 2)]) for _ in range(60)]
    data = frame(rows)
    release = sf.protect(
        data.assign(copy=data["who"]),
        quasi="zip",
        sensitive="ill",
        person="who",
        confirmed=["copy"],
        models=sf.TCloseness(0.35),
        method=method,
        suppressed=suppressed,
        order="kept",
    )
    shown = release.data[release.data["ill"].notna()]
    listed = list(zip(shown["copy"], shown["zip"].astype(str), shown["ill"], strict=True))
    assert equal_distance(listed) <= Fraction(35, 100)
    assert release.verdicts[0].holds
