"""``sfumato dna`` and the other commands on DNA, as a person would type them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from rich.console import Console

from sfumato.cli.dna_make import Simulation, count_statistics, simulate_people
from sfumato.cli.dna_read import Reading
from sfumato.dna.reading import open_genotypes, read_fasta
from sfumato.recipe.load import load
from sfumato.recipe.prepared import prepared, released
from tests.cli.commands import Run, runner

NAMES = ("Mallory", "Trent", "Peggy", "Victor")
SEQUENCES = ("AATTA", "AATGA", "ATTCA", "AATGA")
RECIPE = """sfumato: 1
title: Rows
resources:
  - name: rows
    kind: dna
    path: s-pool.vcf
models:
  - sequence-k-anonymity: {k: 2}
method: dnala
"""
PEOPLE = ("--members", "s-pool.vcf", "--outside", "s-others.vcf", "--reference", "s-panel.vcf")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(tmp_path, monkeypatch, capsys)


@pytest.fixture
def fasta(tmp_path: Path) -> Path:
    path = tmp_path / "seed.fasta"
    path.write_text("".join(f">{name}\n{text}\n" for name, text in zip(NAMES, SEQUENCES, strict=True)))
    return path


@pytest.fixture(scope="module")
def kitchen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three groups of one made-up population, exact frequencies of the first, and a release of its rows."""
    folder = tmp_path_factory.mktemp("kitchen")
    quiet = Console(quiet=True)
    asked = Simulation(200, 600, 1, 5e6, 0.05, True, 1)
    parts = ["pool=50", "others=75", "panel=75"]
    simulate_people(asked, folder / "s.vcf", parts, folder / "ill.csv", False, quiet, quiet)
    count_statistics(
        folder / "s-pool.vcf", folder / "exact.csv", [], "allelic", Reading(), False, quiet, quiet
    )
    (folder / "recipe.yaml").write_text(RECIPE)
    released(prepared(load(folder / "recipe.yaml"), folder), folder / "out")
    return folder


@pytest.fixture
def study(kitchen: Path, tmp_path: Path) -> None:
    shutil.copytree(kitchen, tmp_path, dirs_exist_ok=True)


def no_names(*said: str) -> bool:
    return not any(name in text for name in NAMES for text in said)


def test_the_seed_s_sequences_have_two_unique_people(run: Run, fasta: Path) -> None:
    done = run("dna", "risk", fasta.name, "--k", 2, "--sets", 1, "--json")
    told = json.loads(done.out)
    assert (done.code, told["people"], told["unique"], told["varying"]) == (0, 4, 2, 2)
    plain = run("dna", "risk", fasta.name, "--k", 2)
    assert "50.0 % unique" in plain.out
    assert "name the person with --person" in plain.out
    assert no_names(done.out, plain.out, plain.err)


def test_a_table_of_sequences_counts_persons_where_they_are_named(run: Run, tmp_path: Path) -> None:
    rows = zip(("a", "a", "b", "c"), SEQUENCES, strict=True)
    text = "who,sequence\n" + "".join(f"{who},{bases}\n" for who, bases in rows)
    (tmp_path / "table.csv").write_text(text)
    told = json.loads(run("dna", "risk", "table.csv", "--person", "who", "--k", 2, "--json").out)
    assert (told["people"], told["rows"]) == (3, 4)


def test_positions_of_a_table_can_be_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("rs1,rs2,ill,town\n0/0,0/1,yes,x\n0/1,0/1,no,y\n1/1,0/0,no,z\n")
    done = run("dna", "risk", "t.csv", "--positions", "rs1,rs2", "--phenotype", "ill", "--json")
    told = json.loads(done.out)
    assert (done.code, told["positions"], told["phenotype_told"]) == (0, 2, 3)
    assert run("dna", "risk", "t.csv", "--positions", "rs1", "--column", "rs2").code == 2


def test_sequences_of_different_lengths_need_permission(run: Run, tmp_path: Path) -> None:
    (tmp_path / "two.fasta").write_text(">Mallory\nACGTACGT\n>Trent\nACGTCGT\n>Peggy\nACGTACGT\n")
    refused = run("dna", "risk", "two.fasta")
    assert refused.code == 2
    assert "--align" in refused.sentence
    assert run("dna", "risk", "two.fasta", "--align", "--json").code == 0
    made = run("dna", "align", "two.fasta", "--out", "even.fasta", "--aligner", "banded")
    assert made.code == 0
    assert "8 positions" in made.out
    written = (tmp_path / "even.fasta").read_text()
    assert "-" in written
    assert no_names(made.out, made.err, written)
    assert len(read_fasta(tmp_path / "even.fasta", aligned=True)) == 3
    assert run("dna", "align", "two.fasta", "--out", "even.fasta").code == 2
    assert run("dna", "align", "two.fasta", "--out", "more.fasta", "--aligner", "bandit").code == 2


