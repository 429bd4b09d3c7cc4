"""Statistics of sites are released whole and checked, or not at all."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.core.errors import BadInput, PromiseNotMet, SfumatoError
from sfumato.core.findings import Status
from sfumato.core.randomness import SeededRandom
from sfumato.dna.aligned import Aligned
from sfumato.dna.methods.dp_frequencies import DpFrequencies
from sfumato.dna.models.private import auc_bound
from sfumato.dna.reading import open_genotypes, read_statistics
from sfumato.dna.reading.genotypes import positions_of, sets_of_dosages
from sfumato.dna.source import InMemory
from sfumato.dna.writing import write_plink
from sfumato.engine.contract import Order
from sfumato.hierarchy.iupac import genotypes
from sfumato.recipe.dna.statistics_api import protect_statistics
from sfumato.recipe.load import load
from sfumato.recipe.prepared import planned, prepared
from sfumato.recipe.prepared import released as make_release
from sfumato.recipe.verify import verify
from tests.recipe.dna.statistics_examples import (
    ARMS,
    CASES,
    PEOPLE,
    PURE,
    SECRET_NAME,
    SITES,
    population,
    states,
    study,
    write_vcf,
)

WAYS: dict[str, dict[str, Any]] = {
    "safe-snps": {},
    "safe-snps of cases and controls": {"dna": ARMS},
    "frequencies": {"method": "frequencies"},
    "association": {"method": "association", "dna": ARMS, "model": "membership-bound: {auc: 0.9}"},
    "association by genotype": {
        "method": "{association: {test: genotypic}}",
        "dna": ARMS,
        "model": "membership-bound: {auc: 0.95}",
    },
    "dp-frequencies": {"method": "dp-frequencies", "model": PURE},
    "dp-frequencies by status": {"method": "{dp-frequencies: {by_status: true}}", "model": PURE, "dna": ARMS},
    "dp-frequencies with delta": {
        "method": "dp-frequencies",
        "model": "differential-privacy: {epsilon: 0.5, delta: 1.0e-6}",
        "dna": "{multiallelic: drop}",
    },
    "dp-association": {"method": "dp-association", "model": PURE, "dna": ARMS},
    "dp-top-snps": {"method": "{dp-top-snps: {count: 3}}", "model": PURE, "dna": CASES},
    "a set of top snps": {
        "method": "{dp-top-snps: {count: 3, mechanism: laplace}}",
        "model": PURE,
        "dna": CASES,
    },
    "beacon-answers": {"method": "beacon-answers", "model": PURE},
    "a randomised Beacon": {
        "method": "{beacon-answers: {policy: {randomised-response: {epsilon: 0.01}}}}",
        "model": PURE,
    },
}


def everything_in(folder: Path) -> str:
    return "\n".join(path.read_text() for path in sorted(folder.rglob("*")) if path.is_file())


@pytest.mark.parametrize("way", WAYS)
def test_a_release_of_statistics_is_verified_and_names_nobody(way: str, tmp_path: Path) -> None:
    released = sf.run(study(tmp_path, **WAYS[way]))
    assert all(verdict.holds for verdict in released.verdicts)
    found = verify(tmp_path)
    assert not found.refuted
    assert {one.status for one in found.findings} == {Status.CONFIRMED, Status.NOT_CHECKED}
    for folder in ("release", "steward"):
        written = everything_in(tmp_path / folder)
        assert SECRET_NAME not in written
        assert "Giocondo" not in written
        assert str(tmp_path) not in written
        assert "study.vcf" not in written


def test_safe_snps_publish_fewer_sites_than_there_are_and_their_exact_frequencies(tmp_path: Path) -> None:
    released = sf.run(study(tmp_path, sites=300))
    found = read_statistics(released.data)
    assert 5 < len(found.sites) < 300
    inside, _ = population(sites=300)
    exact = {int(at): row.mean() / 2 for at, row in zip(inside.sites.position, inside.dosages, strict=True)}
    for position, frequency in zip(found.sites.position.tolist(), found.columns["frequency"], strict=True):
        assert frequency == pytest.approx(exact[position], abs=1e-15)
    before, after = (
        max(points.points[-1].auc for points in released.evidence.curves if points.what == what)
        for what in ("all sites, exactly", "what is released")
    )
    assert before > 0.75
    assert after <= 0.75


def test_exact_figures_that_tell_too_much_are_not_published(tmp_path: Path) -> None:
    with pytest.raises(PromiseNotMet, match="safe-snps"):
        sf.run(study(tmp_path, method="frequencies", sites=400))
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "outside.vcf",
        "people.csv",
        "recipe.yaml",
        "study.vcf",
    ]


def test_the_public_verdict_does_not_tell_how_well_the_adversary_does(tmp_path: Path) -> None:
    released = sf.run(study(tmp_path))
    public = json.loads((tmp_path / "release" / "evidence.json").read_text())
    steward = json.loads((tmp_path / "steward" / "evidence.json").read_text())
    assert public["verdicts"][0]["achieved"] == "AUC ≤ 0.75"
    assert steward["verdicts"][0]["achieved"] != "AUC ≤ 0.75"
    assert "people held out" in released.verdicts[0].note
    for key in ("curves", "utility", "attacks", "read", "search", "seconds", "input", "notes"):
        assert key in steward
        assert key not in public


def test_of_noisy_figures_the_price_is_written_as_it_was_paid(tmp_path: Path) -> None:
    way = {"method": "dp-frequencies", "model": "differential-privacy: {epsilon: 0.1}"}
    sf.run(study(tmp_path, **way))
    public = json.loads((tmp_path / "release" / "evidence.json").read_text())
    assert public["figures"]["epsilon"] == "0.1"
    assert public["figures"]["delta"] is None
    assert public["figures"]["neighbours"] == "one person replaced by another"
    assert public["truthful"] is False
    assert any("comes on top" in warning for warning in public["warnings"])


def test_noise_is_drawn_afresh_for_each_release(tmp_path: Path) -> None:
    tables = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        way = {"method": "dp-frequencies", "model": PURE}
        tables.append(sf.run(study(tmp_path / name, **way)).data.read_text())
    assert tables[0] != tables[1]


def test_several_samples_of_a_person_count_once(tmp_path: Path) -> None:
    inside, _ = population()
    recipe = study(
        tmp_path,
        method="frequencies",
        model="membership-bound: {auc: 0.9}",
        dna="{people: who.csv, person: who, reference: outside.vcf}",
    )
    # The first sample of each person is written twice.
    write_vcf(
        tmp_path / "study.vcf", InMemory(np.repeat(inside.dosages, 2, axis=1), inside.sites), SECRET_NAME
    )
    lines = [f"{SECRET_NAME}_{at},{at // 2}" for at in range(2 * PEOPLE)]
    (tmp_path / "who.csv").write_text("\n".join(["sample,who", *lines]))
    released = sf.run(recipe)
    assert released.evidence.figures is not None
    assert released.evidence.figures.people == PEOPLE
    assert released.evidence.read.rows == 2 * PEOPLE
    assert released.evidence.read.left_out["further samples of the same person"] == PEOPLE
    assert released.evidence.people == "distinct persons were counted"
    np.testing.assert_allclose(
        read_statistics(released.data).columns["frequency"], inside.dosages.mean(axis=1) / 2
    )


def test_people_of_whom_it_is_not_known_whether_they_are_ill_are_left_out(tmp_path: Path) -> None:
    recipe = study(tmp_path, method="dp-association", model=PURE, dna=CASES)
    lines = (tmp_path / "people.csv").read_text().splitlines()
    lines[1] = f"{SECRET_NAME}_0,"
    (tmp_path / "people.csv").write_text("\n".join(lines))
    figures = sf.run(recipe).evidence.figures
    assert figures is not None
    assert (figures.people, figures.cases) == (PEOPLE - 1, PEOPLE // 2 - 1)


def test_samples_that_disagree_about_their_person_are_refused(tmp_path: Path) -> None:
    dna = "{people: who.csv, person: who, phenotype: state}"
    recipe = study(tmp_path, method="dp-association", model=PURE, dna=dna)
    lines = [f"{SECRET_NAME}_{at},{at // 2},{'case' if at % 2 else 'control'}" for at in range(PEOPLE)]
    (tmp_path / "who.csv").write_text("\n".join(["sample,who,state", *lines]))
    with pytest.raises(BadInput, match="samples of 60 people disagree"):
        sf.run(recipe)


@pytest.mark.parametrize("share", [1, 10])
def test_members_among_the_reference_are_refused(share: int, tmp_path: Path) -> None:
    recipe = study(tmp_path)
    inside, outside = population()
    mixed = np.concatenate([inside.dosages[:, :share], outside.dosages], axis=1)
    write_vcf(tmp_path / "outside.vcf", InMemory(mixed, inside.sites), "Other")
    with pytest.raises(BadInput, match=f"{share} people of the reference have exactly the genotypes"):
        sf.run(recipe)


def test_a_member_who_was_read_once_more_is_refused_by_name_and_genotypes(tmp_path: Path) -> None:
    recipe = study(tmp_path)
    inside, outside = population()
    mixed = outside.dosages.copy()
    mixed[:, :5] = inside.dosages[:, :5]
    # Two of sixty genotypes are read otherwise.
    mixed[:2, :5] = (mixed[:2, :5] + 1) % 3
    write_vcf(tmp_path / "outside.vcf", InMemory(mixed, inside.sites), SECRET_NAME)
    with pytest.raises(BadInput, match="5 samples of the reference have the name of a sample of the data"):
        sf.run(recipe)
    # The same names alone say nothing.
    write_vcf(tmp_path / "outside.vcf", outside, SECRET_NAME)
    assert sf.run(recipe).verdicts[0].holds


def test_a_seeded_release_never_reaches_the_disk(tmp_path: Path) -> None:
    inside, _ = population()
    marked = protect_statistics(inside, epsilon=1, method=DpFrequencies(), random=SeededRandom(1))
    assert not marked.verdicts[0].holds
    assert "seed" in " ".join(marked.public.warnings)
    job = prepared(load(study(tmp_path, method="dp-frequencies", model=PURE)), tmp_path)
    with pytest.raises(BadInput, match="seeded"):
        make_release(replace(job, random=SeededRandom(1)), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_whoever_interrupts_finds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = study(tmp_path)
    there = sorted(tmp_path.iterdir())

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sfumato.recipe.dna.statistics_release.gather_statistics", interrupted)
    with pytest.raises(KeyboardInterrupt):
        sf.run(recipe)
    assert sorted(tmp_path.iterdir()) == there


@pytest.mark.parametrize("format_", ["csv", "csv.gz", "parquet"])
def test_the_format_of_the_recipe_is_written(format_: str, tmp_path: Path) -> None:
    released = sf.run(study(tmp_path, more=f"output: {{format: {format_}}}\n"))
    assert released.data.name == f"data.{format_}"
    assert not verify(tmp_path).refuted
    if format_ == "parquet":
        assert pq.read_table(released.data).num_rows == SITES
    if format_ == "csv.gz":
        assert gzip.decompress(released.data.read_bytes()).startswith(b"chrom,pos,id,ref,alt,frequency\n")


def test_sites_come_in_the_order_of_the_genome(tmp_path: Path) -> None:
    recipe = study(tmp_path, method="dp-frequencies", model=PURE, dna="{multiallelic: drop}")
    lines = (tmp_path / "study.vcf").read_text().splitlines()
    head = [line for line in lines if line.startswith("#")]
    (tmp_path / "study.vcf").write_text("\n".join([*head, *lines[: len(head) - 1 : -1]]) + "\n")
    found = read_statistics(sf.run(recipe).data)
    assert len(found.sites) == SITES
    for name in set(found.sites.chromosome.tolist()):
        assert (np.diff(found.sites.position[found.sites.chromosome == name]) > 0).all()


def test_a_plink_file_tells_itself_who_is_a_case(tmp_path: Path) -> None:
    inside, _ = population()
    cells = sets_of_dosages(np.ascontiguousarray(inside.dosages.T))
    rows = Aligned(cells, genotypes(), positions_of(inside.sites))
    write_plink(rows, inside.sites, tmp_path / "study.bed", order=Order.KEPT)
    lines = (tmp_path / "study.fam").read_text().splitlines()
    told = [
        " ".join([*line.split()[:5], "2" if ill else "1"]) for line, ill in zip(lines, states(), strict=True)
    ]
    (tmp_path / "study.fam").write_text("\n".join(told) + "\n")
    recipe = study(tmp_path, method="dp-association", model=PURE, dna="{multiallelic: drop}")
    recipe.write_text(recipe.read_text().replace("study.vcf", "study.bed"))
    released = sf.run(recipe)
    assert released.evidence.figures is not None
    assert released.evidence.figures.cases == PEOPLE // 2
    assert "who is a case was read from the .fam file" in released.evidence.notes


def test_a_plan_counts_nothing_and_tells_the_price(tmp_path: Path) -> None:
    job = prepared(load(study(tmp_path, method="dp-frequencies", model=PURE)), tmp_path)
    told = str(planned(job, tmp_path / "out"))
    assert f"{SITES} sites of {PEOPLE} people" in told
    assert "ε = 2 (one person replaced by another)" in told
    assert "AUC above 0.881" in told
    assert not (tmp_path / "out").exists()
    with pytest.raises(SfumatoError):
        sf.run(study(tmp_path, method="frequencies", sites=400))


def test_a_bound_on_an_attack_refuses_the_release(tmp_path: Path) -> None:
    bounded = "attacks: [{homer: {at-most: 0.1}}]\n"
    with pytest.raises(PromiseNotMet, match="homer succeeds"):
        sf.run(study(tmp_path, more=bounded))
    kept = "attacks: [{likelihood-ratio: {at-most: 0.9}}]\n"
    released = sf.run(study(tmp_path, more=kept))
    assert [one.held for one in released.evidence.attacks if one.bounds] == [True]
    assert any("likelihood-ratio keeps its bound" in one.claim for one in verify(tmp_path).findings)


def test_the_utility_of_exact_figures_is_not_lost(tmp_path: Path) -> None:
    way = WAYS["association"]
    released = sf.run(study(tmp_path, **way, more="measures: [{hits-lost: {top: 5}}]\n"))
    found = {one.name: one.value for one in released.evidence.utility}
    assert found["hits-lost"] == 0
    assert found["ranking-error"] == 0


def test_in_memory_and_on_disk_are_the_same_job(tmp_path: Path) -> None:
    inside, outside = population()
    made = protect_statistics(
        inside, models={"membership-bound": {"auc": 0.75}}, method="safe-snps", reference=outside
    )
    on_disk = read_statistics(sf.run(study(tmp_path)).data)
    np.testing.assert_array_equal(made.statistics.columns["frequency"], on_disk.columns["frequency"])
    assert made.data.column_names == ["chrom", "pos", "id", "ref", "alt", "frequency"]
    assert made.utility == {"frequency-error": 0.0}


def test_a_reference_of_few_people_does_not_hold_a_noisy_release_back(tmp_path: Path) -> None:
    recipe = study(tmp_path, method="dp-frequencies", model=PURE)
    _, outside = population()
    few = InMemory(np.ascontiguousarray(outside.dosages[:, :10]), outside.sites)
    write_vcf(tmp_path / "outside.vcf", few, "Other")
    attacks = sf.run(recipe).evidence.attacks
    assert attacks
    assert all("too few" in one.not_run for one in attacks)


def simulated_study(shared: Path, people: int) -> tuple[InMemory, InMemory]:
    """Divide linked, simulated people into a study and people outside."""
    everybody = open_genotypes(shared / "data" / "dna" / "msprime_500ind_2Mb.vcf.gz")
    dosages = np.concatenate([block.dosages for block in everybody.blocks()])
    order = np.random.default_rng(7).permutation(everybody.people)
    inside, outside = (np.ascontiguousarray(dosages[:, which]) for which in (order[:people], order[people:]))
    return InMemory(inside, everybody.sites), InMemory(outside, everybody.sites)


@pytest.mark.golden
def test_simulated_people_are_not_found_again_in_what_is_released(shared: Path) -> None:
    pool, reference = simulated_study(shared, 60)
    bound = {"membership-bound": {"auc": 0.7}}
    safe = protect_statistics(pool, models=bound, method={"safe-snps": {"least": 5}}, reference=reference)
    assert 1 < len(safe.statistics.sites) < len(pool.sites)
    reached = {(one.attack, one.what): one.points[-1] for one in safe.evidence.curves}
    for attack in ("likelihood-ratio", "homer"):
        assert reached[attack, "all sites, exactly"].auc > 0.7
        assert reached[attack, "what is released"].auc <= 0.7
    with pytest.raises(PromiseNotMet):
        protect_statistics(pool, models=bound, method="frequencies", reference=reference)


@pytest.mark.golden
def test_noise_keeps_adversaries_below_what_epsilon_allows(shared: Path) -> None:
    pool, reference = simulated_study(shared, 60)
    noisy = protect_statistics(pool, epsilon=1, method="dp-frequencies", reference=reference)
    points = [one.points[-1] for one in noisy.evidence.curves if one.what == "what is released"]
    assert len(points) == 2
    for point in points:
        assert point.low is not None
        assert point.low <= auc_bound(1)
