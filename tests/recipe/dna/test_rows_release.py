"""Releases of sequences and genotypes, from files and back to files."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.findings import Status
from sfumato.dna.reading import open_plink, open_rows
from sfumato.hierarchy.iupac import iupac, parse
from tests.recipe.dna.rows_examples import (
    LETTER_FIELDS,
    LETTERS,
    NAMES,
    SEQUENCES,
    UNEVEN,
    bed,
    calls,
    everything_in,
    fasta,
    letters,
    recipe,
    released,
    vcf,
)


def texts(path: Path) -> list[str]:
    return ["".join(part.split("\n")[1:]) for part in path.read_text().split(">")[1:]]


def test_sequences_of_a_fasta_file_become_pairs(tmp_path: Path) -> None:
    done = released(tmp_path, fasta(tmp_path))
    shown = texts(done.data)
    assert done.data.name == "data.fasta"
    assert len(shown) == len(SEQUENCES)
    assert min(Counter(shown).values()) >= 2
    assert done.verdicts[0].holds
    assert done.data.read_text().startswith(">1\n")


def test_every_released_cell_holds_one_that_was_read(tmp_path: Path) -> None:
    shown = texts(released(tmp_path, fasta(tmp_path)).data)
    lattice = iupac()
    left = [parse(text) for text in SEQUENCES]
    # A greedy matching suffices: rows that are alike hold the same originals.
    for row in sorted((parse(text) for text in shown), key=lambda cells: lattice.levels[cells].sum()):
        fits = [at for at, one in enumerate(left) if np.array_equal(lattice.closed[one | row], row)]
        assert fits
        left.pop(fits[0])


def test_sequences_of_different_lengths_need_permission(tmp_path: Path) -> None:
    path = fasta(tmp_path, UNEVEN)
    with pytest.raises(BadInput, match="different lengths"):
        released(tmp_path, path)
    assert not (tmp_path / "release").exists()
    done = released(tmp_path, path, dna="align: built-in")
    assert min(Counter(texts(done.data)).values()) >= 2
    assert "-" not in "".join(texts(done.data))
    assert any("aligned by" in note for note in done.evidence.notes)
    assert any("without the gaps" in warning for warning in done.evidence.warnings)


def test_genotypes_of_a_vcf_file_keep_their_sites_and_lose_their_names(tmp_path: Path) -> None:
    done = released(tmp_path, vcf(tmp_path))
    again = open_rows(done.data, cells="genotypes")
    assert again.samples == tuple(f"S{number}" for number in range(1, len(NAMES) + 1))
    assert again.alignment().positions[0] == "1:100"
    assert sorted(Counter(row.tobytes() for row in again.alignment().cells).values())[0] >= 2
    assert b"commandline" not in done.data.read_bytes()


def test_genotypes_of_plink_files_come_back_as_plink_files(tmp_path: Path) -> None:
    done = released(tmp_path, bed(tmp_path))
    source = open_plink(done.data)
    assert source.people == len(NAMES)
    assert source.family.samples[0] == "1"
    assert set(np.unique(source.rows().alignment().cells)) <= {1, 2, 4, 7}
    kept = released(tmp_path / "other", bed(_made(tmp_path / "other")), more="output: {format: vcf}")
    assert kept.data.name == "data.vcf"


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def test_genotypes_spelt_by_letters_are_read_from_a_table(tmp_path: Path) -> None:
    done = released(tmp_path, letters(tmp_path), fields=LETTER_FIELDS)
    lines = done.data.read_text().splitlines()
    assert lines[0] == "rs1,rs2,rs3,illness"
    assert len(lines) == 7
    schema = json.loads((done.release / "schema.json").read_text())
    assert schema["alleles"] == {"rs1": ["A", "G"], "rs2": ["C", "T"], "rs3": ["C", "T"]}
    shown = Counter(tuple(line.split(",")[:3]) for line in lines[1:])
    assert min(shown.values()) >= 2
    assert any("sensitive column" in warning for warning in done.evidence.warnings)


def test_what_stands_beside_a_row_stays_with_it(tmp_path: Path) -> None:
    rows = [f"p{at},{'ACGT'[at % 4] * 4},{'ACGT'[at % 4].lower()}" for at in range(40)]
    (tmp_path / "data.csv").write_text("\n".join(["who,dna,mark", *rows]) + "\n")
    fields = (
        "    schema:\n      fields:\n        - {name: who, role: person}\n"
        "        - {name: dna, role: sequence}\n        - {name: mark, role: insensitive}\n"
    )
    for number, more in enumerate(("", "output: {format: parquet}")):
        folder = _made(tmp_path / str(number))
        done = released(folder, "../data.csv", fields=fields, more=more)
        if done.data.suffix == ".parquet":
            table = pq.read_table(done.data).to_pylist()
        else:
            table = [
                dict(zip(("dna", "mark"), line.split(","), strict=True))
                for line in done.data.read_text().splitlines()[1:]
            ]
        assert all(row["dna"] == row["mark"].upper() * 4 for row in table)
        order = [row["mark"] for row in table]
        assert order != [row.split(",")[2] for row in rows], "forty rows are hardly ever left in place"


def test_persons_are_counted_and_not_rows(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("who,dna\na,AAAA\na,AAAA\nb,CCCC\nb,CCCC\nc,GGGG\nc,GGGG\n")
    fields = (
        "    schema:\n      fields:\n        - {name: who, role: person}\n"
        "        - {name: dna, role: sequence}\n"
    )
    done = released(tmp_path, "data.csv", fields=fields)
    shown = Counter(done.data.read_text().split()[1:])
    assert set(shown) & {"AAAA", "CCCC", "GGGG"} == set()
    assert done.evidence.verdicts[0].basis == "release and original"
    status = {one.claim: one.status for one in sf.verify(done.release).findings}
    assert status["sequence-k-anonymity with k = 2"] is Status.NOT_CHECKED
    assert not sf.verify(done.release).refuted


def test_a_file_about_samples_says_whose_they_are(tmp_path: Path) -> None:
    whose = ["a", "a", "a", "b", "a", "a", "a"]
    lines = [f"{name},{who}" for name, who in zip(NAMES, whose, strict=True)]
    (tmp_path / "people.csv").write_text("\n".join(["sample,who", *lines]) + "\n")
    done = released(tmp_path, vcf(tmp_path), dna="people: people.csv, person: who")
    assert done.evidence.read.persons == 2
    assert done.evidence.people == "distinct persons were counted"
    assert done.evidence.rows is not None
    assert done.evidence.rows.smallest == 7, "every group holds both of them, and one has a single row"


@pytest.mark.parametrize("make", [fasta, vcf, bed])
def test_no_name_of_a_sample_is_left_anywhere(tmp_path: Path, make: object) -> None:
    done = released(tmp_path, make(tmp_path))  # type: ignore[operator]
    written = everything_in(done.release) + everything_in(done.steward)
    assert not any(name.encode() in written for name in NAMES)
    assert b"commandline" not in written


def test_names_and_persons_of_a_table_are_left_out(tmp_path: Path) -> None:
    done = released(tmp_path, letters(tmp_path), fields=LETTER_FIELDS)
    data = done.data.read_text()
    assert not any(word in data for line in LETTERS.splitlines()[1:] for word in line.split(",")[:2])


def test_promises_about_positions_are_kept_and_warned_of(tmp_path: Path) -> None:
    done = released(
        tmp_path, vcf(tmp_path), models="sequence-k-anonymity: {k: 3, positions: ['1:100', '1:120']}"
    )
    rows = open_rows(done.data, cells="genotypes").alignment()
    shown = Counter(rows.cells[:, [0, 2]].tobytes()[at : at + 2] for at in range(0, 2 * len(rows), 2))
    assert min(shown.values()) >= 3
    assert any("2 named positions alone" in warning for warning in done.evidence.warnings)


def test_gaps_stay_where_a_promise_speaks_of_positions(tmp_path: Path) -> None:
    options = {"dna": "align: built-in", "models": "sequence-k-anonymity: {k: 2, positions: [1, 2, 5]}"}
    path = fasta(tmp_path, UNEVEN)
    with pytest.raises(BadInput, match="without its gaps"):
        released(tmp_path, path, **options)
    done = released(tmp_path, path, more="output: {format: csv}", **options)
    assert done.data.read_text().splitlines()[0].startswith("1,2,3")
    assert not sf.verify(done.release).refuted


def test_the_population_bounds_whom_a_row_may_be(tmp_path: Path) -> None:
    crowd = [[call for call in site for _ in range(3)] for site in calls()]
    records = [("1", 100 + 10 * at, "A", "G", site) for at, site in enumerate(crowd)]
    from tests.dna.reading.made import vcf_text

    (tmp_path / "crowd.vcf").write_text(vcf_text(records))
    done = released(
        tmp_path,
        vcf(tmp_path),
        models="genotype-k-map: {k: 3}",
        more="population: crowd.vcf\nmethod: snp-suppression\n",
    )
    assert done.verdicts[0].holds
    status = {one.claim: one.status for one in sf.verify(done.release).findings}
    assert status["genotype-k-map with k = 3"] is Status.NOT_CHECKED
    with pytest.raises(BadInput, match="population"):
        released(
            _made(tmp_path / "b"),
            "../data.vcf",
            models="genotype-k-map: {k: 3}",
            more="method: snp-suppression\n",
        )


TWO_SNPS = """
    schema:
      fields:
        - {name: who, role: person}
        - {name: rs1, role: sequence}
        - {name: rs2, role: sequence}
