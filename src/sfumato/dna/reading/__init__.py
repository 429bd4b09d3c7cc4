"""Read sequences and genotypes from files."""

from sfumato.dna.reading.column import read_column, read_positions
from sfumato.dna.reading.content import Content, content_of
from sfumato.dna.reading.fasta import read_fasta
from sfumato.dna.reading.open import Cells, open_genotypes, open_rows, samples_of
from sfumato.dna.reading.people import People, read_people
from sfumato.dna.reading.phenotype import Phenotype
from sfumato.dna.reading.plink import PlinkSource, open_plink
from sfumato.dna.reading.rows import Rows
from sfumato.dna.reading.same_alleles import counted_alike
from sfumato.dna.reading.some_people import SomePeople
from sfumato.dna.reading.statistics import read_statistics
from sfumato.dna.reading.vcf import Multiallelic
from sfumato.dna.reading.vcf_bases import TwoBases
from sfumato.dna.reading.vcf_source import VcfSource, open_vcf_source

__all__ = [
    "Cells",
    "Content",
    "Multiallelic",
    "People",
    "Phenotype",
    "PlinkSource",
    "Rows",
    "SomePeople",
    "TwoBases",
    "VcfSource",
    "content_of",
    "counted_alike",
    "open_genotypes",
    "open_plink",
    "open_rows",
    "open_vcf_source",
    "read_column",
    "read_fasta",
    "read_people",
    "read_positions",
    "read_statistics",
    "samples_of",
]
