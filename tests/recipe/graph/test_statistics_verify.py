"""Whoever changes released statistics of a network, or what is told of them, is found out from the bytes."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pydantic import ValidationError

import sfumato as sf
from sfumato.core.errors import BadInput
from sfumato.core.evidence_graph import GraphEvidence
from sfumato.core.fingerprint import sha256_of
from sfumato.report import write as write_report
from tests.recipe.dna.rows_examples import edit_json
from tests.recipe.graph.network_examples import gml, recipe
from tests.recipe.graph.test_statistics_release import WAYS

KINDS = {
    "sequence": ("a sequence", "csv"),
    "graphic": ("a graphic sequence", "csv"),
    "packed": ("a sequence", "csv.gz"),
    "histogram": ("a histogram", "csv"),
    "parquet": ("a histogram", "parquet"),
    "count": ("edges", "csv"),
    "people": ("a histogram that hides people", "csv"),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One release of each kind, which tests copy before they tamper with it."""
    found = {}
    for kind, (way, format_) in KINDS.items():
        folder = tmp_path_factory.mktemp(kind)
        model, method = WAYS[way]
        more = f"{method}\noutput: {{format: {format_}}}\n"
        found[kind] = sf.run(recipe(folder, gml(folder), models=model, more=more)).release
    return found


@pytest.fixture
def copy(made: dict[str, Path], tmp_path: Path) -> Callable[[str], Path]:
    def copied(name: str) -> Path:
        return Path(shutil.copytree(made[name], tmp_path / "release"))

    return copied


def forge(release: Path) -> None:
    """Make fingerprints and report fit what was changed, as a forger would."""

    def evidence(found: Any) -> None:
        file = release / found["data"]["file"]
        found["data"] |= {"sha256": sha256_of(file), "bytes": file.stat().st_size}
        found["schema_sha256"] = sha256_of(release / "schema.json")

    edit_json(release / "evidence.json", evidence)
    with suppress(ValidationError):
        told = GraphEvidence.model_validate_json((release / "evidence.json").read_text())
        write_report(told, release / "report.html")


def refuted(release: Path) -> list[str]:
    return [one.claim for one in sf.verify(release).refuted]


def edit_lines(release: Path, change: Callable[[list[str]], list[str]]) -> None:
    path = release / "data.csv"
    path.write_text("\n".join([*change(path.read_text().splitlines()), ""]))


def test_a_changed_byte_is_found_by_the_fingerprint(copy: Callable[[str], Path]) -> None:
    release = copy("sequence")
    # Noise may have made it the one or the other.
    edit_lines(release, lambda lines: [*lines[:-1], "16.0" if lines[-1] == "17.0" else "17.0"])
    assert "the data are those that were released" in refuted(release)


FIGURES: dict[str, tuple[str, Callable[[list[str]], list[str]]]] = {
    "a node more": ("sequence", lambda lines: [*lines, "17.0"]),
    "a node less": ("sequence", lambda lines: lines[:-1]),
    "an order that tells who is who": ("sequence", lambda lines: [lines[0], "17.0", *lines[2:]]),
    "a degree that cannot be": ("sequence", lambda lines: [*lines[:-1], "19.0"]),
    "a degree below nothing": ("sequence", lambda lines: [lines[0], "-1.0", *lines[2:]]),
    "no degree": ("sequence", lambda lines: [*lines[:-1], "nan"]),
    "no number": ("sequence", lambda lines: [*lines[:-1], "ada.xu"]),
    "another spelling": ("sequence", lambda lines: [*lines[:-1], "17"]),
    "an odd sum": ("graphic", lambda lines: [lines[0], *["0.0"] * (len(lines) - 2), "1.0"]),
    "a fraction of an edge": ("count", lambda lines: [lines[0], "3.5"]),
    "more edges than pairs": ("count", lambda lines: [lines[0], "172.0"]),
    "two counts": ("count", lambda lines: [*lines, lines[1]]),
    "nodes that do not add up": ("histogram", lambda lines: [lines[0], "0.0,18.0", *lines[2:-1], "18.0,9.0"]),
    "degrees left out": ("histogram", lambda lines: [lines[0], *lines[2:]]),
    "another last degree": ("people", lambda lines: [*lines[:-1], "7.0,1.0"]),
    "a column more": ("count", lambda lines: [f"{lines[0]},name", f"{lines[1]},1.0"]),
    "another column": ("count", lambda lines: ["triangles", lines[1]]),
    "a line behind": ("count", lambda lines: [*lines, ""]),
}


@pytest.mark.parametrize("case", FIGURES)
def test_forged_figures_are_refuted_although_the_fingerprints_fit(
    copy: Callable[[str], Path], case: str
) -> None:
    kind, change = FIGURES[case]
    release = copy(kind)
    edit_lines(release, change)
    forge(release)
    assert refuted(release)


def _set(*path: str | int) -> Callable[[Any], Callable[[Any], None]]:
    def to(value: Any) -> Callable[[Any], None]:
        def change(found: Any) -> None:
            for step in path[:-1]:
                found = found[step]
            found[path[-1]] = value

        return change

    return to