def test_risk_of_a_file_of_dna_points_to_the_right_command(run: Run, fasta: Path) -> None:
    done = run("risk", fasta.name)
    assert done.code == 2
    assert "sfumato dna risk" in done.sentence


def test_options_that_mean_nothing_for_a_file_are_refused(run: Run, fasta: Path) -> None:
    for options in (("--column", "x"), ("--person", "x"), ("--phenotype", "x"), ("--cells", "bases")):
        done = run("dna", "risk", fasta.name, *options)
        assert done.code == 2, options
    assert run("dna", "risk", "nowhere.vcf").code == 2


def test_made_up_people_are_the_same_by_seed_and_lie_in_parts(run: Run, tmp_path: Path, study: None) -> None:
    assert open_genotypes(tmp_path / "s-pool.vcf").people == 50
    assert (tmp_path / "ill-pool.csv").read_text().count("\n") == 51
    assert (
        "sites are not linked"
        in run("dna", "simulate", "--people", 9, "--sites", 2, "--independent", "--out", "few.vcf").words
    )
    options = ("dna", "simulate", "--people", 50, "--sites", 20, "--independent", "--out")
    for name in ("one.vcf", "two.vcf"):
        assert run(*options, name).code == 0
    assert (tmp_path / "one.vcf").read_bytes() == (tmp_path / "two.vcf").read_bytes()
    assert run(*options, "one.vcf").code == 2
    assert run(*options, "one.vcf", "--replace").code == 0
    assert run(*options, "one.bam").code == 2
    assert run(*options, "p.vcf", "--part", "a=40", "--part", "b=11").code == 2
    assert run(*options, "p.vcf", "--part", "../a=4").code == 2


def test_sequences_and_plink_can_be_made_up(run: Run, tmp_path: Path) -> None:
    assert run("dna", "simulate", "--people", 12, "--sites", 9, "--out", "m.fasta").code == 0
    assert len(read_fasta(tmp_path / "m.fasta")) == 12
    linked = ("dna", "simulate", "--people", 12, "--sites", 9, "--length", 200_000)
    assert run(*linked, "--out", "m.bed").code == 0
    assert run("dna", "risk", "m.bed", "--k", 2, "--json").code == 0
    assert run(*linked, "--out", "n.fasta", "--cases", "n.csv").code == 2


def test_exact_frequencies_tell_who_is_in_the_study(run: Run, study: None) -> None:
    done = run("dna", "attack", "exact.csv", *PEOPLE, "--counted-over", 50, "--json")
    assert done.code == 0
    found = {one["attack"]: one for one in json.loads(done.out)["attacks"]}
    assert set(found) == {"homer", "likelihood-ratio"}
    assert found["likelihood-ratio"]["details"]["auc"] > 0.9
    plain = run("dna", "attack", "exact.csv", *PEOPLE, "--attack", "homer")
    assert "homer: AUC" in plain.words
    assert "likelihood-ratio" not in plain.out


def test_a_bound_that_is_exceeded_leaves_with_one(run: Run, study: None) -> None:
    assert run("dna", "attack", "exact.csv", *PEOPLE, "--at-most", 0.55).code == 1
    assert run("dna", "attack", "exact.csv", *PEOPLE, "--at-most", 1).code == 0


def test_of_people_who_need_not_be_members_only_claims_are_told(run: Run, study: None) -> None:
    asked = ("--person-genotypes", "s-pool.vcf", *PEOPLE[2:], "--json")
    told = json.loads(run("dna", "attack", "exact.csv", *asked).out)["attacks"]
    for one in told:
        assert one["scored"] == "claimed"
        assert "auc" not in one["details"]
        assert (one["attempts"], one["baseline"]) == (50, 0.05)
        assert one["success"] > 0.5


