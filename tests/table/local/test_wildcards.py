from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.table.wildcards import wildcard_frequencies
from tests.oracles import local_suppression as oracle

tables = st.integers(1, 4).flatmap(
    lambda width: st.lists(
        st.tuples(*[st.sampled_from([None, 0, 1, 2])] * width, st.integers(0, 3)), min_size=1, max_size=25
    )
)


@settings(max_examples=150, deadline=None)
@given(tables)
def test_frequencies_are_those_of_comparing_every_pair(listed: list[tuple[int | None, ...]]) -> None:
    records, weights = [row[:-1] for row in listed], [int(row[-1] or 0) for row in listed]
    # What stands in a missing place must play no part.
    codes = np.array([[i % 7 if value is None else value for value in row] for i, row in enumerate(records)])
    missing = np.array([[value is None for value in row] for row in records])
    found = wildcard_frequencies(codes.T, missing.T, np.array(weights))
    assert found.tolist() == oracle.wildcard_frequencies(records, weights)
    assert wildcard_frequencies(codes.T, missing.T).tolist() == oracle.wildcard_frequencies(records)


def test_a_record_without_values_agrees_with_everybody() -> None:
    codes = np.array([[0, 1, 0], [5, 6, 0]])
    missing = np.array([[False, False, True], [False, False, True]])
    assert wildcard_frequencies(codes, missing).tolist() == [2, 2, 3]


def test_agreeing_is_not_passed_on() -> None:
    # a–? agrees with a–x and a–y, which do not agree with each other.
    codes = np.array([[0, 0, 0], [0, 1, 2]])
    missing = np.array([[False, False, False], [False, False, True]])
    assert wildcard_frequencies(codes, missing).tolist() == [2, 2, 3]


def test_many_columns_of_many_values_are_still_told_apart() -> None:
    # Sixteen columns of a thousand values: more combinations than 64 bits can number.
    dice = np.random.default_rng(3)
    codes = dice.integers(0, 1000, (16, 1200))
    codes[:, 600:] = codes[:, :600]
    codes[15, 900:] += 1000
    missing = np.zeros(codes.shape, np.bool_)
    found = wildcard_frequencies(codes, missing)
    records = [tuple(column) for column in codes.T.tolist()]
    assert found.tolist() == oracle.own_frequencies(records)