TOLD: dict[str, tuple[str, Callable[[Any], None]]] = {
    "a lower price": ("sequence", _set("figures", "epsilon")("0.1")),
    "a delta": ("sequence", _set("figures", "delta")("0.1")),
    "other neighbours": ("sequence", _set("figures", "neighbours")("one node more or less")),
    "a promise of people": ("sequence", _set("verdicts", 0, "parameters", "neighbours")("node")),
    "a better promise": ("sequence", _set("verdicts", 0, "parameters", "epsilon")(0.1)),
    "a better meaning": ("sequence", _set("figures", "meaning", 0)("nothing is learned")),
    "another verdict": ("sequence", _set("verdicts", 0, "achieved")("ε = 0.1 for an edge")),
    "noise from elsewhere": ("sequence", _set("figures", "randomness")("a seed")),
    "no warning": ("sequence", lambda found: found["warnings"].pop(0)),
    "one warning more": ("sequence", lambda found: found["warnings"].append("all is well")),
    "truthful": ("sequence", _set("truthful")(True)),
    "another number of nodes": ("sequence", _set("figures", "nodes")(20)),
    "no number of nodes": ("sequence", _set("figures", "nodes")(None)),
    "hidden nodes counted": ("people", _set("figures", "nodes")(19)),
    "another statistic": ("count", _set("figures", "statistic")("triangles")),
    "another method": ("count", _set("method")("dp-degree-sequence")),
    "another method in the recipe": (
        "count",
        _set("recipe", "method")({"dp-counts": {"count": "triangles"}}),
    ),
    "a method that spends more": (
        "count",
        _set("recipe", "method")({"dp-counts": {"count": "edges", "epsilon": 2, "neighbours": "edge"}}),
    ),
    "no method": ("count", _set("recipe", "method")({})),
    "two methods": ("count", _set("recipe", "method")({"dp-counts": {}, "k-degree": {}})),
    "a method of networks": ("count", _set("recipe", "method")({"k-degree": {}})),
    "no promise": ("count", lambda found: (found["verdicts"].clear(), found["recipe"].update(models=[]))[0]),
    "who was counted": ("count", _set("people")("rows were taken as people")),
    "the order": ("count", _set("order")("shuffled")),
    "what was left out": ("count", _set("stripped")([])),
}


@pytest.mark.parametrize("case", TOLD)
def test_forged_evidence_is_refuted_although_the_report_fits(copy: Callable[[str], Path], case: str) -> None:
    kind, change = TOLD[case]
    release = copy(kind)
    edit_json(release / "evidence.json", change)
    forge(release)
    assert refuted(release)


def test_a_changed_schema_is_refuted(copy: Callable[[str], Path]) -> None:
    release = copy("sequence")
    edit_json(release / "schema.json", _set("figures", 0, "most")(100.0))
    forge(release)
    assert refuted(release) == ["evidence, schema and recipe tell the same of the figures"]


def test_remarks_in_packed_files_are_found(copy: Callable[[str], Path]) -> None:
    release = copy("packed")
    path = release / "data.csv.gz"
    content = gzip.decompress(path.read_bytes())
    with path.open("wb") as file, gzip.GzipFile("ada.xu", "wb", fileobj=file) as packed:
        packed.write(content)
    forge(release)
    assert refuted(release) == ["data.csv.gz holds the figures and nothing else"]


def test_remarks_in_parquet_are_found(copy: Callable[[str], Path]) -> None:
    release = copy("parquet")
    path = release / "data.parquet"
    table = pq.read_table(path)
    pq.write_table(table.replace_schema_metadata({"note": "ada.xu"}), path)
    forge(release)
    assert refuted(release) == ["data.parquet holds the figures and nothing else"]
    pq.write_table(pa.table({"degree": table["degree"].cast(pa.float32()), "nodes": table["nodes"]}), path)
    forge(release)
    assert refuted(release) == ["data.parquet holds the figures and nothing else"]


def test_a_file_more_is_found_and_a_file_less_is_said(copy: Callable[[str], Path]) -> None:
    release = copy("sequence")
    (release / "names.csv").write_text("ada.xu\n")
    assert refuted(release) == ["the folder holds the release and nothing else"]
    (release / "data.csv").unlink()
    with pytest.raises(BadInput, match="not there"):
        sf.verify(release)


def test_evidence_of_another_form_is_refused(copy: Callable[[str], Path]) -> None:
    release = copy("sequence")
    told = json.loads((release / "evidence.json").read_text())
    told["figures"] = None
    (release / "evidence.json").write_text(json.dumps(told))
    with pytest.raises(BadInput, match="no statistics"):
        sf.verify(release)


def test_with_the_original_nothing_more_can_be_checked(made: dict[str, Path]) -> None:
    found = sf.verify(made["sequence"], original=made["sequence"] / "data.csv")
    assert found.findings[-1].detail == "noise hides whether they were, as it should"
