"""An adversarial audit of releases of codes: what leaks, what can be forged, who is counted."""

from __future__ import annotations

import errno
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.findings import Status
from sfumato.record.relational_codes.api import protect_records
from sfumato.record.relational_codes.k_km_anonymity import KKmAnonymity
from tests.recipe.codes.examples import PEOPLE, RECIPE, ward, with_models
from tests.recipe.codes.test_verify import edit_json, forge, refuted

SUPPRESSED = with_models("k-m-anonymity: {k: 3, m: 2}", method="rare-codes")
LISTED = with_models("privacy-constraints: {k: 3, constraints: [[a1, b2], [a2, c1]]}", method="coat")


def everything_in(folder: Path) -> str:
    """Read all files of a release as text, packed and columnar ones unpacked, too."""
    found = ""
    for path in sorted(folder.iterdir()):
        content = path.read_bytes()
        if path.name.endswith(".gz"):
            content += gzip.decompress(content)
        found += content.decode("utf-8", "replace")
        if path.suffix == ".parquet":
            found += repr(pq.read_table(path).to_pylist()) + repr(pq.ParquetFile(path).metadata.to_dict())
    return found


def confirmed(release: Path) -> set[str]:
    return {one.claim for one in sf.verify(release).findings if one.status is Status.CONFIRMED}


@pytest.mark.parametrize("format_", ["csv", "csv.gz", "parquet", "jsonl", "dat"])
def test_a_sensitive_code_that_was_left_out_is_named_nowhere(tmp_path: Path, format_: str) -> None:
    """That it is listed would tell that somebody has it: lists with codes that never occur are refused."""
    people = [codes.replace("s2", "SECRETCODE") for codes in PEOPLE]
    recipe = SUPPRESSED.replace("S: [s1, s2]", "S: [s1, SECRETCODE]").replace("[s1, s2]", "[s1, SECRETCODE]")
    release = sf.run(ward(tmp_path, recipe + f"output: {{format: {format_}}}\n", people)).release
    assert "SECRETCODE" not in everything_in(release)
    assert not sf.verify(release).refuted


def test_a_sensitive_code_that_was_left_out_is_not_in_public_evidence_in_memory() -> None:
    rows = [(f"p{number}", code) for number, codes in enumerate(PEOPLE) for code in codes.split()]
    table = pa.table({"who": [who for who, _ in rows], "code": [code for _, code in rows]})
    release = sf.protect_codes(
        table,
        person="who",
        code="code",
        sensitive=["s1", "s2"],
        models={"k-m-anonymity": {"k": 3, "m": 2}},
        method="rare-codes",
    )
    assert "s2" not in release.public.model_dump_json()


def test_a_sensitive_group_with_codes_that_nobody_has_is_confirmed(tmp_path: Path) -> None:
    """The group S of the hierarchy knows s3, which never occurs and is not declared."""
    recipe = with_models("complete-k-anonymity: {k: 3}", method="partition").replace(
        "s1, s2], C", "s1, s2, s3], C"
    )
    people = ["a1 s1", "a1 s2", "a1 s1", "a1 s2", "a1", "a1", "a1"]
    release = sf.run(ward(tmp_path, recipe, people)).release
    schema = json.loads((release / "schema.json").read_text())
    assert [item["codes"] for item in schema["items"] if item["label"] == "S"] == [["s1", "s2", "s3"]]
    assert not sf.verify(release).refuted


def test_no_person_visit_name_or_path_is_in_a_release(tmp_path: Path) -> None:
    release = sf.run(ward(tmp_path)).release
    text = everything_in(release)
    for secret in ("p00", "p14", "Ada", "visits.csv", str(tmp_path)):
        assert secret not in text


def test_constraints_and_their_number_are_in_no_public_file(tmp_path: Path) -> None:
    recipe = LISTED.replace("[[a1, b2], [a2, c1]]", "[[a1, b2], [a2, c1], [NEVER, a1]]")
    release = sf.run(ward(tmp_path, recipe)).release
    text = everything_in(release)
    assert "NEVER" not in text
    assert "3 constraints" not in text
    assert "kept by the steward" in text


