"""Adversarial cases of a table and codes together: counted by brute force, forged, misspelt."""

from __future__ import annotations

import hashlib
import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.codes.published import PublishedSets
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.hierarchy import Tree
from sfumato.recipe.codes.attack import attack_codes
from sfumato.recipe.verify import verify
from sfumato.record.relational_codes import (
    KKmAnonymity,
    PublishedRecords,
    RecordsRelease,
    RelationalCodes,
    protect_records,
)
from tests.cli.commands import sfumato
from tests.record.test_relational_codes_recipe import CODES, PEOPLE, RECIPE, made, ward

UNDER = {"A": {"a1", "a2"}, "B": {"b1", "b2", "b3"}, "any": {"a1", "a2", "b1", "b2", "b3", "c"}}
TREE = Tree({"any": {"A": ["a1", "a2"], "B": ["b1", "b2", "b3"], "c": None}})
LEAVES = sorted(UNDER["any"])
BY_RECORD = ("apriori", "direct", "optimal-cut", "local-apriori", "vertical-apriori")
LEAVING_OUT = ("greedy-suppression", "partition", "rare-codes")

Person = tuple[int | None, str | None, frozenset[str]]
persons = st.tuples(
    st.sampled_from([20, 21, 22, 60, 61, 70, None]),
    st.sampled_from(["f", "m", "x", None]),
    st.frozensets(st.sampled_from(LEAVES), max_size=4),
)


def codes_of(label: str) -> set[str]:
    """Read an item by its label alone: a node of the tree above, a printed set, or a code."""
    if label in UNDER:
        return UNDER[label]
    return set(label.strip("()").split(",")) if label.startswith("(") else {label}


def agrees(label: str | None, value: int | str | None) -> bool:
    """Say whether a published quasi-identifier may stand for a value."""
    if label is None or value is None:
        return label is None or label == "*" or label.endswith(" or missing")
    label, text = label.removesuffix(" or missing"), str(value)
    if label.startswith("["):
        low, _, high = label.strip("[]").partition("-")
        return float(low) <= float(value) <= float(high or low)
    return text in label.strip("{}").split(", ")


def released(people: list[Person], method: RelationalCodes, k: int, m: int) -> RecordsRelease:
    who = [f"p{row}" for row in range(len(people))]
    ages = pd.array([age for age, _, _ in people], dtype="Int64")
    table = pd.DataFrame({"who": who, "age": ages, "sex": [sex for _, sex, _ in people]})
    pairs = [(who[row], code) for row, (_, _, codes) in enumerate(people) for code in sorted(codes)]
    visits = pd.DataFrame(pairs, columns=["who", "code"])
    return protect_records(
        table,
        visits,
        person="who",
        quasi=["age", "sex"],
        code="code",
        model=KKmAnonymity(k, m),
        method=method,
        code_hierarchy=TREE,
    )


@settings(max_examples=60, deadline=None)
@given(
    people=st.lists(persons, min_size=3, max_size=14).filter(lambda rows: any(row[2] for row in rows)),
    bounding=st.sampled_from(["rmerge", "tmerge", "rtmerge"]),
    bounded=st.sampled_from(["relational", "codes"]),
    clusters=st.sampled_from(["bottom-up", "k-member", "top-down", "mondrian"]),
    codes=st.sampled_from([*BY_RECORD, *LEAVING_OUT]),
    delta=st.sampled_from([0.3, 0.8, 1.0]),
    k=st.integers(1, 14),
    m=st.sampled_from([1, 2, 7]),
)
def test_whoever_knows_quasi_identifiers_and_m_codes_finds_nobody_or_k_people(
    people: list[Person], bounding: Any, bounded: Any, clusters: Any, codes: str, delta: float, k: int, m: int
) -> None:
    k = min(k, len(people))
    method = RelationalCodes(bounding, delta, bounded, clusters=clusters, codes=codes)
    try:
        found = released(people, method, k, m)
    except PromiseNotMet as refused:
        if "delta" not in str(refused):
            raise
        return
    shown = found.published
    labels = list(zip(*(column.to_pylist() for column in shown.quasi.columns), strict=True))
    items = [shown.sets.record(row) for row in range(len(people))]
    gone = 0
    for row, (age, sex, held) in enumerate(people):
        assert agrees(labels[row][0], age)
        assert agrees(labels[row][1], sex)
        assert all(codes_of(label) & held for label in items[row])
        gone += sum(not any(code in codes_of(label) for label in items[row]) for code in held)
        # All boxes that hold the person, their own and those that overlap with it.
        near = [r for r, label in enumerate(labels) if agrees(label[0], age) and agrees(label[1], sex)]
        for size in range(min(m, len(held)) + 1):
            for known in combinations(sorted(held), size):
                left = [
                    r
                    for r in near
                    if all(any(code in codes_of(label) for label in items[r]) for code in known)
                ]
                assert not left or len(left) >= k
    assert found.details["codes left out"] == gone
    assert found.details["R"] == pytest.approx(found.utility["table.gcp"], abs=1e-9)
    assert found.details["T"] == pytest.approx(found.utility["codes.ncp"], abs=1e-9)
    assert found.utility["table.gcp" if bounded == "relational" else "codes.ncp"] <= delta + 1e-9


