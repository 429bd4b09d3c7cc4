"""What a problem asks of a method for rows: its demands as columns and numbers, or a refusal."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.dna.aligned import Aligned
from sfumato.dna.contract import Demand, Problem, RowMethod, RowModel


@runtime_checkable
class _Placed(Protocol):
    """A promise that names positions, which are columns only of given rows."""

    def on(self, rows: Aligned) -> RowModel:
        """Return the same promise with numbers of columns."""


@dataclass(frozen=True, eq=False)
class Asked:
    """A demand whose columns are known: ``at_a_time`` of ``columns`` at once leave ``people`` persons."""

    people: int
    columns: NDArray[np.int64] = field(repr=False)
    at_a_time: int
    alike: int
    mapped: bool

    @property
    def whole(self) -> bool:
        """Whether all columns are known at once."""
        return self.at_a_time >= len(self.columns)


def asked_of(problem: Problem, method: RowMethod) -> tuple[Asked, ...]:
    """Return the demands of all models; refuse those that the method does not enforce, or that no release of
    these people can keep."""
    if not problem.models:
        raise BadInput(f"{method.name} was given no promise to keep", remedy="name a model")
    if not len(problem.rows):
        raise BadInput(f"{method.name} was given no rows", remedy="read a file that holds some")
    found = []
    for model in problem.models:
        placed = model.on(problem.rows) if isinstance(model, _Placed) else model
        demand = placed.demand()
        if not method.enforces(demand):
            raise BadInput(
                f"{method.name} does not enforce {model.name} as it is asked",
                remedy="choose a method that enforces it, or leave the model out",
            )
        found.append(_asked(demand, problem, model.name))
    return tuple(found)


def _asked(demand: Demand, problem: Problem, name: str) -> Asked:
    width = problem.rows.width
    columns = np.arange(width) if demand.positions is None else np.unique(np.array(demand.positions, int))
    if len(columns) and (columns[0] < 0 or columns[-1] >= width):
        raise BadInput(
            f"the promise names a column that is not one of the {width:,} there are",
            where=name,
            remedy="name positions of the alignment",
        )
    crowd = problem.rows
    if demand.mapped:
        crowd = placed_population(problem)
    people = len(np.unique(crowd.owners))
    if people < demand.people:
        raise PromiseNotMet(
            f"{demand.people:,} people must be alike and there {'is' if people == 1 else 'are'} {people:,}",
            where=name,
            remedy="publish more people together"
            if people < 2
            else f"ask for {people:,} at most, or publish more people together",
        )
    if demand.alike > 1 and width < demand.alike:
        raise PromiseNotMet(
            f"{demand.alike:,} SNPs of a row must share a value and there are {width:,}",
            where=name,
            remedy=f"ask for {width:,} at most",
        )
    known = len(columns) if demand.at_a_time is None else min(demand.at_a_time, len(columns))
    return Asked(demand.people, columns.astype(np.int64), known, demand.alike, demand.mapped)


def placed_population(problem: Problem) -> Aligned:
    """Return the population with the columns of the rows, which are found by their names."""
    rows, population = problem.rows, problem.population
    if population is None:
        raise BadInput("the promise is about a population that was not given", remedy="give its rows")
    at = {name: column for column, name in enumerate(population.positions)}
    missing = sum(name not in at for name in rows.positions)
    if missing or population.lattice.name != rows.lattice.name:
        raise BadInput(
            f"the population has no values for {missing or rows.width:,} of the {rows.width:,} positions",
            remedy="read both in the same way, at the same sites",
        )
    if population.positions == rows.positions:
        return population
    if len(at) < population.width or len(set(rows.positions)) < rows.width:
        raise BadInput(
            "several columns bear the same name, so that they cannot be found in the population",
            remedy="name positions apart, or leave out sites with several alternate alleles",
        )
    return population.columns(np.array([at[name] for name in rows.positions], np.int64))


def numbered_persons(owners: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """Return the persons as numbers from 0, and how many there are."""
    names, numbers = np.unique(owners, return_inverse=True)
    return np.ascontiguousarray(numbers, np.int64), len(names)
