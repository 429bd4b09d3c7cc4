"""Limits on answers: from metadata, before anything is paid; and no answer is ever longer than its bound."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from dataclasses import fields, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.dp.price import Price
from sfumato.query.answer import Answer, AnswerLimits
from sfumato.query.answer_text import text_of
from sfumato.query.database import Database, price_of
from sfumato.query.ledger.contract import Budget, Composition, Scope
from sfumato.query.ledger.sql_ledger import SqlLedger
from sfumato.query.metadata import Column, Metadata, Table, Type
from sfumato.query.plan import NoisePlan, plan
from sfumato.query.prepared import Prepared
from sfumato.query.question import Key
from sfumato.query.run import SEEDED, _found_groups
from sfumato.query.size import CUT, limited, most_bytes
from sfumato.query.spelling import parse_database
from sfumato.query.sql import understand
from tests.oracles.answer_size import longest_answer

NUMBERS = {
    "age": Column("age", Type.INTEGER, Fraction(0), Fraction(9)),
    "wide": Column("wide", Type.INTEGER, Fraction(-(2**60)), Fraction(2**60)),
    "fine": Column("fine", Type.NUMBER, Fraction(-1), Fraction(1), Fraction(1, 1000)),
    "one": Column("one", Type.INTEGER, Fraction(7), Fraction(7)),
    "day": Column("day", Type.DATE, Fraction(0), Fraction(20)),
    "ill": Column("ill", Type.BOOLEAN),
    "free": Column("free", Type.CATEGORY),
}
STATISTICS = [
    "COUNT(*)",
    "COUNT(age)",
    "SUM(age)",
    "SUM(wide)",
    "SUM(fine)",
    "SUM(one)",
    "AVG(wide)",
    "AVG(fine)",
    "VAR_POP(age)",
    "VAR_POP(fine)",
    "MEDIAN(wide)",
    "MEDIAN(fine)",
    "MEDIAN(day)",
    "AVG(one)",
]
KEYS = ["age", "day", "ill", "label", "FLOOR(age / 3)", "CASE WHEN ill THEN 'é\"' ELSE '' END"]
LETTERS = st.text(st.sampled_from('aé€😀"\\/ \u2028\x7f'), min_size=0, max_size=6)


def public_with(labels: tuple[str, ...]) -> Metadata:
    label = Column("label", Type.CATEGORY, values=labels)
    return Metadata("clinic", {"people": Table("people", {**NUMBERS, "label": label}, None, 1, 1000)})


PUBLIC = public_with(("f", "m"))


def planned_for(sql: str, public: Metadata = PUBLIC, **price: str) -> NoisePlan:
    return plan(understand(sql, public), public, price_of(**(price or {"epsilon": "1"})))


def people(public: Metadata, rows: int, free: str = "x") -> Prepared:
    label = public.tables["people"].columns["label"].values
    assert label is not None
    made = {
        "age": [i % 10 for i in range(rows)],
        "wide": [(-1) ** i * 2**59 for i in range(rows)],
        "fine": [0.001 * (i % 900) for i in range(rows)],
        "one": [7] * rows,
        "day": pa.array([i % 20 for i in range(rows)], pa.int32()).cast(pa.date32()),
        "ill": [i % 2 == 0 for i in range(rows)],
        "free": [f"{free}{i % 9}" for i in range(rows)],
        "label": [label[i % len(label)] for i in range(rows)],
    }
    return Prepared.register(public, {"people": pa.table(made)}, secret=b"s" * 16)


def length(answer: Answer) -> int:
    return len(text_of(answer).encode())


@pytest.fixture(scope="module")
def awkward() -> Iterator[Database]:
    """A clinic with labels that JSON must escape, and a name of many bytes."""
    public = public_with(("", 'a"', "é€", "\\", "😀 /", "\u2028"))
    base = Database(public, people(public, 30), None, window="zwölf")
    yield base
    base.close()


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(KEYS), max_size=3, unique=True),
    st.lists(st.sampled_from(STATISTICS), min_size=1, max_size=5),
    st.sampled_from([{"epsilon": "1e-11"}, {"epsilon": "3"}, {"rho": "1e-12"}]),
)
def test_no_answer_is_longer_than_its_bound(
    awkward: Database, keys: list[str], statistics: list[str], price: dict[str, str]
) -> None:
    """Also with noise that fills 64 bits, values that JSON must escape, and letters of several bytes."""
    grouped = f" GROUP BY {', '.join(keys)}" if keys else ""
    sql = f"SELECT {', '.join([*keys, *statistics])} FROM people{grouped}"
    pending = awkward.prepare("ana", sql, price_of(**price))
    bound = most_bytes(pending.planned, awkward.window)
    question = len(pending.asked.question.encode())
    answer = awkward.run(pending)
    assert len(awkward.answer_of(answer).rows) == pending.planned.cells
    assert len(answer.encode()) + question <= bound
    assert length(awkward.try_out(sql, **price)) + question <= bound


@settings(max_examples=60, deadline=None)
@given(
    st.lists(LETTERS, min_size=1, max_size=5, unique=True),
    st.lists(st.sampled_from(KEYS), max_size=3, unique=True),
    st.lists(st.sampled_from(STATISTICS), min_size=1, max_size=5),
    LETTERS,
)
def test_the_bound_is_that_of_the_longest_answer_written_out(
    labels: list[str], keys: list[str], statistics: list[str], window: str
) -> None:
    """At least the longest answer, and beyond it no more than a note and the sums of coarsened units."""
    public = public_with(tuple(labels))
    grouped = f" GROUP BY {', '.join(keys)}" if keys else ""
    planned = planned_for(f"SELECT {', '.join([*keys, *statistics])} FROM people{grouped}", public)
    price: dict[str, str | None] = {"epsilon": "1", "delta": "0", "rho": "0.5", "rho_delta": "0"}
    longest = longest_answer(planned.question, window, price, CUT)
    bound = most_bytes(planned, window)
    assert longest <= bound
    assert bound <= longest + 200 + (planned.cells or 0) * 25 * len(planned.measures)


@pytest.mark.parametrize(
    "sql", ["SELECT COUNT(*) FROM people", "SELECT label, age, AVG(fine) FROM people GROUP BY 1, 2"]
)
def test_exactly_the_limit_is_allowed_and_one_less_is_refused(sql: str) -> None:
    planned = planned_for(sql)
    cells = (planned.cells or 0) * len(planned.measures)
    bound = most_bytes(planned)
    assert limited(planned, AnswerLimits(cells, bound)) == planned
    with pytest.raises(BadInput, match=f"{bound:,} bytes, and at most {bound - 1:,} are allowed"):
        limited(planned, AnswerLimits(cells, bound - 1))
    if cells > 1:
        with pytest.raises(BadInput, match=f"{cells} cells .*, and at most {cells - 1} are allowed"):
            limited(planned, AnswerLimits(cells - 1, bound))


def test_names_that_an_analyst_gives_count() -> None:
    short, long = (planned_for(f'SELECT COUNT(*) AS "{name}" FROM people') for name in ("n", "é" * 64))
    assert most_bytes(long) - most_bytes(short) == 127


def test_the_canonical_question_counts_since_the_ledger_keeps_it() -> None:
    plain = planned_for("SELECT COUNT(*) FROM people")
    listed = " OR ".join(f"free = '{'€' * 900}{i}'" for i in range(20))
    long = planned_for(f"SELECT COUNT(*) FROM people WHERE {listed}")
    assert most_bytes(long) - most_bytes(plain) > 20 * 900 * 3


class Free:
    """A ledger that must not be touched."""

    def charge(self, asked: object) -> list[object]:
        raise AssertionError("a question that is too large was charged")

    store = budgets = charge


BIG = Metadata(
    "big", {"t": Table("t", {"a": Column("a", Type.INTEGER, Fraction(0), Fraction(999_998))}, None, 1, 10)}
)


def big(limits: AnswerLimits | None = None) -> Database:
    held = Prepared.register(BIG, {"t": pa.table({"a": [1, 2]})}, secret=b"s" * 16)
    return Database(BIG, held, Free(), limits=limits)  # type: ignore[arg-type] # it must not be called


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT a, COUNT(*) FROM t GROUP BY a",
        "SELECT FLOOR(a / 10), COUNT(*), SUM(a), AVG(a) FROM t GROUP BY 1",
        "SELECT FLOOR(a / 20), a > 7, COUNT(*), SUM(a) FROM t GROUP BY 1, 2",
    ],
)
def test_a_question_that_could_fill_the_disk_is_refused_before_it_is_charged_quoted_or_tried(
    sql: str,
) -> None:
    base = big()
    for step in (
        lambda: base.quote(sql, epsilon="1e-6"),
        lambda: base.try_out(sql, epsilon="1e-6"),
        lambda: base.ask("ana", sql, epsilon="1e-6"),
    ):
        with pytest.raises(BadInput, match=r"and at most 100,?000 are (told|allowed)"):
            step()
    base.close()


@pytest.mark.parametrize("step", [1, 11])
def test_refusing_very_many_groups_takes_little_memory(step: int) -> None:
    """Keys are counted before they are listed: each alone (a million), and all together (90,000 each)."""
    base = big()
    keys = ", ".join(f"FLOOR(a / {step}) + {i}" for i in range(10))
    tracemalloc.start()
    with pytest.raises(BadInput, match=r"there could be [0-9]{6,} groups, and at most 100000 are told"):
        base.quote(f"SELECT COUNT(*) FROM t GROUP BY {keys}", epsilon=1)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    base.close()
    assert peak < 20_000_000


def test_the_owner_may_allow_more() -> None:
    base = big(AnswerLimits(1_000_000, 200_000_000))
    assert base.quote("SELECT a, COUNT(*) FROM t GROUP BY a", epsilon=1).cells == 1_000_000
    base.close()


def test_a_file_declares_the_limits_and_its_metadata_stay_as_they_were() -> None:
    text = "data_set: d\nbudget: {epsilon: 1}\ntables: {t: {max_rows: 9, columns: {b: {type: boolean}}}}\n"
    usual, chosen = parse_database(text), parse_database(text + "max_cells: 5\nmax_answer_bytes: 2000\n")
    assert usual.limits == AnswerLimits(100_000, 10_000_000)
    assert chosen.limits == AnswerLimits(5, 2000)
    assert repr(usual.metadata) == repr(chosen.metadata)
    for wrong in ("max_cells: 0", "max_answer_bytes: 999", "max_cells: 1e5", "max_answer_bytes: true"):
        with pytest.raises(BadInput, match=wrong.split(":")[0]):
            parse_database(text + wrong + "\n")


def test_what_the_version_of_data_is_made_of_has_no_new_part() -> None:
    """A new field would change every version, and all answers that were paid would be charged anew."""
    assert [each.name for each in fields(Metadata)] == [
        "data_set",
        "tables",
        "neighbours",
        "groups_per_person",
        "max_groups",
        "max_delta",
        "details",
    ]


def test_another_limit_keeps_answers_that_were_paid(tmp_path: Path) -> None:
    held = people(PUBLIC, 20)
    ledger = SqlLedger.create(f"sqlite:///{tmp_path}/ledger.db")
    for scope, name in ((Scope.DATA_SET, "clinic"), (Scope.ANALYST, "ana")):
        ledger.set_budget(Budget(scope, name, "clinic", "", Composition.BASIC, Decimal(1), Decimal(0)))
    sql = "SELECT label, COUNT(*) FROM people GROUP BY label"
    first = Database(PUBLIC, held, ledger).ask("ana", sql, epsilon=1)
    again = Database(PUBLIC, held, ledger, limits=AnswerLimits(3, 5000)).ask("ana", sql, epsilon=1)
    assert again == first
    ledger.close()
    held.close()


def test_groups_that_are_not_public_are_cut_at_the_cells_and_the_answer_says_so() -> None:
    held = people(PUBLIC, 900)
    sql = "SELECT free, COUNT(*), SUM(age) FROM people GROUP BY free"
    price = {"epsilon": "100", "delta": "1e-7"}
    whole = Database(PUBLIC, held, None)
    cut = Database(PUBLIC, held, None, limits=AnswerLimits(9))
    all_rows = whole.answer_of(whole.run(whole.prepare("ana", sql, price_of(**price))))
    some = cut.answer_of(cut.run(cut.prepare("ana", sql, price_of(**price))))
    assert [row[0] for row in all_rows.rows] == [f"x{i}" for i in range(9)]
    assert (all_rows.note, some.note) == ("", CUT)
    assert [row[0] for row in some.rows] == [f"x{i}" for i in range(4)]
    assert "at most 4 are told" in cut.quote(sql, **price).note
    with pytest.raises(BadInput, match="2 cells"):
        Database(PUBLIC, held, None, limits=AnswerLimits(1)).quote(sql, **price)
    held.close()


@pytest.mark.parametrize("size", [1, 40, 4000])
@pytest.mark.parametrize("limit", [3000, 3500, 20_000])
def test_groups_that_are_not_public_never_take_more_bytes_than_allowed(size: int, limit: int) -> None:
    """Their values are not declared, so that their length is not: it is counted when they are selected."""
    held = people(PUBLIC, 900, free='"' * size)
    base = Database(PUBLIC, held, None, limits=AnswerLimits(bytes=limit))
    sql = "SELECT free, COUNT(*), MEDIAN(day) FROM people GROUP BY free"
    pending = base.prepare("ana", sql, price_of(epsilon="100", delta="1e-7"))
    text = base.run(pending)
    told = base.answer_of(text)
    assert len(text.encode()) + len(pending.asked.question.encode()) <= limit
    taken = sum(len(json.dumps(row)) for row in told.rows)
    assert (told.note == CUT) == (len(told.rows) < 9)
    # What was left out would not have fitted: an answer takes less than its bound, but by little.
    assert len(told.rows) == 9 or taken + 2 * size + 1300 > limit
    base.close()


class Listed(tuple[str, ...]):
    """Public values that must not be looked through one after the other for every group in the data."""

    def __contains__(self, value: object) -> bool:
        raise AssertionError("a list was searched")


@given(
    st.booleans(),
    st.booleans(),
    st.lists(
        st.tuples(st.sampled_from(["x", "y", None]), st.sampled_from(["a", "b", "c", None])), unique=True
    ),
)
def test_selected_groups_have_public_values_alone(
    free: bool, public: bool, found: list[tuple[str | None, str | None]]
) -> None:
    keys = [Key("free", "", None, free), Key("public", "", Listed(("a", "b")), public)]
    columns = [pa.array([group[i] for group in found], pa.string()) for i in (0, 1)]
    groups, places, _ = _found_groups(keys, pa.table(columns, ["free", "public"]))
    wanted = [
        (one, two)
        for one, two in found
        if (free or one is not None) and (public if two is None else two in ("a", "b"))
    ]
    assert groups == wanted
    assert [groups[place] for place in places if place >= 0] == wanted


def test_every_note_is_shorter_than_what_is_reckoned_with() -> None:
    planned = planned_for("SELECT COUNT(*) FROM people")
    noted = Answer(("count",), (), (), Price.pure(1), "0" * 16, "clinic", note=f"{CUT}; {SEEDED}")
    assert length(noted) + len(planned.question.canonical.encode()) <= most_bytes(
        replace(planned, cells=None)
    )


@pytest.mark.parametrize("number", [0, -1, True, 1.5, "9"])
def test_a_limit_is_a_whole_number(number: object) -> None:
    with pytest.raises(BadInput, match="max_cells"):
        AnswerLimits(cells=number)  # type: ignore[arg-type] # that is the point
    with pytest.raises(BadInput, match="max_answer_bytes"):
        AnswerLimits(bytes=number)  # type: ignore[arg-type] # that is the point