"""


@pytest.mark.parametrize(("crowd", "holds"), [("GG", True), ("AA", False)])
def test_letters_of_the_population_mean_what_those_of_the_rows_mean(
    tmp_path: Path, crowd: str, holds: bool
) -> None:
    (tmp_path / "rows.csv").write_text("who,rs1,rs2\na,GG,CT\nb,GG,CT\n")
    others = "".join(f"{who},{crowd},CT\n" for who in range(5))
    (tmp_path / "crowd.csv").write_text(f"who,rs1,rs2\n{others}x,AG,CC\n")
    options = {
        "fields": TWO_SNPS,
        "models": "genotype-k-map: {k: 5, positions: [rs1]}",
        "more": "population: crowd.csv\nmethod: snp-suppression\n",
    }
    shown = released(tmp_path, "rows.csv", **options).data.read_text()
    # Where the crowd has another genotype, rs1 must not be published: 0/0 is GG in both files or in none.
    assert ("0/0" in shown) is holds


def test_the_level_of_a_gap_is_a_choice_for_bases(tmp_path: Path) -> None:
    path = fasta(tmp_path, UNEVEN)
    done = released(tmp_path, path, dna="align: built-in, gap-level: 1")
    assert done.evidence.recipe["resources"][0]["dna"] == {"align": "built-in", "gap-level": 1}
    with pytest.raises(BadInput, match="genotypes have no gaps"):
        released(_made(tmp_path / "b"), vcf(tmp_path / "b"), dna="gap-level: 1")


def test_more_people_than_there_are_cannot_be_alike(tmp_path: Path) -> None:
    with pytest.raises(PromiseNotMet, match="8 people must be alike and there are 7"):
        released(tmp_path, fasta(tmp_path), models="sequence-k-anonymity: {k: 8}")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data.fasta", "recipe.yaml"]


def test_an_attack_that_succeeds_too_often_refuses_the_release(tmp_path: Path) -> None:
    with pytest.raises(PromiseNotMet, match="at most 20 % is allowed"):
        released(tmp_path, fasta(tmp_path), more="attacks:\n  - sequence-linkage: {snps: 5, at-most: 0.2}\n")
    assert not (tmp_path / "release").exists()
    done = released(
        tmp_path, fasta(tmp_path), more="attacks:\n  - sequence-linkage: {snps: 5, at-most: 0.5}\n"
    )
    (found,) = done.evidence.attacks
    assert found.held
    assert found.before is not None
    assert found.after is not None
    assert found.after.success <= 0.5 < found.before.success + 0.5
    assert json.loads((done.release / "evidence.json").read_text())["recipe"]["attacks"]


@pytest.mark.parametrize("format_", ["csv", "csv.gz", "parquet"])
@pytest.mark.parametrize("beside", [True, False])
def test_a_table_of_positions_with_names_that_need_quotes_is_confirmed(
    tmp_path: Path, format_: str, beside: bool
) -> None:
    text = LETTERS.replace("rs1", '"rs,1"').replace("rs2", '"a ""name"""')
    if not beside:
        text = "".join(line.rpartition(",")[0] + "\n" for line in text.splitlines())
    fields = LETTER_FIELDS.replace("rs1", "'rs,1'").replace("rs2", """'a "name"'""")
    if not beside:
        fields = "".join(line + "\n" for line in fields.splitlines() if "illness" not in line)
    done = released(tmp_path, letters(tmp_path, text), fields=fields, more=f"output: {{format: {format_}}}\n")
    verified = sf.verify(done.release)
    assert not verified.refuted
    assert any("nothing else" in one.claim for one in verified.findings)


