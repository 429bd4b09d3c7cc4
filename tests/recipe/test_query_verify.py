"""Whatever is changed in a release under differential privacy, verification finds it."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.core.errors import BadInput
from sfumato.core.findings import Status
from sfumato.core.fingerprint import sha256_of
from tests.recipe.query_examples import hospital, recipe_text

Change = Callable[[Any], object]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sf.run(hospital(tmp_path_factory.mktemp("made"), patients=100)).release


@pytest.fixture
def release(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path / "release")
    return tmp_path / "release"


def edit_json(path: Path, change: Change) -> None:
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


def forge(release: Path) -> None:
    """Make the evidence fit changed files, as a forger would."""

    def fit(evidence: Any) -> None:
        for told in (evidence["data"], *(table["data"] for table in evidence["tables"])):
            told["sha256"] = sha256_of(release / told["file"])
            told["bytes"] = (release / told["file"]).stat().st_size
        evidence["schema_sha256"] = sha256_of(release / "schema.json")

    edit_json(release / "evidence.json", fit)


def refuted(release: Path) -> str:
    return " | ".join(found.claim for found in sf.verify(release).refuted)


def test_an_untouched_release_is_confirmed_but_for_what_nobody_can_check(release: Path) -> None:
    found = sf.verify(release, original=release / "data.csv").findings
    assert not [one for one in found if one.status is Status.REFUTED]
    open_claims = [one for one in found if one.status is Status.NOT_CHECKED]
    assert len(open_claims) == 3
    assert "nobody can check it afterwards" in open_claims[0].detail
    promise = next(one for one in found if one.claim.startswith("differential-privacy"))
    assert promise.status is Status.CONFIRMED
    assert promise.detail == "ε = 1 in 4 steps"


def test_it_can_be_verified_from_the_folder_that_holds_it(release: Path) -> None:
    assert not sf.verify(release.parent).refuted


@pytest.mark.parametrize("file", ["data.csv", "counts-1.csv", "schema.json"])
def test_a_changed_file_is_found_by_its_fingerprint(file: str, release: Path) -> None:
    path = release / file
    path.write_bytes(path.read_bytes() + b"\n")
    found = refuted(release)
    assert "are those that were released" in found or "as they were released" in found


def last_line(release: Path, file: str, line: str) -> None:
    text = (release / file).read_text().splitlines()
    (release / file).write_text("\n".join([*text[:-1], line]) + "\n")
    forge(release)


@pytest.mark.parametrize(
    "line",
    [
        "150,F,no,100.0",
        "-1,F,no,100.0",
        "30.5,F,no,100.0",
        "30,X,no,100.0",
        "30,F ,no,100.0",
        "30,F,never,100.0",
        "30,F,no,100.05",
        "30,F,no,50001.0",
        "30,F,no,nan",
        "30,F,no,inf",
        "030,F,no,1.0",
        "3e1,F,no,1.0",
    ],
)
def test_a_forged_value_outside_the_public_domain_is_found(line: str, release: Path) -> None:
    last_line(release, "data.csv", line)
    assert "every value in its public domain" in refuted(release)


@pytest.mark.parametrize("line", ["30,F,no,100.0,Ms Miller", '"30","F","no","100.0"', "30,F,no,1e2"])
def test_a_forged_line_that_hides_or_spells_something_is_found(line: str, release: Path) -> None:
    last_line(release, "data.csv", line)
    found = refuted(release)
    assert "data.csv" in found or "every value" in found


def test_a_record_more_or_less_is_found(release: Path) -> None:
    text = (release / "data.csv").read_text()
    (release / "data.csv").write_text(text + "30,F,no,100.0\n")
    forge(release)
    assert "every value in its public domain" in refuted(release)


def test_another_column_is_found(release: Path) -> None:
    lines = (release / "data.csv").read_text().splitlines()
    lines = [f"{line},{'name' if number == 0 else 'x'}" for number, line in enumerate(lines)]
    (release / "data.csv").write_text("\n".join(lines) + "\n")
    forge(release)
    assert "every value in its public domain" in refuted(release)


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: lines[:-1],
        lambda lines: [*lines, lines[-1]],
        lambda lines: [lines[0], lines[2], lines[1], *lines[3:]],
        lambda lines: [lines[0].replace("age", "years"), *lines[1:]],
        lambda lines: [*lines[:-1], "(missing),nan"],
        lambda lines: [*lines[:-1], "(missing),inf"],
        lambda lines: [*lines[:-1], "(missing),"],
        lambda lines: [*lines[:-1], "(missing),many"],
        lambda lines: [*lines[:-1], ",5"],
        lambda lines: ["age,sex,count", *(line.replace(",", ",F,") for line in lines[1:])],
    ],
)
def test_a_forged_table_of_counts_is_found(change: Change, release: Path) -> None:
    lines: Any = change((release / "counts-1.csv").read_text().splitlines())
    (release / "counts-1.csv").write_text("\n".join(lines) + "\n")
    forge(release)
    assert "counts" in refuted(release)


def step(evidence: Any, epsilon: str) -> None:
    evidence["steps"][0]["epsilon"] = epsilon


def cheaper(evidence: Any) -> None:
    """Promise half of what was spent, everywhere at once, but for the steps."""
    evidence["recipe"]["models"] = [{"differential-privacy": {"epsilon": 0.5, "delta": 0.0}}]
    told = evidence["verdicts"][0]
    told["parameters"]["epsilon"] = 0.5
    told["required"], told["meaning"] = "ε ≤ 0.5", told["meaning"].replace("e^1", "e^0.5")


FORGERIES: dict[str, tuple[Change, str]] = {
    "a step that costs less": (lambda e: step(e, "0.1"), "add up"),
    "a step that costs a last digit less": (lambda e: step(e, "0.249999999999999999"), "add up"),
    "a step without a price": (lambda e: step(e, "free"), "add up"),
    "a step that costs nothing": (lambda e: step(e, "0"), "add up"),
    "a step that is not told": (lambda e: e["steps"].pop(), "add up"),
    "no steps": (lambda e: e["steps"].clear(), "add up"),
    "a smaller sum": (lambda e: e["spent"].update(epsilon="0.5"), "add up"),
    "no price at all": (lambda e: e["spent"].update(epsilon=None, rho=None), "add up"),
    "a strange price": (lambda e: e["spent"].update(epsilon="nan"), "add up"),
    "a price that takes all memory": (lambda e: e["spent"].update(epsilon="1e999999999"), "add up"),
    "a promise that takes all memory": (
        lambda e: e["verdicts"][0]["parameters"].update(epsilon="1e999999999"),
        "differential-privacy",
    ),
    "a smaller promise": (cheaper, "differential-privacy"),
    "a promise that is not the recipe's": (
        lambda e: e["recipe"].update(models=[{"differential-privacy": {"epsilon": 0.1}}]),
        "promises of the recipe",
    ),
    "no promise": (lambda e: (e["verdicts"].clear(), e["recipe"].update(models=[])), "keeps a promise"),
    "a promise of another kind": (
        lambda e: e["verdicts"][0].update(model="k-anonymity"),
        "k-anonymity",
    ),
    "a promise checked from the release": (lambda e: e["verdicts"][0].update(basis="release"), "diff"),
    "a promise that protects from more": (
        lambda e: e["verdicts"][0]["protects_from"].append("inference"),
        "differential-privacy",
    ),
    "other neighbours": (lambda e: e.update(neighbours="substitution"), "what the price means"),
    "neighbours that there are not": (lambda e: e.update(neighbours="friends"), "add up"),
    "a kinder meaning": (lambda e: e["meaning"][0].update(at_most=0.51), "what the price means"),
    "kinder households": (lambda e: e["households"][2].update(epsilon="1"), "what the price means"),
    "nothing that is not promised": (lambda e: e.update(not_promised=""), "what the price means"),
    "a warning struck out": (lambda e: e["warnings"].pop(), "what the price means"),
    "other people counted": (lambda e: e.update(people="nobody"), "what the price means"),
    "seeded noise": (lambda e: e.update(randomness="chance came from a seed"), "drawn in secret"),
    "another method": (lambda e: e.update(method="adaptive-marginals"), "the same release"),
    "truthful records": (lambda e: e.update(truthful=True), "the same release"),
    "another form": (lambda e: e.update(form="records"), "the same release"),
    "a table that is not told": (lambda e: e["tables"].pop(), "same release"),
    "another number of cells": (lambda e: e["tables"][0].update(cells=3), "the same release"),
    "a column that is not told": (lambda e: e["domains"].pop(0), ""),
    "another domain": (lambda e: e["domains"][1].update(positions=9), "the same release"),
    "another type": (lambda e: e["domains"][1].update(type="integer"), "the same release"),
    "another format": (lambda e: e["recipe"]["output"].update(format="parquet"), "the same release"),
    "no recipe": (lambda e: e.update(recipe={}), "the same release"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_forged_evidence_is_found(name: str, release: Path) -> None:
    change, where = FORGERIES[name]
    edit_json(release / "evidence.json", change)
    found = refuted(release)
    assert found
    assert where in found


SCHEMAS: dict[str, Change] = {
    "a wider list": lambda s: s["fields"][1]["values"].append("X"),
    "a narrower list": lambda s: s["fields"][1].update(values=["F"]),
    "narrower bounds": lambda s: s["fields"][0].update(last=1),
    "no bounds": lambda s: s["fields"][0].update(first=None),
    "another type": lambda s: s["fields"][0].update(type="number"),
    "labels in place of values": lambda s: s["fields"][1].update(type="label", values=["F", "M", "X", "Y"]),
    "nothing missing": lambda s: s["fields"][1].update(missing=False),
    "columns in another order": lambda s: s["fields"].reverse(),
    "a label twice": lambda s: s["tables"][0]["axes"][0].update(labels=["a", "a", "b", "c"]),
    "other labels": lambda s: s["tables"][0]["axes"][0].update(labels=["a", "b", "c", "d"]),
    "more cells than memory": lambda s: s["tables"][0].update(
        axes=[{"name": "age", "labels": [str(i) for i in range(1000)]}] * 9
    ),
    "a table less": lambda s: s["tables"].pop(),
    "tables changed about": lambda s: s["tables"].reverse(),
    "no records": lambda s: s.update(file=None, fields=[]),
}


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_forged_schema_is_found(name: str, release: Path) -> None:
    edit_json(release / "schema.json", SCHEMAS[name])
    forge(release)
    assert sf.verify(release).refuted


@pytest.mark.parametrize("name", ["notes.txt", "counts-9.csv", "data.parquet"])
def test_a_file_more_is_found(name: str, release: Path) -> None:
    (release / name).write_text("Ms Miller")
    assert "nothing else" in refuted(release)


def test_a_file_less_is_refused(release: Path) -> None:
    (release / "counts-2.csv").unlink()
    with pytest.raises(BadInput, match="not there"):
        sf.verify(release)


@pytest.mark.parametrize("name", ["../patients.csv", "/etc/passwd", "counts-1.csv.exe", "counts-0.csv"])
def test_files_elsewhere_are_refused(name: str, release: Path) -> None:
    edit_json(release / "schema.json", lambda s: s["tables"][0].update(file=name))
    with pytest.raises(BadInput, match="strange name"):
        sf.verify(release)


def test_links_are_refused(release: Path) -> None:
    (release / "counts-1.csv").rename(release.parent / "kept.csv")
    (release / "counts-1.csv").symlink_to(release.parent / "kept.csv")
    with pytest.raises(BadInput, match="no plain file"):
        sf.verify(release)


def test_unknown_fields_of_the_evidence_are_refused(release: Path) -> None:
    edit_json(release / "evidence.json", lambda e: e.update(true_people=150))
    with pytest.raises(BadInput, match="not as it should be"):
        sf.verify(release)


def test_remarks_in_packed_and_columnar_files_are_found(tmp_path: Path) -> None:
    made = sf.run(hospital(tmp_path, recipe_text() + "output: {format: parquet}\n", patients=60))
    table = pq.read_table(made.data).replace_schema_metadata({"note": "Ms Miller"})
    pq.write_table(table, made.data)
    forge(made.release)
    assert "nothing else" in refuted(made.release)
    made = sf.run(hospital(tmp_path, recipe_text() + "output: {format: csv.gz}\n", patients=60), replace=True)
    content = gzip.decompress(made.data.read_bytes())
    with made.data.open("wb") as file, gzip.GzipFile("Ms Miller", "wb", fileobj=file) as packed:
        packed.write(content)
    forge(made.release)
    assert "nothing else" in refuted(made.release)


def test_the_steward_s_folder_is_not_taken_for_a_release(made: Path) -> None:
    with pytest.raises(BadInput, match="steward's folder"):
        sf.verify(made.parent / "steward")
