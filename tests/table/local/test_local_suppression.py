from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from sfumato.core.domain import Domain
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.hierarchy.ladder import Ladder
from sfumato.table.judge import Judge
from sfumato.table.methods import local_suppression
from sfumato.table.methods.local_suppression import LocalSuppression
from sfumato.table.rule import Rule, RuleKind
from tests.oracles import local_suppression as oracle
from tests.table.local.tables import Record, histogram_of, plain_problem, shown_values
from tests.table.mondrian_tables import problem_of

QUICK = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
tables = st.integers(1, 4).flatmap(
    lambda width: st.lists(
        st.tuples(*[st.sampled_from([None, "a", "b", "c"])] * width), min_size=1, max_size=16
    )
)
readings = st.sampled_from(["own", "wildcard"])


def frequencies(missing: str, shown: list[Record]) -> list[int]:
    return oracle.own_frequencies(shown) if missing == "own" else oracle.wildcard_frequencies(shown)


@QUICK
@given(tables, st.integers(1, 4), readings)
def test_everybody_has_k_alike_and_values_are_kept_or_missing(
    records: list[Record], k: int, missing: Any
) -> None:
    assume(k <= len(records))
    solution = LocalSuppression(missing).search(plain_problem(records, k))
    shown = shown_values(solution, records)
    assert min(frequencies(missing, shown)) >= k
    for record, row in zip(records, shown, strict=True):
        assert all(label in (value, None) for value, label in zip(record, row, strict=True))
    hidden = [
        sum(row[j] is None and record[j] is not None for record, row in zip(records, shown, strict=True))
        for j in range(len(records[0]))
    ]
    assert solution.details["suppressed_values"] == sum(hidden)
    for j, count in enumerate(hidden):
        assert solution.details[f"suppressed in column {j}"] == count


@QUICK
@given(tables, readings)
def test_where_everybody_has_k_alike_nothing_is_hidden(records: list[Record], missing: Any) -> None:
    k = min(frequencies(missing, records))
    solution = LocalSuppression(missing).search(plain_problem(records, k))
    assert solution.details["suppressed_values"] == 0
    assert shown_values(solution, records) == records


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xy")), min_size=2, max_size=5),
    st.integers(2, 3),
    readings,
)
def test_no_way_to_hide_fewer_values_is_missed_by_much(records: list[Record], k: int, missing: Any) -> None:
    assume(k <= len(records))
    fewest = oracle.fewest_hidden(records, k, own=missing == "own")
    found = LocalSuppression(missing).search(plain_problem(records, k)).details["suppressed_values"]
    assert isinstance(found, int)
    assert fewest <= found
    # It is no exact search: at most twice as many, or two values more for each of k records.
    assert found <= max(fewest * 2, fewest + 2 * k)


@QUICK
@given(tables, st.integers(1, 3), st.integers(1, 4))
def test_up_to_m_columns_everybody_has_k_alike(records: list[Record], k: int, together: int) -> None:
    assume(k <= len(records))
    width = len(records[0])
    problem = plain_problem(records, k)
    solution = LocalSuppression("wildcard", up_to=together).search(problem)
    shown = shown_values(solution, records)
    for size in range(1, min(together, width) + 1):
        for projection in oracle.projections(shown, size):
            assert min(oracle.wildcard_frequencies(projection)) >= k
    whole = LocalSuppression("wildcard").search(problem)
    assert solution.details["suppressed_values"] <= whole.details["suppressed_values"]  # type: ignore[operator]


def test_a_record_hides_the_column_that_is_least_important() -> None:
    # Either column alone makes the last record agree with the others.
    records = [("a", "x")] * 3 + [("a", "y")] * 3 + [("b", "x")] * 3 + [("b", "y")]
    for missing in ("own", "wildcard"):
        for precious, hidden in ((0, 1), (1, 0)):
            method = LocalSuppression(missing, importance=(f"column {precious}",))
            details = method.search(plain_problem(records, 3)).details
            assert details[f"suppressed in column {precious}"] == 0
            assert details[f"suppressed in column {hidden}"] > 0  # type: ignore[operator]


def test_prices_fall_along_the_list_of_importance() -> None:
    assert LocalSuppression(importance=("b", "a")).prices(("a", "b", "c")) == (2.0, 3.0, 1.0)


def test_nobody_hides_more_than_they_need_in_the_wildcard_reading() -> None:
    # One record without values would agree with all: it would help everybody, and nobody.
    records = [(str(i), str(j)) for i in range(4) for j in range(4)]
    shown = shown_values(LocalSuppression("wildcard").search(plain_problem(records, 2)), records)
    assert max(row.count(None) for row in shown) == 1


