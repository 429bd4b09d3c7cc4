"""How exposed people are by their codes."""

from sfumato.codes.risk.coarser import below_root, coarsened, three_digits
from sfumato.codes.risk.exposure import CodesRisk, Smallest, exposure, release_exposure
from sfumato.codes.risk.full_sets import VisitExposure, visit_exposure
from sfumato.codes.risk.sensitive_codes import SensitiveExposure, told_by_release, told_in_file
from sfumato.codes.risk.subset_exposure import RandomSubset, SubsetExposure

__all__ = [
    "CodesRisk",
    "RandomSubset",
    "SensitiveExposure",
    "Smallest",
    "SubsetExposure",
    "VisitExposure",
    "below_root",
    "coarsened",
    "exposure",
    "release_exposure",
    "three_digits",
    "told_by_release",
    "told_in_file",
    "visit_exposure",
]
