"""Sfumato makes data about people safe to share.

The names that users import. They are loaded when they are first used, so that ``import sfumato``
costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.__about__ import __version__
from sfumato.core.window import window

if TYPE_CHECKING:
    from sfumato.codes.attacks import (
        CoverProblem,
        KnownCodes,
        KnownVisit,
        LinkedCodes,
        SensitiveCode,
        WholeSet,
    )
    from sfumato.codes.disassociated import Disassociated
    from sfumato.codes.methods import (
        Aclip,
        AprioriAnonymisation,
        BestOf,
        ClusteringBased,
        Coat,
        DirectAnonymisation,
        Disassociation,
        GreedySuppression,
        LocalApriori,
        LocalSpecialisation,
        OptimalCut,
        Partition,
        Pcta,
        RareCodes,
        RuleBased,
        SuppressControl,
        TopDownControl,
        Ugaclip,
        VerticalApriori,
    )
    from sfumato.codes.models import (
        CohortCloseness,
        CompleteItemsetAnonymity,
        CompleteKAnonymity,
        DisassociatedAnonymity,
        HkpCoherence,
        KmAnonymity,
        LkcPrivacy,
        PrivacyConstraints,
        PsRules,
        RhoUncertainty,
    )
    from sfumato.codes.possible_worlds import possible_original
    from sfumato.codes.reading import Baskets, Cells, Lists, Long, SearchLog, read_codes
    from sfumato.core.attack import AttackResult
    from sfumato.core.errors import BadInput, MissingPart, PromiseNotMet, SfumatoError, SystemFault
    from sfumato.core.schema import Role
    from sfumato.core.verdict import Verdict
    from sfumato.hierarchy import Balanced, Dates, Flat, HierarchyTable, Icd, Intervals, Mask, Tree
    from sfumato.masking import Vault, mask, masking_plan
    from sfumato.query.answer import Answer, Quote
    from sfumato.query.attacks import (
        Averaging,
        Collusion,
        Differencing,
        Exhaustion,
        LeastSignificantBits,
        PossibleWorlds,
        Reconstruction,
    )
    from sfumato.query.database import Database
    from sfumato.query.ledger.contract import BudgetGone, LedgerUnavailable, Suspended
    from sfumato.query.ledger.sql_ledger import SqlLedger
    from sfumato.query.methods import (
        AdaptiveMarginals,
        DataCube,
        DiffGen,
        HierarchicalHistogram,
        IndependentMarginals,
        Privelet,
        SpanningTreeMarginals,
    )
    from sfumato.query.models import DpPromise, IdentifiabilityPromise
    from sfumato.query.prepared import Prepared
    from sfumato.query.spelling import read_database
    from sfumato.recipe.api import Release, check, protect, risk, run
    from sfumato.recipe.attack import AttackReport, attack
    from sfumato.recipe.codes.api import CodesRelease, check_codes, protect_codes
    from sfumato.recipe.codes.attack import attack_codes
    from sfumato.recipe.codes.risk import codes_risk
    from sfumato.recipe.compare import Comparison, compare
    from sfumato.recipe.dna.api import DnaRelease, check_dna, protect_dna
    from sfumato.recipe.dna.statistics_api import StatisticsRelease, protect_statistics
    from sfumato.recipe.graph.api import GraphRelease, protect_graph
    from sfumato.recipe.measured import utility
    from sfumato.recipe.query.api import QueryRelease, protect_query
    from sfumato.recipe.text.api import TextRelease, protect_text
    from sfumato.recipe.verify import verify
    from sfumato.record import ChainResult, chain
    from sfumato.record.relational_codes import KKmAnonymity, RecordsRelease, RelationalCodes, protect_records
    from sfumato.server.client import Client
    from sfumato.table.attacks import (
        Aggregates,
        AttributeInference,
        BackgroundKnowledge,
        Composition,
        Corruption,
        FuzzyLinkage,
        Homogeneity,
        KnownValue,
        Linkage,
        Membership,
        MembershipByDistance,
        Minimality,
        Posterior,
        SearchLogs,
        Similarity,
        Skewness,
        SparseMatching,
    )
    from sfumato.table.methods import (
        AttributeSuppression,
        BottomUp,
        Datafly,
        Hilbert,
        Incognito,
        Keep,
        KMember,
        LocalRecoding,
        LocalSuppression,
        Mondrian,
        OptimalLattice,
        SafePub,
        TopDown,
        WorkloadMondrian,
    )
    from sfumato.table.methods.rtree import GrowingLeaves
    from sfumato.table.models import (
        AlphaKAnonymity,
        AverageRisk,
        BasicBetaLikeness,
        DeltaDisclosure,
        DeltaGrowth,
        DeltaPresence,
        DifferentialPrivacy,
        DistinctLDiversity,
        EnhancedBetaLikeness,
        EntropyLDiversity,
        EpsilonMAnonymity,
        GammaAmplification,
        KAnonymity,
        KKAnonymisation,
        KMap,
        KOneAnonymisation,
        OneKAnonymisation,
        PersonalisedPrivacy,
        PopulationUniqueness,
        ProbabilisticLDiversity,
        PSensitiveKAnonymity,
        RangeDiversity,
        RecursiveLDiversity,
        RhoPrivacy,
        SampleUniqueness,
        TCloseness,
    )
    from sfumato.table.perturbation import (
        MatrixRandomisation,
        Microaggregation,
        Noise,
        Pram,
        RankSwapping,
        RecordSwapping,
        RetentionReplacement,
        Rounding,
        Sampling,
        SmallDomainRandomisation,
        Synthetic,
        TopBottomCoding,
        UniformNoise,
        ValueSwapping,
    )
    from sfumato.table.perturbation.estimator import EstimatedCounts, estimate_counts
    from sfumato.table.utility import (
        AverageClassSize,
        Discernibility,
        EntropyBasedLoss,
        Height,
        KLDivergence,
        Loss,
        NonUniformEntropy,
        NormalisedEntropy,
        Precision,
    )
    from sfumato.table.utility.tasks import (
        AssociationRules,
        Classification,
        Clusters,
        Learning,
        Moments,
        QueryError,
    )
    from sfumato.text.scrub import find_identifiers, scrub

_HOMES = {
    "sfumato.query.answer": "Answer Quote",
    "sfumato.query.attacks": """
        Averaging Collusion Differencing Exhaustion LeastSignificantBits PossibleWorlds Reconstruction""",
    "sfumato.query.database": "Database",
    "sfumato.query.ledger.contract": "BudgetGone LedgerUnavailable Suspended",
    "sfumato.query.ledger.sql_ledger": "SqlLedger",
    "sfumato.query.methods": """
        AdaptiveMarginals DataCube DiffGen HierarchicalHistogram IndependentMarginals Privelet
        SpanningTreeMarginals""",
    "sfumato.query.prepared": "Prepared",
    "sfumato.query.models": "DpPromise IdentifiabilityPromise",
    "sfumato.recipe.query.api": "QueryRelease protect_query",
    "sfumato.query.spelling": "read_database",
    "sfumato.server.client": "Client",
    "sfumato.codes.attacks": "CoverProblem KnownCodes KnownVisit LinkedCodes SensitiveCode WholeSet",
    "sfumato.codes.disassociated": "Disassociated",
    "sfumato.codes.possible_worlds": "possible_original",
    "sfumato.codes.methods": """
        Aclip AprioriAnonymisation BestOf ClusteringBased Coat DirectAnonymisation Disassociation
        GreedySuppression LocalApriori LocalSpecialisation OptimalCut Partition Pcta RareCodes RuleBased
        SuppressControl TopDownControl Ugaclip VerticalApriori""",
    "sfumato.codes.models": """
        CohortCloseness CompleteItemsetAnonymity CompleteKAnonymity DisassociatedAnonymity HkpCoherence
        KmAnonymity LkcPrivacy PrivacyConstraints PsRules RhoUncertainty""",
    "sfumato.codes.reading": "Baskets Cells Lists Long SearchLog read_codes",
    "sfumato.core.errors": "BadInput MissingPart PromiseNotMet SfumatoError SystemFault",
    "sfumato.core.schema": "Role",
    "sfumato.core.verdict": "Verdict",
    "sfumato.hierarchy": "Balanced Dates Flat HierarchyTable Icd Intervals Mask Tree",
    "sfumato.masking": "Vault mask masking_plan",
    "sfumato.recipe.api": "Release check protect risk run",
    "sfumato.recipe.attack": "AttackReport attack",
    "sfumato.recipe.codes.api": "CodesRelease check_codes protect_codes",
    "sfumato.recipe.codes.attack": "attack_codes",
    "sfumato.recipe.dna.api": "DnaRelease check_dna protect_dna",
    "sfumato.recipe.dna.statistics_api": "StatisticsRelease protect_statistics",
    "sfumato.recipe.graph.api": "GraphRelease protect_graph",
    "sfumato.recipe.codes.risk": "codes_risk",
    "sfumato.recipe.compare": "Comparison compare",
    "sfumato.recipe.measured": "utility",
    "sfumato.recipe.text.api": "TextRelease protect_text",
    "sfumato.text.scrub": "find_identifiers scrub",
    "sfumato.recipe.verify": "verify",
    "sfumato.record": "ChainResult chain",
    "sfumato.record.relational_codes": "KKmAnonymity RecordsRelease RelationalCodes protect_records",
    "sfumato.table.attacks": """
        Aggregates AttributeInference BackgroundKnowledge Composition Corruption FuzzyLinkage Homogeneity
        KnownValue Linkage Membership MembershipByDistance Minimality Posterior SearchLogs Similarity
        Skewness SparseMatching""",
    "sfumato.core.attack": "AttackResult",
    "sfumato.table.methods": """
        AttributeSuppression BottomUp Datafly Hilbert Incognito KMember Keep LocalRecoding LocalSuppression
        Mondrian OptimalLattice SafePub TopDown WorkloadMondrian""",
    "sfumato.table.methods.rtree": "GrowingLeaves",
    "sfumato.table.models": """
        AlphaKAnonymity AverageRisk BasicBetaLikeness DeltaDisclosure DeltaGrowth DeltaPresence
        DifferentialPrivacy DistinctLDiversity EnhancedBetaLikeness EntropyLDiversity EpsilonMAnonymity
        GammaAmplification KAnonymity KKAnonymisation KMap KOneAnonymisation OneKAnonymisation
        PSensitiveKAnonymity PersonalisedPrivacy PopulationUniqueness ProbabilisticLDiversity RangeDiversity
        RecursiveLDiversity RhoPrivacy SampleUniqueness TCloseness""",
    "sfumato.table.perturbation": """
        MatrixRandomisation Microaggregation Noise Pram RankSwapping RecordSwapping RetentionReplacement
        Rounding Sampling SmallDomainRandomisation Synthetic TopBottomCoding UniformNoise ValueSwapping""",
    "sfumato.table.perturbation.estimator": "EstimatedCounts estimate_counts",
    "sfumato.table.utility": """
        AverageClassSize Discernibility EntropyBasedLoss Height KLDivergence Loss NonUniformEntropy
        NormalisedEntropy Precision""",
    "sfumato.table.utility.tasks": "AssociationRules Classification Clusters Learning Moments QueryError",
}
"""where each name lives: it is imported from there when it is first used"""

__all__ = [
    "Aclip",
    "AdaptiveMarginals",
    "Aggregates",
    "AlphaKAnonymity",
    "Answer",
    "AprioriAnonymisation",
    "AssociationRules",
    "AttackReport",
    "AttackResult",
    "AttributeInference",
    "AttributeSuppression",
    "AverageClassSize",
    "AverageRisk",
    "Averaging",
    "BackgroundKnowledge",
    "BadInput",
    "Balanced",
    "BasicBetaLikeness",
    "Baskets",
    "BestOf",
    "BottomUp",
    "BudgetGone",
    "Cells",
    "ChainResult",
    "Classification",
    "Client",
    "ClusteringBased",
    "Clusters",
    "Coat",
    "CodesRelease",
    "CohortCloseness",
    "Collusion",
    "Comparison",
    "CompleteItemsetAnonymity",
    "CompleteKAnonymity",
    "Composition",
    "Corruption",
    "CoverProblem",
    "DataCube",
    "Database",
    "Datafly",
    "Dates",
    "DeltaDisclosure",
    "DeltaGrowth",
    "DeltaPresence",
    "DiffGen",
    "Differencing",
    "DifferentialPrivacy",
    "DirectAnonymisation",
    "Disassociated",
    "DisassociatedAnonymity",
    "Disassociation",
    "Discernibility",
    "DistinctLDiversity",
    "DnaRelease",
    "DpPromise",
    "EnhancedBetaLikeness",
    "EntropyBasedLoss",
    "EntropyLDiversity",
    "EpsilonMAnonymity",
    "EstimatedCounts",
    "Exhaustion",
    "Flat",
    "FuzzyLinkage",
    "GammaAmplification",
    "GraphRelease",
    "GreedySuppression",
    "GrowingLeaves",
    "Height",
    "HierarchicalHistogram",
    "HierarchyTable",
    "Hilbert",
    "HkpCoherence",
    "Homogeneity",
    "Icd",
    "IdentifiabilityPromise",
    "Incognito",
    "IndependentMarginals",
    "Intervals",
    "KAnonymity",
    "KKAnonymisation",
    "KKmAnonymity",
    "KLDivergence",
    "KMap",
    "KMember",
    "KOneAnonymisation",
    "Keep",
    "KmAnonymity",
    "KnownCodes",
    "KnownValue",
    "KnownVisit",
    "Learning",
    "LeastSignificantBits",
    "LedgerUnavailable",
    "Linkage",
    "LinkedCodes",
    "Lists",
    "LkcPrivacy",
    "LocalApriori",
    "LocalRecoding",
    "LocalSpecialisation",
    "LocalSuppression",
    "Long",
    "Loss",
    "Mask",
    "MatrixRandomisation",
    "Membership",
    "MembershipByDistance",
    "Microaggregation",
    "Minimality",
    "MissingPart",
    "Moments",
    "Mondrian",
    "Noise",
    "NonUniformEntropy",
    "NormalisedEntropy",
    "OneKAnonymisation",
    "OptimalCut",
    "OptimalLattice",
    "PSensitiveKAnonymity",
    "Partition",
    "Pcta",
    "PersonalisedPrivacy",
    "PopulationUniqueness",
    "PossibleWorlds",
    "Posterior",
    "Pram",
    "Precision",
    "Prepared",
    "PrivacyConstraints",
    "Privelet",
    "ProbabilisticLDiversity",
    "PromiseNotMet",
    "PsRules",
    "QueryError",
    "QueryRelease",
    "Quote",
    "RangeDiversity",
    "RankSwapping",
    "RareCodes",
    "Reconstruction",
    "RecordSwapping",
    "RecordsRelease",
    "RecursiveLDiversity",
    "RelationalCodes",
    "Release",
    "RetentionReplacement",
    "RhoPrivacy",
    "RhoUncertainty",
    "Role",
    "Rounding",
    "RuleBased",
    "SafePub",
    "SampleUniqueness",
    "Sampling",
    "SearchLog",
    "SearchLogs",
    "SensitiveCode",
    "SfumatoError",
    "Similarity",
    "Skewness",
    "SmallDomainRandomisation",
    "SpanningTreeMarginals",
    "SparseMatching",
    "SqlLedger",
    "StatisticsRelease",
    "SuppressControl",
    "Suspended",
    "Synthetic",
    "SystemFault",
    "TCloseness",
    "TextRelease",
    "TopBottomCoding",
    "TopDown",
    "TopDownControl",
    "Tree",
    "Ugaclip",
    "UniformNoise",
    "ValueSwapping",
    "Vault",
    "Verdict",
    "VerticalApriori",
    "WholeSet",
    "WorkloadMondrian",
    "__version__",
    "attack",
    "attack_codes",
    "chain",
    "check",
    "check_codes",
    "check_dna",
    "codes_risk",
    "compare",
    "estimate_counts",
    "find_identifiers",
    "mask",
    "masking_plan",
    "possible_original",
    "protect",
    "protect_codes",
    "protect_dna",
    "protect_graph",
    "protect_query",
    "protect_records",
    "protect_statistics",
    "protect_text",
    "read_codes",
    "read_database",
    "risk",
    "run",
    "scrub",
    "utility",
    "verify",
]

__getattr__, __dir__ = window(__name__, _HOMES, __all__)
