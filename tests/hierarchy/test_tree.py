from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.domain import Domain
from sfumato.core.errors import BadInput
from sfumato.hierarchy import Tree, UncoveredValues
from tests.oracles.hierarchy import assert_sound, published, tree_paths

DISEASES = {"any": {"infectious": {"viral": ["HIV", "flu"], "bacterial": ["plague"]}, "accident": None}}


def test_leaves_climb_through_their_groups() -> None:
    domain = Domain.of("disease", ["HIV", "plague"])
    ladder = Tree(DISEASES).ladder(domain)
    assert published(ladder, domain)["HIV"] == ("HIV", "viral", "infectious", "any")
    assert ladder.size == 4


def test_a_leaf_that_lies_high_stays_itself_below() -> None:
    assert Tree(DISEASES).rows()[-1] == ("accident", "accident", "accident", "any")


def test_several_tops_get_a_star_above_them() -> None:
    assert Tree({"a": ["x"], "b": ["y"]}).rows() == [("x", "a", "*"), ("y", "b", "*")]
    assert Tree(["x", "y"]).rows() == [("x", "*"), ("y", "*")]


def test_groups_may_stand_inside_lists() -> None:
    assert Tree({"any": ["x", {"g": ["y"]}]}).rows() == [("x", "x", "any"), ("y", "g", "any")]


def test_labels_need_not_be_text() -> None:
    assert Tree({"any": {2020: [1, 2.5], True: None}}).rows() == [
        ("1", "2020", "any"),
        ("2.5", "2020", "any"),
        ("true", "true", "any"),
    ]


def test_an_inner_label_is_no_value() -> None:
    with pytest.raises(UncoveredValues):
        Tree(DISEASES).ladder(Domain.of("disease", ["viral"]))


def test_parents_give_the_same_tree() -> None:
    parents = {
        "HIV": "viral",
        "flu": "viral",
        "viral": "infectious",
        "plague": "bacterial",
        "bacterial": "infectious",
        "infectious": "any",
        "accident": "any",
        "any": None,
    }
    assert sorted(Tree.from_parents(parents).rows()) == sorted(Tree(DISEASES).rows())


def test_parents_that_go_round_are_refused() -> None:
    with pytest.raises(BadInput, match="entry 2 of the parents: the parents have a cycle"):
        Tree.from_parents({"x": "a", "a": "b", "b": "a"})
    with pytest.raises(BadInput, match="cycle"):
        Tree.from_parents({"a": "a"})


def test_a_chain_without_end_is_refused() -> None:
    with pytest.raises(BadInput, match="deeper than 200 levels"):
        Tree.from_parents({str(number): str(number + 1) for number in range(3000)})


def test_a_tree_that_contains_itself_is_refused() -> None:
    nodes: dict[str, Any] = {}
    nodes["a"] = nodes
    with pytest.raises(BadInput, match="the tree contains itself"):
        Tree(nodes)


@pytest.mark.parametrize(
    ("nodes", "said"),
    [
        ({"a": ["x", "x"]}, "1 label stands in the tree more than once"),
        ({"a": ["x"], "b": ["x"]}, "1 label stands in the tree more than once"),
        ({"a": ["a"]}, "1 label stands in the tree more than once"),
        ({"r": {"a": {"b": ["x"]}, "b": ["a"]}}, "2 labels stand in the tree more than once"),
        ({}, "a tree is a mapping"),
        ("a", "a tree is a mapping"),
        ({"a": [""]}, "a label of the tree is empty"),
        ({"a": [["x"]]}, "a list stands where a label should be"),
    ],
)
def test_wrong_trees_are_refused(nodes: Any, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        Tree(nodes)


@st.composite
def trees(draw: st.DrawFn) -> dict[str, Any]:
    counter = iter(range(1000))

    def grow(depth: int) -> dict[str, Any] | None:
        if depth == 0:
            return None
        children = draw(st.integers(0, 3))
        return {f"n{next(counter)}": grow(depth - 1) for _ in range(children)} or None

    return {f"top{number}": grow(3) for number in range(draw(st.integers(1, 2)))}


@given(trees(), st.data())
def test_random_trees_climb_as_a_walk_does(nodes: dict[str, Any], data: st.DataObject) -> None:
    expected = tree_paths(nodes)
    tree = Tree(nodes)
    assert tree.rows() == expected
    values = data.draw(st.lists(st.sampled_from([path[0] for path in expected]), min_size=1))
    domain = Domain.of("x", values)
    ladder = tree.ladder(domain)
    assert_sound(ladder)
    assert published(ladder, domain) == {path[0]: path for path in expected if path[0] in values}
