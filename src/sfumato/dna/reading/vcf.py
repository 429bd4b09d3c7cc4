"""VCF and BCF (Danecek 2011), read with cyvcf2: records of sites, and in each the alleles called in samples.

Sample names, INFO fields, header lines and all FORMAT fields other than GT stay where they are: only
chromosome, position, name, alleles and GT are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.dna.reading.content import Content, check_end, content_of, is_packed
from sfumato.dna.reading.parts import htslib
from sfumato.dna.reading.vcf_text import check_text

NOT_CALLED, NO_ALLELE = -1, -2
"""what stands in place of an allele: ``.``, or nothing at all where a call is haploid beside diploid ones"""


class Multiallelic(StrEnum):
    """What becomes of sites with more than two alleles where only two can be told apart."""

    DROP = "drop"
    """left out and counted"""
    ERROR = "error"


@dataclass(frozen=True, eq=False)
class Record:
    """A site and what was called there."""

    number: int
    """from 1, for messages"""
    chromosome: str
    position: int
    name: str
    alleles: tuple[str, ...]
    """the reference, then the alternates, in upper case"""
    calls: NDArray[np.int16] = field(repr=False)
    """samples × ploidy: numbers of alleles, −1 not called, −2 no allele"""

    @property
    def spelt(self) -> bool:
        """Whether all alleles are written out as bases (no symbols such as <DEL>, no ``*``)."""
        return len(self.alleles) > 1 and not any(set(allele) - set("ACGTN") for allele in self.alleles)

    @property
    def is_snp(self) -> bool:
        """Whether all alleles are single bases."""
        return len(self.alleles) > 1 and all(allele in ("A", "C", "G", "T") for allele in self.alleles)


@dataclass(frozen=True, eq=False)
class VcfFile:
    """A VCF or BCF file that was found whole. Made by ``open_vcf``; may be gone through more than once."""

    path: Path
    samples: tuple[str, ...] = field(repr=False)

    def records(self) -> Iterator[Record]:
        """Go through the records."""
        reader = _reader(self.path)
        number = 0
        try:
            while True:
                number += 1
                try:
                    variant = next(reader)
                except StopIteration:
                    return
                except Exception:
                    raise self._malformed(number) from None
                yield self._record(variant, number)
        finally:
            reader.close()

    def _record(self, variant: Any, number: int) -> Record:
        where = f"{self.path}, record {number:,}"
        try:
            genotype = variant.genotype
            calls = None if genotype is None else np.asarray(genotype.array())[:, :-1]
        except Exception:
            # cyvcf2 raises plain exceptions, whose words depend on its version.
            calls = None
        if calls is None:
            raise BadInput(
                "the record has no genotypes (GT)", where=where, remedy="give a file with a GT of each sample"
            )
        try:
            alleles = (variant.REF.upper(), *(text.upper() for text in variant.ALT))
            chromosome, position = variant.CHROM, variant.POS
            name = variant.ID or f"{chromosome}:{position}"
        except UnicodeDecodeError:
            raise self._malformed(number) from None
        if calls.size and not (int(calls.min()) >= NO_ALLELE and int(calls.max()) < len(alleles)):
            raise BadInput(
                "a genotype names an allele that the record does not list",
                where=where,
                remedy="mend the record",
            )
        if len(set(alleles)) < len(alleles):
            raise BadInput("an allele is listed twice", where=where, remedy="mend the record")
        return Record(number, chromosome, position, name, alleles, calls)

    def _malformed(self, number: int) -> BadInput:
        return BadInput(
            "the record is not well-formed (its INFO, FORMAT, genotypes or number of columns)",
            where=f"{self.path}, record {number:,}",
            remedy="mend it: texts of INFO stand without quotes, and each sample has one field",
        )


def open_vcf(path: Path | str) -> VcfFile:
    """Open a VCF (also packed) or BCF file, and see that it is whole."""
    path = Path(path)
    content = content_of(path)
    if content not in (Content.VCF, Content.BCF):
        raise BadInput(
            f"this is no VCF but {content.value}", where=str(path), remedy="open it with open_rows"
        )
    check_end(path)
    if content is Content.VCF:
        check_text(path)
    elif not is_packed(path):
        # A damaged byte can end the whole process within htslib; packed files have checksums.
        raise BadInput(
            "the BCF file is not packed, so damage would not be noticed",
            where=str(path),
            remedy="write it again with bcftools view -Ob",
        )
    samples = tuple(_samples(path))
    if not samples:
        raise BadInput(
            "the file has sites but no samples",
            where=str(path),
            remedy="give a file with genotypes of people",
        )
    return VcfFile(path, samples)


def _reader(path: Path) -> Any:
    cyvcf2 = htslib()
    try:
        return cyvcf2.VCF(str(path))
    except Exception:
        # Plain exceptions and OSError, whose words may quote the header: what is wrong is said here.
        raise BadInput(
            "the header cannot be read", where=str(path), remedy="mend it, or write it with bcftools"
        ) from None


def _samples(path: Path) -> list[str]:
    reader = _reader(path)
    try:
        return list(reader.samples)
    except UnicodeDecodeError:
        raise BadInput(
            "a sample name is not UTF-8", where=str(path), remedy="write the header as UTF-8"
        ) from None
    finally:
        reader.close()
