"""Height: how many steps the columns were generalised in all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.hierarchy.ladder import Ladder
from sfumato.table.cells import Cells
from sfumato.table.utility.separable import Aggregate, Separable, as_matrix, group_counts


@dataclass(frozen=True)
class Height:
    """Height of P. Samarati, "Protecting respondents' identities in microdata release" (TKDE 2001).

        H = Σ_j level_j

    It looks at neither data nor suppression: the coarsest measure there is.

    >>> Height().name
    'height'
    """

    name: ClassVar[str] = "height"

    def prepare(self, cells: Cells, ladders: tuple[Ladder, ...]) -> Separable:
        """Tabulate the levels themselves."""
        base = as_matrix([[float(level) for level in range(ladder.height + 1)] for ladder in ladders])
        return Separable(Aggregate.SUM, base, group_counts(ladders), None)
