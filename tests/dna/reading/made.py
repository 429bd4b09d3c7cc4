"""Small files of DNA for the tests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

HEADER = (
    '##fileformat=VCFv4.2\n##contig=<ID=1>\n##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">\n'
)
COLUMNS = "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT"


def vcf_text(records: Sequence[tuple[str, int, str, str, Sequence[str]]], samples: Sequence[str] = ()) -> str:
    """Write records (chromosome, position, reference, alternates, calls) as VCF."""
    names = samples or [f"s{number}" for number in range(len(records[0][4]))]
    lines = [HEADER + "\t".join([COLUMNS, *names])]
    for chromosome, position, reference, alternate, calls in records:
        fixed = [chromosome, str(position), ".", reference, alternate, ".", ".", ".", "GT"]
        lines.append("\t".join([*fixed, *calls]))
    return "\n".join(lines) + "\n"


def write_text(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def write_bed(folder: Path, dosages: Sequence[Sequence[int]], name: str = "made") -> Path:
    """Write a fileset from dosages (sites × people, −1 missing), bit by bit."""
    people = len(dosages[0])
    code = {2: 0, -1: 1, 1: 2, 0: 3}
    packed = bytearray(b"\x6c\x1b\x01")
    for site in dosages:
        for start in range(0, people, 4):
            byte = 0
            for at, dosage in enumerate(site[start : start + 4]):
                byte |= code[dosage] << (2 * at)
            packed.append(byte)
    bim = "".join(f"1\trs{at}\t0\t{at + 1}\tA\tG\n" for at in range(len(dosages)))
    fam = "".join(f"f{at} i{at} 0 0 1 {1 + at % 2}\n" for at in range(people))
    write_text(folder, f"{name}.bim", bim)
    write_text(folder, f"{name}.fam", fam)
    return write_text(folder, f"{name}.bed", bytes(packed))
