"""From a recipe to release/ and steward/, and back from the bytes: for every method that there is."""

from __future__ import annotations

import json
import re
import stat
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

import sfumato as sf
from sfumato.codes.contract import Solution
from sfumato.codes.disassociated import Chunk, Cluster, Disassociated
from sfumato.codes.methods import METHODS
from sfumato.codes.models import MODELS
from sfumato.codes.published import Items, PublishedSets
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.evidence_codes import CodesEvidence, StewardCodesEvidence
from sfumato.core.findings import Status
from sfumato.recipe.api import run
from sfumato.recipe.codes import sets_file
from sfumato.recipe.codes.asked import asked_model
from sfumato.recipe.codes.job import check_enforced
from sfumato.recipe.codes.released_schema import released_codes
from sfumato.recipe.verify import verify
from tests.recipe.codes.examples import PEOPLE, RECIPE, files_in, ward, with_models

PROMISES = [
    "k-m-anonymity: {k: 3, m: 2}",
    "complete-k-anonymity: {k: 3}",
    "complete-itemset-k-anonymity: {k: 3}",
    "privacy-constraints: {k: 3, constraints: [[a1, b1], [c1]]}",
    "hkp-coherence: {h: 0.8, k: 3, p: 2}",
    "lkc-privacy: {l: 2, k: 3, c: 0.8}",
    "ps-rules: {k: 3, c: 0.8, rules: [[[a1], [s1]]]}",
    "rho-uncertainty: {rho: 0.7}",
    "disassociated-k-m-anonymity: {k: 3, m: 2}",
    "cohort-t-closeness: {t: 0.2, p: 2}",
]
MADE = {"data.csv", "evidence.json", "report.html", "schema.json"}


def kept_by(method: str) -> list[str]:
    """List the promises that a method keeps, those it may not reach on this ward last."""
    found = []
    for spelt in PROMISES:
        model = asked_model(yaml.safe_load(spelt), "models[0]", Path())
        try:
            check_enforced(METHODS[method](), [model])
        except BadInput:
            continue
        found.append(spelt)
    return sorted(found, key=lambda spelt: method == "greedy-suppression" and spelt.startswith("k-m"))


def confirmed(folder: Path) -> dict[str, Status]:
    found = verify(folder)
    assert not found.refuted, [str(one) for one in found.refuted]
    return {one.claim: one.status for one in found.findings}


@pytest.mark.parametrize("method", METHODS)
def test_every_method_goes_the_whole_way_and_back(method: str, tmp_path: Path) -> None:
    promise, *_ = kept_by(method)
    made = run(ward(tmp_path, with_models(promise, method=method)))
    assert all(verdict.holds for verdict in made.verdicts)
    claims = confirmed(made.release)
    spelt = next(claim for claim in claims if claim.startswith(promise.split(":")[0]))
    checked = made.verdicts[0].basis == "release"
    assert claims[spelt] is (Status.CONFIRMED if checked else Status.NOT_CHECKED)
    file = "data.jsonl" if method == "disassociation" else "data.csv"
    assert files_in(made.release) == MADE - {"data.csv"} | {file}


@pytest.mark.parametrize("name", sorted({promise.split(":")[0] for promise in PROMISES}))
def test_every_model_is_kept_by_some_method_here(name: str) -> None:
    kept = {promise.split(":")[0] for method in METHODS for promise in kept_by(method)}
    assert name in kept


def test_the_promises_tried_are_all_that_recipes_can_name() -> None:
    assert {promise.split(":")[0] for promise in PROMISES} == set(MODELS)


