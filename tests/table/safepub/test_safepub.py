"""SafePub from the data to the release."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.randomness import SeededRandom
from sfumato.core.schema import Schema
from sfumato.core.verdict import Basis
from sfumato.engine.contract import Engine
from sfumato.engine.sources import Frame
from sfumato.hierarchy import Cuts, Dates, Flat, HierarchyTable, Infer, Intervals, Mask, RootForOthers, Tree
from sfumato.table.methods.safepub import SafePub
from sfumato.table.methods.safepub_columns import rests_on_data
from sfumato.table.models.differential_privacy import DifferentialPrivacy, SampledRecords
from sfumato.table.published import PublishedTable

HIERARCHIES: dict[str, Any] = {"age": Intervals((10, 20)), "sex": Flat()}
LEVELS = {"age": 1, "sex": 0}
PROMISE = DifferentialPrivacy(1.0, 1e-3)


def people(rows: int = 2000) -> pd.DataFrame:
    rng = np.random.default_rng(5)
    ages = np.where(rng.random(rows) < 0.01, 95, rng.integers(20, 60, rows))
    return pd.DataFrame({"age": ages, "sex": rng.choice(["f", "m"], rows)})


def release(data: pd.DataFrame, method: SafePub, **more: Any) -> sf.Release:
    asked: dict[str, Any] = {"models": PROMISE, "hierarchies": HIERARCHIES, "quasi": ["age", "sex"], **more}
    return sf.protect(data, method=method, **asked)


def test_a_release_holds_true_records_in_classes_of_k_from_a_sample_of_beta() -> None:
    data = people()
    found = release(data, SafePub(1.0, 1e-3, LEVELS))
    assert found.verdicts[0].holds
    assert found.verdicts[0].basis is Basis.MECHANISM
    shown = Counter(found.data.itertuples(index=False, name=None))
    low = (data["age"] // 10 * 10).astype(str)
    high = (data["age"] // 10 * 10 + 9).astype(str)
    original = Counter(zip(low + "-" + high, data["sex"], strict=True))
    assert min(shown.values()) >= 35
    assert all(number <= original[look] for look, number in shown.items())
    beta = 1 - np.exp(-1)
    large = {look: n for look, n in original.items() if n > 100}
    assert set(large) == set(shown)
    for look, number in large.items():
        assert abs(shown[look] - beta * number) <= 6 * np.sqrt(number * beta * (1 - beta))


def test_nothing_public_tells_how_many_were_left_out() -> None:
    found = release(people(), SafePub(1.0, 1e-3, LEVELS))
    assert found.evidence.suppressed_records == 0
    assert found.evidence.search.details["sampled_records"] != len(found.data)
    assert found.evidence.search.details["records"] == 2000
    public = sf.Release(found.data, found.verdicts, found.evidence)
    assert public.suppressed == 0


def test_two_releases_differ_because_chance_is_secret() -> None:
    one, other = (release(people(), SafePub(1.0, 1e-3, LEVELS)) for _ in range(2))
    assert len(one.data) != len(other.data) or not one.data.equals(other.data)


def test_levels_can_be_chosen_for_a_part_of_epsilon() -> None:
    found = release(people(), SafePub(1.0, 1e-3, search_epsilon=0.3))
    assert found.verdicts[0].holds
    assert "ε = 1," in found.verdicts[0].achieved
    assert found.evidence.search.levels is not None
    assert found.evidence.search.details["k"] == SafePub(0.7, 1e-3, LEVELS).parameters.k


def test_the_order_of_the_source_is_gone(duck: Engine) -> None:
    data = pa.table({"age": list(range(400)), "sex": ["f"] * 400})
    schema = Schema.of(["age", "sex"], quasi=["age", "sex"])
    method = SafePub(1.0, 1e-3, {"age": 1, "sex": 0})
    taken = method.sampled(
        duck.read(Frame(data)), schema, {"age": Intervals(1000), "sex": Flat()}, random=SeededRandom(4)
    )
    ages = duck.arrow(taken.table).column("age").to_pylist()
    assert ages != sorted(ages)
    assert len(set(ages)) == len(ages)
    again = method.sampled(
        duck.read(Frame(data)), schema, {"age": Intervals(1000), "sex": Flat()}, random=SeededRandom(4)
    )
    assert duck.arrow(again.table).column("age").to_pylist() == ages


def test_k_anonymity_comes_with_it_up_to_its_own_k() -> None:
    both = release(people(), SafePub(1.0, 1e-3, LEVELS), models=[PROMISE, sf.KAnonymity(35)])
    assert all(verdict.holds for verdict in both.verdicts)
    with pytest.raises(PromiseNotMet, match="35 or more"):
        release(people(), SafePub(1.0, 1e-3, LEVELS), models=[PROMISE, sf.KAnonymity(36)])


def test_a_promise_that_is_stricter_than_the_mechanism_is_not_published() -> None:
    with pytest.raises(PromiseNotMet, match="differential-privacy does not hold"):
        release(people(), SafePub(1.1, 1e-3, LEVELS))
    with pytest.raises(PromiseNotMet, match="differential-privacy does not hold"):
        release(people(), SafePub(1.0, 1e-2, LEVELS))
    with pytest.raises(PromiseNotMet, match="no mechanism is published"):
        release(people(), sf.OptimalLattice())  # type: ignore[arg-type]


def test_a_person_column_is_counted_and_left_out() -> None:
    data = people().assign(who=range(2000))
    found = release(data, SafePub(1.0, 1e-3, LEVELS), person="who")
    assert list(found.data.columns) == ["age", "sex"]


REFUSED: list[tuple[str, Callable[[pd.DataFrame], Any]]] = [
    ("released beside", lambda d: release(d.assign(ill="x"), SafePub(1, 1e-3, LEVELS), sensitive="ill")),
    ("released beside", lambda d: release(d.assign(ill="x"), SafePub(1, 1e-3, LEVELS))),
    ("one row each", lambda d: release(d.assign(who=1), SafePub(1, 1e-3, LEVELS), person="who")),
    ("no hierarchy", lambda d: release(d, SafePub(1, 1e-3, LEVELS), hierarchies={"age": Intervals(10)})),
    ("taken from the data", lambda d: release(d, SafePub(1, 1e-3, LEVELS), hierarchies={"age": "infer"})),
    ("between 0 and 3", lambda d: release(d, SafePub(1, 1e-3, {"age": 4, "sex": 0}))),
    ("between 0 and 1", lambda d: release(d, SafePub(1, 1e-3, {"age": 1}))),
    ("did you mean 'age'", lambda d: release(d, SafePub(1, 1e-3, {**LEVELS, "agee": 0}))),
    (
        "'perturb' changes",
        lambda d: release(d, SafePub(1, 1e-3, LEVELS), perturb={"rounding": {"columns": ["age"], "base": 5}}),
    ),
    ("say how", lambda d: SafePub(1, 1e-3)),
    ("say how", lambda d: SafePub(1, 1e-3, LEVELS, search_epsilon=0.1)),
    ("part of epsilon", lambda d: SafePub(1, 1e-3, search_epsilon=1.0)),
    ("epsilon must", lambda d: SafePub(0, 1e-3, LEVELS)),
    ("epsilon must", lambda d: DifferentialPrivacy(9, 1e-3)),
    ("epsilon must", lambda d: DifferentialPrivacy(0.001, 1e-3)),
    ("delta must", lambda d: DifferentialPrivacy(1, 1e-200)),
    ("part of epsilon", lambda d: SafePub(1, 1e-3, search_epsilon=0.995)),
    ("between 0 and 3", lambda d: release(d, SafePub(1, 1e-3, {"age": 1.5, "sex": 0}))),  # type: ignore[dict-item]
    ("delta must", lambda d: DifferentialPrivacy(1, 1)),
]


@pytest.mark.parametrize(("said", "mistake"), REFUSED, ids=[said for said, _ in REFUSED])
def test_what_would_break_the_promise_is_refused(said: str, mistake: Callable[[pd.DataFrame], Any]) -> None:
    with pytest.raises(BadInput, match=said):
        mistake(people(300))


def test_a_release_that_would_be_empty_is_refused() -> None:
    with pytest.raises(PromiseNotMet, match="no class of the sample has 35"):
        release(people(40), SafePub(1.0, 1e-3, {"age": 0, "sex": 0}))


def test_hierarchies_are_taken_when_the_label_of_a_value_is_its_own_affair() -> None:
    table = HierarchyTable.of([("a", "*")])
    for hierarchy in (table, Tree({"any": ["a"]}), Flat(), Dates(), Mask(length=5), RootForOthers(table)):
        assert rests_on_data(hierarchy, "string") is None
    for intervals in (Intervals(5), Cuts([5])):
        assert rests_on_data(intervals, "integer") is None
        assert rests_on_data(intervals, "number") is not None
        assert rests_on_data(RootForOthers(intervals), "string") is not None
    for of_the_data in (Infer(), Mask()):
        assert rests_on_data(of_the_data, "string") is not None


def published(duck: Engine, *mechanisms: Any, quasi: tuple[str, ...] = ("age", "sex")) -> PublishedTable:
    data = pa.table({"age": ["20-29"] * 40, "sex": ["f"] * 40})
    return PublishedTable(duck.read(Frame(data)), quasi, mechanisms=mechanisms)


def mechanism(**changed: Any) -> SampledRecords:
    parameters = SafePub(1.0, 1e-3, LEVELS).parameters
    return SampledRecords(
        "", (), (), **{"k": parameters.k, "beta": parameters.beta, "epsilon": Fraction(1), **changed}
    )


def test_the_check_reads_the_mechanism_and_the_release(duck: Engine) -> None:
    assert PROMISE.check(published(duck, mechanism())).holds
    assert "no mechanism" in str(PROMISE.check(published(duck)))
    too_small = PROMISE.check(published(duck, mechanism(k=41)))
    assert not too_small.holds
    assert too_small.witness is not None
    assert too_small.witness.size == 40
    assert not PROMISE.check(published(duck, mechanism(k=20))).holds
    assert not PROMISE.check(published(duck, mechanism(beta=Fraction(7, 10)))).holds
    assert not PROMISE.check(published(duck, mechanism(search_epsilon=Fraction(1, 100)))).holds
    beside = PROMISE.check(published(duck, mechanism(), quasi=("age",)))
    assert "the column 'sex' is released beside" in str(beside)