def test_codes_that_the_method_for_sets_leaves_out_are_counted_and_told() -> None:
    held = [{"a1", "c"}, {"a1", "c"}, {"a1", "b1"}, {"a1"}]
    people: list[Person] = [(20, "f", frozenset(codes)) for codes in held]
    found = released(people, RelationalCodes(delta=1.0, codes="rare-codes"), 2, 1)
    assert found.details["codes left out"] == 1
    assert "1 occurrence of a code was left out: the method for sets chose so" in found.notes


def test_a_class_without_k_holders_is_told_apart_from_what_the_method_left_out() -> None:
    people: list[Person] = [(20, "f", frozenset({"a1", "b1"})), (20, "f", frozenset())]
    people += [(70, "m", frozenset({"c", "a2"})), (70, "m", frozenset({"c"}))]
    found = released(people, RelationalCodes(delta=0.0, codes="rare-codes"), 2, 1)
    assert [note for note in found.notes if "left out" in note] == [
        "2 occurrences of codes were left out: fewer than k people of their class have any code",
        "1 occurrence of a code was left out: the method for sets chose so",
    ]


@pytest.mark.parametrize("codes", [42, None, ["apriori"]])
def test_what_is_no_method_for_sets_is_refused(codes: Any) -> None:
    with pytest.raises(BadInput, match="neither the name of a method for sets nor a method"):
        RelationalCodes(codes=codes)


@pytest.mark.parametrize(
    "column", [[["x"], ["x"]], [{"a": 1}, {"a": 1}]], ids=["a column of lists", "a column of structs"]
)
def test_quasi_identifiers_that_hold_no_plain_values_are_refused(column: list[Any]) -> None:
    with pytest.raises(BadInput, match="column 'age': its values are neither"):
        PublishedRecords(pa.table({"age": column}), PublishedSets.of([["a"], ["a"]]))


def test_a_forged_release_with_nested_quasi_identifiers_is_refuted_and_not_a_crash(tmp_path: Path) -> None:
    made(ward(tmp_path, RECIPE + "output: {format: parquet}\n"), tmp_path / "out")
    release = tmp_path / "out/release"
    data = release / "data.parquet"
    table = pq.read_table(data)
    pq.write_table(table.set_column(0, "age", pa.array([["x"]] * table.num_rows)), data)
    told = json.loads((release / "evidence.json").read_text())
    told["data"].update(sha256=hashlib.sha256(data.read_bytes()).hexdigest(), bytes=data.stat().st_size)
    (release / "evidence.json").write_text(json.dumps(told))
    assert "the release keeps its promises" in {one.claim for one in verify(release).refuted}


