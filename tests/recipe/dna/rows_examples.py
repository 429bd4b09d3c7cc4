"""Small files of sequences and genotypes, and recipes over them, for tests of rows."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

import sfumato as sf
from sfumato.core.evidence_dna import DnaEvidence
from sfumato.core.fingerprint import sha256_of
from sfumato.report import write as write_report
from tests.dna.reading.made import vcf_text, write_bed

NAMES = ("ada.lovelace", "bo.diddley", "cy.twombly", "di.prince", "ed.gein", "fay.wray", "gus.grissom")
"""sample names that identify: none of them may ever be seen again"""
SEQUENCES = ("AATTA", "AATGA", "ATTCA", "AATGA", "AATTA", "ATTTA", "AATGA")
UNEVEN = ("ACGTACGTAC", "ACGTACGTAC", "ACGTCGTAC", "ACGTCGTAC", "ACGTACGTTC", "ACGTACGTAC", "ACGTCGTTC")
CALLS = ("0/0", "0/1", "1/1", "./.")


def calls(people: int = len(NAMES), sites: int = 6, seed: int = 3) -> list[list[str]]:
    """Return made-up calls, sites × people, a few of them missing."""
    drawn = np.random.default_rng(seed).choice(4, (sites, people), p=(0.5, 0.3, 0.15, 0.05))
    return [[CALLS[one] for one in site] for site in drawn.tolist()]


def fasta(folder: Path, sequences: Sequence[str] = SEQUENCES) -> str:
    lines = [f">{name} isolate of {name}\n{text}\n" for name, text in zip(NAMES, sequences, strict=False)]
    (folder / "data.fasta").write_text("".join(lines))
    return "data.fasta"


def vcf(folder: Path, sites: Sequence[Sequence[str]] | None = None, name: str = "data.vcf") -> str:
    rows = calls() if sites is None else sites
    records = [("1", 100 + 10 * at, "A", "G", site) for at, site in enumerate(rows)]
    text = vcf_text(records, NAMES[: len(rows[0])])
    head, _, rest = text.partition("#CHROM")
    (folder / name).write_text(f"{head}##commandline=bcftools call ada.lovelace.bam\n#CHROM{rest}")
    return name


def bed(folder: Path) -> str:
    dosage = {"0/0": 0, "0/1": 1, "1/1": 2, "./.": -1}
    write_bed(folder, [[dosage[call] for call in site] for site in calls()], "data")
    return "data.bed"


LETTERS = """\
who,name,rs1,rs2,rs3,illness
p1,Ada,AG,TT,CC,flu
p2,Bo,AA,TT,CC,flu
p3,Cy,AG,TT,CT,hiv
p4,Di,AA,TC,CC,flu
p5,Ed,GG,,CT,hiv
p6,Fay,AG,CC,CC,flu
"""
LETTER_FIELDS = """
    schema:
      fields:
        - {name: who, role: person}
        - {name: name, role: identifier}
        - {name: rs1, role: sequence}
        - {name: rs2, role: sequence}
        - {name: rs3, role: sequence}
        - {name: illness, role: sensitive}
"""


def letters(folder: Path, text: str = LETTERS) -> str:
    (folder / "snps.csv").write_text(text)
    return "snps.csv"


def recipe(
    folder: Path,
    path: str,
    *,
    models: str = "sequence-k-anonymity: {k: 2}",
    dna: str = "",
    fields: str = "",
    more: str = "",
) -> Path:
    """Write a recipe over a file and return where it is."""
    options = f"    dna: {{{dna}}}\n" if dna else ""
    text = (
        f"sfumato: 1\ntitle: Made up\nresources:\n  - name: data\n    kind: dna\n    path: {path}\n"
        f"{options}{fields.lstrip(chr(10))}models:\n  - {models}\n{more}"
    )
    target = folder / "recipe.yaml"
    target.write_text(text)
    return target


def released(folder: Path, path: str, **options: Any) -> Any:
    """Make a release beside the data."""
    return sf.run(recipe(folder, path, **options))


def edit_json(path: Path, change: Callable[[Any], None]) -> None:
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


def forge(release: Path) -> None:
    """Make fingerprints fit what was changed, as a forger would."""

    def schema(found: Any) -> None:
        if "more" in found:
            found["more"] = {name: sha256_of(release / name) for name in found["more"]}

    def evidence(found: Any) -> None:
        file = release / found["data"]["file"]
        found["data"] |= {"sha256": sha256_of(file), "bytes": file.stat().st_size}
        found["schema_sha256"] = sha256_of(release / "schema.json")

    edit_json(release / "schema.json", schema)
    edit_json(release / "evidence.json", evidence)
    report_again(release)


def report_again(release: Path) -> None:
    """Write the report that the evidence deserves, where it can still be read."""
    with suppress(ValidationError):
        evidence = DnaEvidence.model_validate_json((release / "evidence.json").read_text())
        write_report(evidence, release / "report.html")


def edit_data(release: Path, old: str, new: str, file: str) -> None:
    text = (release / file).read_text()
    assert old in text
    (release / file).write_text(text.replace(old, new, 1))


def refuted(release: Path) -> str:
    """Return the claims that verification refutes, in one line."""
    return " | ".join(finding.claim for finding in sf.verify(release).refuted)


def everything_in(folder: Path) -> bytes:
    """Return all bytes of a folder."""
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())
