"""Values that stand apart: leaves of their own under every hierarchy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.domain import Domain
from sfumato.hierarchy import (
    ROOT,
    Apart,
    Balanced,
    Flat,
    Hierarchy,
    Infer,
    Intervals,
    Mask,
    RootForOthers,
    Tree,
    from_spec,
    to_spec,
)

KINDS: list[Hierarchy] = [
    Mask(),
    Infer(),
    Flat(),
    Balanced(),
    Intervals((5, 50)),
    RootForOthers(Intervals((5, 50))),
]


@given(
    st.sampled_from(KINDS),
    st.lists(st.integers(1, 999).map("{:03}".format), min_size=1, max_size=12, unique=True),
    st.booleans(),
)
def test_a_value_apart_is_alone_up_to_the_root_and_changes_nothing_for_the_others(
    kind: Hierarchy, codes: list[str], missing: bool
) -> None:
    values = [*codes, *([None] if missing else [])]
    domain = Domain.of("zip3", ["000", *values])
    laid, plain = Apart(kind, ("000",)).ladder(domain), kind.ladder(Domain.of("zip3", values))
    hidden = domain.texts.index("000")
    for level in range(laid.height):
        group = laid.rungs[level, hidden]
        assert laid.labels[level][group] == "000"
        assert np.count_nonzero(laid.rungs[level] == group) == 1
        shown = {t: laid.labels[level][g] for t, g in zip(domain.texts, laid.rungs[level], strict=True)}
        before = Domain.of("zip3", values)
        assert {t: s for t, s in shown.items() if t != "000"} == {
            t: plain.labels[level][g] for t, g in zip(before.texts, plain.rungs[level], strict=True)
        }
    assert laid.labels[laid.height] == (ROOT,)
    assert laid.size == plain.size + 1


def test_a_root_with_a_name_is_not_true_of_values_apart() -> None:
    tree = Tree({"Massachusetts": ["021", "024"]})
    laid = Apart(tree, ("000",)).ladder(Domain.of("zip3", ["000", "021", "024"]))
    assert laid.labels == (("021", "024", "000"), ("Massachusetts", "000"), (ROOT,))


@pytest.mark.parametrize("values", [["000"], ["000", None]])
def test_values_apart_may_be_all_that_there_is(values: list[str | None]) -> None:
    laid = Apart(Mask(), ("000",)).ladder(Domain.of("zip3", values))
    assert laid.labels[0][0] == "000"
    assert laid.labels[-1] == (ROOT,)


def test_the_height_does_not_tell_whether_a_value_is_apart() -> None:
    tree = Tree({"Massachusetts": ["021", "024"]})
    with_it = Apart(tree, ("000",)).ladder(Domain.of("zip3", ["000", "021"]))
    without = Apart(tree, ("000",)).ladder(Domain.of("zip3", ["021", "024"]))
    assert with_it.height == without.height


def test_a_recipe_spells_the_hierarchy_that_was_given() -> None:
    assert to_spec(Apart(Intervals((5, 10)), ("90",))) == to_spec(
        from_spec({"intervals": {"widths": [5, 10]}}, Path())
    )
