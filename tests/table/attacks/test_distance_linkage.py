"""Distance-based linkage: the nearest record of all, at every size, and no bound kept by not looking."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import sfumato as sf
from sfumato.core.attack import AttackResult
from sfumato.core.errors import PromiseNotMet
from sfumato.engine.contract import Engine
from sfumato.table.attacks.contract import Knowledge, People
from sfumato.table.attacks.fuzzy_linkage import FuzzyLinkage
from sfumato.table.attacks.matching._kernels_distance import (
    UNSAID,
    all_distances,
    assign_at_least_cost,
    nearest_records,
)
from sfumato.table.attacks.matching.blocking import Keys
from sfumato.table.attacks.matching.distance_linkage import along_each_axis, spaces
from sfumato.table.perturbation._kernels_microaggregation import CATEGORY, SQUARED
from sfumato.table.perturbation.microaggregation_tree import tree_of
from sfumato.table.published import PublishedTable
from tests.oracles import distance_linkage as oracle
from tests.table.attacks.files import table

Floats = NDArray[np.float64]
POINTS = st.sampled_from([-1.5, 0.0, 0.25, 0.5, 1.0, 3.0])
PERSON = st.tuples(POINTS | st.just(np.nan), POINTS, st.sampled_from([np.nan, 0.0, 0.5, 1.0]))
RECORD = st.tuples(POINTS, POINTS, st.sampled_from([UNSAID, 0.0, 0.5, 1.0]))
KINDS = np.array([SQUARED, SQUARED, CATEGORY], np.int64)
IS_CATEGORY = [False, False, True]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(PERSON, min_size=1, max_size=5),
    st.lists(RECORD, min_size=1, max_size=90),
    st.integers(1, 4),
)
def test_the_tree_finds_what_a_search_through_all_records_finds(
    people: list[tuple[float, ...]], records: list[tuple[float, ...]], number: int
) -> None:
    wanted = min(number, len(records))
    found = np.full((len(people), wanted), -1, np.int64)
    distances = np.full(found.shape, np.inf)
    nearest_records(tree_of(np.array(records), KINDS), np.array(people), found, distances)
    costs = np.empty((len(people), len(records)))
    all_distances(np.array(people), np.array(records), KINDS, costs)
    for i, person in enumerate(people):
        apart = [oracle.distance(person, record, IS_CATEGORY, UNSAID) for record in records]
        assert costs[i].tolist() == pytest.approx(apart)
        assert distances[i].tolist() == pytest.approx(sorted(apart)[:wanted])
        assert [apart[record] for record in found[i]] == pytest.approx(distances[i].tolist())
        assert len(set(found[i].tolist())) == wanted


@settings(max_examples=100, deadline=None)
@given(st.data(), st.integers(1, 4), st.integers(0, 2))
def test_the_assignment_costs_the_least_of_all_that_there_are(data: Any, rows: int, more: int) -> None:
    row = st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0, 7.0]), min_size=rows + more, max_size=rows + more)
    costs = data.draw(st.lists(row, min_size=rows, max_size=rows))
    given_to = np.empty(rows, np.int64)
    assign_at_least_cost(np.array(costs), given_to)
    assert len(set(given_to.tolist())) == rows
    assert sum(costs[i][j] for i, j in enumerate(given_to)) == pytest.approx(oracle.least_cost(costs))


def test_large_assignments_cost_what_those_of_scipy_do() -> None:
    optimize = pytest.importorskip("scipy.optimize")
    random = np.random.default_rng(2)
    for rows, columns in ((120, 120), (90, 150)):
        costs = random.random((rows, columns)) ** 3
        given_to = np.empty(rows, np.int64)
        assign_at_least_cost(costs, given_to)
        assert len(set(given_to.tolist())) == rows
        expected = costs[optimize.linear_sum_assignment(costs)].sum()
        assert costs[np.arange(rows), given_to].sum() == pytest.approx(expected)


def keys_of(known: Floats, released: Floats) -> list[Keys]:
    none = (np.full(len(known), -1), np.full(len(released), -1))
    columns = zip(known.T, released.T, strict=True)
    return [Keys(f"c{j}", *none, (ours.copy(), theirs.copy())) for j, (ours, theirs) in enumerate(columns)]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(POINTS, POINTS), min_size=2, max_size=12))
def test_ranks_are_mean_ranks_of_each_file(rows: list[tuple[float, float]]) -> None:
    known = np.array(rows)
    by_rank = spaces(keys_of(known, known[::-1] * 3.0))[1]
    for j in range(2):
        expected = (2 * np.array(oracle.mean_ranks(known[:, j])) - 1) * np.sqrt(3)
        assert by_rank.known[:, j].tolist() == pytest.approx(expected.tolist())
        assert by_rank.released[::-1, j].tolist() == pytest.approx(expected.tolist())


def test_people_assigned_to_fewer_records_leave_some_with_none() -> None:
    known = np.array([[0.0], [1.0], [2.0], [9.0]])
    space = spaces(keys_of(known, np.array([[2.1], [0.1]])))[0]
    assert space.assigned(np.random.default_rng(0)).tolist() == [1, -1, 0, -1]


def test_neighbours_on_one_axis_are_those_beside_a_value_and_nobody_unknown() -> None:
    known, released = np.array([[5.0], [np.nan], [0.0]]), np.arange(100.0)[:, None]
    released[7] = np.nan
    (found,) = along_each_axis(keys_of(known, released), 10**6, np.random.default_rng(0))
    pairs = {who: sorted(found.right[found.left == who].tolist()) for who in found.left.tolist()}
    assert set(pairs) == {0, 2}
    assert pairs[2] == [0, 1, 2, 3, 4, 5, 6, 8, 9, 10]
    assert 5 in pairs[0]
    assert 7 not in pairs[0]


def correlated(rows: int, columns: int, seed: int = 3) -> Floats:
    random = np.random.default_rng(seed)
    mixed = random.normal(size=(columns, columns)) * 0.6 + np.eye(columns)
    found: Floats = np.exp(0.42 * random.normal(size=(rows, columns)) @ mixed) * 1000
    return found


MASKED = {
    "noise": lambda records, random: oracle.with_noise(records, 0.1, random),
    "microaggregation": lambda records, random: oracle.microaggregated(records, 3),
    "rank swapping": lambda records, random: oracle.rank_swapped(records, 0.05, random),
}


def attacked(
    duck: Engine, known: Floats, masked: Floats, **parameters: Any
) -> tuple[AttackResult, tuple[float, float]]:
    """Attack shuffled records; also return what the nearest by standard deviations and by ranks find."""
    order = np.random.default_rng(9).permutation(len(known))
    names = [f"c{j}" for j in range(known.shape[1])]
    target = pd.DataFrame(masked[order], columns=names).assign(id=order)
    people = pd.DataFrame(known, columns=names).assign(id=np.arange(len(known)))
    result = FuzzyLinkage(**parameters).run(
        PublishedTable(table(duck, target), tuple(names), person="id"),
        Knowledge(People(table(duck, people), {name: name for name in names}, "id")),
    )
    return result, oracle.right_by_nearest(known, masked[order], order, 1_000)


@pytest.mark.parametrize("how", MASKED)
def test_it_is_as_strong_as_the_nearest_record_on_both_sides_of_the_limit_of_all_pairs(
    duck: Engine, how: str
) -> None:
    everybody = correlated(640, 4)
    found = []
    for rows in (630, 640):
        known = everybody[:rows]
        result, nearest = attacked(duck, known, MASKED[how](known, np.random.default_rng(1)))
        assert result.success >= 0.95 * max(nearest)
        assert result.compared == 1.0
        found.append(result)
    assert abs(found[0].success - found[1].success) <= 0.05
    assert found[0].details["blocking"] == "all pairs", "one side of the limit each, or this compares nothing"
    assert "nearness" in str(found[1].details["blocking"])


def test_categories_alone_are_compared_whatever_their_number(duck: Engine) -> None:
    random = np.random.default_rng(4)
    known = pd.DataFrame({f"c{j}": random.choice(list("abcdefg"), 1000) for j in range(6)})
    released = known.copy()
    for name in known.columns:
        wrong = random.random(1000) < 0.05
        released.loc[wrong, name] = random.choice(list("abcdefg"), int(wrong.sum()))
    names = tuple(known.columns)
    result = FuzzyLinkage().run(
        PublishedTable(table(duck, released.assign(id=range(1000))), names, person="id"),
        Knowledge(People(table(duck, known.assign(id=range(1000))), {n: n for n in names}, "id")),
    )
    assert result.success > 0.85
    assert result.not_compared == 0


def test_who_never_met_their_own_record_is_not_compared_and_counts_in_every_print(duck: Engine) -> None:
    known = correlated(200, 2)
    group = np.repeat([0.0, 1.0], 100)
    moved = np.where(np.arange(200) < 30, 1.0 - group, group)
    result, _ = attacked(
        duck, np.column_stack([known, group]), np.column_stack([known, moved]), blocking=[["c2"]]
    )
    assert result.not_compared == 30
    assert result.compared == 0.85
    assert "compared 85.0 %" in str(result)
    everybody, _ = attacked(duck, np.column_stack([known, group]), np.column_stack([known, moved]))
    assert everybody.not_compared == 0
    assert "compared 100.0 %" in str(everybody)


def noisy_release(**more: Any) -> Any:
    table = pd.DataFrame(correlated(700, 5), columns=list("abcde")).assign(who=range(700))
    return sf.protect(
        table,
        quasi=list("abcde"),
        person="who",
        models=[sf.KAnonymity(1)],
        method=sf.Keep(),
        perturb=[sf.Noise(columns=tuple("abcde"), alpha=0.0025)],
        **more,
    )


def test_a_release_whose_people_can_be_found_is_not_published_under_a_bound_of_ten_per_cent() -> None:
    with pytest.raises(PromiseNotMet, match=r"fuzzy-linkage succeeds for \d+\.\d % of 700 people"):
        noisy_release(attacks=[{"fuzzy-linkage": {"at-most": 0.1}}])
    (found,) = (one for one in noisy_release().attacks if one.name == "fuzzy-linkage")
    assert found.after.success > 0.9
    assert found.after.not_compared == 0


def test_a_bound_is_not_kept_by_people_who_were_never_compared() -> None:
    # Noise leaves nobody with an equal value: a key of equal values brings no two records together.
    with pytest.raises(PromiseNotMet, match="counting 700 whom it never compared, and at most 10 %"):
        noisy_release(attacks=[{"fuzzy-linkage": {"at-most": 0.1, "blocking": [["a"]]}}])


def test_a_bound_on_claims_that_no_truth_can_settle_is_refused() -> None:
    table = pd.DataFrame(correlated(60, 2), columns=list("ab"))
    with pytest.raises(PromiseNotMet, match="cannot be compared with the truth"):
        sf.protect(
            table,
            quasi=list("ab"),
            models=[sf.KAnonymity(1)],
            method=sf.Keep(),
            perturb=[sf.Noise(columns=("a", "b"), alpha=0.5)],
            attacks=[{"fuzzy-linkage": {"at-most": 0.9}}],
        )


@pytest.mark.golden
@pytest.mark.parametrize(
    ("how", "limit"), [("noise", 0.9), ("microaggregation", 0.99), ("rank swapping", 0.98)]
)
def test_tarragona_is_found_again_whole(shared: Path, duck: Engine, how: str, limit: float) -> None:
    records = pd.read_csv(shared / "data" / "table" / "sdcmicro" / "Tarragona.csv").to_numpy(np.float64)
    masks = {**MASKED, "noise": lambda records, random: oracle.with_noise(records, 0.05, random)}
    result, nearest = attacked(duck, records, masks[how](records, np.random.default_rng(1)))
    assert result.success >= 0.95 * max(nearest)
    assert result.success > limit


@pytest.mark.slow
@pytest.mark.parametrize("rows", [5_000, 100_000])
@pytest.mark.parametrize("how", MASKED)
def test_large_files_are_no_shelter(duck: Engine, how: str, rows: int) -> None:
    known = correlated(rows, 13)
    result, nearest = attacked(duck, known, MASKED[how](known, np.random.default_rng(1)))
    assert result.success >= 0.95 * max(nearest)
    assert result.not_compared == 0


def test_an_adversary_who_finds_everybody_is_sure_of_them(duck: Engine) -> None:
    """A bound on those of whom somebody is sure was kept by weights that had not settled."""
    random = np.random.default_rng(1)
    exact = random.lognormal(sigma=3, size=(700, 4))
    near = exact * np.exp(random.normal(size=exact.shape) * 0.05)
    known, released = (
        pd.DataFrame({"id": range(700)} | {f"c{j}": values[:, j] for j in range(4)})
        for values in (exact, near)
    )
    columns = [f"c{j}" for j in range(4)]
    people = People(table(duck, known), {name: name for name in columns}, person="id")
    target = PublishedTable(table(duck, released), tuple(columns), person="id")
    found = FuzzyLinkage().run(target, Knowledge(people))
    assert found.success > 0.95
    assert found.certain >= 0.95 * 700
    assert found.highest > 0.9
