"""A hierarchy laid over the values of one column: what every search climbs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sfumato.core.domain import Domain
from sfumato.core.errors import BadInput

ROOT = "*"
"""the label of a value about which nothing is said"""


@dataclass(frozen=True)
class Ladder:
    """The levels of one column. Level 0 is the value itself, the top level says least.

    Values outside the hierarchy (where they are allowed) show ``*`` at every level, level 0 too.

    ``rungs[level, code]`` is the group of a value at a level; ``labels[level][group]`` what is
    published for it (None = missing); ``leaves[level][group]`` how many leaves of the *hierarchy*
    lie under it, which may be more than the data hold; ``size`` is the number of all leaves.

    Groups of a level are numbered 0, 1, … and a group of one level lies inside one group of the next.
    """

    name: str
    rungs: NDArray[np.int32]
    labels: tuple[tuple[str | None, ...], ...]
    leaves: tuple[NDArray[np.float64], ...] = field(compare=False)
    size: int

    @property
    def height(self) -> int:
        """The highest level."""
        return int(self.rungs.shape[0]) - 1

    def hides_values(self, domain: Domain) -> bool:
        """Say whether some values of a column are published as ``*`` even at the lowest level."""
        return tuple(self.labels[0][group] for group in self.rungs[0]) != domain.texts

    def shares(self, level: int) -> NDArray[np.float64]:
        """Return per group the share of all leaves that it covers."""
        return self.leaves[level] / self.size


class Hierarchy(Protocol):
    """A way to say the values of a column less precisely."""

    def ladder(self, domain: Domain) -> Ladder:
        """Lay the hierarchy over the values of a column.

        Raises ``UncoveredValues`` when the hierarchy does not know some of them.
        """


class UncoveredValues(BadInput):
    """Values that a hierarchy does not cover; ``codes`` are their positions in the domain."""

    def __init__(self, column: str, codes: tuple[int, ...]) -> None:
        self.column = column
        self.codes = codes
        many = "1 value is" if len(codes) == 1 else f"{len(codes)} values are"
        super().__init__(
            f"{many} not in the hierarchy",
            where=f"column '{column}'",
            remedy="add them to the hierarchy, or set 'others: root' to publish them as '*'",
        )
