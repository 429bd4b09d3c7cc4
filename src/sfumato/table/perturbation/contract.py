"""Perturbation: single records are changed before anything is counted, so that values are no longer true.

Each perturbation is one step; steps run in the order of the recipe, on the records in memory. Which
promise the outcome keeps is then up to models and method, as for any table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol

import pyarrow as pa

from sfumato.core.randomness import Random


@dataclass(frozen=True)
class Mechanism:
    """How one column was randomised: ``matrix[u][v]`` is the probability that value u becomes v.

    It is public: analysts need it to correct for it, and models check what it promises. The rows and
    columns stand for ``values``, which come from metadata or are those of the column.
    """

    column: str
    values: tuple[str | None, ...]
    matrix: tuple[tuple[Fraction, ...], ...] = field(repr=False)
    where: tuple[str, str | None] | None = None
    """the rows that it was applied to: those with this value in this column; all when None"""
    from_data: bool = False
    """whether the probabilities were computed from the values: they tell of them, and bound nothing"""


@dataclass(frozen=True)
class Perturbed:
    """Records after one step: same columns, other values (or fewer rows, when sampled).

    ``details`` are for the steward; ``published`` for everybody (parameters an analyst needs).
    """

    records: pa.Table
    mechanisms: tuple[Mechanism, ...] = ()
    details: Mapping[str, int | float | str] = field(default_factory=dict)
    published: Mapping[str, int | float | str] = field(default_factory=dict)


FROM_DATA = "taken from the data"


def told_of_data(columns: Sequence[str]) -> dict[str, int | float | str]:
    """Say that the values of randomised columns were not listed beforehand, and what this tells.

    >>> told_of_data(["ill"])["warning"]
    "the values of 'ill' were taken from the data: it is told which of them occur"
    """
    names = ", ".join(f"'{name}'" for name in columns)
    return {
        "domain": FROM_DATA,
        "warning": f"the values of {names} were taken from the data: it is told which of them occur",
    }


class Perturbation(Protocol):
    """One step."""

    @property
    def name(self) -> str:
        """The name that recipes use."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it changes."""

    @property
    def truthful(self) -> bool:
        """Whether every value that is left is still true (coding and sampling are, noise is not)."""

    def apply(self, records: pa.Table, random: Random) -> Perturbed:
        """Change the records."""
