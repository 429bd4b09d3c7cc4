"""How often sensitive values can be told, with a person's record and without it."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.engine.contract import Engine
from sfumato.engine.sources import Frame
from sfumato.table.published import PublishedTable
from sfumato.table.risk.sensitive_values import SensitiveValueRisk
from tests.oracles import sensitive_values as oracle

people = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=25)


def measured(persons: list[tuple[int, int]]) -> SensitiveValueRisk:
    counted = Counter(persons)
    classes = sorted({class_ for class_, _ in persons})
    return SensitiveValueRisk.of_counts(
        [[counted[class_, value] for value in range(4)] for class_ in classes]
    )


@given(people)
def test_guesses_agree_with_an_adversary_who_guesses_person_by_person(persons: list[tuple[int, int]]) -> None:
    found = measured(persons)
    assert found.sure == pytest.approx(float(oracle.sure(persons)), abs=1e-12)
    assert found.guessed == pytest.approx(float(oracle.guessed(persons)), abs=1e-12)
    assert found.without == pytest.approx(float(oracle.without(persons)), abs=1e-12)
    assert found.sure <= found.guessed
    assert found.without <= found.guessed + 1e-12


def test_a_class_of_one_person_tells_everything_of_them_and_nothing_without_them() -> None:
    found = SensitiveValueRisk.of_counts([[1, 0], [0, 1]])
    assert (found.sure, found.guessed, found.without) == (1.0, 1.0, 0.0)


def test_what_a_large_homogeneous_class_tells_it_tells_without_the_person_too() -> None:
    found = SensitiveValueRisk.of_counts([[50, 0], [0, 50]])
    assert (found.sure, found.without, found.blind) == (1.0, 1.0, 0.5)


def test_it_reads_the_classes_of_a_table(duck: Engine) -> None:
    table = duck.read(Frame(pa.table({"age": [1, 1, 1, 2, 2], "ill": ["a", "a", "b", "c", "c"]})))
    found = SensitiveValueRisk.of(PublishedTable(table, ("age",), ("ill",)).values_of("ill"))
    assert (found.sure, found.guessed) == (0.4, 0.8)
    assert "sure for 40.0 %" in str(found)


def test_nobody_to_guess_about_is_no_zero() -> None:
    with pytest.raises(BadInput, match="nobody has a value"):
        SensitiveValueRisk.of_counts([[0, 0]])