def test_where_there_are_many_people_some_are_drawn_for_the_attack_and_the_evidence_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sfumato.recipe.dna.rows_attacked.MOST_COMPARED", 4 * len(NAMES))
    (found,) = released(tmp_path, fasta(tmp_path)).evidence.attacks
    assert found.parameters["most_people"] == 4
    for side in (found.before, found.after):
        assert side is not None
        assert side.attempts == 4
        assert side.note == f"drawn at random from {len(NAMES)}"


def test_relatives_are_looked_for_by_the_names_of_samples(tmp_path: Path) -> None:
    sites = calls(people=7, sites=80, seed=5)
    from tests.dna.reading.made import vcf_text

    others = calls(people=40, sites=80, seed=9)
    records = [("1", 100 + 10 * at, "A", "G", [*sites[at], *others[at]]) for at in range(len(sites))]
    strangers = [f"x{number}" for number in range(40)]
    (tmp_path / "known.vcf").write_text(vcf_text(records, [*NAMES, *strangers]))
    done = released(
        tmp_path, vcf(tmp_path, sites), more="attacks:\n  - kinship: {with: known.vcf, least: 5}\n"
    )
    found = {one.name: one for one in done.evidence.attacks}["kinship"]
    assert found.before is not None
    assert found.before.attempts == 47
    assert found.before.success > 0.9
    assert found.after is not None
    assert found.after.success > 0.9, "rows that are k-anonymous still show relatives, as the warning says"


