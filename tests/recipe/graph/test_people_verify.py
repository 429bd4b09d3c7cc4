"""Whoever changes a released table about nodes, or what is told of it, is found out from the bytes alone."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.core.errors import BadInput
from sfumato.core.fingerprint import sha256_of
from tests.recipe.dna.rows_examples import edit_json
from tests.recipe.graph.network_examples import forge
from tests.recipe.graph.people_examples import PEOPLE, people, released, rows

Lines = list[str]
COLUMNS = "the table has the columns and roles that the recipe names, and no name of a node"
EACH = f"the table has a row for each of {len(PEOPLE)} nodes, in their order"
PROMISE = "k-anonymity with k = 3, of the table about nodes"
NOTHING_ELSE = "people.csv holds the table and nothing else"
AGREE = "files, schema, evidence and recipe tell of the same release"
WARNED = "the evidence tells what the promises leave open"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Releases that tests copy before they tamper with them: one with suppressed rows."""
    plain = tmp_path_factory.mktemp("plain")
    parquet = tmp_path_factory.mktemp("parquet")
    starred = tmp_path_factory.mktemp("starred")
    given = rows()
    for row in given[:4]:
        row[2], row[3] = "99", f"Zug{row[2]}"
    people(starred, given)
    method = "people-method: {optimal-lattice: {suppress: 0.3}}"
    return {
        "plain": released(plain).release,
        "parquet": released(parquet, more="output: {format: parquet}\n").release,
        "starred": released(starred, graph=method).release,
    }


@pytest.fixture
def copy(made: dict[str, Path], tmp_path: Path) -> Callable[[str], Path]:
    def copied(name: str) -> Path:
        return Path(shutil.copytree(made[name], tmp_path / "release"))

    return copied


def forged(release: Path) -> list[str]:
    """Make all fingerprints fit, as a forger would, and say what is refuted nevertheless."""

    def table(found: Any) -> None:
        found["table"]["sha256"] = sha256_of(release / found["table"]["file"])

    edit_json(release / "evidence.json", table)
    forge(release)
    return refuted(release)


def refuted(release: Path) -> list[str]:
    return [one.claim for one in sf.verify(release).refuted]


def edit_lines(release: Path, change: Callable[[Lines], Lines]) -> None:
    path = release / "people.csv"
    path.write_text("\n".join([*change(path.read_text().splitlines()), ""]))


def _first(text: str) -> Callable[[Lines], Lines]:
    return lambda lines: [lines[0], text, *lines[2:]]


def test_a_changed_table_is_found_by_the_fingerprint(copy: Callable[[str], Path]) -> None:
    release = copy("plain")
    edit_lines(release, lambda lines: [lines[0], lines[1].replace("flu", "hiv") + " ", *lines[2:]])
    assert "the table about nodes is the one that was released" in refuted(release)


ROWS: dict[str, tuple[Callable[[Lines], Lines], str]] = {
    "a row less": (lambda lines: lines[:-1], EACH),
    "a row more": (lambda lines: [*lines, f"{len(lines)}{lines[-1][lines[-1].index(',') :]}"], EACH),
    "another order": (lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], EACH),
    "a number twice": (lambda lines: [*lines[:-1], lines[-2]], EACH),
    "somebody who stands alone": (_first("1,99,Zug,flu"), PROMISE),
    "a name": (lambda lines: [f"{lines[0]},who", *(f"{line},ada.xu" for line in lines[1:])], EACH),
    "no sensitive column": (lambda lines: [line.rpartition(",")[0] for line in lines], EACH),
    "another spelling": (lambda lines: [lines[0], f'"1"{lines[1][1:]}', *lines[2:]], NOTHING_ELSE),
}


@pytest.mark.parametrize("case", ROWS)
def test_forged_rows_are_refuted_although_the_fingerprints_fit(
    copy: Callable[[str], Path], case: str
) -> None:
    change, claim = ROWS[case]
    release = copy("plain")
    edit_lines(release, change)
    assert claim in forged(release)


def test_a_suppressed_row_that_says_something_is_refuted(copy: Callable[[str], Path]) -> None:
    release = copy("starred")
    edit_lines(release, lambda lines: [f"{line}flu" if line.endswith(",*,*,") else line for line in lines])
    assert any("stay with everything blanked" in claim for claim in forged(release))