@pytest.mark.parametrize("change", ["swapped codes", "dropped row", "m told as 3"])
def test_forgeries_with_a_fingerprint_that_fits_are_refuted(tmp_path: Path, change: str) -> None:
    made(ward(tmp_path), tmp_path / "out")
    release = tmp_path / "out/release"
    data, evidence = release / "data.csv", release / "evidence.json"
    told = json.loads(evidence.read_text())
    head, *rows = data.read_text().splitlines()
    if change == "swapped codes":
        # The only record without an item, and one of another class.
        empty = next(place for place, row in enumerate(rows) if row.endswith(',""'))
        other = next(place for place, row in enumerate(rows) if row.endswith(",f,A B"))
        rows[empty] = rows[empty].removesuffix('""') + "A B"
        rows[other] = rows[other].removesuffix("A B") + '""'
    elif change == "dropped row":
        rows = rows[1:]
        told["data"]["rows"] -= 1
    else:
        told["verdicts"][0]["parameters"]["m"] = 3
        told["recipe"]["models"] = [{"k-km-anonymity": {"k": 2, "m": 3}}]
    data.write_text("\n".join([head, *rows]) + "\n")
    told["data"].update(sha256=hashlib.sha256(data.read_bytes()).hexdigest(), bytes=data.stat().st_size)
    evidence.write_text(json.dumps(told))
    assert verify(release).refuted


def test_a_quasi_identifier_called_like_the_released_codes_is_refused_in_any_case(tmp_path: Path) -> None:
    recipe = RECIPE.replace("name: age", "name: Codes")
    with pytest.raises(BadInput, match="column 'Codes': the released codes get this name"):
        made(ward(tmp_path, recipe), tmp_path / "out")


@pytest.mark.parametrize(
    ("people", "codes", "said"),
    [
        (PEOPLE, ["1.0,a1", "2.0,a1"], "nobody with codes is in the table"),
        (PEOPLE, ["1.0,a1", "2,a1", "3,a1"], "1 is not in the table; add their rows or take their codes out"),
        ([*PEOPLE, ",Zoe,33,f"], CODES, "1 row has no person"),
        ([*PEOPLE, " 1,Ada,33,f"], CODES, "1 row is about somebody who has another row"),
    ],
)
def test_people_who_cannot_be_joined_are_one_sentence_and_nothing_is_written(
    tmp_path: Path, people: list[str], codes: list[str], said: str
) -> None:
    ward(tmp_path, codes=codes)
    (tmp_path / "people.csv").write_text("\n".join(["id,name,age,sex", *people]) + "\n")
    done = sfumato("protect", "recipe.yaml", folder=tmp_path)
    assert done.returncode == 2
    assert said in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["codes.csv", "people.csv", "recipe.yaml"]


@pytest.mark.parametrize("change", ["remark", "remark on a column", "numbers"])
def test_a_parquet_file_that_carries_more_than_its_records_is_refuted(tmp_path: Path, change: str) -> None:
    made(ward(tmp_path, RECIPE + "output: {format: parquet}\n"), tmp_path / "out")
    release = tmp_path / "out/release"
    assert not verify(release).refuted
    data, evidence = release / "data.parquet", release / "evidence.json"
    table = pq.read_table(data)
    if change == "remark":
        table = table.replace_schema_metadata({"names": "Ada"})
    elif change == "remark on a column":
        first, *others = table.schema
        table = table.cast(pa.schema([first.with_metadata({"names": "Ada"}), *others]))
    else:
        table = table.set_column(0, "age", pa.array([1.5] * table.num_rows))
    pq.write_table(table, data)
    told = json.loads(evidence.read_text())
    told["data"].update(sha256=hashlib.sha256(data.read_bytes()).hexdigest(), bytes=data.stat().st_size)
    evidence.write_text(json.dumps(told))
    assert "the file holds its records and nothing else" in {one.claim for one in verify(release).refuted}


def test_attacks_that_know_codes_alone_are_refused_beside_quasi_identifiers(tmp_path: Path) -> None:
    made(ward(tmp_path), tmp_path / "out")
    with pytest.raises(BadInput, match="quasi-identifiers stand beside these codes"):
        attack_codes(tmp_path / "out/release", original=tmp_path / "codes.csv")


def test_codes_outside_the_hierarchy_are_not_named_in_the_release(tmp_path: Path) -> None:
    recipe = RECIPE.replace("role: codes,", "role: codes, unknown: root,")
    made(ward(tmp_path, recipe, [*CODES, "1,ZRARE"]), tmp_path / "out")
    for path in (tmp_path / "out/release").iterdir():
        assert "ZRARE" not in path.read_text(), path.name
    assert not verify(tmp_path / "out/release").refuted
