"""What a logged question looked at, read from its canonical text: measures, tables, conditions, groups.

Conditions are in a normal form (``query.sql.predicates``), so that the same condition is the same text. How
large the part of the domain is that a condition describes follows from declared bounds and values, as if
all of them were equally frequent and columns had nothing to do with each other: a rough figure, but
one that says nothing of the data.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import sqlglot
from sqlglot import exp

from sfumato.query.metadata import Column, Metadata, Type

UNLISTED = 100
"""values that a category is taken to have when they are not declared"""
_WORDS = (" FROM ", " WHERE ", " GROUP BY ", " OF ")


@dataclass(frozen=True)
class Conjunct:
    """One condition of those that must all hold: its text, and, if it is about one thing, of which."""

    text: str
    subject: str | None
    """a column or an expression; None for alternatives over several"""
    tree: exp.Expr = field(repr=False, compare=False)


@dataclass(frozen=True)
class Looked:
    """What a question looked at. ``rest`` is all of it but the conditions."""

    rest: tuple[str, str, str]
    """measures, tables, groups"""
    conjuncts: frozenset[Conjunct]

    @property
    def shape(self) -> tuple[tuple[str, str, str], tuple[str, ...]]:
        """All of it but the constants: near-identical questions share it."""
        return self.rest, tuple(sorted(_without_constants(conjunct.tree) for conjunct in self.conjuncts))


@functools.lru_cache(maxsize=10_000)
def looked_at(question: str) -> Looked | None:
    """Read a canonical question; None when it is none.

    >>> text = "SELECT count() FROM ('people') WHERE ((\\"age\\" = 34) AND \\"ill\\") OF ('clinic') (…)"
    >>> sorted(conjunct.text for conjunct in looked_at(text).conjuncts)
    ['"age" = 34', '"ill"']
    """
    parts = _parts(question)
    if parts is None:
        return None
    try:
        where = sqlglot.parse_one(parts[" WHERE "], dialect="duckdb") if parts[" WHERE "] else None
    except sqlglot.errors.SqlglotError:
        return None
    conjuncts = (
        frozenset(_conjunct(tree) for tree in _flat(where, exp.And)) if where is not None else frozenset()
    )
    return Looked((parts["SELECT "], parts[" FROM "], parts[" GROUP BY "]), conjuncts)


def _parts(question: str) -> dict[str, str] | None:
    """Cut at the words that part a canonical text, not at the same words within quotes."""
    if not question.startswith("SELECT "):
        return None
    bare = re.sub(r"'(?:[^'\\]|''|\\.)*'|\"(?:[^\"]|\"\")*\"", lambda found: "_" * len(found[0]), question)
    found = {"SELECT ": "", **dict.fromkeys(_WORDS, "")}
    word, start = "SELECT ", len("SELECT ")
    for following in _WORDS:
        place = bare.find(following, start)
        if place >= 0:
            found[word] = question[start:place]
            word, start = following, place + len(following)
    found[word] = question[start:]
    return found if found[" FROM "] else None


def _flat(tree: exp.Expr, kind: type[exp.Connector]) -> Iterator[exp.Expr]:
    """Yield the parts of AND (or OR), however they are nested."""
    bare = tree.unnest()
    if isinstance(bare, kind):
        yield from _flat(bare.left, kind)
        yield from _flat(bare.right, kind)
    else:
        yield bare


def _conjunct(tree: exp.Expr) -> Conjunct:
    columns = {column.sql(dialect="duckdb") for column in tree.find_all(exp.Column)}
    alone = columns.pop() if len(columns) == 1 else None
    return Conjunct(tree.sql(dialect="duckdb"), alone, tree)


def _without_constants(tree: exp.Expr) -> str:
    """Write a condition with its constants left out; lists of them are one, whatever their length."""
    bare = tree.copy()
    for listed in list(bare.find_all(exp.In)):
        listed.set("expressions", [exp.Placeholder()])
    for constant in list(bare.find_all(exp.Literal)):
        constant.replace(exp.Placeholder())
    return bare.sql(dialect="duckdb")


def share(tree: exp.Expr, metadata: Metadata) -> Fraction | None:
    """Return the part of the domain for which a condition holds; None where it cannot be told."""
    bare = tree.unnest()
    if isinstance(bare, exp.And):
        return _together(list(_flat(bare, exp.And)), metadata)
    if isinstance(bare, exp.Or):
        return _either(list(_flat(bare, exp.Or)), metadata)
    if isinstance(bare, exp.Not):
        inside = share(bare.this, metadata)
        return None if inside is None else 1 - inside
    column = _column(bare, metadata)
    return None if column is None else _of_column(bare, column)


def joint_share(conjuncts: frozenset[Conjunct], metadata: Metadata) -> Fraction | None:
    """Return the part of the domain where all conditions hold."""
    return _together([conjunct.tree for conjunct in conjuncts], metadata)


def _either(parts: list[exp.Expr], metadata: Metadata) -> Fraction | None:
    """Add up over one column, where alternatives exclude each other; over columns as if by chance."""
    sums: dict[str, Fraction] = {}
    for place, part in enumerate(parts):
        one = share(part, metadata)
        if one is None:
            return None
        alone = _conjunct(part).subject or str(place)
        sums[alone] = min(Fraction(1), sums.get(alone, Fraction(0)) + one)
    none = Fraction(1)
    for each in sums.values():
        none *= 1 - each
    return 1 - none


def _together(parts: list[exp.Expr], metadata: Metadata) -> Fraction | None:
    """Multiply over columns; two bounds on one column are taken together as a range."""
    found = Fraction(1)
    ranges: dict[str, tuple[Column, list[exp.Expr]]] = {}
    for part in parts:
        bare, column = part.unnest(), _column(part.unnest(), metadata)
        if column is not None and isinstance(bare, exp.LTE | exp.GTE):
            ranges.setdefault(bare.this.sql(), (column, []))[1].append(bare)
            continue
        one = share(bare, metadata)
        if one is None:
            return None
        found *= one
    for column, bounds in ranges.values():
        outside = sum((1 - (_of_column(bound, column) or 0) for bound in bounds), Fraction(0))
        found *= max(Fraction(0), 1 - outside)
    return found


def _column(tree: exp.Expr, metadata: Metadata) -> Column | None:
    """Return the declared column that a condition compares with constants."""
    subject = tree if isinstance(tree, exp.Column) else tree.this
    if not isinstance(subject, exp.Column):
        return None
    tables = metadata.tables
    of = [tables[subject.table]] if subject.table in tables else list(tables.values())
    known = [table.columns[subject.name] for table in of if subject.name in table.columns]
    return known[0] if known else None


def size_of(column: Column) -> int:
    """Return how many values a column can have, missing ones aside."""
    if column.type is Type.BOOLEAN:
        return 2
    if column.lower is not None and column.upper is not None:
        return int((column.upper - column.lower) / column.grid) + 1
    return UNLISTED if column.values is None else max(1, len(column.values))


def _of_column(tree: exp.Expr, column: Column) -> Fraction | None:
    size = size_of(column)
    if isinstance(tree, exp.Column):
        return Fraction(1, 2)
    if isinstance(tree, exp.EQ):
        return Fraction(1, size)
    if isinstance(tree, exp.NEQ):
        return 1 - Fraction(1, size)
    if isinstance(tree, exp.In):
        return min(Fraction(1), Fraction(len(tree.expressions), size))
    if isinstance(tree, exp.Is):
        # Missing values are taken to be rare but there; IS NOT NULL is a NOT around this.
        return Fraction(1, size + 1)
    if isinstance(tree, exp.LTE | exp.GTE) and column.lower is not None:
        limit = _whole(tree.expression)
        if limit is None:
            return None
        steps = limit - int(column.lower / column.grid)
        inside = steps + 1 if isinstance(tree, exp.LTE) else size - steps
        return Fraction(min(max(inside, 0), size), size)
    return None


def _whole(tree: exp.Expr) -> int | None:
    text = (tree.this if isinstance(tree, exp.Cast) else tree).sql().strip("()")
    return int(text) if re.fullmatch(r"-?\d+", text) else None


def differing(one: Conjunct, other: Conjunct, metadata: Metadata) -> Fraction | None:
    """Return the part of the domain for which one of two conditions on the same column holds alone."""
    bare, beside = one.tree.unnest(), other.tree.unnest()
    column = _column(_positive(bare), metadata)
    if column is None or _column(_positive(beside), metadata) != column:
        return None
    listed, also = _constants(bare), _constants(beside)
    if listed is not None and also is not None:
        (left_out, one_set), (left_out_also, other_set) = listed, also
        overlap = left_out or bool(one_set & other_set)
        # Two conditions that share nobody tell no more together than each tells alone.
        if left_out != left_out_also or not overlap:
            return None
        return Fraction(len(one_set ^ other_set), size_of(column))
    if type(bare) is type(beside) and isinstance(bare, exp.LTE | exp.GTE):
        inside, inside_also = _of_column(bare, column), _of_column(beside, column)
        return None if inside is None or inside_also is None else abs(inside - inside_also)
    return None


def _constants(tree: exp.Expr) -> tuple[bool, frozenset[str]] | None:
    """Return the constants of x = a or x IN (a, b), or of their opposites, and whether it is one of these."""
    if isinstance(tree, exp.Not):
        inside = _constants(tree.this.unnest())
        return None if inside is None else (not inside[0], inside[1])
    if isinstance(tree, exp.EQ | exp.NEQ):
        return isinstance(tree, exp.NEQ), frozenset([tree.expression.sql()])
    return (False, frozenset(each.sql() for each in tree.expressions)) if isinstance(tree, exp.In) else None


def _positive(tree: exp.Expr) -> exp.Expr:
    inside: exp.Expr = tree.this.unnest() if isinstance(tree, exp.Not) else tree
    return inside


def metadata_of(public: Mapping[str, Metadata] | Metadata, data_set: str) -> Metadata | None:
    """Return what is public of a data set, if it is known."""
    if isinstance(public, Metadata):
        return public if public.data_set == data_set else None
    return public.get(data_set)
