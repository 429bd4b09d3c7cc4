"""The hierarchy of a column whose values have nothing in common: the value, or nothing."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.core.domain import Domain
from sfumato.hierarchy.build import assemble, present_values, root_level
from sfumato.hierarchy.ladder import Ladder


@dataclass(frozen=True)
class Flat:
    """Two levels: the value itself and ``*``. The leaves are the values of the column.

    >>> Flat().ladder(Domain.of("sex", ["female", "male"])).labels
    (('female', 'male'), ('*',))
    """

    def ladder(self, domain: Domain) -> Ladder:
        """Lay the hierarchy over the values of a column."""
        present = present_values(domain)
        size = len({*domain.texts} - {None})
        return assemble(domain, [root_level(present, size)], size)
