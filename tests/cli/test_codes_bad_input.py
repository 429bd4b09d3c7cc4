"""Bad sets of codes at every door: one sentence, an exit code, never a trace and never a code of the data."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commands import Run, runner

CODES = ("401.9", "401.1", "250.00", "493.90", "nonsense")
LONG = "patient,stay,code\n" + "".join(
    f"p{i},s{i},401.9\np{i},s{i},401.9\np{i},t{i},{('250.00', '493.90', '401.1')[i % 3]}\n" for i in range(12)
)
"""twelve patients; the first code of each stands there twice"""
RECIPE = """\
sfumato: 1
resources:
  - path: visits.csv
    kind: codes
    schema:
      fields:
        - {name: patient, role: person}
        - {name: stay, role: visit}
        - {name: code, role: codes, system: icd9cm, hierarchy: icd9cm}
models:
  - MODEL
method: METHOD
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    (tmp_path / "visits.csv").write_text(LONG)
    return runner(tmp_path, monkeypatch, capsys)


def recipe(model: str = "k-m-anonymity: {k: 3, m: 2}", method: str = "apriori", more: str = "") -> None:
    Path("recipe.yaml").write_text(RECIPE.replace("MODEL", model).replace("METHOD", method) + more)


@pytest.mark.parametrize("command", [("init",), ("risk",), ("policies", "--out", "kept")])
@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.csv", b"", "empty.csv: the file is empty"),
        ("empty.dat", b"", "empty.dat: the file is empty"),
        ("header.csv", b"patient,code\n", "header.csv: the file has a header and no rows"),
        ("blank.dat", b"\n\n\n", "blank.dat: 3 people and no code were read"),
        ("rubbish.dat", bytes(range(256)) * 9, "rubbish.dat, line 1: the text holds a NUL byte"),
        ("packed.dat.gz", b"no gzip", "packed.dat.gz: the packed file is cut short or damaged"),
        ("broken.jsonl", b'["a"]\n["b"\n', "broken.jsonl, line 2: the line is not JSON"),
        (
            "missing.csv",
            b"patient,code\n,401.9\np1,401.9\np1,250.00\n",
            "1 row has no person; mend the rows",
        ),
        ("codes.xlsx", b"PK", "codes.xlsx: the kind of file is not known"),
    ],
)
def test_a_file_that_cannot_be_read_as_sets_is_one_sentence_at_every_door(
    run: Run, command: tuple[str, ...], name: str, content: bytes, said: str
) -> None:
    Path(name).write_bytes(content)
    done = run(command[0], name, *command[1:])
    assert done.code == 2
    assert done.sentence.startswith("sfumato: ")
    assert said in done.sentence
    assert not Path("recipe.yaml").exists()
    assert not Path("kept").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--codes", "cod"), "there is no column 'cod'; did you mean 'code'?"),
        (("--codes", "code", "--person", "who"), "there is no column 'who'"),
        (("--codes", "code", "--person", "patient", "--visit", "x"), "there is no column 'x'"),
        (("--codes", "code", "--person", "code"), "column 'code': the column is both codes and person"),
        (("--codes", "code", "--visit", "stay"), "visits are known only in the layout long"),
        (("--system", "icd11"), "system: there is no code system 'icd11'; did you mean 'icd10cm'?"),
        (("--layout", "wide"), "there is no layout 'wide'"),
        (("--codes", "code", "--person", "patient", "--layout", "lists"), "the column does not hold lists"),
        (("--codes", "code", "--person", "patient", "--layout", "baskets"), "this is not a file of baskets"),
        (("--sensitive", "999.9"), "1 of 1 sensitive codes never occur in the data"),
        (("--threshold", "2"), "the confidence to exceed must be at least 0 and below 1"),
        (("--up-to", "0"), "--up-to: an adversary knows at least one code"),
        (("--suda",), "--suda: this is about tables"),
        (("--codes", "code", "--quasi", "patient"), "--quasi: this is about tables"),
        (("--quasi", "code", "--k", "3"), "--k: this is about sets of codes"),
        (("--quasi", "code", "--visit", "stay"), "--visit: this is about sets of codes"),
        (("--population", "nobody.csv"), "nobody.csv: there is no such file"),
        (("--population", "shop.dat"), "population: the population has no column 'code'"),
        (("--population", "strangers.csv"), "the file and the population have no code in common"),
        (("--report", "nowhere/risk.html"), "the report cannot be written there"),
        (("--report", "release/risk.html"), "must not lie in a release"),
    ],
)
def test_what_risk_cannot_do_with_codes_is_one_sentence(
    run: Run, options: tuple[str, ...], said: str
) -> None:
    Path("shop.dat").write_text("1 2\n")
    Path("strangers.csv").write_text("patient,stay,code\nq1,s,V30.00\n")
    Path("release").mkdir()
    done = run("risk", "visits.csv", *options)
    assert done.code == 2
    assert said in done.sentence
    assert not set(CODES) & set(done.sentence.replace("'", " ").split())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--out", "release"), "must not lie in a release"),
        (("--out", "release/deeper"), "must not lie in a release"),
        (("--out", "visits.csv"), "visits.csv: this is a file; name a folder"),
        (("--out", "kept", "--diseases", "999"), "none of the codes of 1 disease occurs in the data"),
        (("--out", "kept", "--diseases", "250,250.00", "--overlaps", "refuse"), "2 diseases share codes"),
        (("--out", "kept", "--overlaps", "maybe"), "--overlaps: it must be merge or refuse"),
        (("--out", "kept", "--from", "dreams"), "--from: it must be visits or history"),
        (("--out", "kept", "--hierarchy", "icd11"), "there is no hierarchy 'icd11'"),
        (("--out", "kept", "--codes", "code", "--from", "visits"), "no column says what a visit is"),
    ],
)
def test_what_policies_cannot_do_is_one_sentence_and_nothing_is_written(
    run: Run, options: tuple[str, ...], said: str
) -> None:
    Path("release").mkdir()
    done = run("policies", "visits.csv", *options)
    assert done.code == 2
    assert said in done.sentence
    assert not Path("kept").exists()
    assert not list(Path("release").iterdir())


