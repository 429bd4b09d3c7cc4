"""The SQL of all engines, written once in DuckDB's dialect; other dialects are transpiled from it.

Three traps shape every statement. Grouping is on raw values, where missing is a group of its own.
Joins compare with IS NOT DISTINCT FROM, so that a missing key finds its recoding. And nullable
columns are never COUNT(DISTINCT)ed as if they had no missing values.
"""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.engine.contract import Layout, Suppressed
from sfumato.engine.names import BOX, HIT, ROW_ID
from sfumato.engine.recoding import LABEL, VALUE

STAR = "'*'"


def quote(name: str) -> str:
    """Quote an identifier, doubling the quotes inside it."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Quote a string."""
    return "'" + text.replace("'", "''") + "'"


def count(table: str, quasi: Sequence[str], person: str | None) -> str:
    """Group by raw values; persons are counted exactly.

    A row without a person adds none: it may belong to somebody who is counted already, and a class
    must never seem to hold more people than it surely does. So the persons {x, missing} are 1.
    """
    keys = ", ".join(f"{quote(name)} AS c{i}" for i, name in enumerate(quasi))
    groups = ", ".join(quote(name) for name in quasi)
    persons = f"COUNT(DISTINCT {quote(person)})" if person else "COUNT(*)"
    if not quasi:
        return f"SELECT COUNT(*) AS n, {persons} AS persons FROM {table}"
    return f"SELECT {keys}, COUNT(*) AS n, {persons} AS persons FROM {table} GROUP BY {groups}"


def estimate(table: str, quasi: Sequence[str]) -> str:
    """Sketch the number of distinct combinations; a missing part is a value like any other."""
    parts = ", ".join(f"COALESCE('=' || CAST({quote(name)} AS TEXT), '')" for name in quasi)
    return f"SELECT APPROX_COUNT_DISTINCT(CONCAT_WS(CHR(31), {parts})) AS n FROM {table}"


def spans(table: str, quasi: Sequence[str], person: str) -> str:
    """List the cells of every known person who lies in more than one."""
    columns = ", ".join(quote(name) for name in quasi)
    keys = ", ".join(f"pairs.{quote(name)} AS c{i}" for i, name in enumerate(quasi))
    who = quote(person)
    return (
        f"WITH pairs AS (SELECT DISTINCT {who}, {columns} FROM {table} WHERE {who} IS NOT NULL), "
        f"many AS (SELECT {who} AS who, CAST(ROW_NUMBER() OVER (ORDER BY {who}) AS BIGINT) AS number "
        f"FROM pairs GROUP BY {who} HAVING COUNT(*) > 1) "
        f"SELECT many.number AS number, {keys} FROM pairs JOIN many ON pairs.{who} = many.who "
        f"ORDER BY many.number"
    )


def _people(table: str, columns: Sequence[str], person: str | None) -> tuple[str, list[str]]:
    """Return a query with a row for each person and combination, and the names that the columns have in it.

    Without a person column every row is a person. Without columns everybody is in one group.
    """
    names = [f"c{i}" for i in range(len(columns))] or ["c0"]
    picked = [f"{quote(column)} AS c{i}" for i, column in enumerate(columns)] or ["0 AS c0"]
    if person is None:
        return f"SELECT {', '.join(picked)} FROM {table}", names
    who = quote(person)
    return f"SELECT DISTINCT {', '.join(picked)}, {who} AS who FROM {table} WHERE {who} IS NOT NULL", names


def groups(table: str, columns: Sequence[str], person: str | None) -> str:
    """Describe the groups of equal values by their numbers of people."""
    people, names = _people(table, columns, person)
    keys = ", ".join(names)
    present = " AND ".join(f"{name} IS NOT NULL" for name in names)
    return (
        f"SELECT COUNT(*) AS number, SUM(n) AS members, SUM(n * n) AS squares, "
        f"SUM(CASE WHEN n = 1 AND {present} THEN 1 ELSE 0 END) AS singles "
        f"FROM (SELECT {keys}, COUNT(*) AS n FROM ({people}) AS people GROUP BY {keys}) AS counted"
    )


def candidates(table: str, quasi: Sequence[str], column: str, fewer_than: int, person: str | None) -> str:
    """Count the people in small groups of equal quasi-identifiers and equal values of a column.

    Groups are counted first and compared with their class, so that no row is looked at twice. Of somebody in
    several groups the smallest counts: they are found by one of them.
    """
    few, added = f"n < {fewer_than}", f"n < {fewer_than} AND n < alike"
    if person is None:
        people, names = _people(table, [*quasi, column], None)
        inside = ", ".join(names[: len(quasi)])
        partition = f"PARTITION BY {inside}" if inside else ""
        counted = f"SELECT {', '.join(names)}, COUNT(*) AS n FROM ({people}) AS p GROUP BY {', '.join(names)}"
        return (
            f"SELECT SUM(n) AS people, SUM(CASE WHEN {few} THEN n ELSE 0 END) AS fewer, "
            f"SUM(CASE WHEN {added} THEN n ELSE 0 END) AS added "
            f"FROM (SELECT n, SUM(n) OVER ({partition}) AS alike FROM ({counted}) AS cells) AS compared"
        )
    people, names = _people(table, [*quasi, column], person)
    kept = names[: len(quasi)]
    inside = ", ".join(kept) or "0"
    same = " AND ".join(f"cells.{name} IS NOT DISTINCT FROM classes.{name}" for name in kept) or "1 = 1"
    picked = ", ".join([*kept, "COUNT(DISTINCT who) AS alike"])
    grouped = f" GROUP BY {inside}" if kept else ""
    return (
        f"WITH people AS ({people}), "
        f"cells AS (SELECT {', '.join([*kept, 'who'])}, "
        f"COUNT(*) OVER (PARTITION BY {', '.join(names)}) AS n FROM people), "
        f"classes AS (SELECT {picked} FROM people{grouped}), "
        f"compared AS (SELECT cells.who AS who, cells.n AS n, classes.alike AS alike "
        f"FROM cells JOIN classes ON {same}) "
        f"SELECT COUNT(DISTINCT who) AS people, COUNT(DISTINCT CASE WHEN {few} THEN who END) AS fewer, "
        f"COUNT(DISTINCT CASE WHEN {added} THEN who END) AS added FROM compared"
    )