def test_a_release_of_codes_is_two_folders_for_two_audiences(tmp_path: Path) -> None:
    made = run(ward(tmp_path))
    assert files_in(made.release) == MADE
    assert files_in(made.steward) == {"evidence.json", "fingerprint.key", "report.html"}
    assert stat.S_IMODE(made.steward.stat().st_mode) == 0o700
    public = CodesEvidence.model_validate_json((made.release / "evidence.json").read_text())
    steward = StewardCodesEvidence.model_validate_json((made.steward / "evidence.json").read_text())
    assert (public.kind, public.edition, steward.edition) == ("codes", "public", "steward")
    assert public.shown.records == len(PEOPLE)
    assert steward.original.occurrences == sum(len(set(codes.split())) for codes in PEOPLE)
    became = steward.became
    assert became is not None
    assert became.kept + became.generalised + became.suppressed == steward.original.occurrences
    assert {one.name for one in steward.utility} >= {"ncp", "occurrences-changed"}
    assert steward.risk_before
    assert steward.risk_after
    assert steward.truth.startswith("truthful")


def test_names_persons_and_visits_are_left_out(tmp_path: Path) -> None:
    made = run(ward(tmp_path))
    told = "".join((made.release / name).read_text() for name in files_in(made.release))
    for raw in ("Ada", "Gus", "p00", "p07"):
        assert raw not in told


def test_codes_that_only_the_original_shows_are_not_in_the_release(tmp_path: Path) -> None:
    """a2 and b2 became A and B: the schema lists what lies under these, the evidence names no code."""
    made = run(ward(tmp_path))
    shown = {item["label"] for item in json.loads((made.release / "schema.json").read_text())["items"]}
    assert {"A", "B"} <= shown
    evidence = (made.release / "evidence.json").read_text()
    report = (made.release / "report.html").read_text()
    for code in ("a1", "a2", "b1", "b2", "c1"):
        assert f'"{code}"' not in evidence
        assert not re.search(rf"\b{code}\b", report)


def test_a_node_lists_the_codes_of_its_hierarchy_whether_they_occur_or_not(tmp_path: Path) -> None:
    made = run(ward(tmp_path))
    items = {item["label"]: item for item in json.loads((made.release / "schema.json").read_text())["items"]}
    assert items["A"]["codes"] == ["a1", "a2", "a3"]
    assert items["A"]["size"] == 3


@pytest.mark.parametrize(
    ("output", "file"),
    [
        ("{format: csv, layout: long}", "data.csv"),
        ("{format: csv.gz}", "data.csv.gz"),
        ("{format: parquet}", "data.parquet"),
        ("{format: parquet, layout: cells}", "data.parquet"),
        ("{format: jsonl}", "data.jsonl"),
        ("{format: dat}", "data.dat"),
        ("{order: kept}", "data.csv"),
    ],
)
def test_every_format_and_layout_can_be_verified(output: str, file: str, tmp_path: Path) -> None:
    made = run(ward(tmp_path, f"{RECIPE}output: {output}\n"))
    assert made.data.name == file
    confirmed(made.release)
    lost = 1 if "long" in output else 0
    assert made.evidence.shown.records == len(PEOPLE) - lost


def test_records_are_shuffled_unless_the_recipe_keeps_their_order(tmp_path: Path) -> None:
    recipe = RECIPE.replace(", sensitive: [s1, s2]", "")
    many = [f"a{1 + n % 2} b{1 + n // 2 % 2}" for n in range(60)]
    for name in ("kept", "one", "other"):
        (tmp_path / name).mkdir()
    kept = run(ward(tmp_path / "kept", f"{recipe}output: {{order: kept}}\n", many))
    assert kept.data.read_text().split("\n")[1:5] == ["a1 b1", "a2 b1", "a1 b2", "a2 b2"]
    shuffled = [run(ward(tmp_path / name, recipe, many)).data.read_text() for name in ("one", "other")]
    assert shuffled[0] != shuffled[1]
    assert sorted(shuffled[0].split("\n")) == sorted(shuffled[1].split("\n"))


def test_a_release_that_cannot_keep_its_promise_leaves_nothing(tmp_path: Path) -> None:
    recipe = ward(tmp_path, RECIPE.replace("k: 3", "k: 100"))
    before = files_in(tmp_path)
    with pytest.raises(PromiseNotMet):
        run(recipe)
    assert files_in(tmp_path) == before


