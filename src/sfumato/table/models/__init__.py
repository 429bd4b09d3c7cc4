"""Privacy models of tables: promises that can be checked."""

from typing import Any

from sfumato.table.models.alpha_k_anonymity import AlphaKAnonymity
from sfumato.table.models.average_risk import AverageRisk
from sfumato.table.models.beta_likeness import BasicBetaLikeness, EnhancedBetaLikeness
from sfumato.table.models.delta_disclosure import DeltaDisclosure
from sfumato.table.models.delta_growth import DeltaGrowth
from sfumato.table.models.delta_presence import DeltaPresence
from sfumato.table.models.differential_privacy import DifferentialPrivacy
from sfumato.table.models.distinct_l_diversity import DistinctLDiversity
from sfumato.table.models.entropy_l_diversity import EntropyLDiversity
from sfumato.table.models.epsilon_m_anonymity import EpsilonMAnonymity
from sfumato.table.models.gamma_amplification import GammaAmplification
from sfumato.table.models.k_anonymity import KAnonymity
from sfumato.table.models.k_k_anonymisation import KKAnonymisation, KOneAnonymisation, OneKAnonymisation
from sfumato.table.models.k_map import KMap
from sfumato.table.models.p_sensitive_k_anonymity import PSensitiveKAnonymity
from sfumato.table.models.personalised_privacy import PersonalisedPrivacy
from sfumato.table.models.population_uniqueness import PopulationUniqueness
from sfumato.table.models.probabilistic_l_diversity import ProbabilisticLDiversity
from sfumato.table.models.range_diversity import RangeDiversity
from sfumato.table.models.recursive_l_diversity import RecursiveLDiversity
from sfumato.table.models.rho_privacy import RhoPrivacy
from sfumato.table.models.sample_uniqueness import SampleUniqueness
from sfumato.table.models.t_closeness import TCloseness

_ALL = (
    KAnonymity,
    KMap,
    KOneAnonymisation,
    OneKAnonymisation,
    KKAnonymisation,
    DistinctLDiversity,
    ProbabilisticLDiversity,
    EntropyLDiversity,
    RecursiveLDiversity,
    TCloseness,
    AlphaKAnonymity,
    PSensitiveKAnonymity,
    BasicBetaLikeness,
    EnhancedBetaLikeness,
    DeltaDisclosure,
    EpsilonMAnonymity,
    RangeDiversity,
    PersonalisedPrivacy,
    DeltaPresence,
    AverageRisk,
    SampleUniqueness,
    PopulationUniqueness,
    DifferentialPrivacy,
    RhoPrivacy,
    DeltaGrowth,
    GammaAmplification,
)
MODELS: dict[str, type[Any]] = {model.name: model for model in _ALL}
"""every model by the name that recipes use"""

__all__ = [
    "MODELS",
    "AlphaKAnonymity",
    "AverageRisk",
    "BasicBetaLikeness",
    "DeltaDisclosure",
    "DeltaGrowth",
    "DeltaPresence",
    "DifferentialPrivacy",
    "DistinctLDiversity",
    "EnhancedBetaLikeness",
    "EntropyLDiversity",
    "EpsilonMAnonymity",
    "GammaAmplification",
    "KAnonymity",
    "KKAnonymisation",
    "KMap",
    "KOneAnonymisation",
    "OneKAnonymisation",
    "PSensitiveKAnonymity",
    "PersonalisedPrivacy",
    "PopulationUniqueness",
    "ProbabilisticLDiversity",
    "RangeDiversity",
    "RecursiveLDiversity",
    "RhoPrivacy",
    "SampleUniqueness",
    "TCloseness",
]
