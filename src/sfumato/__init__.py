"""Sfumato makes data about people safe to share.

The names that users import. They are loaded when they are first used, so that ``import sfumato``
costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from sfumato.__about__ import __version__

if TYPE_CHECKING:
    from sfumato.core.errors import BadInput, MissingPart, PromiseNotMet, SfumatoError
    from sfumato.core.schema import Role
    from sfumato.core.verdict import Verdict
    from sfumato.hierarchy import Dates, Flat, HierarchyTable, Intervals, Mask, Tree
    from sfumato.recipe.api import Release, check, protect, risk, run
    from sfumato.recipe.verify import verify
    from sfumato.table.methods import Mondrian, OptimalLattice
    from sfumato.table.models import KAnonymity
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

_HOMES = {
    "sfumato.core.errors": ("BadInput", "MissingPart", "PromiseNotMet", "SfumatoError"),
    "sfumato.core.schema": ("Role",),
    "sfumato.core.verdict": ("Verdict",),
    "sfumato.hierarchy": ("Dates", "Flat", "HierarchyTable", "Intervals", "Mask", "Tree"),
    "sfumato.recipe.api": ("Release", "check", "protect", "risk", "run"),
    "sfumato.recipe.verify": ("verify",),
    "sfumato.table.methods": ("Mondrian", "OptimalLattice"),
    "sfumato.table.models": ("KAnonymity",),
    "sfumato.table.utility": (
        "AverageClassSize",
        "Discernibility",
        "EntropyBasedLoss",
        "Height",
        "KLDivergence",
        "Loss",
        "NonUniformEntropy",
        "NormalisedEntropy",
        "Precision",
    ),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "AverageClassSize",
    "BadInput",
    "Dates",
    "Discernibility",
    "EntropyBasedLoss",
    "Flat",
    "Height",
    "HierarchyTable",
    "Intervals",
    "KAnonymity",
    "KLDivergence",
    "Loss",
    "Mask",
    "MissingPart",
    "Mondrian",
    "NonUniformEntropy",
    "NormalisedEntropy",
    "OptimalLattice",
    "Precision",
    "PromiseNotMet",
    "Release",
    "Role",
    "SfumatoError",
    "Tree",
    "Verdict",
    "__version__",
    "check",
    "protect",
    "risk",
    "run",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'sfumato' has no attribute '{name}'")
    return getattr(importlib.import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
