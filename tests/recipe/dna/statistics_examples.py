"""A small study in files: genotypes of cases and controls, who is who, and people outside."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sfumato.dna.simulate import independent
from sfumato.dna.source import InMemory

PEOPLE = 120
OUTSIDE = 200
SITES = 60
SECRET_NAME = "Mona_Lisa"
"""how samples are called: nothing that is released or said may hold it"""
RECIPE = """\
sfumato: 1
title: A study
resources:
  - name: study
    kind: dna
    path: study.vcf
    dna: {dna}
models:
  - {model}
method: {method}
"""
BOUND = "membership-bound: {auc: 0.75}"
PURE = "differential-privacy: {epsilon: 2}"
REFERENCE = "{reference: outside.vcf}"
ARMS = "{people: people.csv, phenotype: state, reference: outside.vcf}"
CASES = "{people: people.csv, phenotype: state}"


def population(seed: int = 1, sites: int = SITES, people: int = PEOPLE) -> tuple[InMemory, InMemory]:
    """Draw people of a study and people outside from one population."""
    everybody = independent(people=people + OUTSIDE, sites=sites, seed=seed)
    inside, outside = everybody.dosages[:, :people], everybody.dosages[:, people:]
    return (
        InMemory(np.ascontiguousarray(inside), everybody.sites),
        InMemory(np.ascontiguousarray(outside), everybody.sites),
    )


def write_vcf(path: Path, source: InMemory, prefix: str) -> None:
    """Write genotypes of two alleles as plain text, with names that identify."""
    calls = {0: "0/0", 1: "0/1", 2: "1/1", -1: "./."}
    names = "\t".join(f"{prefix}_{number}" for number in range(source.people))
    chromosomes = dict.fromkeys(source.sites.chromosome.tolist())
    head = ["##fileformat=VCFv4.2", '##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">']
    head += [f"##contig=<ID={name}>" for name in chromosomes]
    lines = [*head, f"#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t{names}"]
    sites = source.sites
    for at, row in enumerate(source.dosages.tolist()):
        where = f"{sites.chromosome[at]}\t{sites.position[at]}\t{prefix}_site_{at}"
        alleles = f"{sites.reference[at]}\t{sites.alternate[at]}\t.\t.\t.\tGT"
        lines.append("\t".join([where, alleles, *(calls[dosage] for dosage in row)]))
    path.write_text("\n".join(lines) + "\n")


def states(people: int = PEOPLE) -> NDArray[np.bool_]:
    """Every second person is ill."""
    return np.arange(people) % 2 == 0


def study(
    folder: Path,
    *,
    model: str = BOUND,
    method: str = "safe-snps",
    dna: str = REFERENCE,
    seed: int = 1,
    sites: int = SITES,
    more: str = "",
) -> Path:
    """Write a study and its recipe; return the recipe's path."""
    inside, outside = population(seed, sites)
    write_vcf(folder / "study.vcf", inside, SECRET_NAME)
    write_vcf(folder / "outside.vcf", outside, "Lisa_del_Giocondo")
    rows = [f"{SECRET_NAME}_{at},{'case' if ill else 'control'}" for at, ill in enumerate(states())]
    (folder / "people.csv").write_text("\n".join(["sample,state", *rows]) + "\n")
    recipe = folder / "recipe.yaml"
    recipe.write_text(RECIPE.format(dna=dna, model=model, method=method) + more)
    return recipe