def _words(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda found: change(found["recipe"]["resources"][1])


def _method(people: Any) -> Any:
    return next(iter(people["method"].values()))


TOLD: dict[str, tuple[Callable[[Any], Any], str]] = {
    "a larger k": (lambda found: _promised(found, 4), PROMISE.replace("3", "4")),
    "no promise": (lambda found: _unpromised(found), "something is promised about the table"),
    "another number of rows": (lambda found: found["table"].update(rows=18), EACH),
    "other columns": (lambda found: found["table"].update(columns=["node", "age"]), COLUMNS),
    "more rows blanked": (
        lambda found: found["table"].update(blanked=2),
        "2 suppressed records stay with everything blanked",
    ),
    "another role in the recipe": (
        lambda found: found["recipe"]["resources"][1]["schema"]["fields"][3].update(role="insensitive"),
        COLUMNS,
    ),
    "a person released": (
        lambda found: found["recipe"]["resources"][1]["schema"]["fields"][0].update(role="sensitive"),
        COLUMNS,
    ),
    "a word more in the recipe": (_words(lambda people: people.update(note="Alice")), AGREE),
    "a word more of a column": (_words(lambda people: people["schema"]["fields"][1].update(note=7)), AGREE),
    "a word more of the method": (_words(lambda people: _method(people).update(note=7)), AGREE),
    "a method told in part": (_words(lambda people: _method(people).popitem()), AGREE),
    "another name of the table": (_words(lambda people: people.update(name="Alice")), AGREE),
    "no table in the recipe": (lambda found: found["recipe"]["resources"].pop(), COLUMNS),
    "no warning of both": (
        lambda found: found.update(warnings=[w for w in found["warnings"] if "apart" not in w]),
        WARNED,
    ),
    "another verdict": (lambda found: found["verdicts"][1].update(achieved="k = 300"), PROMISE),
    "a strange file": (
        lambda found: found["table"].update(file="nodes.csv"),
        "the table about nodes is the one that was released",
    ),
}


def _promised(found: Any, k: int) -> None:
    found["verdicts"][1]["parameters"]["k"] = k
    found["recipe"]["models"][1]["k-anonymity"]["k"] = k


def _unpromised(found: Any) -> None:
    found["verdicts"].pop()
    found["recipe"]["models"].pop()


@pytest.mark.parametrize("case", TOLD)
def test_forged_evidence_is_refuted_although_the_report_fits(copy: Callable[[str], Path], case: str) -> None:
    change, claim = TOLD[case]
    release = copy("plain")
    edit_json(release / "evidence.json", change)
    assert claim in forged(release)


def test_a_schema_that_calls_a_column_harmless_is_refuted(copy: Callable[[str], Path]) -> None:
    release = copy("plain")

    def change(found: Any) -> None:
        found["people"]["fields"][2]["role"] = "insensitive"

    edit_json(release / "schema.json", change)
    assert COLUMNS in forged(release)


def test_a_schema_that_tells_otherwise_what_adversaries_know_is_refuted(copy: Callable[[str], Path]) -> None:
    release = copy("plain")

    def known(found: Any) -> None:
        sensitive = next(one for one in found["people"]["fields"] if one["role"] == "sensitive")
        sensitive["known"] = not sensitive["known"]

    edit_json(release / "schema.json", known)
    assert COLUMNS in forged(release)


def test_a_table_that_nobody_tells_of_is_found(copy: Callable[[str], Path]) -> None:
    release = copy("plain")
    edit_json(release / "evidence.json", lambda found: found.update(table=None))
    forge(release)
    assert "the folder holds the release and nothing else" in refuted(release)


def test_a_missing_table_is_refuted_or_refused(copy: Callable[[str], Path]) -> None:
    release = copy("plain")
    (release / "people.csv").unlink()
    assert "the table about nodes is the one that was released" in refuted(release)
    (release / "people.csv").symlink_to(release / "nodes.csv")
    with pytest.raises(BadInput, match="no plain file"):
        sf.verify(release)


def test_remarks_and_columns_in_parquet_are_found(copy: Callable[[str], Path]) -> None:
    release = copy("parquet")
    path = release / "people.parquet"
    table = pq.read_table(path)
    pq.write_table(table.replace_schema_metadata({"note": "ada.xu"}), path)
    assert forged(release) == ["people.parquet holds the table and nothing else"]
    pq.write_table(table.append_column("who", pa.array(list(PEOPLE))), path)
    assert EACH in forged(release)