def test_the_three_answers_about_cases_and_controls(run: Run, study: None) -> None:
    about = ("--people", "ill-pool.csv", "--phenotype", "phenotype")
    assert run("dna", "statistics", "s-pool.vcf", "--out", "arms.csv", *about).code == 0
    done = run("dna", "attack", "arms.csv", *PEOPLE, *about, "--attack", "case-or-control", "--json")
    (found,) = json.loads(done.out)["attacks"]
    assert found["success"] > 0.6
    asked = ("--person-genotypes", "s-others.vcf", "--outside", "s-panel.vcf", "--attack", "case-or-control")
    said = run("dna", "attack", "arms.csv", *asked)
    assert said.code == 0
    assert "most likely a case" in said.out
    assert run("dna", "statistics", "s-pool.vcf", "--out", "x.csv", "--phenotype", "phenotype").code == 2


def test_files_of_an_attack_that_cannot_be_are_refused(run: Run, study: None) -> None:
    for options in (
        (),
        ("--members", "s-pool.vcf", "--outside", "s-pool.vcf"),
        ("--outside", "s-others.vcf", "--reference", "./s-others.vcf", "--members", "s-pool.vcf"),
        ("--members", "s-pool.vcf", "--person-genotypes", "s-panel.vcf"),
        ("--original", "s-pool.vcf"),
        (*PEOPLE, "--attack", "sequence-linkage"),
        (*PEOPLE, "--attack", "homer: {at-most: 0.5}"),
        (*PEOPLE, "--attack", "homerr"),
        (*PEOPLE, "--at-most", "2"),
    ):
        done = run("dna", "attack", "exact.csv", *options)
        assert done.code == 2, options
        assert "Traceback" not in done.err


def test_a_catalogue_of_frequencies_is_a_reference(run: Run, tmp_path: Path, study: None) -> None:
    assert run("dna", "statistics", "s-panel.vcf", "--out", "panel.csv").code == 0
    done = run("dna", "attack", "exact.csv", *PEOPLE[:4], "--reference", "panel.csv", "--json")
    assert {one["attack"] for one in json.loads(done.out)["attacks"]} == {"homer", "likelihood-ratio"}
    text = (tmp_path / "panel.csv").read_text().splitlines()
    text[1] = text[1].rpartition(",")[0] + ",1.5"
    (tmp_path / "wrong.csv").write_text("\n".join(text) + "\n")
    wrong = run("dna", "attack", "exact.csv", *PEOPLE[:4], "--reference", "wrong.csv")
    assert wrong.code == 2
    assert "row 1" in wrong.sentence


def test_a_release_of_rows_is_verified_and_attacked(run: Run, tmp_path: Path, study: None) -> None:
    assert run("verify", "out").code == 0
    done = run("attack", "out", "--original", "s-pool.vcf", "--json")
    (found,) = json.loads(done.out)["attacks"]
    assert (found["attack"], found["certain"]) == ("sequence-linkage", 0)
    assert found["success"] <= 0.5
    before = run("dna", "attack", "s-pool.vcf", "--original", "s-pool.vcf", "--json")
    assert json.loads(before.out)["attacks"][0]["success"] == 1
    strangers = run("attack", "out", "--original", "s-others.vcf")
    assert strangers.code == 2
    assert "nobody of the original fits" in strangers.sentence
    assert "nobody of --with fits any row" in run("attack", "out", "--with", "s-others.vcf").words
    refused = run("attack", "out", "--original", "s-pool.vcf", "--quasi", "x")
    assert refused.code == 2
    assert "holds DNA" in refused.sentence
    for report in ("out/release/report.html", "out/steward/report.html"):
        assert "sequence-k-anonymity" in (tmp_path / report).read_text()


def test_victims_are_written_as_rows_and_never_into_the_release(
    run: Run, tmp_path: Path, study: None
) -> None:
    asked = ("dna", "attack", "s-pool.vcf", "--original", "s-pool.vcf", "--victims")
    assert run(*asked, "hit.csv").code == 0
    assert (tmp_path / "hit.csv").read_text().startswith("attack,column,row,confidence")
    assert run(*asked, "out/release/hit.csv").code == 2


