"""What was lost: measures over the original and the published sets."""

from __future__ import annotations

from typing import Any

from sfumato.codes.utility.certainty_penalty import CertaintyPenalty
from sfumato.codes.utility.constraints import (
    CaseCounts,
    ConstraintsBroken,
    ConstraintsKept,
    constraints_kept,
)
from sfumato.codes.utility.contract import SetMeasure
from sfumato.codes.utility.disassociation import HiddenCounts, LostAssociations
from sfumato.codes.utility.itemset_deviation import ItemsetDeviation
from sfumato.codes.utility.occurrences import Occurrences
from sfumato.codes.utility.query_error import QueryError
from sfumato.codes.utility.truthful import Truthfulness, truthful
from sfumato.codes.utility.utility_loss import UtilityLoss
from sfumato.core.measure import Measured

MEASURES: tuple[SetMeasure, ...] = (CertaintyPenalty(), UtilityLoss(), Occurrences(), HiddenCounts())
"""measures without a choice to make: every report shows them"""

SET_MEASURES: dict[str, type[Any]] = {
    measure.name: measure
    for measure in (
        CertaintyPenalty,
        UtilityLoss,
        Occurrences,
        QueryError,
        ItemsetDeviation,
        ConstraintsBroken,
        CaseCounts,
        HiddenCounts,
        LostAssociations,
    )
}
"""every measure, by the name that recipes use"""

__all__ = [
    "MEASURES",
    "SET_MEASURES",
    "CaseCounts",
    "CertaintyPenalty",
    "ConstraintsBroken",
    "ConstraintsKept",
    "HiddenCounts",
    "ItemsetDeviation",
    "LostAssociations",
    "Measured",
    "Occurrences",
    "QueryError",
    "SetMeasure",
    "Truthfulness",
    "UtilityLoss",
    "constraints_kept",
    "truthful",
]
