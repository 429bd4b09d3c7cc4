"""What rules mean, record by record, from the definitions of the papers, in fractions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

from sfumato.core.domain import Domain
from sfumato.hierarchy.ladder import Ladder
from sfumato.table.cells import Cells, Histogram
from sfumato.table.rule import Rule
from sfumato.table.rule import RuleKind as Kind
from sfumato.table.solution import Problem
from tests.oracles import lattice


@dataclass(frozen=True)
class Watched:
    """A table with a sensitive number for each record, a known column, and a population.

    ``tree[level][value]`` is the node of a value in the hierarchy of the sensitive column.
    """

    table: lattice.Table
    sensitive: tuple[int, ...]
    known: tuple[str, ...]
    population: tuple[tuple[int, ...], ...]
    tree: tuple[dict[int, str], ...]

    @property
    def people(self) -> tuple[int, ...]:
        return self.table.people if self.table.people is not None else tuple(range(len(self.sensitive)))


@dataclass(frozen=True)
class Class:
    """Who is in a class: (person, known, value), and how many of the population match it."""

    members: tuple[tuple[int, str, int], ...]
    population: int


def fraction(rule: Rule, at: int = 0) -> Fraction:
    return Fraction(rule.parameters[at], rule.parameters[at + 1])


def holds(rule: Rule, group: Class, data: Watched) -> bool:
    """Say whether one class satisfies one rule; nobody's class can only break a promise of presence."""
    persons = len({person for person, _, _ in group.members})
    if rule.kind is Kind.PRESENCE:
        if group.population == 0:
            return True
        return fraction(rule) <= Fraction(persons, group.population) <= fraction(rule, 2)
    if not group.members:
        return True
    if rule.kind is Kind.MIN_PERSONS:
        return persons >= rule.parameters[0]
    if rule.kind is Kind.MIN_POPULATION:
        return group.population >= rule.parameters[0]
    if rule.kind is Kind.GUARDED:
        return guarded(rule, group, data)
    sharing: dict[str, set[tuple[int, int]]] = defaultdict(set)
    for person, known, value in group.members:
        sharing[known if rule.known else ""].add((person, value))
    return all(_values_hold(rule, [value for _, value in pairs], data) for pairs in sharing.values())


def guarded(rule: Rule, group: Class, data: Watched) -> bool:
    """Nobody of the class may have a value below a guarded node with more than the allowed share."""
    for _, guard, _ in group.members:
        below = sum(guard in (nodes[value] for nodes in data.tree) for _, _, value in group.members)
        if below > fraction(rule) * len(group.members):
            return False
    return True


def _values_hold(rule: Rule, values: list[int], data: Watched) -> bool:
    counts, n = Counter(values), len(values)
    whole = [value for _, value in {*zip(data.people, data.sensitive, strict=True)}]
    base = {value: Fraction(count, len(whole)) for value, count in Counter(whole).items()}
    share = {value: Fraction(counts[value], n) for value in base}
    falling = sorted(counts.values(), reverse=True)
    match rule.kind:
        case Kind.DISTINCT:
            return len(counts) >= rule.parameters[0]
        case Kind.MAX_SHARE:
            watched = [value for value in counts if not rule.values or str(value) in rule.values]
            return all(share[value] <= fraction(rule) for value in watched)
        case Kind.ENTROPY:
            return entropy_at_least(list(counts.values()), fraction(rule))
        case Kind.RECURSIVE:
            return falling[0] < fraction(rule) * sum(falling[rule.parameters[2] - 1 :])
        case Kind.CLOSE_EQUAL:
            return sum(abs(share[v] - base[v]) for v in base) / 2 <= fraction(rule)
        case Kind.CLOSE_ORDERED | Kind.CLOSE_NUMERIC:
            return moved_along(rule, share, base) <= fraction(rule)
        case Kind.CLOSE_HIERARCHICAL:
            return moved_in_tree(share, base, data.tree) <= fraction(rule)
        case Kind.LIKENESS:
            return all((share[v] - base[v]) / base[v] <= fraction(rule) for v in counts)
        case Kind.LIKENESS_ENHANCED:
            gains = {v: (share[v] - base[v]) / base[v] for v in counts}
            return all(gain <= fraction(rule) and below_log(gain, base[v]) for v, gain in gains.items())
        case Kind.DISCLOSURE:
            # |log2(q/p)| < a/b  ⇔  max(q/p, p/q)^b < 2^a
            ratios = [max(share[v] / base[v], base[v] / share[v]) for v in counts]
            return all(ratio ** rule.parameters[1] < 2 ** rule.parameters[0] for ratio in ratios)
        case Kind.RANGE:
            return max(values) - min(values) >= fraction(rule)
        case Kind.NEIGHBOURHOOD:
            for x in values:
                reach = fraction(rule) * (abs(x) if rule.parameters[3] else 1)
                if sum(abs(y - x) <= reach for y in values) * rule.parameters[2] > n:
                    return False
            return True
    raise AssertionError(rule.kind)