def summarise(table: str, columns: Sequence[str]) -> str:
    """Count rows, present values and distinct present values of every column."""
    parts = ["COUNT(*) AS n"]
    for i, name in enumerate(columns):
        parts.append(f"COUNT({quote(name)}) AS p{i}")
        parts.append(f"COUNT(DISTINCT {quote(name)}) AS d{i}")
    return f"SELECT {', '.join(parts)} FROM {table}"


def plain_numbers(table: str, columns: Sequence[str], numbers: Sequence[str]) -> str:
    """Read NaN as missing (it does not even equal itself) and -0.0 as 0.0 (which it equals)."""
    picked = [
        f"CASE WHEN ISNAN(CAST({quote(c)} AS DOUBLE)) THEN NULL WHEN {quote(c)} = 0 THEN ABS({quote(c)}) "
        f"ELSE {quote(c)} END AS {quote(c)}"
        if c in numbers
        else quote(c)
        for c in columns
    ]
    return f"SELECT {', '.join(picked)} FROM {table}"


def _same(left: str, right: str, columns: Sequence[str]) -> str:
    return " AND ".join(f"{left}.{quote(c)} IS NOT DISTINCT FROM {right}.{quote(c)}" for c in columns)


def matching_rows(table: str, combinations: str, quasi: Sequence[str], limit: int) -> str:
    """Find the first row ids whose values are one of the combinations."""
    return (
        f"SELECT MIN(t.{quote(ROW_ID)}) AS r FROM {table} AS t JOIN {combinations} AS c "
        f"ON {_same('t', 'c', quasi)} GROUP BY t.{quote(ROW_ID)} ORDER BY r LIMIT {limit}"
    )


def _laid_out(rows: str, layout: Layout, *, keep_row: bool, dropped: str | None) -> str:
    """Choose the released columns; drop or blank the suppressed rows (where ``dropped`` holds)."""
    picked = []
    star = dropped is not None and layout.suppressed is Suppressed.STAR
    for name in layout.columns:
        column = quote(name)
        if star and name in layout.quasi:
            column = f"CASE WHEN {dropped} THEN {STAR} ELSE CAST({column} AS TEXT) END AS {column}"
        elif star and name in layout.sensitive:
            column = f"CASE WHEN {dropped} THEN NULL ELSE {column} END AS {column}"
        picked.append(column)
    if keep_row:
        picked.append(quote(ROW_ID))
    where = f" WHERE NOT ({dropped})" if dropped is not None and not star else ""
    return f"SELECT {', '.join(picked)} FROM ({rows}) AS recoded{where}"


def recode_per_attribute(
    table: str,
    columns: Sequence[str],
    maps: dict[str, str],
    suppressed: str | None,
    quasi: Sequence[str],
    layout: Layout,
    *,
    keep_row: bool,
) -> str:
    """One join for each generalised column; ``maps`` names the table with each column's map."""
    picked, joins = [], []
    for i, name in enumerate(columns):
        if name in maps:
            picked.append(f"m{i}.{LABEL} AS {quote(name)}")
            same = f"t.{quote(name)} IS NOT DISTINCT FROM m{i}.{VALUE}"
            joins.append(f"LEFT JOIN {maps[name]} AS m{i} ON {same}")
        else:
            picked.append(f"t.{quote(name)}")
    if keep_row:
        picked.append(f"t.{quote(ROW_ID)}")
    rows = f"SELECT {', '.join(picked)} FROM {table} AS t {' '.join(joins)}"
    if suppressed is None:
        return _laid_out(rows, layout, keep_row=keep_row, dropped=None)
    marked = (
        f"SELECT r.*, s.{HIT} AS {HIT} FROM ({rows}) AS r "
        f"LEFT JOIN {suppressed} AS s ON {_same('r', 's', quasi)}"
    )
    return _laid_out(marked, layout, keep_row=keep_row, dropped=f"{HIT} IS NOT NULL")


def recode_boxes(
    table: str,
    columns: Sequence[str],
    members: str,
    boxes: str,
    quasi: Sequence[str],
    layout: Layout,
    *,
    by_row: bool,
    keep_row: bool,
) -> str:
    """Join each row with its box, by its values or by its id, and each box with its labels."""
    picked = [f"{'b' if name in quasi else 't'}.{quote(name)}" for name in columns]
    if keep_row:
        picked.append(f"t.{quote(ROW_ID)}")
    on = f"t.{quote(ROW_ID)} = m.{quote(ROW_ID)}" if by_row else _same("t", "m", quasi)
    rows = (
        f"SELECT {', '.join(picked)}, m.{BOX} AS {HIT} FROM {table} AS t "
        f"LEFT JOIN {members} AS m ON {on} LEFT JOIN {boxes} AS b ON m.{BOX} = b.{BOX}"
    )
    return _laid_out(rows, layout, keep_row=keep_row, dropped=f"{HIT} IS NULL")
