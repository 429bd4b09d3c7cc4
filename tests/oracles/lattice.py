"""Every node of a small lattice, scored record by record from the formulas of the papers."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log, log2, prod

import numpy as np
from hypothesis import strategies as st

from sfumato.core.domain import Domain, Scale
from sfumato.hierarchy.ladder import Ladder
from sfumato.table.cells import Cells, Spans


@dataclass(frozen=True)
class Table:
    """Records as tuples of codes, who each is about (None: a person of its own), and paths of the values.

    ``paths[j][code]`` lists what a value becomes level by level; ``size[j]`` counts the leaves of the
    hierarchy and ``leaves[j][level][group]`` those under a group.
    """

    records: tuple[tuple[int, ...], ...]
    people: tuple[int, ...] | None
    paths: tuple[tuple[tuple[int, ...], ...], ...]
    size: tuple[int, ...]
    leaves: tuple[tuple[dict[int, int], ...], ...]

    @property
    def heights(self) -> list[int]:
        return [len(paths[0]) - 1 for paths in self.paths]

    def nodes(self) -> list[tuple[int, ...]]:
        return list(itertools.product(*[range(height + 1) for height in self.heights]))


@dataclass(frozen=True)
class Node:
    """What a node does to the records."""

    levels: tuple[int, ...]
    generalised: list[tuple[int, ...]]
    class_of: dict[tuple[int, ...], list[int]]
    kept: set[tuple[int, ...]]
    suppressed: list[int]


def look(table: Table, levels: tuple[int, ...], k: int) -> Node:
    """Generalise, group, and drop the classes of fewer than k persons."""
    generalised = [
        tuple(table.paths[j][code][levels[j]] for j, code in enumerate(record)) for record in table.records
    ]
    class_of: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for i, row in enumerate(generalised):
        class_of[row].append(i)
    people = table.people if table.people is not None else tuple(range(len(table.records)))
    kept = {row for row, members in class_of.items() if len({people[i] for i in members}) >= k}
    suppressed = [i for i, row in enumerate(generalised) if row not in kept]
    return Node(levels, generalised, dict(class_of), kept, suppressed)


def losses(table: Table, node: Node, gs_factor: float) -> list[float]:
    s, g = min(1.0, 2 * gs_factor), min(1.0, 2 - 2 * gs_factor)
    n, dropped = len(table.records), set(node.suppressed)
    result = []
    for j, level in enumerate(node.levels):
        least = g * n / table.size[j]
        total = 0.0
        for i, row in enumerate(node.generalised):
            share = table.leaves[j][level][row[j]] / table.size[j]
            total += share + s * (1 - share) if i in dropped else g * share
        result.append(max((total - least) / (n - least), 0.0) if n > least else 0.0)
    return result


def aggregate(name: str, values: list[float]) -> float | tuple[float, ...]:
    m = len(values)
    how: dict[str, Callable[[], float | tuple[float, ...]]] = {
        "geometric mean": lambda: prod((v + 1) ** (1 / m) for v in values) - 1,
        "arithmetic mean": lambda: sum(values) / m,
        "sum": lambda: sum(values),
        "max": lambda: max(values),
        # Entries that differ by a rounding error are the same entry.
        "rank": lambda: tuple(sorted((round(value, 9) for value in values), reverse=True)),
    }
    return how[name]()


def entropies(table: Table, node: Node, suppression: bool) -> list[float]:
    result = []
    for j in range(len(node.levels)):
        before = Counter(record[j] for record in table.records)
        after = Counter(row[j] for row in node.generalised)
        pairs = {(record[j], row[j]) for record, row in zip(table.records, node.generalised, strict=True)}
        bits = -sum(before[x] * log2(before[x] / after[g]) for x, g in pairs)
        if suppression:
            lost = Counter(node.generalised[i][j] for i in node.suppressed)
            bits -= sum(c * log2(c / len(node.suppressed)) for c in lost.values())
        result.append(bits)
    return result


def normalised_entropies(table: Table, node: Node) -> float:
    n, total = len(table.records), 0.0
    for j, bits in enumerate(entropies(table, node, True)):
        whole = -sum(c * log2(c / n) for c in Counter(record[j] for record in table.records).values())
        total += bits / whole if whole > 0 else 0.0
    return total


def discernibility(table: Table, node: Node, monotone: bool) -> float:
    sizes = {row: len(members) for row, members in node.class_of.items()}
    if monotone:
        return float(sum(size**2 for size in sizes.values()))
    return float(sum(sizes[row] ** 2 for row in node.kept) + len(table.records) * len(node.suppressed))


def average_class_size(table: Table, node: Node) -> float:
    return len(table.records) / (len(node.kept) + (1 if node.suppressed else 0))


def precision(table: Table, node: Node, monotone: bool) -> float:
    n, lost = len(table.records), 0 if monotone else len(node.suppressed)
    shares = [
        level / height if height else 0.0 for level, height in zip(node.levels, table.heights, strict=True)
    ]
    return sum((share * (n - lost) + lost) / n for share in shares) / len(shares)


def entropy_based_loss(table: Table, node: Node) -> float:
    whole = sum(log(size) for size in table.size)
    if whole == 0:
        return 0.0
    dropped, total = set(node.suppressed), 0.0
    for i, row in enumerate(node.generalised):
        if i in dropped:
            total += 1.0
        else:
            total += sum(log(table.leaves[j][node.levels[j]][g]) for j, g in enumerate(row)) / whole
    return total


def kl_divergence(table: Table, node: Node) -> float:
    n, total = len(table.records), 0.0
    dropped = set(node.suppressed)
    members: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for i, record in enumerate(table.records):
        members[record].append(i)
    for same in members.values():
        p, row = len(same) / n, node.generalised[same[0]]
        if same[0] in dropped:
            q = len(dropped) / n / prod(table.size)
        else:
            area = prod(table.leaves[j][node.levels[j]][g] for j, g in enumerate(row))
            q = len(node.class_of[row]) / n / area
        total += p * log2(p / q)
    return total


def look_everywhere(table: Table, k: int) -> list[Node]:
    """Look at every node."""
    return [look(table, levels, k) for levels in table.nodes()]


def best_nodes(
    table: Table,
    nodes: list[Node],
    limit: int,
    measure: Callable[[Table, Node], float | tuple[float, ...]],
) -> list[tuple[float | tuple[float, ...], int, tuple[int, ...]]]:
    """Return (score, suppressed, levels) of every allowed node, best first."""
    allowed = [node for node in nodes if len(node.suppressed) <= limit]
    return sorted((measure(table, node), len(node.suppressed), node.levels) for node in allowed)


def cells_of(table: Table) -> tuple[Cells, tuple[Ladder, ...]]:
    """Count a table into cells with ladders, the way an engine would."""
    tuples = sorted(set(table.records))
    place = {record: c for c, record in enumerate(tuples)}
    rows = np.array([table.records.count(record) for record in tuples], np.int64)
    domains, ladders = [], []
    for j, paths in enumerate(table.paths):
        name = f"column{j}"
        domains.append(Domain(name, tuple(f"v{code}" for code in range(len(paths))), Scale.CATEGORY))
        rungs = np.array([[path[level] for path in paths] for level in range(len(paths[0]))], np.int32)
        labels = tuple(
            tuple(f"{level}:{g}" for g in sorted(groups)) for level, groups in enumerate(table.leaves[j])
        )
        leaves = tuple(
            np.array([groups[g] for g in sorted(groups)], np.float64) for groups in table.leaves[j]
        )
        ladders.append(Ladder(name, rungs, labels, leaves, table.size[j]))
    codes = np.array(tuples, np.int32).T.copy()
    if table.people is None:
        return Cells(tuple(domains), codes, rows, rows), tuple(ladders)
    homes: dict[int, set[int]] = defaultdict(set)
    for person, record in zip(table.people, table.records, strict=True):
        homes[person].add(place[record])
    persons = np.zeros(len(tuples), np.int64)
    for cells in homes.values():
        persons[list(cells)] += 1
    several = [sorted(cells) for cells in homes.values() if len(cells) > 1]
    spans = None
    if several:
        starts = np.concatenate([[0], np.cumsum([len(cells) for cells in several])]).astype(np.int64)
        spans = Spans(starts, np.array([cell for cells in several for cell in cells], np.int64))
    return Cells(tuple(domains), codes, rows, persons, spans), tuple(ladders)


@st.composite
def tables(draw: st.DrawFn, persons: bool = False, most_rows: int = 24) -> Table:
    """Draw small tables with hierarchies of any height, some with leaves that the data lack."""
    columns = draw(st.integers(1, 4))
    paths, size, leaves = [], [], []
    for _ in range(columns):
        values = draw(st.integers(1, 4))
        height = draw(st.integers(0, 3))
        path: list[list[int]] = [[code] for code in range(values)]
        count = dict.fromkeys(range(values), 1)
        if height:
            count[0] += draw(st.integers(0, 2))
        counts = [dict.fromkeys(range(values), 1)]
        groups, below = values, count
        for _ in range(height):
            wanted = draw(st.lists(st.integers(0, groups - 1), min_size=groups, max_size=groups))
            renumbered = {g: number for number, g in enumerate(dict.fromkeys(wanted))}
            parent = [renumbered[g] for g in wanted]
            above: dict[int, int] = defaultdict(int)
            for child, leaves_below in below.items():
                above[parent[child]] += leaves_below
            for steps in path:
                steps.append(parent[steps[-1]])
            counts.append(dict(above))
            groups, below = len(renumbered), dict(above)
        paths.append(tuple(tuple(steps) for steps in path))
        size.append(sum(count.values()))
        leaves.append(tuple(counts))
    row = st.tuples(*[st.integers(0, len(paths[j]) - 1) for j in range(columns)])
    records = tuple(draw(st.lists(row, min_size=1, max_size=most_rows)))
    people: Sequence[int] | None = None
    if persons:
        people = tuple(draw(st.lists(st.integers(0, 9), min_size=len(records), max_size=len(records))))
    return Table(records, people, tuple(paths), tuple(size), tuple(leaves))
