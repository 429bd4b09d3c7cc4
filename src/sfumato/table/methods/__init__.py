"""Methods: how to change a table so that a promise holds at the least loss."""

from typing import Any

from sfumato.table.methods.mondrian import Mondrian
from sfumato.table.methods.optimal_lattice import OptimalLattice

METHODS: dict[str, type[Any]] = {method.name: method for method in (OptimalLattice, Mondrian)}
"""every method by the name that recipes use"""

__all__ = ["METHODS", "Mondrian", "OptimalLattice"]