def test_several_promises_are_kept_together_or_refused(tmp_path: Path) -> None:
    both = with_models("k-m-anonymity: {k: 2, m: 2}", "k-m-anonymity: {k: 3, m: 1}", method="apriori")
    made = run(ward(tmp_path, both))
    assert [verdict.holds for verdict in made.verdicts] == [True, True]
    with pytest.raises(BadInput, match="apriori does not enforce complete-k-anonymity"):
        run(ward(tmp_path, with_models("complete-k-anonymity: {k: 3}", method="apriori")), replace=True)


def test_an_existing_release_is_swapped_only_when_asked(tmp_path: Path) -> None:
    recipe = ward(tmp_path, RECIPE + "output: {format: dat}\n")
    run(recipe)
    with pytest.raises(BadInput, match="already"):
        run(recipe)
    recipe.write_text(RECIPE)
    run(recipe, replace=True)
    assert files_in(tmp_path / "release") == MADE
    (tmp_path / "steward" / "notes.txt").write_text("mine")
    with pytest.raises(BadInput, match="did not write"):
        run(recipe, replace=True)


def test_a_sensitive_group_stays_sensitive_when_its_hierarchy_cannot_list_it() -> None:
    """Else a check of the release would look for fewer sensitive items than the house did."""
    marked = np.array([True, True, False])
    items = Items.of_groups(
        ["s1", "s2", "x"], [[0, 1], [2]], labels=["S", "x"], sizes=[9, 1], sensitive=marked
    )
    published = PublishedSets(items, np.array([0, 2, 3]), np.array([0, 1, 1]))
    schema = released_codes(published, None, ["s1", "s2"], "data.csv", "cells")
    assert [(item.label, item.codes, item.size, item.sensitive) for item in schema.items] == [
        ("S", [], 9, True),
        ("x", ["x"], 1, False),
    ]
    assert schema.declared().sensitive.tolist() == [True, False]


@pytest.mark.parametrize("broken", ["chunks", "records"])
def test_what_was_invented_is_never_published(
    broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A method that lies is caught in the house, whatever it promises."""
    if broken == "chunks":
        lie: object = Disassociated(("a1",), (Cluster(len(PEOPLE), (Chunk.of([[0]] * len(PEOPLE)),)),))
        method, recipe = (
            "disassociation",
            with_models("disassociated-k-m-anonymity: {k: 3, m: 2}", method="disassociation"),
        )
    else:
        lie = PublishedSets.of([["a1", "b1"]] * len(PEOPLE))
        method, recipe = "apriori", RECIPE
    monkeypatch.setattr(METHODS[method], "protect", lambda *_, **__: Solution(lie))
    with pytest.raises(PromiseNotMet, match=r"more often than people have|not truthful"):
        run(ward(tmp_path, recipe))
    assert not (tmp_path / "release").exists()


def test_a_file_that_is_not_what_was_found_is_never_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = sets_file.write_published

    def lossy(published: PublishedSets, *rest: object, **options: object) -> object:
        rows = PublishedSets(published.items, published.starts, published.shown[::-1])
        return write(rows, *rest, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(sets_file, "write_published", lossy)
    with pytest.raises(PromiseNotMet, match="does not hold the records that were found"):
        run(ward(tmp_path))
    assert not (tmp_path / "release").exists()


def test_a_layout_that_cannot_show_empty_records_is_named_when_it_breaks_a_promise() -> None:
    people = [["a1", "s1"], ["a1"], ["s1"], ["s1"], ["s1"], ["c1"], ["b1"], ["a2"]]
    long = pd.DataFrame(
        [(who, code) for who, codes in enumerate(people) for code in codes], columns=["who", "code"]
    )
    asked = {"cohort-t-closeness": {"t": 0.1, "p": 1}}
    given = {"person": "who", "code": "code", "sensitive": ["s1"], "method": "greedy-suppression"}
    with pytest.raises(PromiseNotMet, match="cannot be shown in the layout 'long'"):
        sf.protect_codes(long, models=asked, output="long", **given)
    assert sf.protect_codes(long, models=asked, output="cells", **given).verdicts[0].holds