def test_past_the_limit_of_work_the_wildcard_reading_hides_as_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    records = [(a, b) for a in "abcd" for b in "wxyz"]
    problem = plain_problem(records, 2)
    monkeypatch.setattr(local_suppression, "_MOST_WORK", 1)
    hasty = shown_values(LocalSuppression("wildcard").search(problem), records)
    assert hasty == shown_values(LocalSuppression("own").search(problem), records)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz")), min_size=4, max_size=20), st.data())
def test_classes_keep_rules_about_sensitive_values(records: list[Record], data: st.DataObject) -> None:
    ill = data.draw(st.lists(st.sampled_from("no"), min_size=len(records), max_size=len(records)))
    assume(len(set(ill)) == 2)
    problem = plain_problem(records, 2)
    cells = replace(problem.cells, histograms=(histogram_of(records, Domain.of("ill", ill), ill),))
    diverse = Rule(RuleKind.DISTINCT, (2,), True, "ill")
    problem = replace(problem, cells=cells, rules=(*problem.rules, diverse))
    solution = LocalSuppression().search(problem)
    assert Judge.of(problem).satisfied(solution.classes, solution.boxes.shape[1]).all()
    assert (solution.classes >= 0).all()
    with pytest.raises(BadInput, match="k-anonymity alone"):
        LocalSuppression("wildcard").search(problem)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from("ab"), st.sampled_from("xyz"), st.integers(0, 6)), min_size=6, max_size=20
    ),
    readings,
)
def test_persons_are_counted_and_not_rows(listed: list[tuple[str, str, int]], missing: Any) -> None:
    records, people = [row[:2] for row in listed], [row[2] for row in listed]
    assume(len(set(people)) >= 2)
    solution = LocalSuppression(missing).search(problem_of(records, 2, people))
    shown = shown_values(solution, records)
    for row in shown:
        like = oracle.agree if missing == "wildcard" else (lambda a, b: a == b)
        assert len({who for who, other in zip(people, shown, strict=True) if like(row, other)}) >= 2


def test_more_than_everybody_cannot_be_alike() -> None:
    with pytest.raises(PromiseNotMet, match="every class needs 3 persons and the data have 2"):
        LocalSuppression().search(plain_problem([("a",), ("b",)], 3))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"missing": "none"}, "no reading"),
        ({"importance": ("a", "a")}, "twice"),
        ({"missing": "wildcard", "up_to": 0}, "at least 1"),
        ({"up_to": 2}, "wildcard reading"),
    ],
)
def test_wrong_parameters_are_refused(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        LocalSuppression(**wrong)


def test_importance_of_an_unknown_column_is_refused() -> None:
    method = LocalSuppression(importance=("column 7",))
    with pytest.raises(BadInput, match="no quasi-identifier"):
        method.search(plain_problem([("a",), ("a",)], 2))


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.tuples(*[st.sampled_from("ab")] * 14), min_size=3, max_size=8),
    st.integers(2, 3),
    st.sampled_from([None, 7]),
)
def test_wide_tables_are_weighed_twelve_columns_at_a_time(
    records: list[Record], k: int, up_to: int | None
) -> None:
    # Of fourteen columns there are more choices of seven than are looked at one by one.
    solution = LocalSuppression("wildcard", up_to=up_to).search(plain_problem(records, k))
    assert min(oracle.wildcard_frequencies(shown_values(solution, records))) >= k


@pytest.mark.parametrize("missing", ["own", "wildcard"])
def test_values_that_a_hierarchy_hides_stay_hidden(missing: Any) -> None:
    problem = plain_problem([("a",), ("a",), ("b",), ("c",)], 2)
    leaves = (np.array([1.0, 3.0]), np.array([3.0]))
    ladder = Ladder("column 0", np.array([[0, 1, 1], [0, 0, 0]], np.int32), (("a", "*"), ("*",)), leaves, 3)
    solution = LocalSuppression(missing).search(replace(problem, ladders=(ladder,)))
    shown = shown_values(solution, [("a",), ("a",), ("b",), ("c",)])
    assert shown == [("a",), ("a",), ("*",), ("*",)]
    assert solution.details["suppressed_values"] == 0


def test_a_table_that_breaks_a_rule_as_a_whole_cannot_be_helped() -> None:
    records = [("a",), ("a",), ("b",), ("b",)]
    ill = ["flu", "flu", "flu", "cold"]
    problem = plain_problem(records, 1)
    cells = replace(problem.cells, histograms=(histogram_of(records, Domain.of("ill", ill), ill),))
    rule = Rule(RuleKind.MAX_SHARE, (1, 2), True, "ill")
    with pytest.raises(PromiseNotMet, match="not even when no value is shown"):
        LocalSuppression().search(replace(problem, cells=cells, rules=(rule,)))