@pytest.mark.parametrize(
    ("model", "method", "more", "code", "said"),
    [
        ("k-m-anonymity: {k: 50, m: 2}", "apriori", "", 1, "k is 50 and there are 12 records"),
        ("k-m-anonymity: {k: 0, m: 2}", "apriori", "", 2, "k"),
        ("k-m-anonymity: {k: 3, m: 0}", "apriori", "", 2, "m"),
        ("k-m-anonymity: {k: 3, m: 2}", "cba", "", 2, "cba does not enforce k-m-anonymity"),
        (
            "privacy-constraints: {k: 3, constraints: none.txt}",
            "cba",
            "",
            2,
            "none.txt: there is no such file",
        ),
        (
            "privacy-constraints: {k: 3, constraints: [[401.1]]}",
            "cba",
            "",
            2,
            "a code is not a text; write codes in quotes",
        ),
        (
            "privacy-constraints: {k: 3, constraints: [['401.1']]}",
            "cba",
            "utility-constraints: {extract: {diseases: ['250', '250.00'], overlaps: refuse}}\n",
            2,
            "2 diseases share codes with another one",
        ),
    ],
)
def test_a_recipe_that_cannot_be_kept_is_one_sentence(
    run: Run, model: str, method: str, more: str, code: int, said: str
) -> None:
    recipe(model, method, more)
    done = run("protect", "recipe.yaml")
    assert done.code == code, done.err
    assert done.sentence.startswith("sfumato: ")
    assert said in done.sentence
    assert "went wrong" not in done.err
    assert not Path("release").exists()


def test_codes_outside_the_hierarchy_are_counted_and_refused_or_laid_aside(run: Run) -> None:
    Path("visits.csv").write_text(LONG + "p1,s1,nonsense\n")
    recipe()
    refused = run("protect", "recipe.yaml")
    assert refused.code == 2
    assert "1" in refused.sentence
    assert "nonsense" not in refused.err + refused.out
    text = Path("recipe.yaml").read_text()
    Path("recipe.yaml").write_text(text.replace("hierarchy: icd9cm", "hierarchy: icd9cm, unknown: suppress"))
    assert run("protect", "recipe.yaml").code == 0


@pytest.mark.parametrize(
    ("model", "method", "more"),
    [
        ("k-m-anonymity: {k: 3, m: 99}", "apriori", ""),
        ("privacy-constraints: {k: 3, constraints: [['401.9', '999.9']]}", "cba", ""),
        (
            "privacy-constraints: {k: 3, constraints: [['401.1']]}",
            "ugaclip",
            "utility-constraints: [['401.9', '401.1'], ['401.1', '250.00']]\n",
        ),
    ],
    ids=["m larger than any record", "a constraint with a code that never occurs", "utility that overlaps"],
)
def test_what_is_odd_but_has_a_meaning_is_carried_out(run: Run, model: str, method: str, more: str) -> None:
    recipe(model, method, more)
    done = run("protect", "recipe.yaml")
    assert done.code == 0, done.err
    assert run("verify", "release", "--original", "visits.csv").code == 0


def test_one_record_has_a_risk_and_no_release(run: Run) -> None:
    Path("one.dat").write_text("17 4 8\n")
    assert run("init", "one.dat").code == 0
    risk = run("risk", "one.dat", "--up-to", "9")
    assert risk.code == 0
    assert "1 person, 3 different codes" in risk.words
    unmet = run("protect", "recipe.yaml")
    assert unmet.code == 1
    assert "k is 5 and there are 1 records" in unmet.sentence


def test_people_without_codes_and_repeated_codes_are_counted_and_said(run: Run) -> None:
    Path("visits.csv").write_text(LONG + "p99,s99,\n")
    done = run("risk", "visits.csv", "--codes", "code", "--person", "patient")
    assert done.code == 0
    assert "Note: 12 codes stood in the record already." in done.words
    assert "Note: 1 record without any code kept, empty." in done.words


def test_comparing_is_refused_for_codes_and_says_what_to_do(run: Run) -> None:
    recipe()
    done = run("compare", "recipe.yaml")
    assert done.code == 2
    assert "sets of codes" in done.sentence
