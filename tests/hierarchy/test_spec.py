import json
from pathlib import Path
from typing import Any

import pytest

from sfumato.core.errors import BadInput
from sfumato.hierarchy import (
    Cuts,
    Dates,
    Flat,
    Hierarchy,
    HierarchyTable,
    Infer,
    Inferred,
    Intervals,
    Mask,
    RootForOthers,
    Tree,
    from_spec,
    to_spec,
)

HERE = Path()
SPELLINGS: list[tuple[Any, Hierarchy]] = [
    ("infer", Infer()),
    ("flat", Flat()),
    ("dates", Dates()),
    ("mask", Mask()),
    ({"infer": None}, Infer()),
    ({"flat": {}, "others": "error"}, Flat()),
    (
        {"intervals": {"widths": [5, 10, 20], "origin": 0, "top": 90, "bottom": 20}},
        Intervals((5, 10, 20), top=90, bottom=20),
    ),
    ({"intervals": {"widths": 5, "levels": 3}}, Intervals(5, levels=3)),
    ({"intervals": {"cuts": [18, 65]}}, Cuts([18, 65])),
    ({"mask": {"keep": 3, "char": "X"}}, Mask(keep=3, char="X")),
    ({"dates": {"levels": ["month", "year"]}}, Dates(("month", "year"))),
    ({"tree": {"any": {"g": ["a", "b"]}}}, Tree({"any": {"g": ["a", "b"]}})),
    ({"rows": [["a", "*"], ["b", "*"]]}, HierarchyTable.of([("a", "*"), ("b", "*")])),
    ({"parents": {"a": "any", "b": "any"}}, Tree({"any": {"a": None, "b": None}})),
    ({"mask": {}, "others": "root"}, RootForOthers(Mask())),
    ({"flat": None, "others": "root"}, RootForOthers(Flat())),
]


@pytest.mark.parametrize(("spec", "hierarchy"), SPELLINGS)
def test_every_spelling_is_read(spec: Any, hierarchy: Hierarchy) -> None:
    assert from_spec(spec, HERE) == hierarchy


@pytest.mark.parametrize("hierarchy", [hierarchy for _, hierarchy in SPELLINGS])
def test_what_is_written_is_plain_and_read_back_the_same(hierarchy: Hierarchy) -> None:
    spec = to_spec(hierarchy)
    assert json.loads(json.dumps(spec)) == spec
    assert from_spec(spec, HERE) == hierarchy


def test_files_are_found_beside_the_recipe(tmp_path: Path) -> None:
    (tmp_path / "h").mkdir()
    (tmp_path / "h" / "sex.csv").write_text("f|*\nm|*\n")
    spec = {"csv": "h/sex.csv", "delimiter": "|"}
    table = from_spec(spec, tmp_path)
    assert isinstance(table, HierarchyTable)
    assert table.leaves == ("f", "m")
    assert to_spec(table, tmp_path) == spec
    assert to_spec(table) == {"csv": (tmp_path / "h" / "sex.csv").as_posix(), "delimiter": "|"}
    (tmp_path / "age.csv").write_text("1;*\n")
    assert from_spec("age.csv", tmp_path) == HierarchyTable.of([("1", "*")])


def test_a_proposal_is_written_as_what_it_proposes() -> None:
    assert to_spec(Inferred(Intervals((5, 10)), "because")) == {"intervals": {"widths": [5, 10]}}


def test_a_hierarchy_of_ones_own_cannot_be_written() -> None:
    class Mine:
        def ladder(self, domain: object) -> Any:
            raise NotImplementedError

    with pytest.raises(BadInput, match="Mine: this hierarchy cannot be written in a recipe"):
        to_spec(Mine())


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("inferr", "there is no hierarchy 'inferr'; did you mean 'infer'"),
        ({"interval": {}}, "there is no key 'interval'; did you mean 'intervals'"),
        (
            {"intervals": {"width": 5}},
            "hierarchy, intervals: there is no option 'width'; did you mean 'widths'",
        ),
        ({"intervals": {}}, "the option 'widths' is missing"),
        ({"intervals": {"cuts": [1], "top": 5}}, "there is no option 'top'"),
        ({"intervals": 5}, "intervals must be a mapping"),
        ({"mask": {"steps": 1}}, "did you mean 'step'"),
        ({"flat": {"x": 1}}, "there is no option 'x'"),
        ({"flat": None, "infer": None}, "exactly one kind and has 2"),
        ({"others": "root"}, "exactly one kind and has 0"),
        ({"flat": None, "others": "star"}, "others must be root or error"),
        ({"flat": None, "delimiter": ";"}, "there is no key 'delimiter'"),
        ({"csv": 5}, "csv must be the path of a file"),
        ({"csv": "a.csv", "delimiter": ";;"}, "delimiter must be one character"),
        ({"csv": "no-such-file.csv"}, "does not exist"),
        ({"rows": "a;b"}, "rows must be a list of paths"),
        ({"rows": ["ab", "cb"]}, "rows must be a list of paths"),
        (["flat"], "a hierarchy is a word or a mapping"),
        ({"tree": None}, "a tree is a mapping"),
    ],
)
def test_wrong_spellings_are_refused_with_a_hint(spec: Any, said: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=said):
        from_spec(spec, tmp_path)
