"""Every node of a small lattice with every set of classes left out, judged as it would be released."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from sfumato.table.rule import Rule
from sfumato.table.rule import RuleKind as Kind
from sfumato.table.solution import SUPPRESSED, Solution
from sfumato.table.whole_rule import WholeKind, WholeRule
from tests.oracles import lattice, rules

Score = float | tuple[float, ...]
Measure = Callable[[lattice.Table, lattice.Node], Score]
COMPARING = {
    "beta": Rule(Kind.LIKENESS, (1, 1), True, "value", as_released=True),
    "beta half": Rule(Kind.LIKENESS, (1, 2), True, "value", as_released=True),
    "enhanced": Rule(Kind.LIKENESS_ENHANCED, (2, 1), True, "value", as_released=True),
    "delta": Rule(Kind.DISCLOSURE, (1, 1), False, "value", as_released=True),
    "equal": Rule(Kind.CLOSE_EQUAL, (3, 10), True, "value", as_released=True),
    "ordered": Rule(Kind.CLOSE_ORDERED, (1, 5), True, "value", as_released=True),
    "numeric": Rule(Kind.CLOSE_NUMERIC, (1, 5), True, "value", as_released=True),
    "hierarchical": Rule(Kind.CLOSE_HIERARCHICAL, (1, 4), True, "value", as_released=True),
}
WHOLE = {
    "average": WholeRule(WholeKind.AVERAGE, Fraction(2, 5)),
    "low average": WholeRule(WholeKind.AVERAGE, Fraction(1, 4)),
    "unique": WholeRule(WholeKind.UNIQUE, Fraction(1, 10)),
    "half unique": WholeRule(WholeKind.UNIQUE, Fraction(1, 4)),
}


@dataclass(frozen=True)
class Asked:
    """What is asked of a table: of each class, and of all together."""

    data: rules.Watched
    rules: tuple[Rule, ...]
    whole: tuple[WholeRule, ...] = ()


def kept_by(asked: Asked, node: lattice.Node) -> bool:
    """Say whether what a node releases keeps every promise, compared with itself."""
    rows = [i for row in node.kept for i in node.class_of[row]]
    if not rows:
        return False
    released = replace(asked.data, sensitive=tuple(asked.data.sensitive[i] for i in rows))
    for row in node.kept:
        members = tuple((i, asked.data.known[i], asked.data.sensitive[i]) for i in node.class_of[row])
        group = rules.Class(members, 0)
        if not all(rules.holds(rule, group, released) for rule in asked.rules):
            return False
    sizes = [len(node.class_of[row]) for row in node.kept]
    return all(_whole(rule, sizes) for rule in asked.whole)


def _whole(rule: WholeRule, sizes: Sequence[int]) -> bool:
    counted = len(sizes) if rule.kind is WholeKind.AVERAGE else Counter(sizes)[1]
    return Fraction(counted, sum(sizes)) <= rule.share


def best(asked: Asked, limit: int, measure: Measure) -> Score | None:
    """Return the least loss of all nodes and all sets of at most ``limit`` rows; None without any."""
    found: Score | None = None
    for levels in asked.data.table.nodes():
        whole = lattice.look(asked.data.table, levels, 1)
        for out in _sets(whole, limit):
            node = without(whole, out)
            if kept_by(asked, node):
                score = measure(asked.data.table, node)
                found = score if found is None else min(found, score)  # type: ignore[type-var]
    return found


def without(node: lattice.Node, out: frozenset[tuple[int, ...]]) -> lattice.Node:
    """Leave some classes out."""
    suppressed = [i for i, row in enumerate(node.generalised) if row in out]
    return replace(node, kept=set(node.class_of) - out, suppressed=suppressed)


def _sets(node: lattice.Node, limit: int) -> Iterator[frozenset[tuple[int, ...]]]:
    rows = sorted(node.class_of, key=lambda row: (len(node.class_of[row]), row))

    def grown(
        chosen: tuple[tuple[int, ...], ...], start: int, left: int
    ) -> Iterator[frozenset[tuple[int, ...]]]:
        yield frozenset(chosen)
        for at in range(start, len(rows)):
            size = len(node.class_of[rows[at]])
            if size > left:
                return
            yield from grown((*chosen, rows[at]), at + 1, left - size)

    return grown((), 0, limit)


def node_of(data: rules.Watched, solution: Solution) -> lattice.Node:
    """Read a solution of whole columns as a node with some classes left out."""
    assert solution.levels is not None
    node = lattice.look(data.table, solution.levels, 1)
    cell_of = {tuple(cell): c for c, cell in enumerate(solution.cells.codes.T.tolist())}
    dropped = np.asarray(solution.classes) == SUPPRESSED
    out = {
        node.generalised[i] for i, record in enumerate(data.table.records) if dropped[cell_of[tuple(record)]]
    }
    return without(node, frozenset(out))


def drawn(generator: np.random.Generator, most_rows: int) -> rules.Watched:
    """Draw a small table: few columns that follow each other, and a sensitive one."""
    rows = int(generator.integers(4, most_rows + 1))
    columns = int(generator.integers(1, 4))
    paths = tuple(
        tuple((code, code // 2, 0) for code in range(4)) if generator.random() < 0.6 else ((0, 0), (1, 0))
        for _ in range(columns)
    )
    size = tuple(len(column) for column in paths)
    leaves = tuple(
        tuple(dict(Counter(path[level] for path in column)) for level in range(len(column[0])))
        for column in paths
    )
    latent = generator.normal(size=rows)
    records = tuple(
        tuple(int(np.clip(n / 2 + one + 0.8 * generator.normal(), 0, n - 1)) for n in size) for one in latent
    )
    values = int(generator.integers(2, 5))
    sensitive = tuple(
        rules.NUMBERS[int(np.clip(values / 2 + one + generator.normal(), 0, values - 1))] for one in latent
    )
    table = lattice.Table(records, None, paths, size, leaves)
    return rules.Watched(table, sensitive, ("any",) * rows, records, rules.TREE)
