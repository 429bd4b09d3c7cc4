"""Membership by distance: copies with a little noise give people away, records of patterns do not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.attack import AttackResult, Scored
from sfumato.core.errors import BadInput
from sfumato.core.verdict import Threat
from sfumato.table.attacks.contract import Knowledge, People
from sfumato.table.attacks.inference.nearest_records import Space
from sfumato.table.attacks.membership_by_distance import MembershipByDistance
from sfumato.table.published import PublishedTable
from tests.oracles.inference_attacks import nearest_distance
from tests.table.attacks.tables import in_memory

COLUMNS = ("age", "pay", "town")


def people(size: int, seed: int) -> pa.Table:
    generator = np.random.default_rng(seed)
    age = generator.integers(18, 90, size)
    return pa.table(
        {
            "id": np.arange(size),
            "age": age,
            "pay": (1000 * generator.lognormal(0, 1, size) + 30 * age).round(2),
            "town": generator.choice(["north", "south", "east", "west"], size),
        }
    )


def noisy(records: pa.Table, scale: float, seed: int) -> pa.Table:
    generator = np.random.default_rng(seed)
    changed = {name: records.column(name) for name in COLUMNS}
    for name in ("age", "pay"):
        values = records.column(name).to_numpy().astype(np.float64)
        changed[name] = values + generator.normal(0, scale * values.std(), len(values))
    return pa.table(changed)


def shuffled(records: pa.Table, seed: int) -> pa.Table:
    """Break every link between columns, and draw each anew: only one-way patterns are left."""
    generator = np.random.default_rng(seed)
    size = records.num_rows
    drawn = {name: records.column(name).take(pa.array(generator.integers(0, size, size))) for name in COLUMNS}
    return pa.table(drawn)


def attacked(released: pa.Table, everybody: pa.Table, inside: int, **more: Any) -> AttackResult:
    target = PublishedTable(in_memory(released), ("age", "town"), ("pay",))
    knowledge = Knowledge(
        original=PublishedTable(in_memory(everybody.slice(0, inside)), (), person="id"),
        population=People(in_memory(everybody), {name: name for name in COLUMNS}, person="id"),
    )
    return MembershipByDistance(**more).run(target, knowledge, victims=True)


def test_copies_with_a_little_noise_give_people_away() -> None:
    everybody = people(900, seed=1)
    result = attacked(noisy(everybody.slice(0, 300), 0.005, seed=2), everybody, 300)
    assert float(result.details["area_under_the_curve"]) > 0.9
    assert float(result.details["power"]) > 0.6
    assert result.success > 0.75
    assert result.baseline == 0.5
    assert result.threat is Threat.MEMBERSHIP
    assert result.scored is Scored.MEASURED
    assert {victim.row for victim in result.victims} <= set(range(1, 301))
    assert len(result.victims) == round(float(result.details["power"]) * 300)


def test_exact_copies_give_people_away_also_where_others_are_like_them() -> None:
    everybody = people(900, seed=9).drop_columns("pay")
    everybody = everybody.append_column("pay", pa.array(np.ones(900)))
    result = attacked(everybody.slice(0, 300).select(list(COLUMNS)), everybody, 300)
    # A fifth of the people outside share age and town with somebody inside: a score of 1 is no proof.
    assert 0.6 < result.success < 0.9
    assert result.certain == 0


def test_much_noise_hides_them() -> None:
    everybody = people(900, seed=1)
    result = attacked(noisy(everybody.slice(0, 300), 2.0, seed=3), everybody, 300)
    assert float(result.details["area_under_the_curve"]) < 0.6
    assert result.success < 0.57


def test_records_that_carry_patterns_only_give_nobody_away() -> None:
    everybody = people(900, seed=4)
    result = attacked(shuffled(everybody.slice(0, 300), seed=5), everybody, 300)
    assert 0.42 < float(result.details["area_under_the_curve"]) < 0.58
    assert result.success < 0.56


def test_generalised_records_are_read_as_intervals_and_sets() -> None:
    everybody = people(400, seed=6)
    own = everybody.slice(0, 100)
    exact = pa.table(
        {
            "age": [f"[{age}-{age}]" for age in own.column("age").to_pylist()],
            "pay": own.column("pay"),
            "town": [f"{{{town}}}" for town in own.column("town").to_pylist()],
        }
    )
    told = attacked(exact, everybody, 100)
    assert told.details["power"] == 1.0
    vague = pa.table({"age": ["*"] * 100, "pay": ["*"] * 100, "town": ["*"] * 100})
    hidden = attacked(vague, everybody, 100)
    assert hidden.success < 0.6


ROWS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=12)


@settings(max_examples=40, deadline=None)
@given(ROWS, ROWS)
def test_distances_are_those_of_comparing_every_pair(
    one: list[tuple[int, int]], other: list[tuple[int, int]]
) -> None:
    def table(rows: list[tuple[int, int]]) -> pa.Table:
        return pa.table({"x": [float(x) for x, _ in rows], "y": [float(y) for _, y in rows]})

    found = Space(table(one)).distances(table(one), table(other))
    widths = [float(np.std([row[j] for row in one])) or 1.0 for j in (0, 1)]
    scaled = [[(x / widths[0], y / widths[1]) for x, y in rows] for rows in (one, other)]
    assert found == pytest.approx([nearest_distance(row, scaled[1]) for row in scaled[0]])


def test_categories_and_missing_values_count_one_where_they_differ() -> None:
    own = pa.table({"x": [1.0, None, 3.0], "town": ["a", "b", None]})
    assert Space(own).distances(own, own).tolist() == [0.0, 0.0, 0.0]
    other = pa.table({"x": [None], "town": ["c"]}, schema=own.schema)
    assert Space(own).distances(own, other).tolist() == [2.0, 1.0, 2.0]


def test_a_list_and_an_original_of_other_types_are_compared_as_numbers() -> None:
    everybody = people(300, seed=7)
    own, others = everybody.slice(0, 60), everybody.slice(60)
    texts = pa.table({name: [str(v) for v in others.column(name).to_pylist()] for name in COLUMNS})
    knowledge = Knowledge(
        original=PublishedTable(in_memory(own), ()),
        population=People(in_memory(texts), {name: name for name in COLUMNS}),
    )
    target = PublishedTable(in_memory(own.select(list(COLUMNS))), ())
    result = MembershipByDistance(outside=True).run(target, knowledge)
    assert result.details["power"] == 1.0
    with pytest.raises(BadInput, match="who of the population"):
        MembershipByDistance().run(target, knowledge)


def test_what_cannot_be_compared_is_refused() -> None:
    everybody = people(100, seed=8)
    with pytest.raises(BadInput, match="no column in common"):
        attacked(pa.table({"colour": ["red"]}), everybody, 30)
    with pytest.raises(BadInput, match="too few"):
        attacked(everybody, everybody, 97)
    with pytest.raises(BadInput, match="false_positives"):
        MembershipByDistance(false_positives=1.5)
    with pytest.raises(BadInput, match="nobody"):
        MembershipByDistance(people=0)
