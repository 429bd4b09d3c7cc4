"""Ways to protect sets, by the names that recipes use."""

from __future__ import annotations

from typing import Any

from sfumato.codes.methods.apriori import AprioriAnonymisation, DirectAnonymisation
from sfumato.codes.methods.apriori_local import LocalApriori
from sfumato.codes.methods.apriori_optimal import OptimalCut
from sfumato.codes.methods.apriori_vertical import VerticalApriori

_ALL: tuple[type[Any], ...] = (
    AprioriAnonymisation,
    DirectAnonymisation,
    OptimalCut,
    LocalApriori,
    VerticalApriori,
)

METHODS: dict[str, type[Any]] = {method.name: method for method in _ALL}
"""every method, by the name that recipes use"""

__all__ = [
    "METHODS",
    "AprioriAnonymisation",
    "DirectAnonymisation",
    "LocalApriori",
    "OptimalCut",
    "VerticalApriori",
]