def test_what_is_known_at_some_positions_leads_to_rows_that_fit(
    run: Run, tmp_path: Path, study: None
) -> None:
    genotypes = open_genotypes(tmp_path / "s-pool.vcf")
    sites = genotypes.sites
    spelt = {0: "0/0", 1: "0/1", 2: "1/1"}
    person = next(iter(genotypes.blocks())).dosages[:30, 0].tolist()
    names = [f"{sites.chromosome[at]}:{sites.position[at]}" for at in range(30)]
    (tmp_path / "known.csv").write_text(",".join(names) + "\n" + ",".join(spelt[d] for d in person) + "\n")
    done = run("dna", "attack", "out", "--with", "known.csv", "--json")
    told = json.loads(done.out)
    (found,) = told["attacks"]
    assert found["attempts"] == 1
    # The person's own row is always among those that fit, so that two people of 50 fit at least.
    assert 0 < found["success"] <= 0.5
    assert any("not known" in note for note in told["notes"])
    raw = json.loads(run("dna", "attack", "s-pool.vcf", "--with", "known.csv", "--json").out)
    assert raw["attacks"][0]["success"] == 1
    (tmp_path / "other.csv").write_text("9:9,9:10\n0/0,0/1\n")
    assert run("dna", "attack", "out", "--with", "other.csv").code == 2


def test_exchanged_alleles_of_what_is_known_mean_the_same(run: Run, tmp_path: Path, study: None) -> None:
    swapped = []
    for line in (tmp_path / "s-pool.vcf").read_text().splitlines():
        cells = line.split("\t")
        if not line.startswith("#"):
            cells[3], cells[4] = cells[4], cells[3]
            table = {"0/0": "1/1", "1/1": "0/0"}
            cells[9:] = [table.get(cell, cell) for cell in cells[9:]]
        swapped.append("\t".join(cells))
    (tmp_path / "swapped.vcf").write_text("\n".join(swapped) + "\n")
    plain, exchanged = (
        json.loads(run("dna", "attack", "s-pool.vcf", "--original", name, "--json").out)["attacks"]
        for name in ("s-pool.vcf", "swapped.vcf")
    )
    assert plain == exchanged


def test_relatives_are_looked_for_among_rows(run: Run, study: None) -> None:
    asked = ("--members", "s-pool.vcf", "--outside", "s-others.vcf", "--json")
    (found,) = json.loads(run("dna", "attack", "s-pool.vcf", *asked).out)["attacks"]
    assert found["attack"] == "kinship"
    assert found["details"]["auc"] > 0.99
    assert "relative's row found" not in found["details"]
    assert run("dna", "attack", "s-pool.vcf", "--members", "s-others.vcf").code == 2


def test_a_release_of_statistics_asks_for_people(run: Run, tmp_path: Path, study: None) -> None:
    text = RECIPE.replace("title: Rows", "title: Sites").replace(
        "sequence-k-anonymity: {k: 2}", "differential-privacy: {epsilon: 1}"
    )
    (tmp_path / "sites.yaml").write_text(text.replace("method: dnala", "method: dp-frequencies"))
    done = run("protect", "sites.yaml", "--out", "sites")
    assert done.code == 0, done.err
    assert "ε = 1" in done.out
    pointed = run("attack", "sites")
    assert pointed.code == 2
    assert "sfumato dna attack" in pointed.sentence
    attacked = run("dna", "attack", "sites", *PEOPLE, "--json")
    assert attacked.code == 0
    for one in json.loads(attacked.out)["attacks"]:
        assert one["details"]["auc"] < 0.75


@pytest.mark.parametrize("command", ["risk", "attack", "align", "statistics", "simulate"])
def test_help_explains_with_an_example(run: Run, command: str) -> None:
    done = run("dna", command, "--help")
    assert done.code == 0
    assert f"sfumato dna {command}" in done.words


def test_answers_of_a_beacon_are_attacked_where_its_size_is_known(
    run: Run, tmp_path: Path, study: None
) -> None:
    head, *lines = (tmp_path / "exact.csv").read_text().splitlines()
    text = [head.replace("frequency", "present")]
    text += [f"{line.rpartition(',')[0]},{int(float(line.rpartition(',')[2]) > 0)}" for line in lines]
    (tmp_path / "beacon.csv").write_text("\n".join(text) + "\n")
    nobody = run("dna", "attack", "beacon.csv", *PEOPLE)
    assert nobody.code == 2
    done = run("dna", "attack", "beacon.csv", *PEOPLE, "--counted-over", 50, "--json")
    (found,) = json.loads(done.out)["attacks"]
    assert found["attack"] == "beacon"
    # Every allele is there: the answers say nothing.
    assert abs(found["details"]["auc"] - 0.5) < 0.2
