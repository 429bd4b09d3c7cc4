"""Every measure of an analytic task, by the name that recipes use."""

from __future__ import annotations

from typing import Any

from sfumato.table.utility.classification import Classification
from sfumato.table.utility.clusters import Clusters
from sfumato.table.utility.learning import Learning
from sfumato.table.utility.numeric import Moments
from sfumato.table.utility.queries import QueryError
from sfumato.table.utility.rules import AssociationRules

TASKS: dict[str, type[Any]] = {
    measure.name: measure
    for measure in (QueryError, Classification, Learning, Clusters, AssociationRules, Moments)
}

__all__ = [
    "TASKS",
    "AssociationRules",
    "Classification",
    "Clusters",
    "Learning",
    "Moments",
    "QueryError",
]