def test_a_hierarchy_that_was_made_of_the_codes_earns_a_warning(tmp_path: Path) -> None:
    recipe = RECIPE.replace(
        "{tree: {any: {A: [a1, a2, a3], B: [b1, b2], S: [s1, s2], C: [c1, c2]}}}", "balanced"
    )
    recipe = recipe.replace(", sensitive: [s1, s2]", "")
    release = sf.run(ward(tmp_path, recipe)).release
    warnings = json.loads((release / "evidence.json").read_text())["warnings"]
    assert any("made of the codes that occur" in warning for warning in warnings)


@pytest.fixture
def release(tmp_path: Path) -> Path:
    return sf.run(ward(tmp_path)).release


def change_data(release: Path, change: Callable[[bytes], bytes]) -> None:
    path = next(path for path in release.iterdir() if path.name.startswith("data."))
    before = path.read_bytes()
    path.write_bytes(change(before))
    assert path.read_bytes() != before
    forge(release)


def with_names(content: bytes) -> bytes:
    header, *rows = content.split(b"\n")
    return b"\n".join([header + b",name", *(row + b",Ada" for row in rows[:-1]), rows[-1]])


@pytest.mark.parametrize(
    "change",
    [
        with_names,
        lambda content: content.replace(b"B\n", b"B B\n", 1),
        lambda content: content.replace(b"A B", b"A  B", 1),
        lambda content: content.replace(b"A B", "A\u00a0B".encode(), 1),
    ],
)
def test_a_file_that_holds_more_than_its_records_is_refuted(
    release: Path, change: Callable[[bytes], bytes]
) -> None:
    assert "the file holds its records and nothing else" in confirmed(release)
    change_data(release, change)
    assert "the file holds its records and nothing else" in refuted(release)


@pytest.mark.parametrize(
    "change",
    [
        lambda content: content.replace(b'{"codes": ["A"', b'{"codes": ["A"], "codes": ["S"', 1),
        lambda content: content.replace(b'{"codes": ["A"', b'{"name": "Ada", "codes": ["A"', 1),
        lambda content: content + b"\n\n",
        lambda content: content.replace(b'"A"', b'"\\u0041"', 1),
    ],
)
def test_a_line_that_other_programs_read_otherwise_is_refuted(
    tmp_path: Path, change: Callable[[bytes], bytes]
) -> None:
    release = sf.run(ward(tmp_path, RECIPE + "output: {format: jsonl}\n")).release
    assert "the file holds its records and nothing else" in confirmed(release)
    change_data(release, change)
    assert sf.verify(release).refuted


def test_a_cluster_with_a_key_twice_is_refuted(tmp_path: Path) -> None:
    recipe = with_models("disassociated-k-m-anonymity: {k: 3, m: 2}", method="disassociation")
    release = sf.run(ward(tmp_path, recipe)).release
    assert "the file holds its records and nothing else" in confirmed(release)
    change_data(release, lambda content: content.replace(b'"terms"', b'"terms": ["Ada"], "terms"', 1))
    assert "the file holds its records and nothing else" in refuted(release)


def test_a_name_for_a_record_of_a_long_file_is_refuted(tmp_path: Path) -> None:
    release = sf.run(ward(tmp_path, RECIPE + "output: {layout: long}\n")).release
    assert "the file holds its records and nothing else" in confirmed(release)
    change_data(release, lambda content: content.replace(b"\n1,", b"\nAda,"))
    assert "the file holds its records and nothing else" in refuted(release)


def test_a_remark_in_a_parquet_file_is_refuted(tmp_path: Path) -> None:
    release = sf.run(ward(tmp_path, RECIPE + "output: {format: parquet}\n")).release
    path = release / "data.parquet"
    assert "the file holds its records and nothing else" in confirmed(release)
    pq.write_table(pq.read_table(path).replace_schema_metadata({"first": "Ada"}), path)
    forge(release)
    assert "the file holds its records and nothing else" in refuted(release)


def hide(evidence: Any) -> None:
    """Claim anything and say that only the steward can check it."""
    claim = evidence["verdicts"][0]
    claim["parameters"] |= {"k": 100, "constraints": "kept by the steward"}
    claim |= {
        "required": "as the steward's policy asks",
        "achieved": "checked in the house",
        "note": "",
        "meaning": "what the steward's policy lists is protected",
    }
    evidence["recipe"]["models"] = [{claim["model"]: claim["parameters"]}]


def test_a_promise_without_constraints_cannot_be_withdrawn_from_the_check(release: Path) -> None:
    edit_json(release / "evidence.json", hide)
    assert "k-m-anonymity with k = 100" in refuted(release)