def test_measures_are_taken_for_the_steward(tmp_path: Path) -> None:
    done = released(tmp_path, vcf(tmp_path, calls(sites=20)), more="measures: [linkage-error]\n")
    names = {one.name for one in done.evidence.utility}
    assert {"lattice-loss", "cells-changed", "linkage-error"} <= names
    assert done.evidence.risk_before
    assert len(done.evidence.by_position) == len(done.evidence.open_by_position) == 20
    for exact, nothing in zip(done.evidence.by_position, done.evidence.open_by_position, strict=True):
        assert 0 <= exact <= round(exact + nothing, 4) <= 1
    public = json.loads((done.release / "evidence.json").read_text())
    assert not {"utility", "read", "risk_before", "attacks", "search"} & set(public)


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    from sfumato.recipe.load import load
    from sfumato.recipe.prepared import planned, prepared

    path = recipe(tmp_path, fasta(tmp_path, UNEVEN), dna="align: built-in")
    plan = str(planned(prepared(load(path), tmp_path), tmp_path))
    assert "7 of sequences (FASTA)" in plan
    assert "Nothing was written." in plan
    assert not any(name in plan for name in NAMES)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["data.fasta", "recipe.yaml"]


def test_the_tree_of_a_recipe_is_for_binning(tmp_path: Path) -> None:
    done = released(
        tmp_path,
        fasta(tmp_path),
        models="bins: {across: 2}",
        dna="tree: purines-pyrimidines",
        more="method: binning\n",
    )
    assert set("".join(texts(done.data))) <= set("ACGTRYN")
    with pytest.raises(BadInput, match="needs no tree"):
        released(_made(tmp_path / "b"), "../data.fasta", dna="tree: purines-pyrimidines")


