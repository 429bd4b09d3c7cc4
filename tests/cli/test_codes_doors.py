"""``init``, ``risk`` and ``policies`` over sets of codes, as a person would type them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sfumato as sf
from tests.cli.commands import Run, runner

CODES = ("401.9", "250.00", "493.90", "401.1", "V30.00")
VISITS = "patient,stay,icd9_code\n" + "".join(
    f"p{i:02},{i}-{j // 2},{CODES[(i * (j + 1) + j) % 5]}\n" for i in range(20) for j in range(4)
)
LOG = "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n" + "".join(
    f"{i % 6}\t{('dry mouth', 'dentist york', 'mouth wash')[i % 3]}\t2006-03-01\t1\thttp://a.org/{i % 2}\n"
    for i in range(36)
)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    (tmp_path / "visits.csv").write_text(VISITS)
    return runner(tmp_path, monkeypatch, capsys)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("visits.csv", VISITS),
        ("shop.dat", "".join(f"{i % 3} {i % 4 + 5} 9\n" for i in range(24))),
        (
            "sets.jsonl",
            "".join(json.dumps({"who": i, "codes": list("abc")[: i % 3 + 1]}) + "\n" for i in range(12)),
        ),
        ("cells.csv", "patient,diagnoses\n" + "".join(f"{i},{CODES[i % 2]};{CODES[2]}\n" for i in range(12))),
        ("log.txt", LOG),
    ],
)
def test_a_proposed_recipe_runs_as_it_is(run: Run, name: str, content: str) -> None:
    Path(name).write_text(content)
    proposed = run("init", name)
    assert proposed.code == 0, proposed.err
    assert "sets of codes" in proposed.words
    assert "Read it, correct it, then: sfumato protect recipe.yaml" in proposed.words
    done = run("protect", "recipe.yaml")
    assert done.code == 0, done.err
    assert "k-m-anonymity ✓ holds" in done.words
    assert run("verify", "release", "--original", name).code == 0


def test_the_kind_of_a_file_can_be_said(run: Run) -> None:
    assert "sets of codes" not in run("init", "visits.csv", "--kind", "table").words
    assert "kind: codes" not in Path("recipe.yaml").read_text()


def test_risk_by_codes_is_told_in_tables_without_a_code(run: Run) -> None:
    done = run(
        *("risk", "visits.csv", "--codes", "icd9_code", "--person", "patient", "--visit", "stay"),
        *("--system", "icd9cm", "--sensitive", "250.00", "--up-to", "2", "--k", "3"),
    )
    assert done.code == 0, done.err
    for words in (
        "20 people, 5 different codes",
        "Whole set of codes, unique",
        "One visit, fewer than 3",
        "codes known unique at worst at random few at worst at random",
        "the same, three digits (4 different codes)",
        "People whom codes single out:",
        "attribute: a sensitive code of a person",
    ):
        assert words in done.words, words
    assert not any(code in done.out for code in CODES)


def test_risk_guesses_the_columns_of_codes_and_says_so(run: Run) -> None:
    done = run("risk", "visits.csv")
    assert done.code == 0
    assert (
        "Sets of codes (guessed; choose with --codes or --quasi): codes icd9_code; person patient"
        in done.words
    )
    as_table = run("risk", "visits.csv", "--quasi", "icd9_code")
    assert "alone with these columns" in as_table.words


def test_json_holds_what_the_call_returns_and_nothing_else(run: Run) -> None:
    done = run("risk", "visits.csv", "--codes", "icd9_code", "--person", "patient", "--json")
    found = sf.codes_risk("visits.csv", code="icd9_code", person="patient")
    assert json.loads(done.out) == json.loads(found.model_dump_json())
    assert found.figure("worst-3-unique").value == found.steps[2].worst_unique


def test_the_report_of_codes_is_one_page_that_needs_nothing_else(run: Run) -> None:
    assert run("risk", "visits.csv", "--report", "risk.html").code == 0
    page = Path("risk.html").read_text()
    for words in (
        "Risk of visits.csv",
        "Unique by known codes",
        "By a visit, and by the whole history",
        "Does it help to say less: three digits?",
        "keep it in the house",
    ):
        assert words in page, words
    assert "http://" not in page
    assert not any(code in page for code in CODES)
    assert run("risk", "visits.csv", "--report", "risk.html").code == 2


def test_a_population_is_searched_instead_of_the_file(run: Run) -> None:
    everybody = VISITS + "".join(f"q{i},{i},{CODES[i % 5]}\n" for i in range(40))
    Path("everybody.csv").write_text(everybody)
    options = ("--codes", "icd9_code", "--person", "patient", "--population", "everybody.csv", "--json")
    found = json.loads(run("risk", "visits.csv", *options).out)
    assert found["searched"] == "population"
    assert found["people"] == 20


def test_policies_are_written_for_the_steward_and_only_counted(run: Run) -> None:
    done = run("policies", "visits.csv", "--out", "steward/policies", "--k", "12", "--size", "2")
    assert done.code == 0, done.err
    for words in ("privacy constraints", "k = 12:", "utility constraints", "only by suppression"):
        assert words in done.words, words
    assert not any(code in done.out for code in CODES)
    for name in ("privacy.txt", "utility.txt"):
        assert (Path("steward/policies") / name).stat().st_mode & 0o777 == 0o600
    assert Path("steward/policies").stat().st_mode & 0o777 == 0o700
    again = run("policies", "visits.csv", "--out", "steward/policies")
    assert again.code == 2
    assert "there are already policies" in again.sentence
    shown = run(
        "policies", "visits.csv", "--out", "steward/policies", "--replace", "--show-values", "--k", "12"
    )
    assert shown.code == 0
    assert "250.00" in shown.out


def test_the_written_policies_can_be_used_in_a_recipe(run: Run) -> None:
    assert run("policies", "visits.csv", "--out", "kept", "--k", "7", "--diseases", "250,401,493").code == 0
    Path("recipe.yaml").write_text(
        "sfumato: 1\nresources:\n  - path: visits.csv\n    kind: codes\n    schema:\n      fields:\n"
        "        - {name: patient, role: person}\n        - {name: stay, role: visit}\n"
        "        - {name: icd9_code, role: codes, system: icd9cm}\n"
        "models:\n  - privacy-constraints: {k: 7, constraints: kept/privacy.txt}\n"
        "utility-constraints: kept/utility.txt\nmethod: cba\n"
    )
    done = run("protect", "recipe.yaml")
    assert done.code == 0, done.err
    assert "privacy-constraints ✓ holds" in done.words


def test_where_everything_is_frequent_there_is_no_privacy_policy(run: Run) -> None:
    Path("alike.csv").write_text("patient,dx\n" + "".join(f"p{i},401.9\np{i},250.00\n" for i in range(9)))
    done = run("policies", "alike.csv", "--out", "kept")
    assert done.code == 0
    assert "There is nothing to protect, and no privacy policy." in done.words
    assert not (Path("kept") / "privacy.txt").exists()
