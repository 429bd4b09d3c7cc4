"""Policies as text and as names of nodes."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.codes.policies import (
    expand,
    format_constraints,
    parse_constraints,
    read_constraints,
    write_constraints,
)
from sfumato.codes.tree import CodeTree
from sfumato.core.errors import BadInput
from sfumato.hierarchy import Tree

DOMAIN = ("295", "296", "296.01", "296.02", "401.1", "401.9")
HIERARCHY = Tree({"all": {"mental": ["295", "296", "296.01", "296.02"], "heart": ["401.1", "401.9"]}})
awkward = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"), min_size=1, max_size=6)


@given(st.lists(st.sets(awkward, min_size=1, max_size=4).map(lambda codes: tuple(sorted(codes))), max_size=4))
def test_what_is_written_is_read_again(constraints: list[tuple[str, ...]]) -> None:
    assert parse_constraints(format_constraints(constraints, "a title\nof two lines")) == tuple(constraints)


def test_blanks_commas_comments_and_windows_line_ends_are_understood() -> None:
    text = '# policy\r\n401.1,295 ,  296#no blank before\r\n\r\n "a b" , "say ""x"""\t\r\n,,\r\n'
    assert parse_constraints(text) == (("295", "296", "401.1"), ("a b", 'say "x"'))


@pytest.mark.parametrize("line", ['"open', 'a"b', '"a"b', '"a" "b'])
def test_a_quote_that_is_not_closed_is_refused_with_its_line_and_without_the_code(line: str) -> None:
    with pytest.raises(BadInput) as refused:
        parse_constraints(f"fine\n{line}", "policy.txt")
    assert str(refused.value).startswith("policy.txt, line 2: a double quote")


def test_an_empty_code_is_refused() -> None:
    with pytest.raises(BadInput, match="line 1: a code is empty"):
        parse_constraints('"" b')
    for constraint in [(), ("",), ("a\nb",)]:
        with pytest.raises(BadInput, match="a constraint is empty or has"):
            format_constraints([constraint])


def test_a_policy_is_written_for_its_owner_alone_and_never_over_another_file(tmp_path: Path) -> None:
    path = tmp_path / "policy.txt"
    write_constraints(path, [("401.1", "ü ber")], "from visits")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert read_constraints(path) == (("401.1", "ü ber"),)
    with pytest.raises(BadInput, match="exists already"):
        write_constraints(path, [("a",)])
    with pytest.raises(BadInput, match="cannot be written"):
        write_constraints(tmp_path / "nowhere" / "policy.txt", [("a",)])


def test_files_that_hold_no_policy_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"missing.txt: there is no such file"):
        read_constraints(tmp_path / "missing.txt")
    (tmp_path / "latin.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(BadInput, match="not UTF-8"):
        read_constraints(tmp_path / "latin.txt")
    (tmp_path / "empty.txt").write_text("# nothing\n")
    with pytest.raises(BadInput, match="names no constraint"):
        read_constraints(tmp_path / "empty.txt")
    (tmp_path / "marked.txt").write_bytes(b"\xef\xbb\xbf401.1\n")
    assert read_constraints(tmp_path / "marked.txt") == (("401.1",),)


@pytest.mark.parametrize("hierarchy", [HIERARCHY, CodeTree.of(HIERARCHY, DOMAIN)], ids=["hierarchy", "tree"])
def test_prefixes_and_labels_stand_for_the_codes_under_them(hierarchy: Tree | CodeTree) -> None:
    listed = [["296.*"], ["heart", "295"], ["mental"], ["29*"]]
    assert expand(listed, DOMAIN, hierarchy).constraints == (
        ("296", "296.01", "296.02"),
        ("295", "401.1", "401.9"),
        ("295", "296", "296.01", "296.02"),
        ("295", "296", "296.01", "296.02"),
    )


def test_a_code_of_the_data_means_itself_even_where_others_begin_with_it() -> None:
    assert expand([["296"]], DOMAIN).constraints == (("296",),)


def test_names_that_nothing_answers_to_are_counted() -> None:
    expanded = expand([["999", "295"], ["888.*"]], DOMAIN)
    assert expanded.constraints == (("295", "999"),)
    assert expanded.absent == 2
    assert "295" not in repr(expanded)