@pytest.mark.golden
@pytest.mark.slow
def test_the_mitochondria_of_a_thousand_genomes_become_pairs(tmp_path: Path, shared: Path) -> None:
    path = shared / "data" / "dna" / "1000G.ALL.chrMT.phase1.vcf.gz"
    done = released(tmp_path, str(path))
    assert done.evidence.rows is not None
    assert done.evidence.rows.smallest == 2
    assert done.evidence.read.varying == 2586
    assert done.evidence.search["loss"] <= 9851
    assert b"HG0" not in everything_in(done.release) + everything_in(done.steward)


@pytest.mark.golden
def test_whole_mitochondria_are_aligned_and_paired(tmp_path: Path, shared: Path) -> None:
    path = shared / "data" / "dna" / "mtDNA_H100s.fasta"
    done = released(tmp_path, str(path), dna="align: built-in")
    shown = Counter(texts(done.data))
    assert sum(shown.values()) == 15
    assert min(shown.values()) >= 2


PATIENTS = """\
name,sex,diagnosis
p1,f,333.4
p2,m,401.9
p3,f,401.9
p4,m,401.9
p5,f,401.9
p6,m,401.9
"""


def test_a_disease_is_read_off_dna_and_joined_with_patients(tmp_path: Path) -> None:
    rows = ["p1,TTTT,f", "p2,ATTT,m", "p3,AATT,f", "p4,AATT,m", "p5,AAAT,f", "p6,AAAT,m"]
    (tmp_path / "dna.csv").write_text("\n".join(["who,dna,sex", *rows]) + "\n")
    (tmp_path / "patients.csv").write_text(PATIENTS)
    fields = (
        "    schema:\n      fields:\n        - {name: who, role: person}\n"
        "        - {name: dna, role: sequence}\n        - {name: sex, role: insensitive}\n"
    )
    attack = (
        "with: patients.csv, codes: diagnosis, who: name, mutations: [{position: '1', value: T, gene: HD}]"
    )
    more = f"attacks:\n  - genotype-phenotype: {{{attack}}}\n"

    def sure(role: str, folder: str) -> tuple[int, int]:
        shown = fields.replace("insensitive", role)
        done = released(
            _made(tmp_path / folder), "../dna.csv", fields=shown, more=more.replace("pat", "../pat")
        )
        found = {one.name: one for one in done.evidence.attacks}["genotype-phenotype"]
        assert found.parameters["mutations"] == "1 given"
        assert found.before is not None
        assert found.after is not None
        return found.before.certain, found.after.certain

    assert sure("identifier", "a") == (1, 0), "two rows may hold the mutation, where one did"
    assert sure("insensitive", "b") == (1, 1), "the sex beside a row tells which of the two it is"


def test_how_much_is_told_of_a_sensitive_column_is_measured(tmp_path: Path) -> None:
    evidence = released(tmp_path, letters(tmp_path), fields=LETTER_FIELDS).evidence
    figures = {one.name: one for one in evidence.risk_after}
    assert figures["phenotype-told"].value is not None


def test_a_study_is_measured_where_cases_are_known(tmp_path: Path) -> None:
    lines = [f"{name},{'ill' if at % 2 else 'well'}" for at, name in enumerate(NAMES)]
    (tmp_path / "people.csv").write_text("\n".join(["sample,state", *lines]) + "\n")
    options = "people: people.csv, phenotype: state, cases: [ill]"
    evidence = released(tmp_path, vcf(tmp_path, calls(sites=30)), dna=options).evidence
    assert "ranking-error" in {one.name for one in evidence.utility}
    assert "phenotype-told" in {one.name for one in evidence.risk_after}
    told = json.dumps(evidence.recipe)
    assert "people.csv" not in told
    assert "state" not in told
