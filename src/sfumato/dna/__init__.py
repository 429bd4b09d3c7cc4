"""DNA: sequences, genotypes, and the statistics made from them.

The window of the room: ``from sfumato import dna`` and then ``dna.Dnala(pairing="exact")``. Names are
loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.core.window import window

if TYPE_CHECKING:
    from sfumato.dna.align import (
        Aligner,
        Banded,
        Mafft,
        Newcomer,
        OnlineAligner,
        Scoring,
        align_if_needed,
        snvrs,
        usual_aligner,
    )
    from sfumato.dna.aligned import Aligned, Unaligned
    from sfumato.dna.attacks import (
        Answer,
        BeaconAttack,
        CaseOrControl,
        GenotypePhenotype,
        Homer,
        Kinship,
        Knowledge,
        KnownMutation,
        LikelihoodRatio,
        LinkageDisequilibrium,
        Patients,
        Population,
        PublishedLinkage,
        Recovered,
        ReleasedDna,
        SequenceLinkage,
        genes_read,
        knowledge_of,
        recovered,
    )
    from sfumato.dna.attacks.contract import Attack
    from sfumato.dna.attacks.genes import Disease, Onset
    from sfumato.dna.beacon import (
        Beacon,
        FlipRare,
        HideRare,
        Open,
        Policy,
        QueryBudget,
        RandomisedResponse,
        Seat,
    )
    from sfumato.dna.contract import (
        Demand,
        Problem,
        Published,
        RowMethod,
        RowModel,
        Solution,
        Statistics,
        StatisticsMethod,
        StatisticsModel,
        Study,
    )
    from sfumato.dna.methods import Binning, Dnala, HaplotypeBlocks, SnpSuppression
    from sfumato.dna.methods.association import Association
    from sfumato.dna.methods.beacon_answers import BeaconAnswers
    from sfumato.dna.methods.dp_association import DpAssociation
    from sfumato.dna.methods.dp_frequencies import DpFrequencies
    from sfumato.dna.methods.dp_top_snps import DpTopSnps
    from sfumato.dna.methods.frequencies import Frequencies
    from sfumato.dna.methods.online import OnlineDnala, Standing, Told, told_by_both
    from sfumato.dna.methods.safe_snps import SafeSnps
    from sfumato.dna.models import Bins, GenotypeKMap, SequenceKAnonymity, SnpExposure
    from sfumato.dna.models.membership import MembershipBound
    from sfumato.dna.models.private import DifferentialPrivacy, auc_bound, power_bound
    from sfumato.dna.reading import (
        Cells,
        Content,
        Multiallelic,
        People,
        Phenotype,
        PlinkSource,
        Rows,
        SomePeople,
        TwoBases,
        VcfSource,
        content_of,
        counted_alike,
        open_genotypes,
        open_plink,
        open_rows,
        open_vcf_source,
        read_column,
        read_fasta,
        read_people,
        read_positions,
        read_statistics,
        samples_of,
    )
    from sfumato.dna.risk import (
        DnaRisk,
        Homogeneity,
        Needed,
        SetExposure,
        entropies,
        exposure,
        homogeneity,
        independent_snps,
        snps_needed,
        telling_sets,
    )
    from sfumato.dna.simulate import independent, phenotype, simulated, simulated_sequences
    from sfumato.dna.sites import Sites
    from sfumato.dna.source import Block, GenotypeSource, InMemory
    from sfumato.dna.statistics import (
        Bound,
        Counted,
        Outcome,
        expected_auc,
        expected_power,
        figures,
        hardy_weinberg,
        hardy_weinberg_exact,
        neighbouring_r2,
        odds_ratio,
        outcome_of,
        r2_between,
    )
    from sfumato.dna.utility import (
        CellsChanged,
        FrequencyError,
        HitsLost,
        LatticeLoss,
        LinkageError,
        RankingError,
        RowMeasure,
    )
    from sfumato.dna.utility.statistics import (
        SiteFrequencyError,
        SiteHitsLost,
        SiteLinkageError,
        SiteRankingError,
        StatisticsMeasure,
    )
    from sfumato.dna.writing import (
        RowLayout,
        rows_table,
        statistics_table,
        without_gaps,
        write_fasta,
        write_plink,
        write_rows,
        write_statistics,
        write_vcf,
    )
    from sfumato.hierarchy.iupac import Lattice, genotypes, iupac
    from sfumato.hierarchy.snp import SnpTree
    from sfumato.hierarchy.snp_spec import snp_tree

_HOMES = {
    "sfumato.dna.align": (
        "Aligner Banded Mafft Newcomer OnlineAligner Scoring align_if_needed snvrs usual_aligner"
    ),
    "sfumato.dna.aligned": "Aligned Unaligned",
    "sfumato.dna.attacks": (
        "Answer BeaconAttack CaseOrControl GenotypePhenotype Homer Kinship Knowledge KnownMutation "
        "LikelihoodRatio LinkageDisequilibrium Patients Population PublishedLinkage Recovered ReleasedDna "
        "SequenceLinkage genes_read knowledge_of recovered"
    ),
    "sfumato.dna.attacks.contract": "Attack",
    "sfumato.dna.attacks.genes": "Disease Onset",
    "sfumato.dna.beacon": "Beacon FlipRare HideRare Open Policy QueryBudget RandomisedResponse Seat",
    "sfumato.dna.contract": (
        "Demand Problem Published RowMethod RowModel Solution Statistics StatisticsMethod StatisticsModel "
        "Study"
    ),
    "sfumato.dna.methods": "Binning Dnala HaplotypeBlocks SnpSuppression",
    "sfumato.dna.methods.association": "Association",
    "sfumato.dna.methods.beacon_answers": "BeaconAnswers",
    "sfumato.dna.methods.dp_association": "DpAssociation",
    "sfumato.dna.methods.dp_frequencies": "DpFrequencies",
    "sfumato.dna.methods.dp_top_snps": "DpTopSnps",
    "sfumato.dna.methods.frequencies": "Frequencies",
    "sfumato.dna.methods.online": "OnlineDnala Standing Told told_by_both",
    "sfumato.dna.methods.safe_snps": "SafeSnps",
    "sfumato.dna.models": "Bins GenotypeKMap SequenceKAnonymity SnpExposure",
    "sfumato.dna.models.membership": "MembershipBound",
    "sfumato.dna.models.private": "DifferentialPrivacy auc_bound power_bound",
    "sfumato.dna.reading": (
        "Cells Content Multiallelic People Phenotype PlinkSource Rows SomePeople TwoBases VcfSource "
        "content_of counted_alike open_genotypes open_plink open_rows open_vcf_source read_column "
        "read_fasta read_people read_positions read_statistics samples_of"
    ),
    "sfumato.dna.risk": (
        "DnaRisk Homogeneity Needed SetExposure entropies exposure homogeneity independent_snps snps_needed "
        "telling_sets"
    ),
    "sfumato.dna.simulate": "independent phenotype simulated simulated_sequences",
    "sfumato.dna.sites": "Sites",
    "sfumato.dna.source": "Block GenotypeSource InMemory",
    "sfumato.dna.statistics": (
        "Bound Counted Outcome expected_auc expected_power figures hardy_weinberg hardy_weinberg_exact "
        "neighbouring_r2 odds_ratio outcome_of r2_between"
    ),
    "sfumato.dna.utility": (
        "CellsChanged FrequencyError HitsLost LatticeLoss LinkageError RankingError RowMeasure"
    ),
    "sfumato.dna.utility.statistics": (
        "SiteFrequencyError SiteHitsLost SiteLinkageError SiteRankingError StatisticsMeasure"
    ),
    "sfumato.dna.writing": (
        "RowLayout rows_table statistics_table without_gaps write_fasta write_plink write_rows "
        "write_statistics write_vcf"
    ),
    "sfumato.hierarchy.iupac": "Lattice genotypes iupac",
    "sfumato.hierarchy.snp": "SnpTree",
    "sfumato.hierarchy.snp_spec": "snp_tree",
}

__all__ = [
    "Aligned",
    "Aligner",
    "Answer",
    "Association",
    "Attack",
    "Banded",
    "Beacon",
    "BeaconAnswers",
    "BeaconAttack",
    "Binning",
    "Bins",
    "Block",
    "Bound",
    "CaseOrControl",
    "Cells",
    "CellsChanged",
    "Content",
    "Counted",
    "Demand",
    "DifferentialPrivacy",
    "Disease",
    "DnaRisk",
    "Dnala",
    "DpAssociation",
    "DpFrequencies",
    "DpTopSnps",
    "FlipRare",
    "Frequencies",
    "FrequencyError",
    "GenotypeKMap",
    "GenotypePhenotype",
    "GenotypeSource",
    "HaplotypeBlocks",
    "HideRare",
    "HitsLost",
    "Homer",
    "Homogeneity",
    "InMemory",
    "Kinship",
    "Knowledge",
    "KnownMutation",
    "Lattice",
    "LatticeLoss",
    "LikelihoodRatio",
    "LinkageDisequilibrium",
    "LinkageError",
    "Mafft",
    "MembershipBound",
    "Multiallelic",
    "Needed",
    "Newcomer",
    "OnlineAligner",
    "OnlineDnala",
    "Onset",
    "Open",
    "Outcome",
    "Patients",
    "People",
    "Phenotype",
    "PlinkSource",
    "Policy",
    "Population",
    "Problem",
    "Published",
    "PublishedLinkage",
    "QueryBudget",
    "RandomisedResponse",
    "RankingError",
    "Recovered",
    "ReleasedDna",
    "RowLayout",
    "RowMeasure",
    "RowMethod",
    "RowModel",
    "Rows",
    "SafeSnps",
    "Scoring",
    "Seat",
    "SequenceKAnonymity",
    "SequenceLinkage",
    "SetExposure",
    "SiteFrequencyError",
    "SiteHitsLost",
    "SiteLinkageError",
    "SiteRankingError",
    "Sites",
    "SnpExposure",
    "SnpSuppression",
    "SnpTree",
    "Solution",
    "SomePeople",
    "Standing",
    "Statistics",
    "StatisticsMeasure",
    "StatisticsMethod",
    "StatisticsModel",
    "Study",
    "Told",
    "TwoBases",
    "Unaligned",
    "VcfSource",
    "align_if_needed",
    "auc_bound",
    "content_of",
    "counted_alike",
    "entropies",
    "expected_auc",
    "expected_power",
    "exposure",
    "figures",
    "genes_read",
    "genotypes",
    "hardy_weinberg",
    "hardy_weinberg_exact",
    "homogeneity",
    "independent",
    "independent_snps",
    "iupac",
    "knowledge_of",
    "neighbouring_r2",
    "odds_ratio",
    "open_genotypes",
    "open_plink",
    "open_rows",
    "open_vcf_source",
    "outcome_of",
    "phenotype",
    "power_bound",
    "r2_between",
    "read_column",
    "read_fasta",
    "read_people",
    "read_positions",
    "read_statistics",
    "recovered",
    "rows_table",
    "samples_of",
    "simulated",
    "simulated_sequences",
    "snp_tree",
    "snps_needed",
    "snvrs",
    "statistics_table",
    "telling_sets",
    "told_by_both",
    "usual_aligner",
    "without_gaps",
    "write_fasta",
    "write_plink",
    "write_rows",
    "write_statistics",
    "write_vcf",
]

__getattr__, __dir__ = window(__name__, _HOMES, __all__)
