"""How long a planned question can run at the most, from metadata alone.

A reply may not tell how long its question ran, since that depends on the data: a join takes longer when one
person's predicate is true. So its time is fixed before a row is read, from the declared ``max_rows``, the
bound on joins, the number of statements (each QUANTILE is one more), the words of its expressions, and the
groups and places that it could have. The worst case counts: the predicate is true for every row, every
table is full, and every group that can occur occurs.

Weights are nanoseconds on the machine that they were measured on, one thread, 3 M rows. How many times slower
this machine is (its *pace*) is measured when a service opens, on made-up rows, never on data. What is meant
to be a bound is ``SAFETY`` times the estimate: other questions run beside this one, and caches differ.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import duckdb

from sfumato.query.metadata import Metadata, Type
from sfumato.query.plan import UNKNOWN_GROUPS, NoisePlan, NoisyChoice, NoisyNumbers
from sfumato.query.question import Statistic
from sfumato.query.run import statements

SAFETY = 4
SCAN, TEXT = 0.6, 6.0
"""of a row for each column that is looked at, and more when it holds text"""
WORD, DIVISION = 0.4, 2.0
"""of a row for each name and number of an expression, and for each division in it"""
CLAMP = 3.0
"""of a row for each expression that is kept within its bounds and added up"""
GROUPED = ((20_000, 5.0), (1_000_000, 100.0), (math.inf, 450.0))
"""of a row that is put into one of so many groups at the most: the more there are, the further the memory"""
JOINED, BUILT = 4.0, 40.0
"""of a row that a join makes, and of a row that it looks others up in"""
LARGE = 1_000_000
"""from so many rows on, looking up in a table leaves the caches"""
RANKED = 130.0
"""of a row for each order within a person (where rows or groups are left out)"""
DISTINCT = 70.0
"""of a row for each count of people, and twice as much in groups"""
STATEMENT, READ = 450_000.0, 6_000.0
"""of a statement, and of each word that the engine reads"""
FOUND = 1_500.0
"""of a group whose key is not public, in each statement: Python holds them"""
TOLD = 250_000.0
"""of an answer"""
SELECTED = 100.0
"""of a group whose key is not public, when it is chosen or left out"""
CELL = 4_000.0
"""of a cell of the answer: noise, estimate and text"""
CHECKED, LISTED = 3_000_000.0, 1_000.0
"""to plan one more statement and try it on tables without rows, and one more public group"""
SMOOTH, STEP = 8_000_000.0, 2_000.0
"""to plan a measure with Gaussian noise, and each step of the table that chooses groups"""
CHOICE, PLACE = 40_000.0, 150.0
"""of a quantile of one group, and of each of its places"""
_WORDS = re.compile(r"\w+|//|%")
_STANDARD = {
    "SELECT SUM(a) FROM rows WHERE b >= 0": 2.0,
    "SELECT s, COUNT(*), SUM(a) FROM rows GROUP BY s": 21.0,
    "SELECT COUNT(*), SUM(x.a) FROM rows x JOIN people y ON x.p = y.p WHERE y.b >= 0": 40.0,
    "SELECT COUNT(*) FROM (SELECT row_number() OVER (PARTITION BY p ORDER BY a, b) AS r FROM rows "
    "QUALIFY r <= 2)": 62.0,
}
"""what is run on made-up rows, and the nanoseconds of a row on the machine of the weights"""
_ROWS = 200_000


@dataclass(frozen=True)
class Cost:
    """Seconds at the most: to find the exact numbers, from there to the text of the answer, and to plan it.

    Planning takes longer at prices whose noise is worked out first. That is remembered for everybody, so it
    is reckoned always: who was the first to ask at a price must not show.
    """

    reading: float = 0.0
    telling: float = 0.0
    preparing: float = 0.0


def cost_of(planned: NoisePlan, metadata: Metadata, pace: float, most: int | None = None) -> Cost:
    """Return how long a question can take on a machine of this pace; the more it could do, the longer.

    ``most`` is the number of rows of a table that has fewer than metadata allow, such as a made-up one.
    """
    together, joined = _rows(planned, metadata, most)
    groups = joined if planned.cells is None else planned.cells
    unknown = planned.selection is not None
    each = _row(planned, metadata) + _grouping(planned, groups)
    reading = sum(STATEMENT + READ * len(_WORDS.findall(statement)) for statement in statements(planned))
    numbers = [one for one in planned.measures if isinstance(one, NoisyNumbers)]
    choices = [one for one in planned.measures if isinstance(one, NoisyChoice)]
    if numbers or unknown:
        reading += together + joined * (each + _adding(planned, numbers)) + groups * FOUND * unknown
    # Which groups are told is decided with noise and stands in the answer: their number may show in time.
    told = UNKNOWN_GROUPS if unknown else groups
    telling = TOLD + CELL * told * len(planned.measures) + SELECTED * groups * unknown
    for choice in choices:
        places = choice.candidates.positions
        reading += together + joined * (each + _grouped(groups * places) + _expressed(choice))
        reading += min(joined, groups * places) * FOUND * unknown
        telling += told * (CHOICE + PLACE * places)
    preparing = sum(SMOOTH for one in planned.measures if one.rho is not None)
    # The first is in what every question is allowed.
    preparing += CHECKED * (len(statements(planned)) - 1) + LISTED * (planned.cells or 0)
    if planned.selection is not None:
        preparing += STEP * planned.selection.always_told_from
    return Cost(*(SAFETY * pace * part / 10**9 for part in (reading, telling, preparing)))


def _rows(planned: NoisePlan, metadata: Metadata, most: int | None) -> tuple[float, int]:
    """Return the time to bring rows together for one statement, and how many there can then be."""
    tables = [metadata.tables[name] for name in planned.question.tables]
    sizes = [table.max_rows if most is None else min(most, table.max_rows) for table in tables]
    each = [1 if table.person is None else table.rows_per_person for table in tables]
    joined = min(size * math.prod(each) // own for size, own in zip(sizes, each, strict=True))
    if len(tables) == 1:
        return 0.0, joined
    # The engine looks rows up in all tables but the largest, which it goes through once.
    *others, largest = sorted(sizes)
    smaller = sum(others)
    each_row = JOINED + (BUILT if smaller > LARGE else 0.0)
    return BUILT * smaller + each_row * max(joined, largest), joined


def _row(planned: NoisePlan, metadata: Metadata) -> float:
    """Return the time of one row in every statement: columns, predicate, and the order within a person."""
    question, reach = planned.question, planned.reach
    each = _computed(question.where)
    for name in question.columns:
        table, _, column = name.partition(".")
        declared = metadata.tables[table].columns.get(column) if table in metadata.tables else None
        each += SCAN + (TEXT if declared is None or declared.type is Type.CATEGORY else 0)
    if reach.bound_rows or reach.bound_groups:
        each += RANKED * (1 + 2 * reach.bound_groups)
    return each


def _grouping(planned: NoisePlan, groups: int) -> float:
    keys = planned.question.keys
    return sum(_grouped(groups) + _computed(key.sql) for key in keys)


def _grouped(groups: int) -> float:
    return next(each for most, each in GROUPED if groups <= most)


def _adding(planned: NoisePlan, numbers: Sequence[NoisyNumbers]) -> float:
    """Return the time of one row in the statement that adds up."""
    people = sum(one.measure.statistic is Statistic.PERSONS for one in numbers)
    people += planned.selection is not None
    counted = DISTINCT * people * (1 + bool(planned.question.keys)) if planned.reach.rows > 1 else 0.0
    return counted + sum(_expressed(one) for one in numbers)


def _expressed(planned: NoisyNumbers | NoisyChoice) -> float:
    expression = planned.measure.expression
    return SCAN if expression is None else CLAMP + _computed(expression.sql)


def _computed(sql: str) -> float:
    words = _WORDS.findall(sql)
    return WORD * len(words) + DIVISION * sum(word in ("//", "%") for word in words)


def measured_pace(clock: Callable[[], float] = time.perf_counter) -> float:
    """Return how many times slower this machine is than that of the weights; never less than a half.

    Made-up rows are counted, grouped, joined and ordered: well below half a second. Of several runs the
    fastest counts, since others may be busy just now, and of the statements the one that is worst off.
    """
    connection = duckdb.connect(config={"threads": 1})
    try:
        connection.execute(
            f"CREATE TABLE rows AS SELECT i // 4 AS p, (i * 7919) % 1000 AS a, (i * 104729) % 1000 AS b, "
            f"'value ' || (i % 12) AS s FROM range({_ROWS}) t(i)"
        )
        connection.execute(f"CREATE TABLE people AS SELECT p, b FROM rows WHERE p < {_ROWS // 8}")
        found = []
        for statement, reference in _STANDARD.items():
            took = []
            for _ in range(4):
                begun = clock()
                connection.execute(statement).fetchall()
                took.append(clock() - begun)
            found.append(min(took) * 10**9 / (600_000 + reference * _ROWS))
        return max(0.5, *found)
    finally:
        connection.close()


__all__ = ["SAFETY", "Cost", "cost_of", "measured_pace"]
