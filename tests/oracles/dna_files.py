"""Files of DNA read the slow way, from their texts and bits, without the libraries that the readers use."""

from __future__ import annotations

from pathlib import Path

BASES = {"A": 1, "C": 2, "G": 4, "T": 8}


def fasta(path: Path) -> list[tuple[str, str]]:
    """Return headers and sequences."""
    found: list[tuple[str, str]] = []
    for line in path.read_text().splitlines():
        if line.startswith(">"):
            found.append((line[1:], ""))
        else:
            found[-1] = (found[-1][0], found[-1][1] + line.strip())
    return found


def vcf(path: Path) -> tuple[list[str], list[list[str]]]:
    """Return the header lines and the fields of every record."""
    lines = path.read_text().splitlines()
    header = [line for line in lines if line.startswith("#")]
    return header, [line.split("\t") for line in lines if not line.startswith("#")]


def genotype_set(call: str) -> int:
    """Return the set of a call of at most two alleles: every genotype that would agree with it."""
    alleles = call.replace("|", "/").split("/")
    if len(alleles) == 1:
        alleles *= 2
    fits = 0
    for bit, (first, second) in enumerate((("0", "0"), ("0", "1"), ("1", "1"))):
        for pair in ((first, second), (second, first)):
            if all(seen in (".", true) for seen, true in zip(alleles, pair, strict=True)):
                fits |= 1 << bit
    return fits


def base_set(call: str, alleles: list[str]) -> int:
    """Return the bases of a call; everything when one of them was not called."""
    numbers = call.replace("|", "/").split("/")
    if "." in numbers:
        return 15
    found = 0
    for number in numbers:
        found |= BASES[alleles[int(number)].upper()]
    return found


def bed(path: Path, people: int) -> list[list[int]]:
    """Return dosages of allele 1, site by site, bit by bit; −1 for missing."""
    data = path.read_bytes()
    assert data[:3] == b"\x6c\x1b\x01"
    width = -(-people // 4)
    sites = (len(data) - 3) // width
    meaning = {0: 2, 1: -1, 2: 1, 3: 0}
    return [
        [meaning[(data[3 + site * width + at // 4] >> (2 * (at % 4))) & 3] for at in range(people)]
        for site in range(sites)
    ]
