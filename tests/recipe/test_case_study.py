"""The case study of diagnosis codes: its figures are those that a slow look finds, and its page says them."""

from __future__ import annotations

import csv
import itertools
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sfumato.cli.app import app
from sfumato.codes.contract import Problem, Solution
from sfumato.codes.icd import recognise
from sfumato.codes.methods import METHODS as SET_METHODS
from sfumato.codes.models import PrivacyConstraints
from sfumato.codes.published import PublishedSets
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.progress import SILENT
from sfumato.demo import generate_histories
from sfumato.recipe.case_study import (
    Source,
    Study,
    page_of,
    pictures_of,
    read_diseases,
    study,
    write_case_study,
)
from sfumato.recipe.case_study.releases import METHODS, Bench, Workloads
from sfumato.recipe.case_study.study import GUIDED
from sfumato.report.grouped_bars import Bars, grouped_bars

# The study is made once: all that look at it belong into one process.
pytestmark = pytest.mark.xdist_group("case-study")

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PATIENTS = 400


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Histories of people who never lived."""
    return generate_histories(tmp_path_factory.mktemp("histories") / "histories.csv", PATIENTS)


@pytest.fixture(scope="module")
def source(file: Path) -> Source:
    return Source(file, "patient", "icd9_code", "visit", "icd9cm")


@pytest.fixture(scope="module")
def found(source: Source) -> Study:
    return study(source)


Sets = dict[str, frozenset[str]]


def histories(path: Path, cut: int | None = None) -> tuple[Sets, dict[tuple[str, str], frozenset[str]]]:
    """Read people and visits, slowly; ``cut`` keeps so many characters of a code, one more of E codes."""
    people: dict[str, set[str]] = {}
    visits: dict[tuple[str, str], set[str]] = {}
    with path.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            (code,) = recognise([row["icd9_code"]], "icd9cm").codes
            if cut is not None:
                code = code[: cut + code.startswith("E")]
            people.setdefault(row["patient"], set()).add(code)
            visits.setdefault((row["patient"], row["visit"]), set()).add(code)
    return (
        {who: frozenset(codes) for who, codes in people.items()},
        {which: frozenset(codes) for which, codes in visits.items()},
    )


@pytest.mark.parametrize("cut", [None, 3])
def test_who_is_unique_is_who_a_slow_look_finds_unique(file: Path, found: Study, cut: int | None) -> None:
    people, visits = histories(file, cut)
    risk = found.as_released if cut is None else found.shorter
    assert risk is not None
    assert risk.visits is not None
    times = Counter(people.values())
    assert risk.alike_unique == sum(times[codes] == 1 for codes in people.values())
    assert risk.alike_below == sum(times[codes] < 5 for codes in people.values())
    alone = {who for (who, _), seen in visits.items() if sum(seen <= codes for codes in people.values()) == 1}
    assert risk.visits.people_unique == len(alone)
    pairs = Counter(
        pair
        for codes in people.values()
        for size in (1, 2)
        for pair in itertools.combinations(sorted(codes), size)
    )
    worst = sum(
        any(pairs[pair] == 1 for size in (1, 2) for pair in itertools.combinations(sorted(codes), size))
        for codes in people.values()
    )
    assert risk.subsets[1].unique == worst


def test_the_privacy_policy_is_what_visits_show_and_few_people_hold(file: Path, found: Study) -> None:
    people, visits = histories(file)
    for k, (policy, _) in found.by_k.items():
        rare = {seen for seen in visits.values() if sum(seen <= codes for codes in people.values()) < k}
        largest = {seen for seen in rare if not any(seen < other for other in rare)}
        assert {frozenset(codes) for codes in policy.privacy} == largest


@pytest.mark.parametrize("name", [name for name in METHODS if name != "k^m"])
def test_a_disease_is_counted_when_a_slow_count_of_cases_agrees(found: Study, name: str) -> None:
    sets, policy = found.read.sets, found.policy
    model = PrivacyConstraints(found.k, policy.privacy)
    solution = METHODS[name].protect(Problem(sets, (model,), utility=policy.utility))
    assert isinstance(solution.published, PublishedSets)
    shown = [
        [set(label.strip("()").split(",")) for label in solution.published.record(row)]
        for row in range(len(sets))
    ]
    kept = []
    for disease in found.diseases.constraints:
        codes = set(disease)
        before = sum(bool(codes & set(record)) for record in sets)
        surely = sum(any(item <= codes for item in record) for record in shown)
        perhaps = sum(any(item & codes for item in record) for record in shown)
        kept.append(before == surely == perhaps)
    one = found.editions[name]
    assert one is not None
    assert list(one.kept) == kept
    gone = set(sets.domain) - {code for record in shown for item in record for code in item}
    assert one.codes_lost == len(gone)
    # What the policy lists is shared by k people, or nobody shows any part of it that few show.
    for constraint in policy.privacy:
        held = sum(all(any(code in item for item in record) for code in constraint) for record in shown)
        assert held == 0 or held >= found.k


def test_a_disease_with_few_cases_is_kept_by_no_release(found: Study) -> None:
    for k, (_, editions) in found.by_k.items():
        for place, cases in enumerate(found.raw.cases):
            if cases < k:
                assert not any(one.kept[place] for one in editions.values() if one is not None)
    assert any(cases < 10 for cases in found.raw.cases)


def test_the_data_as_they_are_lose_nothing(found: Study) -> None:
    raw = found.raw
    assert all(raw.kept)
    assert raw.satisfied == len(found.diseases)
    assert (raw.codes_lost, raw.occurrences_lost, raw.exact) == (0, 0.0, 1.0)
    assert raw.frequent_error == raw.pair_error == 0.0
    assert raw.unique == found.unique


def test_on_made_up_histories_what_follows_the_utility_policy_keeps_more_than_what_does_not(
    found: Study,
) -> None:
    kept = {name: one.counted for name, one in found.editions.items() if one is not None}
    assert found.unique > 0.5
    assert kept["CBA"] > len(found.diseases) / 2 > max(kept["ACLIP"], kept["PCTA"], kept["rare codes"])


def test_every_k_and_every_adversary_is_tried(found: Study) -> None:
    assert sorted(found.by_k) == [2, 5, 10]
    assert [(one.history, one.rest) for one in found.variants] == [(False, True), (True, False), (True, True)]
    for one in found.variants:
        assert set(one.editions) == {name for name in METHODS if name != "k^m"}
        named = {code for constraint in one.policy.utility for code in constraint}
        assert (named == set(found.read.sets.domain)) == one.rest


def test_a_method_that_ignores_the_utility_policy_does_so(found: Study) -> None:
    sets, wider = found.read.sets, found.variants[0].policy
    model = PrivacyConstraints(found.k, wider.privacy)
    for name in (name for name in METHODS if name != "k^m" and name not in GUIDED):
        first, second = (
            METHODS[name].protect(Problem(sets, (model,), utility=policy.utility)).published
            for policy in (found.policy, wider)
        )
        assert isinstance(first, PublishedSets)
        assert isinstance(second, PublishedSets)
        assert [first.record(row) for row in range(len(sets))] == [
            second.record(row) for row in range(len(sets))
        ]


def test_a_release_that_breaks_its_promise_is_never_measured(
    found: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Nothing:
        needs_hierarchy = False

        def protect(self, problem: Problem) -> Solution:
            return Solution(PublishedSets.as_it_is(problem.sets))

    monkeypatch.setitem(METHODS, "ACLIP", Nothing())
    bench = Bench(found.read.sets, Workloads((), ()), None)
    with pytest.raises(PromiseNotMet, match="does not keep its promise"):
        bench.edition("ACLIP", found.policy, SILENT)


def test_the_methods_are_those_that_recipes_know() -> None:
    assert all(method.name in SET_METHODS for method in METHODS.values())


def figures(page: str, heading: str) -> list[list[str]]:
    """Return the cells of the first table under a heading."""
    lines = page[page.index(heading) :].split("\n")
    rows = list(itertools.dropwhile(lambda line: not line.startswith("|"), lines))
    rows = list(itertools.takewhile(lambda line: line.startswith("|"), rows))
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in (rows[0], *rows[2:])]


def test_the_page_says_what_was_found(found: Study) -> None:
    page = page_of([found], Path("page.md"))
    number = len(found.diseases)
    for row in figures(page, "### The remedies")[2:]:
        one = found.editions[row[0]]
        assert one is not None
        assert row[1] == f"{one.counted} of {number}"
        assert row[3] == f"{one.codes_lost:,}"
        assert row[4] in (f"{100 * one.occurrences_lost:.1f} %", "< 0.1 %", "> 99.9 %")
    rare = found.editions["rare codes"]
    assert rare is not None
    assert f"**{rare.codes_lost} of {found.codes} codes must go" in page
    ticks = {row[0]: row[1:] for row in figures(page, "| cases and controls as before")}
    for place, names in enumerate(found.diseases.names):
        marks = ["✓" if one is not None and one.kept[place] else "" for one in found.editions.values()]
        assert ticks[" + ".join(names)] == marks


def test_the_same_file_gives_the_same_page_and_pictures(found: Study, source: Source) -> None:
    again = study(source)
    assert page_of([again], Path("x.md")) == page_of([found], Path("x.md"))
    assert pictures_of(again) == pictures_of(found)


def test_the_page_holds_no_code_and_no_person(tmp_path: Path) -> None:
    lines = ["who,when,what"]
    for person in range(12):
        for visit in range(2):
            code = (person + visit) % 7 if person else 90
            lines.append(f"person{person:03},visit{person:03}{visit},condition{code:02}")
    (tmp_path / "raw.csv").write_text("\n".join(lines) + "\n")
    wanted = {"first": ("condition00", "condition01"), "second": ("condition03",)}
    made = study(Source(tmp_path / "raw.csv", "who", "what", "when", diseases=wanted))
    page, pictures = write_case_study([made], tmp_path / "page.md")
    for text in (path.read_text("utf-8") for path in (page, *pictures)):
        assert not re.search(r"person\d|visit\d|condition\d", text)
    assert "k^m" not in page.read_text("utf-8")
    assert "These codes have no classification" in page.read_text("utf-8")


def test_without_visits_the_adversary_knows_histories(file: Path) -> None:
    made = study(Source(file, "patient", "icd9_code", system="icd9cm"), sweep=(5,))
    assert made.visits is None
    assert [(one.history, one.rest) for one in made.variants] == [(True, True)]
    people, _ = histories(file)
    times = [sum(codes <= other for other in people.values()) for codes in people.values()]
    assert len(made.policy.privacy) <= sum(number < 5 for number in times)
    page = page_of([made], Path("page.md"))
    assert "All codes of each person shall be shared" in page
    assert "| one visit |" not in page


def test_where_nothing_is_rare_nothing_is_changed(tmp_path: Path) -> None:
    lines = ["who,what", *(f"p{person},{code}" for person in range(12) for code in ("493.00", "401.9"))]
    (tmp_path / "same.csv").write_text("\n".join(lines) + "\n")
    made = study(Source(tmp_path / "same.csv", "who", "what", system="icd9cm"))
    page = page_of([made], Path("page.md"))
    assert "there is nothing to protect" in page
    assert "three digits have nothing to mend" in page
    assert all(one is not None and one.exact == 1.0 for one in made.editions.values())


def test_diseases_are_read_from_yaml(tmp_path: Path) -> None:
    (tmp_path / "d.yaml").write_text("asthma: '493'\nheart: ['410', '414']\n")
    assert read_diseases(tmp_path / "d.yaml") == {"asthma": ("493",), "heart": ("410", "414")}


@pytest.mark.parametrize("text", ["", "- asthma\n", "asthma: 493\n", "asthma: []\n", "a: [\n"])
def test_diseases_that_cannot_be_read_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "d.yaml").write_text(text)
    with pytest.raises(BadInput, match=r"d\.yaml|asthma: \['493'\]"):
        read_diseases(tmp_path / "d.yaml")


def test_a_file_of_diseases_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as refused:
        read_diseases(tmp_path / "none.yaml")
    assert "none.yaml" in str(refused.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"system": "none"}, "which diseases to count"),
        ({"system": "icd11"}, "no code system"),
    ],
)
def test_a_source_that_says_too_little_is_refused(
    source: Source, change: dict[str, Any], message: str
) -> None:
    with pytest.raises(BadInput, match=message):
        replace(source, **change)


def test_diseases_that_nobody_has_are_refused(source: Source) -> None:
    with pytest.raises(BadInput, match="none of the 1 diseases occurs"):
        study(replace(source, diseases={"made up": ("999.99",)}))


def test_a_larger_k_than_there_are_people_is_not_compared(tmp_path: Path) -> None:
    lines = ["who,what", *(f"p{person},493.0{person % 2}" for person in range(6))]
    (tmp_path / "few.csv").write_text("\n".join(lines) + "\n")
    made = study(Source(tmp_path / "few.csv", "who", "what", system="icd9cm"), k=3)
    assert sorted(made.by_k) == [2, 3, 5]


def test_the_picture_shows_the_k_that_was_asked_for(found: Study) -> None:
    extra = {**found.by_k, 20: found.by_k[10]}
    drawn = pictures_of(replace(found, by_k=extra, k=20))[1].svg
    assert re.findall(r"k = (\d+)", drawn) == ["5", "10", "20"]


def test_more_people_than_k_are_needed(source: Source) -> None:
    with pytest.raises(BadInput, match="fewer than k"):
        study(source, k=PATIENTS + 1)


ASKED = ["--person", "patient", "--visit", "visit", "--code", "icd9_code", "--system", "icd9cm"]


def test_the_command_writes_the_page_and_its_pictures(file: Path, found: Study, tmp_path: Path) -> None:
    out = tmp_path / "told.md"
    ended = CliRunner().invoke(app, ["case-study", str(file), *ASKED, "--out", str(out)])
    assert ended.exit_code == 0, ended.output
    assert "UGACLIP" in ended.stdout
    assert out.read_text("utf-8") == page_of([found], out)
    for picture in pictures_of(found):
        assert (tmp_path / "pictures" / f"told-1-{picture.suffix}.svg").read_text("utf-8") == picture.svg


@pytest.mark.parametrize("there", ["told.md", "pictures/told-1-kept.svg"])
def test_the_command_refuses_to_write_over_what_is_there(file: Path, there: str, tmp_path: Path) -> None:
    (tmp_path / there).parent.mkdir(exist_ok=True)
    (tmp_path / there).write_text("mine")
    ended = CliRunner().invoke(app, ["case-study", str(file), *ASKED, "--out", str(tmp_path / "told.md")])
    assert isinstance(ended.exception, BadInput)
    assert "--replace" in str(ended.exception)
    assert (tmp_path / there).read_text() == "mine"


def test_the_command_says_which_column_is_missing(file: Path, tmp_path: Path) -> None:
    asked = [*ASKED[:-3], "diagnosis", *ASKED[-2:]]
    ended = CliRunner().invoke(app, ["case-study", str(file), *asked, "--out", str(tmp_path / "told.md")])
    assert isinstance(ended.exception, BadInput)
    assert "'diagnosis'" in str(ended.exception)
    assert not (tmp_path / "told.md").exists()


def test_it_is_said_where_a_case_study_cannot_be_written(tmp_path: Path, found: Study) -> None:
    (tmp_path / "pictures").write_text("a file in the place of a folder")
    with pytest.raises(BadInput, match="cannot be written"):
        write_case_study([found], tmp_path / "told.md")


def test_a_bar_that_was_not_measured_is_a_dash_and_no_bar_of_nothing() -> None:
    drawn = grouped_bars("t", "d", ["a", "b"], [Bars("one", [None, 0.5], ["", "5"])])
    assert ">–</text>" in drawn
    # One bar, and the patch of colour that names its series.
    assert drawn.count("<rect") == 2


def test_the_script_says_which_data_are_missing(tmp_path: Path) -> None:
    ended = _script(tmp_path, tmp_path / "page.md")
    assert ended.returncode == 2
    assert "MIMIC3demo_DIAGNOSES_ICD.csv.gz and synthea_1k_conditions.csv.gz" in ended.stderr
    assert not (tmp_path / "page.md").exists()


def _script(data: Path, out: Path) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        str(ROOT / "scripts" / "case_study.py"),
        "--data",
        str(data),
        "--out",
        str(out),
    ]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.golden
def test_the_page_in_the_docs_is_the_one_that_the_data_give(shared: Path, tmp_path: Path) -> None:
    out = tmp_path / "codes-case-study.md"
    ended = _script(shared / "data" / "codes" / "clinical", out)
    assert ended.returncode == 0, ended.stderr
    assert out.read_text("utf-8") == (DOCS / "codes-case-study.md").read_text("utf-8")
    drawn = sorted(path.name for path in (tmp_path / "pictures").iterdir())
    assert len(drawn) == 4
    for name in drawn:
        assert (tmp_path / "pictures" / name).read_bytes() == (DOCS / "pictures" / name).read_bytes()


@pytest.mark.golden
def test_the_public_files_show_what_was_measured_of_them_before(shared: Path) -> None:
    """The shares are those of the table of re-identification in ``golden/codes.md``."""
    page = (DOCS / "codes-case-study.md").read_text("utf-8")
    glance = {row[0]: row[2:] for row in figures(page, "## At a glance")}
    assert glance["people"] == ["100", "1,152"]
    assert glance["unique by all codes"] == ["100.0 %", "85.2 %"]
    known = (shared / "golden" / "codes.md").read_text("utf-8")
    assert "| MIMIC demo, per patient (100) | 100% | 100% |" in known
    assert "| Synthea 1,152 | 85.2% | 31.2% |" in known
    mimic, synthea = ({row[0]: row[1] for row in figures(page, f"## {name}")} for name in ("MIMIC", "Synth"))
    assert mimic["the worst 2 codes"] == "100.0 %"
    assert synthea["the worst 2 codes"] == "31.2 %"
