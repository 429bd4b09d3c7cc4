from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.domain import Domain, Scale
from sfumato.core.errors import BadInput
from sfumato.hierarchy import Balanced, from_spec, to_spec


def as_category(values: list[str]) -> Domain:
    """Codes are sorted as text, whatever they are."""
    return Domain("codes", tuple(sorted(values)), Scale.CATEGORY)


def test_numbers_are_neighbours_by_their_size_even_when_the_domain_is_sorted_as_text() -> None:
    ladder = Balanced(3).ladder(as_category([str(number) for number in range(8, 14)]))
    shown = {
        ladder.labels[0][ladder.rungs[0, code]]: ladder.labels[1][ladder.rungs[1, code]] for code in range(6)
    }
    assert shown == dict.fromkeys(["8", "9", "10"], "[8-10]") | dict.fromkeys(["11", "12", "13"], "[11-13]")


def test_texts_are_neighbours_by_how_they_are_written() -> None:
    ladder = Balanced(2).ladder(as_category(["b", "a", "d", "c"]))
    assert ladder.labels == (("a", "b", "c", "d"), ("[a-b]", "[c-d]"), ("*",))


def test_no_small_rest_is_left_at_the_end() -> None:
    ladder = Balanced(5).ladder(Domain.of("item", range(16)))
    assert ladder.leaves[1].tolist() == [4, 4, 4, 4]


def test_few_values_have_the_root_alone_above_them() -> None:
    assert Balanced(5).ladder(Domain.of("item", range(5))).labels[1:] == (("*",),)


def test_missing_stays_a_group_of_its_own_below_the_root() -> None:
    ladder = Balanced(2).ladder(Domain.of("item", [1, 2, 3, None]))
    assert ladder.labels[1] == ("[1-2]", "3", None)
    assert ladder.size == 4


@given(st.integers(1, 200), st.integers(2, 7))
def test_groups_are_even_nest_and_have_at_most_fan_out_parts(values: int, fan_out: int) -> None:
    ladder = Balanced(fan_out).ladder(as_category([f"{value:03d}" for value in range(values)]))
    below = np.ones(values)
    for level in range(1, ladder.height + 1):
        rungs = ladder.rungs[level]
        assert (np.diff(rungs) >= 0).all()
        parts = [len(set(ladder.rungs[level - 1][rungs == group])) for group in range(rungs.max() + 1)]
        assert max(parts) <= fan_out
        assert max(parts) - min(parts) <= 1
        assert ladder.leaves[level].tolist() == np.bincount(rungs).tolist()
        assert len(ladder.labels[level]) <= len(below)
        below = ladder.leaves[level]
    assert ladder.labels[-1] == ("*",)


@pytest.mark.parametrize("fan_out", [1, 0, -3, 2.5, "5", True])
def test_a_fan_out_below_two_is_refused(fan_out: Any) -> None:
    with pytest.raises(BadInput, match="fan_out must be a whole number of at least 2"):
        Balanced(fan_out)


def test_labels_that_could_be_read_in_two_ways_are_refused() -> None:
    with pytest.raises(BadInput, match="the same label"):
        Balanced(2).ladder(as_category(["[b-c]", "a", "b", "c"]))


@pytest.mark.parametrize("spec", ["balanced", {"balanced": {"fan_out": 3}}, {"balanced": None}])
def test_recipes_can_ask_for_it(spec: Any, tmp_path: Any) -> None:
    hierarchy = from_spec(spec, tmp_path)
    assert hierarchy == Balanced(3 if isinstance(spec, dict) and spec["balanced"] else 5)
    assert from_spec(to_spec(hierarchy), tmp_path) == hierarchy