def entropy_at_least(counts: Sequence[int], wanted: Fraction) -> bool:
    """−Σ (f/n) ln(f/n) ≥ ln w, to the power of n: n^n ≥ w^n · Π f^f."""
    n, product = sum(counts), Fraction(1)
    for f in counts:
        product *= Fraction(f) ** f
    return Fraction(n) ** n >= wanted**n * product


def moved_along(rule: Rule, share: dict[int, Fraction], base: dict[int, Fraction]) -> Fraction:
    values = sorted(base)
    moved = Fraction(0)
    for i in range(len(values) - 1):
        passing = abs(sum(share[v] - base[v] for v in values[: i + 1]))
        if rule.kind is Kind.CLOSE_ORDERED:
            moved += passing / (len(values) - 1)
        else:
            moved += passing * Fraction(values[i + 1] - values[i], values[-1] - values[0])
    return moved


def moved_in_tree(
    share: dict[int, Fraction], base: dict[int, Fraction], tree: tuple[dict[int, str], ...]
) -> Fraction:
    """On a tree every edge is crossed by the difference of what lies below; edges are 1/(2 · height) long."""
    height = len(tree) - 1
    crossing = Fraction(0)
    for nodes in tree[:-1]:
        for node in set(nodes.values()):
            crossing += abs(sum(share[v] - base[v] for v in base if nodes[v] == node))
    return crossing / (2 * height) if height else Fraction(0)


def below_log(gain: Fraction, share: Fraction) -> bool:
    """gain ≤ −ln(share), to eighty digits."""
    with localcontext() as context:
        context.prec = 80
        logarithm = -(Decimal(share.numerator) / Decimal(share.denominator)).ln()
        return Decimal(gain.numerator) / Decimal(gain.denominator) <= logarithm


def look(data: Watched, levels: tuple[int, ...], rules: Sequence[Rule]) -> tuple[lattice.Node, bool]:
    """Generalise, group, drop classes that break a rule; say too whether those without rows allow it."""
    table = data.table
    node = lattice.look(table, levels, 1)
    shown = [
        tuple(table.paths[j][code][levels[j]] for j, code in enumerate(record)) for record in data.population
    ]
    matching = Counter(shown)
    kept, valid = set(), True
    for row in {*node.class_of, *matching}:
        rows = node.class_of.get(row, [])
        group = Class(tuple((data.people[i], data.known[i], data.sensitive[i]) for i in rows), matching[row])
        good = all(holds(rule, group, data) for rule in rules)
        if rows and good:
            kept.add(row)
        valid = valid and (bool(rows) or good)
    suppressed = [i for i, row in enumerate(node.generalised) if row not in kept]
    return replace(node, kept=kept, suppressed=suppressed), valid


def look_everywhere(data: Watched, rules: Sequence[Rule]) -> list[lattice.Node]:
    """Look at every node; leave out those that suppression cannot mend."""
    found = [look(data, levels, rules) for levels in data.table.nodes()]
    return [node for node, valid in found if valid]


def problem_of(data: Watched, rules: Sequence[Rule]) -> Problem:
    """Count a table into cells with histograms and a population, the way an engine would."""
    needs_population = any(rule.needs_population for rule in rules)
    cells, ladders = lattice.cells_of(data.table)
    tuples = [tuple(cell) for cell in cells.codes.T.tolist()]
    if needs_population:
        cells, tuples = _with_population(data, cells, tuples)
    histograms = tuple(
        _histogram(data, tuples, known)
        for known in dict.fromkeys(rule.known for rule in rules if rule.column)
    )
    return Problem(
        replace(cells, histograms=histograms), ladders, tuple(rules), {"value": sensitive_ladder(data)}
    )


def _with_population(
    data: Watched, cells: Cells, tuples: list[tuple[int, ...]]
) -> tuple[Cells, list[tuple[int, ...]]]:
    matching = Counter(data.population)
    more = sorted(set(matching) - set(tuples))
    nobody = np.zeros(len(more), np.int64)
    rows = np.concatenate([cells.rows, nobody])
    persons = rows if cells.rows_are_persons else np.concatenate([cells.persons, nobody])
    every = [*tuples, *more]
    codes = np.array(every, np.int32).T.copy()
    population = np.array([matching[cell] for cell in every], np.int64)
    return Cells(cells.domains, codes, rows, persons, cells.spans, (), population), every


def _histogram(data: Watched, tuples: list[tuple[int, ...]], known: tuple[str, ...]) -> Histogram:
    domain = Domain.of("value", [str(value) for value in data.sensitive])
    code_of = {value: code for code, value in enumerate(domain.values)}
    groups = sorted(set(data.known)) if known else [""]
    counted: dict[tuple[int, ...], Counter[int]] = defaultdict(Counter)
    rows = zip(data.people, data.table.records, data.known, data.sensitive, strict=True)
    each = {(who, record, groups.index(shared) if known else 0, value) for who, record, shared, value in rows}
    for _, record, group, value in each:
        counted[record][group * len(domain) + code_of[str(value)]] += 1
    entries = [sorted(counted[cell].items()) for cell in tuples]
    starts = np.concatenate([[0], np.cumsum([len(own) for own in entries])]).astype(np.int64)
    flat = [entry for own in entries for entry in own]
    return Histogram(
        domain,
        known,
        tuple((group,) for group in groups) if known else ((),),
        starts,
        np.array([key for key, _ in flat], np.int64),
        np.array([count for _, count in flat], np.int64),
    )


