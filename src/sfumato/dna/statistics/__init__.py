"""Statistics of sites: counts, frequencies, tests of association, linkage, and what they tell of members."""

from sfumato.dna.statistics.association import (
    TESTS,
    Outcome,
    allelic,
    genotypic,
    odds_ratio,
    outcome_of,
    trend,
)
from sfumato.dna.statistics.columns import Counted, figures
from sfumato.dna.statistics.hardy_weinberg import hardy_weinberg, hardy_weinberg_exact
from sfumato.dna.statistics.linkage import neighbouring_r2, r2_between
from sfumato.dna.statistics.power import Bound, expected_auc, expected_power
from sfumato.dna.statistics.tables import (
    alternate,
    called,
    carriers,
    frequency,
    heterozygosity,
    minor,
    missing,
)
from sfumato.dna.statistics.tails import log10_p_value, p_value

__all__ = [
    "TESTS",
    "Bound",
    "Counted",
    "Outcome",
    "allelic",
    "alternate",
    "called",
    "carriers",
    "expected_auc",
    "expected_power",
    "figures",
    "frequency",
    "genotypic",
    "hardy_weinberg",
    "hardy_weinberg_exact",
    "heterozygosity",
    "log10_p_value",
    "minor",
    "missing",
    "neighbouring_r2",
    "odds_ratio",
    "outcome_of",
    "p_value",
    "r2_between",
    "trend",
]
