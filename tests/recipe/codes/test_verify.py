"""Whatever is changed in a release of codes, verification finds it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sfumato as sf
from sfumato.core.errors import BadInput
from sfumato.core.findings import Status
from sfumato.core.fingerprint import sha256_of
from tests.recipe.codes.examples import ward, with_models

CHUNKS = with_models("disassociated-k-m-anonymity: {k: 3, m: 2}", method="disassociation")


@pytest.fixture
def release(tmp_path: Path) -> Path:
    return sf.run(ward(tmp_path)).release


def refuted(release: Path, **options: Path) -> str:
    return " | ".join(finding.claim for finding in sf.verify(release, **options).refuted)


def edit_json(path: Path, change: Callable[[Any], None]) -> None:
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


def forge(release: Path) -> None:
    """Make the evidence fit changed data and a changed schema, as a forger would."""

    def fit(evidence: Any) -> None:
        evidence["data"]["sha256"] = sha256_of(release / evidence["data"]["file"])
        evidence["data"]["bytes"] = (release / evidence["data"]["file"]).stat().st_size
        evidence["schema_sha256"] = sha256_of(release / "schema.json")

    edit_json(release / "evidence.json", fit)


def edit_data(release: Path, old: str, new: str, file: str = "data.csv") -> None:
    text = (release / file).read_text()
    assert old in text
    (release / file).write_text(text.replace(old, new, 1))


def test_an_untouched_release_is_confirmed_but_for_what_bytes_cannot_show(release: Path) -> None:
    found = {one.claim: one.status for one in sf.verify(release).findings}
    assert Status.REFUTED not in found.values()
    assert found["k-m-anonymity with k = 3, m = 2, match = node"] is Status.CONFIRMED
    open_claims = {claim for claim, status in found.items() if status is Status.NOT_CHECKED}
    assert "every item that a record shows covers a code of its person" in open_claims
    assert len(open_claims) == 2


def test_the_folder_that_holds_both_may_be_given(release: Path) -> None:
    assert not sf.verify(release.parent).refuted


def test_a_changed_byte_is_found(release: Path) -> None:
    edit_data(release, "A B\n", "A\n")
    assert "the data are those that were released" in refuted(release)


def test_a_changed_set_is_found_even_when_the_fingerprint_was_forged(release: Path) -> None:
    edit_data(release, "A B\n", "A\n")
    forge(release)
    assert "15 records show 4 different items" in refuted(release)


def test_a_set_that_breaks_the_promise_is_found(release: Path) -> None:
    edit_data(release, "\nB\n", "\nS c1\n")
    forge(release)
    assert "k-m-anonymity with k = 3, m = 2, match = node" in refuted(release)


def test_an_item_that_nobody_declared_is_found(release: Path) -> None:
    edit_data(release, "A B\n", "A zz\n")
    forge(release)
    said = refuted(release)
    assert "the file shows the items that its schema declares" in said
    assert "the release keeps its promises" in said


def test_a_changed_meaning_of_an_item_is_found(release: Path) -> None:
    edit_json(release / "schema.json", lambda schema: schema["items"][0]["codes"].append("zz"))
    assert "what items stand for is as it was released" in refuted(release)


@pytest.mark.parametrize(
    "change",
    [
        lambda item: item["codes"].append("zz"),
        lambda item: item.update(size=1),
        lambda item: item.update(sensitive=True),
        lambda item: item.update(codes=[item["codes"][0]] * item["size"]),
    ],
)
def test_an_item_that_cannot_be_so_is_found_when_fingerprints_were_forged(
    release: Path, change: Callable[[Any], None]
) -> None:
    def of_node(schema: Any) -> None:
        change(next(item for item in schema["items"] if item["label"] == "A"))

    edit_json(release / "schema.json", of_node)
    forge(release)
    assert "every declared item is what its label says" in refuted(release)


def test_an_item_that_is_declared_and_not_shown_is_found(release: Path) -> None:
    extra = {"label": "zz", "codes": ["zz"], "size": 1}
    edit_json(release / "schema.json", lambda schema: schema["items"].append(extra))
    forge(release)
    assert "the schema declares the items that are shown, and no other" in refuted(release)


def test_sensitive_codes_that_were_struck_out_are_found(release: Path) -> None:
    def harmless(schema: Any) -> None:
        schema["sensitive"] = []
        for item in schema["items"]:
            item["sensitive"] = False

    edit_json(release / "schema.json", harmless)
    forge(release)
    assert "file, schema, evidence and recipe tell of the same release" in refuted(release)


@pytest.mark.parametrize(
    "change",
    [
        lambda verdict: verdict["parameters"].update(k=2),
        lambda verdict: verdict["parameters"].update(m=1),
    ],
)
def test_changed_parameters_are_found(release: Path, change: Callable[[Any], None]) -> None:
    edit_json(release / "evidence.json", lambda evidence: change(evidence["verdicts"][0]))
    assert "the verdicts are about the promises of the recipe" in refuted(release)


@pytest.mark.parametrize(
    "change",
    [
        {"achieved": "k = 30"},
        {"required": "k ≥ 30 for any 2 items"},
        {"meaning": "nobody learns anything"},
        {"protects_from": ["identity", "attribute"]},
        {"basis": "mechanism"},
        {"holds": False},
    ],
)
def test_a_boast_is_found(release: Path, change: dict[str, Any]) -> None:
    edit_json(release / "evidence.json", lambda evidence: evidence["verdicts"][0].update(change))
    assert "k-m-anonymity" in refuted(release)


@pytest.mark.parametrize("key", ["records", "empty", "items", "occurrences", "sensitive"])
def test_changed_counts_are_found(release: Path, key: str) -> None:
    edit_json(release / "evidence.json", lambda evidence: evidence["shown"].update({key: 7}))
    assert "different items" in refuted(release)


@pytest.mark.parametrize("change", [{"order": "kept"}, {"method": "cba"}, {"layout": "long"}])
def test_another_story_is_found(release: Path, change: dict[str, str]) -> None:
    edit_json(release / "evidence.json", lambda evidence: evidence.update(change))
    assert "tell of the same release" in refuted(release)


def test_a_file_that_was_put_there_is_found(release: Path) -> None:
    (release / "notes.txt").write_text("look")
    assert "the folder holds the release and nothing else" in refuted(release)


def test_an_original_tells_whether_people_and_items_can_be_so(release: Path, tmp_path: Path) -> None:
    original = tmp_path / "visits.csv"
    found = {one.claim: one.status for one in sf.verify(release, original=original).findings}
    assert found["there is one record for every person of the original"] is Status.CONFIRMED
    assert found["no item is shown by more people than have one of its codes"] is Status.CONFIRMED
    edit_data(release, "\nB\n", "\nB S\n")
    forge(release)
    assert "no item is shown by more people" in refuted(release, original=original)


@pytest.mark.parametrize("old", ['"records": ', '"terms": '])
def test_changed_chunks_are_found(old: str, tmp_path: Path) -> None:
    release = sf.run(ward(tmp_path, CHUNKS)).release
    assert not refuted(release)
    edit_data(release, old, f'{old[:-2]}s": ', "data.jsonl")
    forge(release)
    assert "the release keeps its promises" in refuted(release)


def test_chunks_that_break_the_promise_are_found(tmp_path: Path) -> None:
    release = sf.run(ward(tmp_path, CHUNKS)).release
    alone = json.dumps({"records": 3, "chunks": [[["a1", "b1"], ["a1"], ["a1"]]], "terms": []})
    (release / "data.jsonl").write_text((release / "data.jsonl").read_text() + alone + "\n")
    forge(release)
    assert "disassociated-k-m-anonymity" in refuted(release)


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("evidence.json", "{"),
        ("evidence.json", '{"kind": "codes"}'),
        ("schema.json", "[]"),
        ("schema.json", '{"format": "sfumato-schema", "kind": "codes"}'),
    ],
)
def test_what_is_no_release_is_refused_with_one_sentence(release: Path, file: str, content: str) -> None:
    (release / file).write_text(content)
    with pytest.raises(BadInput, match="get the release again"):
        sf.verify(release)


def test_the_folder_of_the_steward_is_no_release(release: Path) -> None:
    with pytest.raises(BadInput, match=r"steward's folder|not there"):
        sf.verify(release.parent / "steward")


def test_doors_for_tables_refuse_sets_of_codes(release: Path) -> None:
    with pytest.raises(BadInput, match="holds sets of codes"):
        sf.attack(release)
