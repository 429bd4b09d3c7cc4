"""The loss metric and the promises of a local recoding, record by record."""

from __future__ import annotations

from collections import defaultdict

from sfumato.table.solution import SUPPRESSED, Solution
from tests.oracles.lattice import Table


def shown_records(table: Table, solution: Solution) -> list[tuple[str, ...] | None]:
    """Return what is published for every record; None where it is left out."""
    cell_of = {record: c for c, record in enumerate(sorted(set(table.records)))}
    shown: list[tuple[str, ...] | None] = []
    for record in table.records:
        box = int(solution.classes[cell_of[record]])
        if box == SUPPRESSED:
            shown.append(None)
            continue
        labels = [column.labels[solution.boxes[j, box]] for j, column in enumerate(solution.columns)]
        shown.append(tuple(str(label) for label in labels))
    return shown


def persons_of_classes(table: Table, shown: list[tuple[str, ...] | None]) -> list[int]:
    """Count the different persons of every class that is published."""
    people = table.people if table.people is not None else tuple(range(len(table.records)))
    classes: dict[tuple[str, ...], set[int]] = defaultdict(set)
    for person, row in zip(people, shown, strict=True):
        if row is not None:
            classes[row].add(person)
    return [len(found) for found in classes.values()]


def is_on_the_path(table: Table, record: tuple[int, ...], row: tuple[str, ...]) -> bool:
    """Whether every label is one that the value climbs through."""
    return all(
        label in [f"{level}:{group}" for level, group in enumerate(table.paths[j][code])]
        for j, (code, label) in enumerate(zip(record, row, strict=True))
    )


def loss_metric(table: Table, shown: list[tuple[str, ...] | None]) -> float:
    """Average (leaves − 1) / (size − 1) over records and columns; a record left out loses everything."""
    total = 0.0
    for row in shown:
        for j, size in enumerate(table.size):
            if row is None:
                total += 1.0
            elif size > 1:
                level, group = map(int, row[j].split(":"))
                total += (table.leaves[j][level][group] - 1) / (size - 1)
    return total / (len(table.records) * len(table.size))
