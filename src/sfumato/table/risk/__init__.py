"""How exposed a table is: measured on the sizes of its classes, and estimated for its population."""

from sfumato.table.risk.against import Against
from sfumato.table.risk.class_sizes import Bin, ClassSizes
from sfumato.table.risk.household import HouseholdRisk
from sfumato.table.risk.identification import IdentificationUniqueness
from sfumato.table.risk.individual import IndividualRisk
from sfumato.table.risk.journalist import JournalistRisk, MarketerRisk
from sfumato.table.risk.log_linear import LogLinearRisk
from sfumato.table.risk.membership import MembershipExposure
from sfumato.table.risk.population_uniqueness import PopulationUniqueness
from sfumato.table.risk.prosecutor import ProsecutorRisk
from sfumato.table.risk.sensitive_values import SensitiveValueRisk
from sfumato.table.risk.uniques import Uniques

__all__ = [
    "Against",
    "Bin",
    "ClassSizes",
    "HouseholdRisk",
    "IdentificationUniqueness",
    "IndividualRisk",
    "JournalistRisk",
    "LogLinearRisk",
    "MarketerRisk",
    "MembershipExposure",
    "PopulationUniqueness",
    "ProsecutorRisk",
    "SensitiveValueRisk",
    "Uniques",
]