def sensitive_ladder(data: Watched) -> Ladder:
    """Lay the hierarchy of the sensitive column over its values."""
    values = [int(value) for value in Domain.of("value", [str(value) for value in data.sensitive]).values]
    rungs, labels = [], []
    for nodes in data.tree:
        names = list(dict.fromkeys(nodes[value] for value in values))
        rungs.append([names.index(nodes[value]) for value in values])
        labels.append(tuple(names))
    leaves = tuple(np.ones(len(level)) for level in labels)
    return Ladder("value", np.array(rungs, np.int32), tuple(labels), leaves, len(values))


NUMBERS = (0, 1, 2, 4, 7)
"""sensitive values: numbers at uneven distances"""
TREE: tuple[dict[int, str], ...] = (
    {number: str(number) for number in NUMBERS},
    {0: "low", 1: "low", 2: "low", 4: "high", 7: "high"},
    dict.fromkeys(NUMBERS, "any"),
)


@st.composite
def watched(draw: st.DrawFn, persons: bool = False, most_rows: int = 20) -> Watched:
    """Draw a small table with sensitive values, something known, and a population."""
    table = draw(lattice.tables(persons, most_rows))
    rows = len(table.records)

    def column(choices: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(draw(st.lists(st.sampled_from(choices), min_size=rows, max_size=rows)))

    record = st.tuples(*[st.integers(0, len(paths) - 1) for paths in table.paths])
    others = draw(st.lists(record, max_size=20))
    return Watched(
        table,
        column(NUMBERS[: draw(st.integers(2, 5))]),
        column(("low", "7", "any") if draw(st.booleans()) else ("7", "0")),
        (*table.records, *others),
        TREE,
    )


def _of(kind: Kind, *parameters: int, known: tuple[str, ...] = (), monotone: bool = True) -> Rule:
    sizes = (Kind.MIN_PERSONS, Kind.MIN_POPULATION, Kind.PRESENCE)
    return Rule(kind, parameters, monotone, None if kind in sizes else "value", known)


ANY_RULE: dict[str, list[tuple[Rule, ...]]] = {
    "population": [(_of(Kind.MIN_POPULATION, 3),), (_of(Kind.MIN_POPULATION, 4), _of(Kind.MIN_PERSONS, 2))],
    "presence": [(_of(Kind.PRESENCE, 0, 1, 1, 2),), (_of(Kind.PRESENCE, 1, 4, 3, 4),)],
    "distinct": [(_of(Kind.DISTINCT, 2),), (_of(Kind.DISTINCT, 2, known=("known",)),)],
    "share": [(_of(Kind.MAX_SHARE, 1, 2),), (Rule(Kind.MAX_SHARE, (1, 3), True, "value", (), ("0",)),)],
    "entropy": [(_of(Kind.ENTROPY, 2, 1),), (_of(Kind.ENTROPY, 3, 2), _of(Kind.MIN_PERSONS, 3))],
    "recursive": [(_of(Kind.RECURSIVE, 2, 1, 2),), (_of(Kind.RECURSIVE, 3, 1, 2, known=("known",)),)],
    "equal": [(_of(Kind.CLOSE_EQUAL, 1, 5),), (_of(Kind.CLOSE_EQUAL, 1, 2, known=("known",)),)],
    "ordered": [(_of(Kind.CLOSE_ORDERED, 1, 5),), (_of(Kind.CLOSE_ORDERED, 3, 20), _of(Kind.MIN_PERSONS, 2))],
    "numeric": [(_of(Kind.CLOSE_NUMERIC, 1, 4),)],
    "hierarchical": [(_of(Kind.CLOSE_HIERARCHICAL, 1, 4),)],
    "likeness": [(_of(Kind.LIKENESS, 1, 1),), (_of(Kind.LIKENESS_ENHANCED, 1, 1),)],
    "disclosure": [
        (_of(Kind.DISCLOSURE, 1, 1, monotone=False),),
        (_of(Kind.DISCLOSURE, 3, 2, monotone=False),),
    ],
    "range": [(_of(Kind.RANGE, 4, 1),), (_of(Kind.RANGE, 2, 1), _of(Kind.CLOSE_EQUAL, 1, 3))],
    "neighbourhood": [
        (_of(Kind.NEIGHBOURHOOD, 1, 1, 2, 0, monotone=False),),
        (_of(Kind.NEIGHBOURHOOD, 1, 2, 2, 1, monotone=False),),
    ],
    "guarded": [(_of(Kind.GUARDED, 1, 2, known=("known",), monotone=False),)],
}
"""for every kind some sets of rules to try"""
