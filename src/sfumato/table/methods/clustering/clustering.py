"""What all clusterings share: blocks, rounds of exchange, rules other than sizes, labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, PromiseNotMet, nearest
from sfumato.core.progress import Progress
from sfumato.table.judge import Judge
from sfumato.table.methods.clustering.blocks import blocks
from sfumato.table.methods.clustering.exchange import exchange
from sfumato.table.methods.clustering.settle import settle
from sfumato.table.methods.clustering.show import Output, shown
from sfumato.table.methods.clustering.space import Partition, Space
from sfumato.table.methods.mondrian import home_persons
from sfumato.table.methods.mondrian_columns import Column, columns_of
from sfumato.table.solution import Problem, Solution

Start = Callable[[Space, int], Partition]
"""makes clusters of at least k persons from the cells of a block"""


def check_options(output: str, block: int | None, rounds: int) -> None:
    """Refuse options that cannot be."""
    if output not in get_args(Output):
        raise BadInput(f"clustering knows no output '{output}'", remedy=nearest(output, get_args(Output)))
    if block is not None and block < 1:
        raise BadInput("block must be a positive number of cells", remedy="leave it out for no blocks")
    if rounds < 0:
        raise BadInput("rounds cannot be negative", remedy="0 leaves the clusters as they are found")


def clustered(
    problem: Problem,
    start: Start,
    *,
    output: Output,
    block: int | None,
    rounds: int,
    progress: Progress,
) -> Solution:
    """Cluster the cells by size, block after block; then mend the clusters that break another rule."""
    cells = problem.cells
    if not cells.domains:
        raise BadInput("clustering needs a quasi-identifier", remedy="declare one")
    judge = Judge.of(problem)
    k = judge.smallest
    persons = np.array(home_persons(cells), np.int64)
    total = int(persons.sum())
    if total < k:
        raise PromiseNotMet(
            f"every class needs {k} persons and the data have {total}", remedy="lower k or add data"
        )
    columns = columns_of(problem, hierarchical=output == "hierarchy")
    parts = blocks(problem, persons, k, block)
    owners = np.empty(len(cells), np.int64)
    number = 0
    progress.step("clustering")
    for done, some in enumerate(parts):
        space = Space.of(cells, persons, columns, some)
        partition = exchange(space, start(space, k), k, rounds)
        owners[some] = partition.owners + number
        number += len(partition)
        progress.update((done + 1) / len(parts))
    return finished(problem, judge, persons, columns, owners, output, {"blocks": len(parts)}, progress)


def finished(
    problem: Problem,
    judge: Judge,
    persons: NDArray[np.int64],
    columns: tuple[Column, ...],
    owners: NDArray[np.int64],
    output: Output,
    details: Mapping[str, int],
    progress: Progress,
) -> Solution:
    """Merge clusters of enough persons that break another rule with their nearest, and write labels."""
    cells = problem.cells
    if judge.counts_persons_only:
        progress.step("describing clusters")
        return shown(cells, columns, owners, output, details)
    progress.step("merging clusters that break a rule")
    everything = np.arange(len(cells))
    space = Space.of(cells, persons, columns, everything)
    k = judge.smallest
    while True:
        owners = _mended(space, Partition.of_owners(everything, owners), k, judge, progress)
        solution = shown(cells, columns, owners, output, details)
        # Clusters that show the same are one class, and not every rule survives that.
        owners = solution.classes.astype(np.int64)
        if judge.satisfied(owners, solution.boxes.shape[1]).all():
            return solution
        # From here on nothing is parted any more, so this ends.
        k = int(persons.sum()) + 1


def _mended(
    space: Space, partition: Partition, k: int, judge: Judge, progress: Progress
) -> NDArray[np.int64]:
    """Merge clusters that break a rule with their nearest until none does."""
    found = settle(
        space,
        partition,
        k,
        lambda some: judge.satisfied(some.owners, len(some)),
        progress,
    )
    if found is None:
        raise PromiseNotMet(
            "even all records together break a rule",
            remedy="ask for less, or leave out the records that cannot be protected",
        )
    return found.owners