@pytest.mark.parametrize("parameters", [{"k": "lots"}, {"wording": "soft"}, {"constraints": [["a1"]]}])
def test_what_a_kept_promise_tells_must_be_possible(tmp_path: Path, parameters: dict[str, Any]) -> None:
    release = sf.run(ward(tmp_path, LISTED)).release
    assert not sf.verify(release).refuted

    def change(evidence: Any) -> None:
        claim = evidence["verdicts"][0]
        claim["parameters"] |= parameters
        evidence["recipe"]["models"] = [{claim["model"]: claim["parameters"]}]

    edit_json(release / "evidence.json", change)
    assert "privacy-constraints" in refuted(release)


@pytest.mark.parametrize(
    "change",
    [
        lambda evidence: evidence["verdicts"][0].update(does_not_protect_from=[]),
        lambda evidence: evidence["verdicts"][0].update(note="approved"),
        lambda evidence: evidence["warnings"].clear(),
        lambda evidence: evidence.update(people="nobody"),
        lambda evidence: evidence["recipe"]["resources"][0]["schema"]["fields"].pop(0),
    ],
)
def test_words_that_were_struck_out_or_added_are_refuted(
    release: Path, change: Callable[[Any], None]
) -> None:
    assert not sf.verify(release).refuted
    edit_json(release / "evidence.json", change)
    assert refuted(release)


def of_resource(change: dict[str, Any]) -> Callable[[Any], None]:
    """Change what the published recipe says of the file."""
    return lambda evidence: evidence["recipe"]["resources"][0].update(change)


def of_codes(change: dict[str, Any]) -> Callable[[Any], None]:
    """Change what the published recipe says of the codes."""

    def change_it(evidence: Any) -> None:
        for field in evidence["recipe"]["resources"][0]["schema"]["fields"]:
            if field["role"] == "codes":
                field |= change

    return change_it


@pytest.mark.parametrize("sensitive", [7, [7, "s1"], {"s1": 1}, None])
def test_a_strange_list_of_sensitive_codes_is_refuted(release: Path, sensitive: Any) -> None:
    edit_json(release / "evidence.json", of_codes({"sensitive": sensitive}))
    assert "file, schema, evidence and recipe tell of the same release" in refuted(release)


def test_a_group_that_a_public_hierarchy_does_not_know_is_refuted(release: Path) -> None:
    def unlist(schema: Any) -> None:
        for item in schema["items"]:
            if item["size"] > 1:
                item["codes"] = []

    edit_json(release / "schema.json", unlist)
    edit_json(release / "evidence.json", of_codes({"hierarchy": "icd9cm"}))
    forge(release)
    assert "3 generalised items stand for the codes of the hierarchy" in refuted(release)


def test_items_of_chunks_are_refuted(tmp_path: Path) -> None:
    recipe = with_models("disassociated-k-m-anonymity: {k: 3, m: 2}", method="disassociation")
    release = sf.run(ward(tmp_path, recipe)).release
    extra = {"label": "zz", "codes": ["zz"], "size": 1}
    edit_json(release / "schema.json", lambda schema: schema["items"].append(extra))
    forge(release)
    assert "file, schema, evidence and recipe tell of the same release" in refuted(release)


def test_an_item_for_more_codes_than_there_can_be_is_no_schema(release: Path) -> None:
    edit_json(release / "schema.json", lambda schema: schema["items"][0].update(size=10**30, codes=[]))
    with pytest.raises(BadInput, match=r"'items\.0\.size' is not as it should be"):
        sf.verify(release)


@pytest.mark.parametrize("file", ["evidence.json", "schema.json"])
def test_a_key_that_stands_twice_is_no_evidence(release: Path, file: str) -> None:
    path = release / file
    path.write_text(path.read_text().replace('"kind": ', '"kind": "codes", "kind": ', 1))
    with pytest.raises(BadInput, match="not JSON"):
        sf.verify(release)


