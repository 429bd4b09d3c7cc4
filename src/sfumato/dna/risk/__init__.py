"""How exposed rows are."""

from sfumato.dna.risk.exposure import DnaRisk, exposure
from sfumato.dna.risk.homogeneity import Homogeneity, homogeneity
from sfumato.dna.risk.independent import independent_snps
from sfumato.dna.risk.needed import Needed, entropies, snps_needed
from sfumato.dna.risk.snp_sets import SetExposure, telling_sets

__all__ = [
    "DnaRisk",
    "Homogeneity",
    "Needed",
    "SetExposure",
    "entropies",
    "exposure",
    "homogeneity",
    "independent_snps",
    "snps_needed",
    "telling_sets",
]
