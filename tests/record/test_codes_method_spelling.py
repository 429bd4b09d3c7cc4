"""The method for codes beside a table is spelt alike in Python, in recipes and in evidence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.codes.methods import METHODS
from sfumato.core.errors import BadInput
from sfumato.core.named import build
from sfumato.recipe.verify import verify
from sfumato.record.relational_codes.registry import RECORD_METHODS
from tests.record.test_relational_codes_recipe import RECIPE, made, ward

PEOPLE = pa.table({"who": [1, 2, 3, 4], "age": [30, 31, 50, 51]})
CODES = pa.table({"who": [1, 2, 3, 4, 4], "code": ["a1", "a1", "a2", "a2", "b1"]})
TREE = sf.Tree({"any": {"A": ["a1", "a2"], "B": ["b1"]}})
SPELLINGS: list[Any] = [
    "apriori",
    {"apriori": {}},
    {"apriori": None},
    {"apriori": {"orders": "rare", "suppress": 0.2}},
    {"apriori": {"orders": ["rare"], "suppress": 0.2}},
    sf.AprioriAnonymisation(orders="rare", suppress=0.2),
    sf.AprioriAnonymisation(),
]


def shown(method: Any) -> list[Any]:
    release = sf.protect_records(
        PEOPLE, CODES, person="who", quasi=["age"], code="code", code_hierarchy=TREE, order="kept",
        model={"k-km-anonymity": {"k": 2, "m": 1}}, method=method,
    )  # fmt: skip
    found: list[Any] = release.data.to_pylist()
    return found


@pytest.mark.parametrize("codes", SPELLINGS, ids=str)
def test_every_spelling_means_the_same_in_python_and_in_recipes(codes: Any) -> None:
    direct = sf.RelationalCodes(codes=codes)
    assert shown(direct) == shown({"relational-codes": {"codes": codes}})
    spelt = build(RECORD_METHODS, {"relational-codes": {"codes": codes}}, "method")
    assert spelt == direct == sf.RelationalCodes(codes=direct.codes)
    assert isinstance(direct.codes, str | dict)


@pytest.mark.parametrize("name", sorted(METHODS))
def test_every_method_for_sets_can_be_named(name: str) -> None:
    try:
        METHODS[name]()
    except TypeError:
        return
    assert sf.RelationalCodes(codes=name).set_method == METHODS[name]()


@pytest.mark.parametrize("name", ["apriori", "direct", "local-apriori", "vertical-apriori"])
def test_one_order_is_written_with_or_without_a_list(name: str) -> None:
    one, listed = (build(METHODS, {name: {"orders": orders}}, "method") for orders in ("rare", ["rare"]))
    assert one == listed == METHODS[name](orders="rare")


@pytest.mark.parametrize(
    ("codes", "why"),
    [
        ("aprioro", "there is no method for sets 'aprioro'"),
        ({"apriori": {"supress": 0.1}}, "'supress' is not a parameter of apriori"),
        ({"apriori": {}, "partition": {}}, "one name with its parameters"),
        (sf.AprioriAnonymisation, "neither the name of a method for sets nor a method"),
        ({"coat": {"suppress": 7}}, "suppress"),
    ],
)
def test_what_is_misspelt_is_refused_with_a_sentence(codes: Any, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        shown(sf.RelationalCodes(codes=codes))


def test_evidence_spells_parameters_as_the_recipe_does(tmp_path: Path) -> None:
    recipe = RECIPE[: RECIPE.index("method:")] if "method:" in RECIPE else RECIPE
    recipe += (
        "method:\n  relational-codes: {delta: 1.0, codes: {apriori: {orders: [rare], suppress: 0.05}}}\n"
    )
    made(ward(tmp_path, recipe), tmp_path / "out")
    told = json.loads((tmp_path / "out/release/evidence.json").read_text())
    assert told["recipe"]["method"]["relational-codes"]["codes"] == {
        "apriori": {"orders": ["rare"], "suppress": 0.05}
    }
    assert not verify(tmp_path / "out/release").refuted
