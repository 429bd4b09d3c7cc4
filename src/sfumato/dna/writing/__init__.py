"""Write sequences, genotypes and statistics; nothing of the headers of what was read."""

from sfumato.dna.writing.fasta import without_gaps, write_fasta
from sfumato.dna.writing.plink import write_plink
from sfumato.dna.writing.statistics import statistics_table, write_statistics
from sfumato.dna.writing.table import RowLayout, rows_table, write_rows
from sfumato.dna.writing.vcf import write_vcf

__all__ = [
    "RowLayout",
    "rows_table",
    "statistics_table",
    "without_gaps",
    "write_fasta",
    "write_plink",
    "write_rows",
    "write_statistics",
    "write_vcf",
]
