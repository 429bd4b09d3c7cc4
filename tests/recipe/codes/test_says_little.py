"""A release in which half of the items are the root says so, first of all, and names what keeps more."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path

import pyarrow as pa
import pytest
from rich.console import Console

import sfumato as sf
from sfumato.codes.published import PublishedSets
from sfumato.core.evidence_codes import CodesEvidence, StewardCodesEvidence
from sfumato.recipe.api import run
from sfumato.recipe.codes.shown import shown_by
from sfumato.recipe.codes.warned import says_little
from sfumato.recipe.init import write_recipe
from sfumato.recipe.verify import verify
from sfumato.report.answer import headline, little_left
from sfumato.report.terminal import summary
from tests.recipe.codes.examples import ward, with_models
from tests.recipe.examples import forge_report

LONELY = "k-m-anonymity: {k: 7, m: 2}"


def printed(evidence: StewardCodesEvidence) -> str:
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(summary(evidence))
    return " ".join(console.export_text().replace("│", " ").split())


def test_a_release_of_roots_says_so_in_terminal_report_and_evidence(tmp_path: Path) -> None:
    recipe = with_models(LONELY, method="apriori").replace(", sensitive: [s1, s2]", "")
    made = run(ward(tmp_path, recipe))
    assert isinstance(made.evidence, StewardCodesEvidence)
    assert made.evidence.shown.at_root == made.evidence.shown.occurrences == 14
    said = "The promise holds, but 100% of the items say nothing."
    assert headline(made.evidence) == said
    assert said in printed(made.evidence)
    assert "the nearest setting that keeps more" in printed(made.evidence)
    assert "local-specialisation" in made.evidence.keeps_more
    warning = "14 of 14 items that the release shows stand for every code there is: they say nothing"
    public = json.loads((made.release / "evidence.json").read_text())
    assert public["warnings"][0] == warning
    assert "keeps_more" not in public
    for report in (made.steward / "report.html", made.release / "report.html"):
        assert said in report.read_text()
    assert not verify(made.release).refuted


def test_a_struck_out_warning_and_a_forged_count_are_refuted(tmp_path: Path) -> None:
    recipe = with_models(LONELY, method="apriori").replace(", sensitive: [s1, s2]", "")
    made = run(ward(tmp_path, recipe))
    path = made.release / "evidence.json"
    told = json.loads(path.read_text())
    for forged in (
        {"warnings": told["warnings"][1:]},
        {"shown": {**told["shown"], "at_root": 0}},
        {"shown": {**told["shown"], "at_root": None}},
    ):
        path.write_text(json.dumps({**told, **forged}))
        forge_report(made.release, CodesEvidence)
        assert verify(made.release).refuted


@pytest.mark.parametrize(
    ("roots", "others", "warned"), [(1, 2, False), (1, 1, True), (2, 1, True), (0, 3, False)]
)
def test_half_of_the_items_is_the_boundary(roots: int, others: int, warned: bool) -> None:
    records: list[list[list[str]]] = [[["a", "b"]]] * roots + [[["a"]]] * others
    shown = shown_by(PublishedSets.of(records), "(a,b)")
    assert shown.at_root == roots
    assert bool(list(says_little(shown))) is warned


def test_what_was_left_out_counts_for_the_steward() -> None:
    visits = pa.table({"who": list(range(8)), "code": ["a1", "a1", "a1", "b", "c", "d", "e", "f"]})
    release = sf.protect_codes(
        visits, person="who", code="code", models=sf.KmAnonymity(3, 1), method="rare-codes"
    )
    assert headline(release.evidence).endswith("but 62.5% of the codes were left out.")
    assert not little_left(release.public)


def small_file(number: int, path: Path) -> None:
    """Draw a file of few people with ICD codes, goods or lists, some known and some not."""
    draw = random.Random(number)
    pool = draw.choice(
        [
            ["401.0", "401.1", "401.9", "250.00", "250.02", "493.90", "V30.00", "401.2"],
            ["E11.9", "I10", "J45.9", "M81.0", "M81.9", "C50.9", "F32.9", "K35.8"],
            [f"item{code}" for code in range(12)],
        ]
    )
    rows = ["patient_id,dx_code"]
    for person in range(draw.randint(6, 40)):
        rows += [f"P{person},{code}" for code in draw.sample(pool, draw.randint(2, 5))]
    path.write_text("\n".join(rows) + "\n")


@pytest.mark.parametrize(
    "numbers", [range(19, 27), pytest.param(range(50), marks=pytest.mark.slow)], ids=["few", "fifty"]
)
def test_no_small_file_goes_to_the_root_without_a_word(numbers: range, tmp_path: Path) -> None:
    silent = roots = 0
    for number in numbers:
        folder = tmp_path / str(number)
        folder.mkdir()
        small_file(number, folder / "visits.csv")
        path, _ = write_recipe(folder / "visits.csv", kind="codes", k=5)
        made = run(path)
        assert isinstance(made.evidence, StewardCodesEvidence)
        shown = made.evidence.shown
        root = shown.occurrences == 0 or all(
            set(line.split()) <= {"*"} for line in made.data.read_text().splitlines()[1:]
        )
        roots += root
        silent += root and ", but " not in headline(made.evidence)
    assert silent == 0
    assert roots


def test_a_table_with_half_of_its_columns_at_the_root_says_so() -> None:
    people = pa.table({"age": list(range(20, 32)), "sex": ["f", "m"] * 6, "ill": ["a", "b", "c"] * 4})
    hierarchies = {"age": {"intervals": {"widths": [3]}}, "sex": "flat"}
    asked = {
        "quasi": ["age", "sex"],
        "sensitive": "ill",
        "hierarchies": hierarchies,
        "method": "optimal-lattice",
    }
    gone = sf.protect(people, models=sf.KAnonymity(12), **asked)
    assert headline(gone.evidence) == "The promise holds, but 2 of 2 quasi-identifiers say nothing."
    assert any("at the root of their hierarchies" in warning for warning in gone.evidence.warnings)
    kept = sf.protect(people, models=sf.KAnonymity(1), **asked)
    assert headline(kept.evidence) == "The promise was checked and holds."
