"""What may be written of sites: an allow-list, as a name or an allele may hold what somebody wrote there."""

from __future__ import annotations

import re

import numpy as np

from sfumato.core.errors import BadInput
from sfumato.dna.reading.vcf_text import LAST_POSITION
from sfumato.dna.sites import Sites

_PUBLIC = re.compile(r"(rs|ss|esv|nsv)\d+")
"""accession numbers of dbSNP and dbVar"""
_CHROMOSOME = re.compile(r"[0-9A-Za-z!#$%&+./:;?@^_|~-][0-9A-Za-z!#$%&*+./:;=?@^_|~-]*")
"""as the specification of VCF allows"""
_ALLELE = re.compile(r"[ACGTN]+")
_ANY_ALLELE = re.compile(r"[0-9A-Za-z*.<>-]+")
"""also the symbols of other studies: 1 and 2, H and L, D and I"""


def public_names(sites: Sites) -> list[str]:
    """Return names to be published: accession numbers as they are, chromosome:position for all others.

    >>> from sfumato.dna.sites import numbered
    >>> sites = numbered(2)
    >>> sites.name[1] = "rs6054257"
    >>> public_names(sites)
    ['1:1', 'rs6054257']
    """
    return [
        name if _PUBLIC.fullmatch(name) else f"{chromosome}:{position}"
        for chromosome, position, name in zip(
            sites.chromosome, sites.position.tolist(), sites.name, strict=True
        )
    ]


def check_sites(sites: Sites, *, bases: bool = True) -> None:
    """Refuse sites that cannot be written: blanks in names, positions that no reader takes, alleles that are
    no bases or symbols."""
    placed = (sites.position >= 0) & (sites.position <= LAST_POSITION)
    if not placed.all():
        raise BadInput(
            f"the position does not lie between 0 and {LAST_POSITION:,}",
            where=f"site {int(np.argmin(placed)) + 1:,}",
            remedy="leave the site out",
        )
    for number, (chromosome, first, second) in enumerate(
        zip(sites.chromosome, sites.reference, sites.alternate, strict=True), 1
    ):
        if not _CHROMOSOME.fullmatch(chromosome):
            raise BadInput(
                "the name of the chromosome cannot be written", where=f"site {number:,}", remedy="rename it"
            )
        allowed = _ALLELE if bases else _ANY_ALLELE
        if not (allowed.fullmatch(first) and allowed.fullmatch(second)):
            raise BadInput(
                f"an allele is not written in {'bases' if bases else 'letters'}",
                where=f"site {number:,}",
                remedy="leave the site out, or write another kind of file",
            )
        if bases and first == second:
            raise BadInput("both alleles are the same", where=f"site {number:,}", remedy="leave it out")
