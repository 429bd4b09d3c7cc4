"""SQL that was asked → the ``Question`` that runs, or the reason why it is not answered.

Everything is decided from the text and the metadata: no data are at hand here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from sfumato.core.errors import BadInput, nearest
from sfumato.query.metadata import Metadata, Table
from sfumato.query.question import Key, Measure, Question
from sfumato.query.sql.canonical import canonical
from sfumato.query.sql.expressions import MAX_SQL, Reader, only
from sfumato.query.sql.keys import MADE_UP, Selected, count_groups, read_keys
from sfumato.query.sql.measures import check_overflow, is_measure, read_measure
from sfumato.query.sql.names import RESERVED, Scope, match, shown
from sfumato.query.sql.predicates import Always
from sfumato.query.sql.read import WHERE, place, read
from sfumato.query.sql.refusals import CLAUSES

MAX_MEASURES = 20
MAX_ALIAS = 64


def understand(text: str, metadata: Metadata) -> Question:
    """Return the question that a SELECT asks of a data set.

    >>> from fractions import Fraction
    >>> from sfumato.query.metadata import Column, Type
    >>> age = Column("age", Type.INTEGER, Fraction(0), Fraction(120))
    >>> people = Table("people", {"age": age}, person=None, rows_per_person=1, max_rows=1000)
    >>> clinic = Metadata("clinic", {"people": people})
    >>> asked = understand("select count(*) from people where age > 17", clinic)
    >>> asked.where
    '("age" >= 18::BIGINT)'
    """
    tree = read(text)
    for clause, value in tree.args.items():
        if value and clause not in ("expressions", "from_", "joins", "where", "group"):
            what, remedy = CLAUSES.get(
                clause, ("this part of SELECT is not answered", "use FROM, JOIN, WHERE and GROUP BY")
            )
            raise BadInput(what, where=WHERE, remedy=remedy)
    scope = Scope(metadata)
    _read_tables(tree, scope)
    reader = Reader(scope)
    where = _read_condition(tree.args.get("where"), reader)
    selected = _read_select(tree.expressions)
    keys = read_keys(tree.args.get("group"), selected, reader)
    measures = _read_measures(selected, reader)
    keys, measures = _named(keys, measures, selected)
    tables = list(scope.tables.values())
    for measure in measures:
        check_overflow(measure, _most_rows(tables))
    groups = count_groups(keys, metadata)
    _check_length(where, keys, measures)
    rows = math.prod(map(_rows_per_person, tables))
    groups_per_person = min(metadata.groups_per_person, rows, groups or rows) if keys else 1
    names = tuple(table.name for table in tables)
    return Question(
        data_set=metadata.data_set,
        tables=names,
        where=where,
        keys=keys,
        measures=measures,
        canonical=canonical(metadata, names, where, keys, measures, (rows, groups_per_person)),
        rows_per_person=rows,
        groups_per_person=groups_per_person,
        columns=tuple(sorted(scope.looked_at)),
    )


def _read_tables(tree: exp.Select, scope: Scope) -> None:
    source = tree.args.get("from_")
    if source is None:
        raise BadInput("the question names no table", where=WHERE, remedy=nearest("", scope.metadata.tables))
    only(source, "this")
    scope.add(source.this)
    for join in tree.args.get("joins") or ():
        _read_join(join, scope)


def _read_join(join: exp.Expr, scope: Scope) -> None:
    """Take in JOIN … ON a.person = b.person, or USING (person)."""
    known = {name for name, value in join.args.items() if value} <= {"this", "on", "using", "kind"}
    if not known or join.args.get("kind") not in (None, "", "INNER"):
        raise BadInput(
            "only plain joins on the person are answered: no LEFT, CROSS or NATURAL join",
            where=place(join),
            remedy="write JOIN b ON a.person = b.person",
        )
    before = list(scope.tables.values())
    table = scope.add(join.this)
    if table.person is None or any(other.person is None for other in before):
        raise BadInput("a table without a person cannot be joined", where=place(join), remedy="ask it alone")
    using, on = join.args.get("using"), join.args.get("on")
    while isinstance(on, exp.Paren):
        on = on.this
    if using:
        persons = {other.person for other in (*before, table) if other.person is not None}
        on_person = len(using) == 1 and len(persons) == 1 and match(using[0].name, persons) is not None
    else:
        sides = [scope.person_of(on.this), scope.person_of(on.expression)] if type(on) is exp.EQ else []
        on_person = table in sides and any(other in sides for other in before)
    if not on_person:
        raise BadInput(
            "tables are joined on the person alone",
            where=place(join),
            remedy="write JOIN b ON a.person = b.person",
        )


def _read_condition(where: exp.Expr | None, reader: Reader) -> str:
    if where is None:
        return ""
    only(where, "this")
    truth = reader.truth(where.this)
    return "" if truth == Always(True) else truth.sql


def _read_select(items: Sequence[exp.Expr]) -> list[Selected]:
    selected: list[Selected] = []
    for item in items:
        if not isinstance(item, exp.Alias):
            selected.append(Selected(item, ""))
            continue
        only(item, "this", "alias")
        alias = item.alias
        if alias.startswith(RESERVED) or not 0 < len(alias) <= MAX_ALIAS:
            raise BadInput("this name cannot be used", where=place(item), remedy="choose another after AS")
        if any(alias.lower() == other.alias.lower() for other in selected):
            raise BadInput(
                f"the name '{shown(alias)}' is there twice",
                where=place(item),
                remedy="choose another after AS",
            )
        selected.append(Selected(item.this, alias))
    return selected


def _read_measures(selected: Sequence[Selected], reader: Reader) -> tuple[Measure, ...]:
    asked = [item for item in selected if is_measure(item.node)]
    if not asked:
        raise BadInput(
            "the question asks for no statistic", where=WHERE, remedy="add COUNT(*), SUM(x) or AVG(x)"
        )
    if len(asked) > MAX_MEASURES:
        raise BadInput(
            f"a question has at most {MAX_MEASURES} statistics", where=WHERE, remedy="ask several questions"
        )
    return tuple(read_measure(item.node, item.alias, reader) for item in asked)


def _named(
    keys: tuple[Key, ...], measures: tuple[Measure, ...], selected: Sequence[Selected]
) -> tuple[tuple[Key, ...], tuple[Measure, ...]]:
    """Keep the names that were given, and number those that we made where they are taken."""
    of_measures = [item.alias for item in selected if is_measure(item.node)]
    given = [*(key.name for key in keys if not key.name.startswith(MADE_UP)), *filter(None, of_measures)]
    taken = {name.lower() for name in given}

    def unique(name: str) -> str:
        found, number = name, 1
        while found.lower() in taken:
            number += 1
            found = f"{name}_{number}"
        taken.add(found.lower())
        return found

    def of_key(key: Key) -> Key:
        made_up = key.name.startswith(MADE_UP)
        return replace(key, name=unique(key.name.removeprefix(MADE_UP))) if made_up else key

    told = tuple(
        measure if alias else replace(measure, name=unique(measure.name))
        for measure, alias in zip(measures, of_measures, strict=True)
    )
    return tuple(map(of_key, keys)), told


def _rows_per_person(table: Table) -> int:
    return 1 if table.person is None else table.rows_per_person


def _most_rows(tables: Sequence[Table]) -> int:
    """Return how many rows a join can have: those of one table, each with all of its person in the others."""
    product = math.prod(map(_rows_per_person, tables))
    return min(table.max_rows * (product // _rows_per_person(table)) for table in tables)


def _check_length(where: str, keys: Sequence[Key], measures: Sequence[Measure]) -> None:
    spelt = len(where) + sum(len(key.sql) for key in keys)
    spelt += sum(len(measure.expression.sql) for measure in measures if measure.expression is not None)
    if spelt > MAX_SQL:
        raise BadInput("the question is too long when spelt out", where=WHERE, remedy="ask it more simply")