@pytest.mark.parametrize("again", ["p{} ", " p{}", "p{}\u00a0"])
def test_blanks_around_a_name_do_not_make_two_people_of_one(again: str) -> None:
    people = [name.format(number) for number in range(2) for name in ("p{}", again)]
    table = pa.table({"who": people, "code": ["a"] * 4})
    asked = [{"k-m-anonymity": {"k": k, "m": 1}} for k in (2, 3)]
    release = sf.protect_codes(table, person="who", code="code", models=asked[0], method="rare-codes")
    assert release.data["codes"].to_pylist() == [["a"], ["a"]]
    with pytest.raises(PromiseNotMet):
        sf.protect_codes(table, person="who", code="code", models=asked[1], method="rare-codes")


def test_letters_that_look_alike_name_one_person() -> None:
    table = pa.table({"who": ["é", "e\u0301"], "code": ["a", "b"]})
    release = sf.protect_codes(
        table, person="who", code="code", models={"k-m-anonymity": {"k": 1, "m": 1}}, method="rare-codes"
    )
    assert release.data["codes"].to_pylist() == [["a", "b"]]


def test_blanks_around_a_name_do_not_part_a_table_from_its_codes() -> None:
    people = pa.table({"who": ["a ", "b"], "age": [20, 20]})
    codes = pa.table({"who": ["a", " b"], "code": ["x", "x"]})
    release = protect_records(
        people,
        codes,
        person="who",
        quasi=["age"],
        code="code",
        model=KKmAnonymity(k=2, m=1),
        code_hierarchy="balanced",
    )
    assert release.data["codes"].to_pylist() == [["x"], ["x"]]


def test_a_release_without_any_sensitive_code_keeps_promises_about_them(tmp_path: Path) -> None:
    """All were left out: neither are they named, nor is it said that nobody named them."""
    recipe = with_models("rho-uncertainty: {rho: 0.05}", method="suppress-control")
    release = sf.run(ward(tmp_path, recipe)).release
    schema = json.loads((release / "schema.json").read_text())
    assert (schema["sensitive"], schema["sensitive_left_out"]) == ([], True)
    assert not any("no code was declared sensitive" in text for text in _warnings(release))
    assert "rho-uncertainty with rho = 0.05" in confirmed(release)
    assert not sf.verify(release).refuted


def test_a_release_of_which_nobody_said_what_is_sensitive_cannot_promise_so(tmp_path: Path) -> None:
    recipe = with_models("rho-uncertainty: {rho: 0.05}", method="suppress-control")
    release = sf.run(ward(tmp_path, recipe)).release
    edit_json(release / "schema.json", lambda schema: schema.update(sensitive_left_out=False))
    forge(release)
    assert "rho-uncertainty" in refuted(release)


def _warnings(release: Path) -> list[str]:
    found: list[str] = json.loads((release / "evidence.json").read_text())["warnings"]
    return found


def test_a_format_that_cannot_hold_chunks_is_refused_before_the_search(tmp_path: Path) -> None:
    recipe = with_models("disassociated-k-m-anonymity: {k: 3, m: 2}", method="disassociation")
    steps: list[str] = []

    class Told:
        def step(self, what: str) -> None:
            steps.append(what)

        def update(self, done: float, note: str = "") -> None:
            steps.append(note)

    with pytest.raises(BadInput, match="written as jsonl and not as csv"):
        sf.run(ward(tmp_path, recipe + "output: {format: csv}\n"), progress=Told())
    assert not steps


def test_a_recipe_without_models_is_told_that_nothing_would_be_promised(tmp_path: Path) -> None:
    recipe = RECIPE.replace("models:\n  - k-m-anonymity: {k: 3, m: 2}\n", "models: []\n")
    with pytest.raises(BadInput, match="nothing would be promised"):
        sf.run(ward(tmp_path, recipe))


STEPS = ("write_sets", "released_codes", "read_sets", "sha256_of", "gather_codes", "write_report")


FULL = OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("problem", [KeyboardInterrupt(), FULL])
def test_whatever_breaks_off_a_run_leaves_the_older_release_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, problem: BaseException
) -> None:
    recipe = ward(tmp_path, SUPPRESSED)
    before = contents(sf.run(recipe).release.parent)

    def broken(*_: object, **__: object) -> None:
        raise problem

    place = "release.pipeline" if step in ("sha256_of", "write_report") else "recipe.codes.release"
    monkeypatch.setattr(f"sfumato.{place}.{step}", broken)
    with pytest.raises(sf.SystemFault if problem is FULL else KeyboardInterrupt):
        sf.run(recipe, replace=True)
    assert contents(tmp_path) == before


