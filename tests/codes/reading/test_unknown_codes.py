"""Codes that a hierarchy does not know: refused, laid under the root, or left out."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.codes.reading import Long, read_codes
from sfumato.codes.tree import CodeTree, unknown_codes
from sfumato.core.errors import BadInput
from sfumato.hierarchy import HierarchyTable, Icd, RootForOthers, Tree, UncoveredValues

TREE = Tree({"any": {"A": ["a1", "a2"], "B": ["b1", "b2"]}})
DOMAIN = ("a1", "a2", "b1", "x", "y")


class TestCodeTree:
    def test_unknown_codes_are_counted_and_refused(self) -> None:
        with pytest.raises(UncoveredValues, match="2 codes are not in the hierarchy") as refused:
            CodeTree.of(TREE, DOMAIN)
        assert refused.value.codes == (3, 4)
        assert "unknown: root" in str(refused.value)

    @pytest.mark.parametrize("by", ["argument", "hierarchy"])
    def test_unknown_codes_may_lie_right_under_the_root(self, by: str) -> None:
        if by == "argument":
            tree = CodeTree.of(TREE, DOMAIN, unknown="root")
        else:
            tree = CodeTree.of(RootForOthers(TREE), DOMAIN)
        # A root with a name says something that is not true of the others: they lie under a star.
        assert tree.labels == (*DOMAIN, "A", "any", "*")
        assert tree.parent.tolist() == [5, 5, 6, 7, 7, 6, 7, -1]
        assert (tree.total, tree.size.tolist()) == (6, [1, 1, 1, 1, 1, 2, 4, 6])

    def test_a_star_is_the_root_of_all(self) -> None:
        table = HierarchyTable.of([("a1", "A", "*"), ("a2", "A", "*")])
        tree = CodeTree.of(table, ("a1", "a2", "x"), unknown="root")
        assert tree.labels == ("a1", "a2", "x", "A", "*")
        assert tree.parent.tolist() == [3, 3, 4, 4, -1]

    @settings(max_examples=100, deadline=None)
    @given(st.sets(st.sampled_from(["a1", "a2", "b1", "b2", "x", "y", "z"]), min_size=1))
    def test_every_code_lies_under_the_root_once(self, codes: set[str]) -> None:
        domain = tuple(sorted(codes))
        if not codes & {"a1", "a2", "b1", "b2"}:
            with pytest.raises(BadInput):
                CodeTree.of(TREE, domain, unknown="root")
            return
        tree = CodeTree.of(TREE, domain, unknown="root")
        assert tree.under(tree.root).tolist() == list(range(len(domain)))
        assert len({*tree.labels}) == len(tree.labels)
        assert tree.labels[: len(domain)] == domain
        for node in range(len(tree) - 1):
            above = int(tree.parent[node])
            assert above > node or above == -1
            assert {*tree.under(node).tolist()} <= {*tree.under(above).tolist()}

    def test_if_nothing_is_known_the_hierarchy_is_that_of_something_else(self) -> None:
        with pytest.raises(UncoveredValues):
            CodeTree.of(TREE, ("x", "y"), unknown="root")

    def test_a_wrong_word_is_refused(self) -> None:
        with pytest.raises(BadInput, match="known are: error, prefix, root"):
            CodeTree.of(TREE, ("a1",), unknown="ignore")

    def test_a_hierarchy_without_a_root_gets_one(self) -> None:
        table = HierarchyTable.of([("a1", "A"), ("a2", "A"), ("b1", "B"), ("b2", "B")])
        tree = CodeTree.of(table, ("a1", "a2", "b1"))
        assert tree.labels == ("a1", "a2", "b1", "A", "*")
        assert tree.parent.tolist() == [3, 3, 4, 4, -1]

    def test_a_code_that_is_a_category_has_a_label_of_its_own(self) -> None:
        tree = CodeTree.of(Icd("icd9cm"), ("401", "401.1", "401.9", "402.00"))
        assert tree.labels == ("401", "401.1", "401.9", "402.00", "401*", "401-405")
        assert tree.under(4).tolist() == [0, 1, 2]


class TestSuppression:
    def test_codes_that_are_not_known_are_left_out_and_counted(self) -> None:
        data = pa.table(
            {"who": [1, 1, 2, 3, 3], "visit": [1, 2, 3, 4, 4], "code": ["a1", "x", "x", "b1", "y"]}
        )
        found = read_codes(data, Long("who", "code", "visit"))
        known = found.known_to(TREE)
        assert list(known.sets) == [("a1",), (), ("b1",)]
        assert known.visits is not None
        assert list(known.visits.sets) == [("a1",), (), (), ("b1",)]
        assert known.visits.owner.tolist() == [0, 0, 1, 2]
        assert known.sets.domain == known.visits.sets.domain == ("a1", "b1")
        assert (known.counts.suppressed, known.counts.empty, known.counts.occurrences) == (3, 1, 2)
        assert "2 codes that the hierarchy does not know left out (3 occurrences)" in known.notes

    def test_nothing_changes_when_all_are_known(self) -> None:
        found = read_codes(pa.table({"who": [1], "code": ["a1"]}), Long("who", "code"))
        assert found.known_to(TREE) is found

    def test_they_are_found_behind_others_root_too(self) -> None:
        assert unknown_codes(RootForOthers(TREE), DOMAIN) == (3, 4)
