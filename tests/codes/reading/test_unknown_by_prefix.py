"""Codes that a hierarchy does not know: under what they begin with, under the root, or refused by row."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.codes.prefixes import beginnings
from sfumato.codes.tree import CodeTree
from sfumato.core.errors import BadInput
from sfumato.hierarchy import Tree
from sfumato.hierarchy.icd import Icd

VISITS = pa.table(
    {
        "who": [1, 1, 2, 2, 3, 4, 5, 6],
        "code": ["401.0", "250.00", "401.1", "401.2", "401.2", "401.2", "401.9", "250.00"],
    }
)


def parents(tree: CodeTree) -> dict[str, str | None]:
    return {
        label: tree.labels[tree.parent[node]] if tree.parent[node] >= 0 else None
        for node, label in enumerate(tree.labels)
    }


def protect(unknown: str, **more: object) -> sf.CodesRelease:
    return sf.protect_codes(
        VISITS, person="who", code="code", hierarchy="icd9cm", models=sf.KmAnonymity(2, 1),
        unknown=unknown, order="kept", **more,
    )  # fmt: skip


def test_a_code_that_is_not_known_lies_under_what_it_begins_with() -> None:
    found = parents(CodeTree.of(Icd("icd9cm"), ("401.0", "401.2", "250.00", "x99"), unknown="prefix"))
    assert found["401.2"] == "401"
    assert found["x99"] == "*"


def test_groups_of_a_tree_count_as_beginnings_though_they_are_no_codes() -> None:
    tree = Tree({"any": {"heart": {"401": ["401.0", "401.1"]}, "250": ["250.0", "250.1"]}})
    found = parents(CodeTree.of(tree, ("401.0", "401.2", "250.77", "250.0"), unknown="prefix"))
    assert (found["401.2"], found["250.77"]) == ("401", "250")


def test_a_group_of_which_no_other_code_occurs_is_found_all_the_same() -> None:
    tree = CodeTree.of(Icd("icd10cm"), ("M81.9", "M80.0", "E11.9"), unknown="prefix")
    assert parents(tree)["M81.9"] == parents(tree)["M80.0"] != "*"


def test_unknown_codes_alone_are_laid_under_what_they_begin_with() -> None:
    assert parents(CodeTree.of(Icd("icd9cm"), ("401.2", "401.5"), unknown="prefix"))["401.5"] == "401"
    with pytest.raises(BadInput, match="2 codes are not in the hierarchy"):
        CodeTree.of(Icd("icd9cm"), ("x1", "x2"), unknown="prefix")


def test_without_leave_they_are_named_by_number_and_first_row() -> None:
    with pytest.raises(BadInput, match=r"1 code is not in the hierarchy, on row 4") as caught:
        protect("error")
    assert "401.2" not in str(caught.value)
    cells = pa.table({"codes": ["401.0 401.1", "401.0", "401.0 x y", "z"]})
    with pytest.raises(BadInput, match=r"3 codes are not in the hierarchy, the first on row 3"):
        sf.protect_codes(cells, code="codes", layout="cells", hierarchy="icd9cm", models=sf.KmAnonymity(1, 1))


def test_beside_a_table_they_are_named_and_laid_in_the_same_way() -> None:
    people = pa.table({"who": [1, 2, 3, 4, 5, 6], "age": [30, 31, 32, 50, 51, 52]})
    asked = {
        "person": "who", "quasi": ["age"], "code": "code", "code_hierarchy": "icd9cm",
        "model": sf.KKmAnonymity(2, 1),
    }  # fmt: skip
    with pytest.raises(BadInput, match=r"1 code is not in the hierarchy, on row 4"):
        sf.protect_records(people, VISITS, **asked)
    assert sf.protect_records(people, VISITS, unknown="prefix", **asked).verdicts[0].holds


def test_a_release_says_where_they_were_laid() -> None:
    release = protect("prefix")
    assert release.verdicts[0].holds
    assert "1 code is not in the hierarchy, the first on row 4: laid 1 under what they begin with" in (
        release.evidence.notes
    )
    assert "laid 1 right under the root" in " ".join(protect("root").evidence.notes)


def test_what_was_not_known_is_generalised_with_its_relatives() -> None:
    lonely = pa.table({"who": [1, 2, 3, 4], "code": ["401.2", "401.1", "250.00", "250.00"]})
    asked = {"person": "who", "code": "code", "hierarchy": "icd9cm", "models": sf.KmAnonymity(2, 1)}
    found = sf.protect_codes(lonely, unknown="prefix", order="kept", **asked)
    assert [list(one) for one in found.data["codes"].to_pylist()][:2] == [["401"], ["401"]]


@given(st.text("01.AB", max_size=7))
@settings(max_examples=100, deadline=None)
def test_beginnings_are_proper_longest_first_and_end_in_a_letter(code: str) -> None:
    found = list(beginnings(code))
    assert found == sorted(set(found), key=len, reverse=True)
    assert all(code.startswith(begin) and begin != code and begin[-1] != "." for begin in found)
    assert all(len(begin) >= 3 or code[len(begin)] == "." for begin in found)
