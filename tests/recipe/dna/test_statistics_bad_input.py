"""What is wrong with a recipe of statistics is said in one sentence, and nothing is written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sfumato as sf
from sfumato.core.errors import BadInput, SfumatoError
from sfumato.dna.methods.frequencies import Frequencies
from sfumato.dna.models.private import DifferentialPrivacy
from sfumato.dna.source import InMemory
from sfumato.recipe.dna.statistics_api import protect_statistics
from tests.cli.commands import Run, runner
from tests.recipe.dna.statistics_examples import (
    ARMS,
    BOUND,
    CASES,
    PEOPLE,
    PURE,
    SECRET_NAME,
    population,
    study,
    write_vcf,
)

NOTHING = "{multiallelic: drop}"
RECIPES: dict[str, tuple[dict[str, str], str]] = {
    "exact figures under noise's promise": (
        {"method": "frequencies", "model": PURE},
        "frequencies does not keep differential-privacy; choose one of: dp-frequencies, dp-association, "
        "dp-top-snps, beacon-answers",
    ),
    "safe sites under noise's promise": ({"model": PURE}, "safe-snps does not keep differential-privacy"),
    "a measured bound on noise": (
        {"method": "dp-frequencies"},
        "dp-frequencies does not keep membership-bound; choose one of: frequencies, association, safe-snps; "
        "or promise differential-privacy alone: with epsilon 1 no test of membership has an AUC above 0.731",
    ),
    "a bound without people outside": ({"dna": NOTHING}, "measured on people outside the data"),
    "an attack without people outside": (
        {"method": "dp-frequencies", "model": PURE, "dna": NOTHING, "more": "attacks: [homer]\n"},
        "the attack homer is measured on people outside",
    ),
    "a bound on an attack on noise": (
        {"method": "dp-frequencies", "model": PURE, "more": "attacks: [{homer: {at-most: 0.6}}]\n"},
        "differential-privacy bounds every attack",
    ),
    "an attack on rows": ({"more": "attacks: [sequence-linkage]\n"}, "for statistics there are: homer"),
    "an attack with a file": ({"more": "attacks: [{homer: {with: people.csv}}]\n"}, "leave 'with'"),
    "an unheard-of attack": ({"more": "attacks: [homr]\n"}, "did you mean 'homer'?"),
    "a promise about rows": (
        {"model": "sequence-k-anonymity: {k: 2}"},
        "make two recipes, one of rows and one of statistics",
    ),
    "no bound in the bound": ({"model": "membership-bound"}, "auc"),
    "ε that is nothing": (
        {"method": "dp-frequencies", "model": "differential-privacy: {epsilon: 0}"},
        "more than 0",
    ),
    "ε with too many digits": (
        {"method": "dp-frequencies", "model": "differential-privacy: {epsilon: 1/3}"},
        "more than 18 decimal places",
    ),
    "more spent than promised": (
        {"method": "{dp-frequencies: {epsilon: 3}}", "model": PURE},
        "would spend more than is promised",
    ),
    "a Beacon that spends more than promised": (
        {"method": "{beacon-answers: {policy: {randomised-response: {epsilon: 1}}}}", "model": PURE},
        "does not keep differential privacy at this epsilon",
    ),
    "a Beacon that hides rare alleles": (
        {"method": "{beacon-answers: {policy: hide-rare}}", "model": PURE},
        "the policy hide-rare keeps no promise that could be checked",
    ),
    "a Beacon of no policy": (
        {"method": "{beacon-answers: {policy: magic}}", "model": PURE},
        "no policy 'magic'",
    ),
    "a Beacon with a number for a policy": (
        {"method": "{beacon-answers: {policy: 3}}", "model": PURE},
        "a policy is a name with its parameters",
    ),
    "a policy whose parameters have no names": (
        {"method": "{beacon-answers: {policy: {randomised-response: 3}}}", "model": PURE},
        "a policy is a name with its parameters",
    ),
    "a method whose parameters have no names": (
        {"method": "{dp-frequencies: [1]}", "model": PURE},
        "method",
    ),
    "association without cases": (
        {"method": "association"},
        "who is which is not known; name a file 'people' and its column 'phenotype'",
    ),
    "cases that nobody asks for": (
        {"method": "frequencies", "dna": ARMS},
        "does not tell cases from controls",
    ),
    "a phenotype without people": (
        {"method": "association", "dna": "{phenotype: state, reference: outside.vcf}"},
        "add 'people: FILE'",
    ),
    "people of whom nothing is used": (
        {"dna": "{people: people.csv, reference: outside.vcf}"},
        "no column is used",
    ),
    "values of no column": (
        {"dna": "{people: people.csv, person: sample, cases: [case], reference: outside.vcf}"},
        "values of a column that is not named",
    ),
    "a column that is not there": (
        {"method": "association", "dna": ARMS.replace("state", "ill")},
        "'ill'",
    ),
    "cases that nobody is": (
        {"method": "association", "dna": ARMS.replace("state", "state, cases: [sick]")},
        "nobody is a case",
    ),
    "alignment of genotypes": ({"dna": "{align: true, reference: outside.vcf}"}, "'align' is for rows"),
    "bases": ({"dna": "{read: bases, reference: outside.vcf}"}, "counted over genotypes"),
    "a population": ({"more": "population: outside.vcf\n"}, "under 'dna', as 'reference'"),
    "an order": ({"more": "output: {order: kept}\n"}, "the order of the genome"),
    "rows' format": ({"more": "output: {format: vcf}\n"}, "statistics are not written as vcf"),
    "a key of tables": ({"more": "tiers: {}\n"}, "'tiers' is for tables"),
    "a measure of rows": ({"more": "measures: [lattice-loss]\n"}, "no measure 'lattice-loss'"),
    "a measure that says nothing": ({"more": "measures: [linkage-error]\n"}, "says nothing about these"),
    "a column that is not bounded": (
        {"method": "{frequencies: {columns: [frequency, r2_next]}}"},
        "'r2_next' tells is not measured",
    ),
    "too many sites chosen": (
        {"method": "{dp-top-snps: {count: 1000}}", "model": PURE, "dna": CASES},
        "fewer than 1000",
    ),
    "a method without its parameter": ({"method": "dp-top-snps", "model": PURE, "dna": CASES}, "'count'"),
}


@pytest.mark.parametrize("what", RECIPES)
def test_a_recipe_that_cannot_be_is_refused(what: str, tmp_path: Path) -> None:
    way, words = RECIPES[what]
    recipe = study(tmp_path, **way)
    there = sorted(tmp_path.iterdir())
    with pytest.raises(SfumatoError) as told:
        sf.run(recipe)
    assert words in str(told.value)
    assert SECRET_NAME not in str(told.value)
    assert sorted(tmp_path.iterdir()) == there


def test_a_recipe_that_names_no_method_takes_the_one_that_keeps_its_promise(tmp_path: Path) -> None:
    for model, method in ((BOUND, "safe-snps"), (PURE, "dp-frequencies")):
        folder = tmp_path / method
        folder.mkdir()
        recipe = study(folder, model=model)
        recipe.write_text(recipe.read_text().replace("method: safe-snps\n", ""))
        assert sf.run(recipe).evidence.method == method


def test_a_reference_at_other_sites_is_refused(tmp_path: Path) -> None:
    recipe = study(tmp_path)
    _, outside = population(sites=50)
    write_vcf(tmp_path / "outside.vcf", outside, "Other")
    with pytest.raises(BadInput, match="the reference panel has 50 sites and the pool 60"):
        sf.run(recipe)


def test_a_site_that_stands_twice_is_refused(tmp_path: Path) -> None:
    recipe = study(tmp_path, dna=NOTHING, model=PURE, method="dp-frequencies")
    lines = (tmp_path / "study.vcf").read_text().splitlines()
    (tmp_path / "study.vcf").write_text("\n".join([*lines, lines[-1]]) + "\n")
    with pytest.raises(BadInput, match="1 of 61 sites stand there twice"):
        sf.run(recipe)


def test_data_that_would_be_overwritten_are_refused(tmp_path: Path) -> None:
    (tmp_path / "release").mkdir()
    recipe = study(tmp_path)
    (tmp_path / "outside.vcf").rename(tmp_path / "release" / "outside.vcf")
    recipe.write_text(recipe.read_text().replace("outside.vcf", "release/outside.vcf"))
    with pytest.raises(BadInput, match="lie in the folder 'release'"):
        sf.run(recipe, replace=True)
    assert (tmp_path / "release" / "outside.vcf").exists()


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(tmp_path, monkeypatch, capsys)


def test_the_command_says_what_was_released_and_can_verify_it(run: Run, tmp_path: Path) -> None:
    study(tmp_path)
    assert run("protect", "recipe.yaml", "--dry-run").code == 0
    assert not (tmp_path / "release").exists()
    made = run("protect", "recipe.yaml")
    assert made.code == 0, made.err
    assert "membership-bound" in made.words
    checked = run("verify", "release")
    assert checked.code == 0, checked.err
    assert "only the steward can repeat it" in checked.words
    assert SECRET_NAME not in made.out + made.err + checked.out + checked.err


def test_the_command_leaves_with_1_where_a_promise_cannot_be_kept(run: Run, tmp_path: Path) -> None:
    study(tmp_path, method="frequencies", sites=400)
    done = run("protect", "recipe.yaml")
    assert done.code == 1
    assert "publish fewer sites with safe-snps, or noisy figures" in done.sentence
    assert not (tmp_path / "release").exists()


def test_the_command_leaves_with_2_and_a_sentence_where_something_is_wrong(run: Run, tmp_path: Path) -> None:
    study(tmp_path)
    for file, text in (
        ("study.vcf", "nothing"),
        ("outside.vcf", "##fileformat=VCFv4.2\n#CHROM\n"),
        ("study.vcf", ""),
    ):
        before = (tmp_path / file).read_text()
        (tmp_path / file).write_text(text)
        done = run("protect", "recipe.yaml")
        assert done.code == 2, done.err
        assert "something went wrong" not in done.err
        assert "Traceback" not in done.err
        (tmp_path / file).write_text(before)
    (tmp_path / "outside.vcf").unlink()
    done = run("protect", "recipe.yaml")
    assert done.code == 2
    assert "outside.vcf" in done.sentence
    assert not (tmp_path / "release").exists()


def test_a_sample_that_the_file_of_people_lacks_is_counted_and_not_named(run: Run, tmp_path: Path) -> None:
    study(tmp_path, method="dp-association", model=PURE, dna=CASES)
    lines = (tmp_path / "people.csv").read_text().splitlines()
    (tmp_path / "people.csv").write_text("\n".join(lines[:-2]) + "\n")
    done = run("protect", "recipe.yaml")
    assert done.code == 2
    assert f"2 samples are of {PEOPLE}" in done.sentence or f"of {PEOPLE} not in the file" in done.sentence
    assert SECRET_NAME not in done.err


def test_calls_that_cannot_be_are_refused() -> None:
    inside, outside = population()
    with pytest.raises(BadInput, match="nothing would be promised"):
        protect_statistics(inside, method=Frequencies())
    with pytest.raises(BadInput, match="delta is given without epsilon"):
        protect_statistics(inside, delta=1e-6)
    with pytest.raises(BadInput, match="say of each sample whose it is"):
        protect_statistics(inside, epsilon=1, persons=np.arange(3))
    with pytest.raises(BadInput, match="say it of each sample"):
        protect_statistics(inside, epsilon=1, method="dp-association", ill=np.ones(3, bool))
    with pytest.raises(BadInput, match="'multiallelic' is not understood"):
        protect_statistics(inside, epsilon=1, multiallelic="join")
    with pytest.raises(BadInput, match="the method is a int"):
        protect_statistics(inside, epsilon=1, method=3)  # type: ignore[arg-type] # what somebody may write
    with pytest.raises(BadInput, match="no sample names"):
        protect_statistics(inside, epsilon=1, people={"sample": ["a"], "who": ["b"]}, person="who")
    nobody = InMemory(np.empty((len(inside.sites), 0), np.int8), inside.sites)
    with pytest.raises(BadInput, match="nobody"):
        protect_statistics(nobody, epsilon=1)
    with pytest.raises(BadInput, match="does not keep"):
        protect_statistics(inside, models=[DifferentialPrivacy(1)], method="safe-snps", reference=outside)
