"""A recipe for the genotypes of the hospital: eight SNPs of every patient, said less precisely."""

from __future__ import annotations

from pathlib import Path

from sfumato.demo.hospital import Hospital

_RECIPE = """\
# Genotypes that at least five patients share. What a group has in common is published as it is, and a
# relative's genome still finds the family: see docs/dna.md.
sfumato: 1
title: Genotypes of Lindenmoor
resources:
  - name: snps
    kind: dna
    path: snps.csv
    schema:
      fields:
        - {{name: patient_id, role: person}}
{fields}models:
  - sequence-k-anonymity: {{k: 5}}
method:
  dnala: {{effort: 2}}
attacks:
  - sequence-linkage: {{snps: 8}}
output: {{folder: dna}}
"""
_README = """
`dna.yaml` is a recipe that makes the genotypes of `snps.csv` less precise, until at least five patients look
alike. What it releases lies in `dna/release`, what is to be kept in `dna/steward`.
"""


def write_genotypes(hospital: Hospital) -> Path:
    """Write ``dna.yaml`` beside the other files, and return it."""
    with hospital.snps.open(encoding="utf-8") as file:
        _, *names = file.readline().strip().split(",")
    fields = "".join(f"        - {{name: {name}, role: sequence}}\n" for name in names)
    with hospital.readme.open("a", encoding="utf-8", newline="\n") as readme:
        readme.write(_README)
    recipe = hospital.folder / "dna.yaml"
    recipe.write_text(_RECIPE.format(fields=fields), encoding="utf-8", newline="\n")
    return recipe
