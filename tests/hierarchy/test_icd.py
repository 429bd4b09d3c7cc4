"""The ICD hierarchies: compared with independent lists, and laid over codes."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.domain import Domain, Scale
from sfumato.core.errors import BadInput
from sfumato.hierarchy import Icd, RootForOthers, UncoveredValues, from_spec, to_spec, validate
from sfumato.hierarchy.icd import icd_table


def _paths(shared: Path, name: str) -> dict[str, list[str]]:
    with gzip.open(shared / "data" / "codes" / "icd" / name, "rt", encoding="utf-8") as file:
        rows = [line.split(";")[:2] for line in file][1:]
    # Headings of ICD-10-CM without any code of their own stand in the list as if they were leaves.
    return {leaf: path.split(">") for leaf, path in rows if "-" not in leaf}


def _shown(system: str, codes: list[str]) -> dict[str, list[str | None]]:
    domain = Domain("code", tuple(sorted(codes)), Scale.CATEGORY)
    ladder = Icd(system).ladder(domain)
    return {
        str(code): [ladder.labels[level][ladder.rungs[level, place]] for level in range(ladder.height + 1)]
        for place, code in enumerate(domain.values)
    }


@pytest.mark.golden
def test_icd_9_agrees_with_the_list_of_2015(shared: Path) -> None:
    paths = _paths(shared, "icd9cm_2015_hierarchy.csv.gz")
    assert len(paths) == icd_table("icd9cm").size == 14_567
    for code, shown in _shown("icd9cm", [*paths]).items():
        # Some chapters have no blocks: there the chapter stands at both levels.
        assert list(dict.fromkeys(shown)) == paths[code]


@pytest.mark.golden
def test_icd_10_agrees_with_the_list_of_2026(shared: Path) -> None:
    paths = _paths(shared, "icd10cm_apr2026_hierarchy.csv.gz")
    assert len(paths) == icd_table("icd10cm").size == 74_719
    chapters: dict[str, str | None] = {}
    for code, shown in _shown("icd10cm", [*paths]).items():
        *lower, chapter, root = paths[code]
        assert list(dict.fromkeys(shown[:-2])) == list(dict.fromkeys(lower))
        # The list numbers the chapters; here they are named by the codes that they span.
        assert chapters.setdefault(chapter, shown[-2]) == shown[-2]
        assert root == shown[-1] == "*"
    assert len(chapters) == len({*chapters.values()}) == 22


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_any_codes_make_a_sound_ladder(data: st.DataObject) -> None:
    system = data.draw(st.sampled_from(["icd9cm", "icd10cm"]))
    table = icd_table(system)
    some = data.draw(st.lists(st.sampled_from(sorted(table.number)), min_size=1, max_size=12))
    above = [table.labels[node] for code in some for node in table.chain(table.number[code])[:-2]]
    codes = sorted({*some, *data.draw(st.lists(st.sampled_from(above)))})
    ladder = validate(Icd(system).ladder(Domain("code", tuple(codes), Scale.CATEGORY)))
    inner = sum(not table.is_leaf(code) for code in codes)
    assert ladder.size == table.size + inner
    assert ladder.labels[0] == tuple(codes)


def test_a_category_in_the_data_is_a_leaf_under_its_own_group() -> None:
    shown = _shown("icd9cm", ["401", "401.1", "453.7", "453.75"])
    assert shown["401"] == ["401", "401", "401", "401-405", "390-459", "*"]
    assert shown["401.1"] == ["401.1", "401.1", "401", "401-405", "390-459", "*"]
    assert shown["453.7"] == ["453.7", "453.7", "453", "451-459", "390-459", "*"]
    assert shown["453.75"] == ["453.75", "453.7", "453", "451-459", "390-459", "*"]
    ladder = Icd("icd9cm").ladder(Domain("code", ("401", "401.1", "453.7", "453.75"), Scale.CATEGORY))
    assert len({*ladder.rungs[1].tolist()}) == 3
    assert (
        ladder.leaves[2][ladder.rungs[2, 0]]
        == icd_table("icd9cm").leaves[icd_table("icd9cm").number["401"]] + 1
    )


def test_missing_values_are_a_group_of_their_own() -> None:
    ladder = Icd("icd10cm").ladder(Domain.of("code", ["E11.9", None]))
    assert ladder.labels[0] == ("E11.9", None)
    assert ladder.labels[-1] == ("*",)


def test_codes_that_are_not_in_it_are_counted() -> None:
    with pytest.raises(UncoveredValues, match="2 values are not in the hierarchy"):
        Icd("icd9cm").ladder(Domain.of("code", ["401.9", "4019", "nothing"]))


def test_there_are_two_classifications() -> None:
    with pytest.raises(BadInput, match="there is no classification 'icd11'"):
        Icd("icd11")


@pytest.mark.parametrize("system", ["icd9cm", "icd10cm"])
def test_a_recipe_spells_them_as_words(system: str) -> None:
    assert from_spec(system, Path()) == Icd(system)
    assert from_spec({system: None}, Path()) == Icd(system)
    assert to_spec(Icd(system)) == system
    others = RootForOthers(Icd(system))
    assert from_spec(to_spec(others), Path()) == others
    with pytest.raises(BadInput, match="has no options"):
        from_spec({system: {"level": 3}}, Path())