def contents(folder: Path) -> dict[str, bytes]:
    """Read every file below a folder; name the empty folders, too."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b""
        for path in sorted(folder.rglob("*"))
    }


@pytest.mark.parametrize(("old", "new"), [("\nB\n", "\nA B\n"), ('\n""\n', "\n")])
def test_a_file_that_differs_from_what_was_checked_in_the_house_is_not_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str
) -> None:
    """The method kept the promise, and so does the file: but its records are others, or one is lost."""
    from sfumato.recipe.codes import release as module

    written = module.write_sets

    def another(published: Any, path: Path, job: Any) -> int:
        rows = written(published, path, job)
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new, 1))
        return rows

    monkeypatch.setattr(module, "write_sets", another)
    with pytest.raises(PromiseNotMet, match="does not hold the records that were found"):
        sf.run(ward(tmp_path))
    assert not (tmp_path / "release").exists()


def test_what_somebody_else_put_into_the_folder_is_not_replaced(tmp_path: Path) -> None:
    recipe = ward(tmp_path, SUPPRESSED)
    release = sf.run(recipe).release
    (release / "notes.txt").write_text("mine")
    before = contents(tmp_path)
    with pytest.raises(BadInput, match="holds what Sfumato did not write"):
        sf.run(recipe, replace=True)
    assert contents(tmp_path) == before


def test_data_that_lie_where_the_release_goes_are_refused(tmp_path: Path) -> None:
    (tmp_path / "release").mkdir()
    recipe = ward(tmp_path, SUPPRESSED.replace("path: visits.csv", "path: release/visits.csv"))
    (tmp_path / "visits.csv").rename(tmp_path / "release" / "visits.csv")
    before = contents(tmp_path)
    with pytest.raises(BadInput, match="the data lie in the folder 'release'"):
        sf.run(recipe, replace=True)
    assert contents(tmp_path) == before


@pytest.mark.parametrize(
    "change",
    [
        of_resource({"missingValues": 7}),
        of_resource({"missingValues": [7]}),
        of_resource({"encoding": 7}),
        of_resource({"delimiter": "abc"}),
        of_resource({"layout": "x"}),
        of_codes({"system": 7}),
        of_codes({"separator": 7}),
    ],
)
def test_a_strange_recipe_beside_an_original_is_refused_in_one_sentence(
    release: Path, tmp_path: Path, change: Callable[[Any], None]
) -> None:
    edit_json(release / "evidence.json", change)
    with pytest.raises(BadInput, match="the published recipe is not as it should be"):
        sf.verify(release, original=tmp_path / "visits.csv")


@pytest.mark.parametrize("title", ['"\\ud83d"', "&a [*a]", "[" * 600 + "]" * 600])
def test_a_recipe_that_no_file_could_hold_is_refused_in_one_sentence(tmp_path: Path, title: str) -> None:
    recipe = RECIPE.replace("title: A small ward", f"title: {title}")
    with pytest.raises(BadInput, match=r"half of a character|too deep"):
        sf.run(ward(tmp_path, recipe))


def test_codes_with_every_sign_of_the_spelling_are_released_and_confirmed(tmp_path: Path) -> None:
    """No honest file is taken for a forged one, whatever letters its codes have."""
    awkward = [
        '"',
        "a,b",
        "(a,b)",
        "a b",
        "a\\",
        "*",
        "[a-b]",
        "é",
        "null",
        "01",
        "1.0",
        "=1",
        "<b>",
        "\U0001f600",
    ]
    people = [awkward[start : start + 5] for start in range(len(awkward))] + [[]]
    pq.write_table(pa.table({"codes": pa.array(people, pa.list_(pa.string()))}), tmp_path / "people.parquet")
    for number, output in enumerate(
        ("format: csv", "layout: long", "format: csv.gz", "format: parquet", "format: jsonl", "format: dat")
    ):
        recipe = tmp_path / f"{number}.yaml"
        recipe.write_text(
            "sfumato: 1\nresources:\n  - {path: people.parquet, kind: codes, schema: {fields: "
            "[{name: codes, role: codes, hierarchy: balanced}]}}\nmodels: [k-m-anonymity: {k: 2, m: 1}]\n"
            f"method: apriori\noutput: {{{output}, folder: out{number}}}\n"
        )
        release = sf.run(recipe).release
        assert not sf.verify(release, original=tmp_path / "people.parquet").refuted
