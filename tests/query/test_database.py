"""The database: charge, then run, then store; the same question gets the same answer."""

from __future__ import annotations

import gc
import threading
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput, SfumatoError
from sfumato.dp.price import Price
from sfumato.query.answer import Answer
from sfumato.query.answer_text import answer_of, text_of
from sfumato.query.database import Database, _Memory, price_of
from sfumato.query.ledger.contract import Asked, Budget, BudgetGone, Charged, Composition, Scope
from sfumato.query.ledger.sql_ledger import SqlLedger
from sfumato.query.metadata import Column, Metadata, Table, Type
from sfumato.query.prepared import Prepared

COUNT = "SELECT COUNT(*) AS n FROM people"
PUBLIC = Metadata(
    "clinic",
    {
        "people": Table(
            "people",
            {
                "age": Column("age", Type.INTEGER, Fraction(0), Fraction(100)),
                "sex": Column("sex", Type.CATEGORY, values=("f", "m")),
                "town": Column("town", Type.CATEGORY),
            },
            None,
            1,
            10_000,
        )
    },
)


class Recorder:
    """A ledger in memory that writes down what happens, and with it the moment data are read."""

    def __init__(self, epsilon: str = "1") -> None:
        self.left = Decimal(epsilon)
        self.events: list[str] = []
        self.spends: list[tuple[Asked, str | None]] = []

    def charge(self, asked: Sequence[Asked]) -> list[Charged | SfumatoError]:
        """Pay, or give the stored answer."""
        found: list[Charged | SfumatoError] = []
        for one in asked:
            known = [i for i, (other, _) in enumerate(self.spends) if other == one]
            if known:
                found.append(Charged(known[0], False, self.spends[known[0]][1]))
            elif one.price.epsilon is None or one.price.epsilon > self.left:
                found.append(BudgetGone("the budget is gone"))
            else:
                self.left -= one.price.epsilon
                self.spends.append((one, None))
                found.append(Charged(len(self.spends) - 1, True))
        self.events.append("charge")
        return found

    def store(self, answers: Sequence[tuple[int, str]]) -> list[str]:
        """Keep the first answer."""
        self.events.append("store")
        for number, text in answers:
            asked, known = self.spends[number]
            self.spends[number] = (asked, known or text)
        return [self.spends[number][1] or "" for number, _ in answers]

    def budgets(self, data_set: str, window: str, *, analyst: str, group: str) -> list[Budget]:
        """Return nothing."""
        return []


class Watched(Prepared):
    """Data that write down when they are read."""

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """Tell the ledger's list that data are read now."""
        EVENTS.append("read")
        return super().cursor()


EVENTS: list[str] = []


def prepared(kind: type[Prepared] = Prepared) -> Prepared:
    """Register fifty people."""
    data = {"age": list(range(50)), "sex": ["f", "m"] * 25, "town": ["Rome"] * 50}
    held = Prepared.register(PUBLIC, {"people": pa.table(data)}, secret=b"s" * 16)
    return kind(PUBLIC, held.version, held.facts, held.connection, held.shape)


def test_a_question_is_charged_before_data_are_read_and_stored_before_it_is_told() -> None:
    """The order that keeps answered ⊆ charged."""
    ledger = Recorder()
    ledger.events = EVENTS
    EVENTS.clear()
    answer = Database(PUBLIC, prepared(Watched), ledger).ask("ada", COUNT, epsilon=1)
    assert EVENTS == ["charge", "read", "store"]
    assert answer.columns == ("n",)
    assert answer.price == Price.pure(1)
    assert answer.data_set == "clinic"


def test_the_same_question_gets_the_stored_answer_and_costs_nothing_more() -> None:
    """Asking again does not average the noise away; other spellings are the same question."""
    ledger = Recorder()
    database = Database(PUBLIC, prepared(), ledger)
    first = database.ask("ada", COUNT, epsilon="0.4")
    assert {database.ask("ada", COUNT.lower(), epsilon=0.4) for _ in range(5)} == {first}
    assert ledger.left == Decimal("0.6")
    database.ask("bob", COUNT, epsilon="0.4")
    assert ledger.left == Decimal("0.2")


def test_when_the_budget_is_gone_nothing_is_read() -> None:
    """Refused from the ledger alone."""
    ledger = Recorder("0.5")
    ledger.events = EVENTS
    EVENTS.clear()
    with pytest.raises(BudgetGone):
        Database(PUBLIC, prepared(Watched), ledger).ask("ada", COUNT, epsilon=1)
    assert EVENTS == ["charge"]


@pytest.mark.parametrize(
    ("sql", "price"),
    [
        (COUNT, {"epsilon": "inf"}),
        (COUNT, {"epsilon": float("nan")}),
        (COUNT, {"epsilon": 0}),
        (COUNT, {"epsilon": -1}),
        (COUNT, {}),
        (COUNT, {"epsilon": 1, "rho": 1}),
        (COUNT, {"epsilon": 1, "delta": 0.5}),
        (COUNT, {"epsilon": 1, "delta": 2}),
        (COUNT, {"rho": 1, "delta": -1}),
        ("SELECT age FROM people", {"epsilon": 1}),
        ("SELECT town, COUNT(*) FROM people GROUP BY town", {"epsilon": 1}),
        ("DROP TABLE people", {"epsilon": 1}),
        ("SELECT COUNT(*) FROM nowhere", {"epsilon": 1}),
    ],
)
def test_bad_questions_and_prices_are_refused_before_anything_is_charged(
    sql: str, price: dict[str, float]
) -> None:
    """Nothing is charged and no data are read."""
    ledger = Recorder()
    ledger.events = EVENTS
    EVENTS.clear()
    with pytest.raises(BadInput):
        Database(PUBLIC, prepared(Watched), ledger).ask("ada", sql, **price)  # type: ignore[arg-type] # numbers
    assert EVENTS == []


def test_the_steps_of_a_server_are_those_of_ask() -> None:
    """prepare touches no data; run gives text that is read back as it was."""
    ledger = Recorder()
    ledger.events = EVENTS
    EVENTS.clear()
    database = Database(PUBLIC, prepared(Watched), ledger, window="2024")
    pending = database.prepare("ada", COUNT, price_of(epsilon="0.5"), group="team")
    assert EVENTS == []
    assert (pending.asked.analyst, pending.asked.group, pending.asked.window) == ("ada", "team", "2024")
    assert pending.asked.version == database.prepared.version
    (charged,) = ledger.charge([pending.asked])
    assert isinstance(charged, Charged)
    text = database.run(pending)
    (stored,) = ledger.store([(charged.spend, text)])
    assert text_of(database.answer_of(stored)) == text
    assert database.answer_of(stored).window == "2024"


def test_quotes_come_from_metadata_alone() -> None:
    """No charge, no data."""
    ledger = Recorder()
    ledger.events = EVENTS
    EVENTS.clear()
    database = Database(PUBLIC, prepared(Watched), ledger)
    told = database.quote("SELECT sex, COUNT(*), AVG(age) FROM people GROUP BY sex", epsilon=1)
    assert EVENTS == []
    assert told.cells == 3
    assert [measure.epsilon for measure in told.measures] == [Fraction(1, 2)] * 2
    assert told.price == Price.pure(1)


def test_a_flood_of_analysts_does_not_fill_the_memory() -> None:
    """An identity provider may send any number of them; those who asked last are remembered."""
    base = Database(PUBLIC, prepared(), None)
    for number in range(1000):
        base.quote(COUNT, epsilon=1, analyst=f"analyst {number}")
        base.quote(COUNT, epsilon=1, analyst="ana")
    remembered = [each for each in gc.get_objects() if isinstance(each, _Memory)]
    assert 50 <= len(remembered) <= 200
    assert len(base._memory("ana").planned) == 1


def test_the_ledger_of_sqlite_pays_for_questions_until_it_is_empty(tmp_path: Path) -> None:
    """0.3 pays three questions of 0.1, exactly."""
    ledger = SqlLedger.create(f"sqlite:///{tmp_path / 'ledger.db'}")
    for scope, name in ((Scope.DATA_SET, "clinic"), (Scope.ANALYST, "ada")):
        ledger.set_budget(Budget(scope, name, "clinic", "", Composition.BASIC, Decimal("0.3"), Decimal("0")))
    database = Database(PUBLIC, prepared(), ledger)
    for age in (10, 20, 30):
        database.ask("ada", f"SELECT COUNT(*) FROM people WHERE age > {age}", epsilon=0.1)
    with pytest.raises(BudgetGone):
        database.ask("ada", COUNT, epsilon="0.000001")
    assert database.ask("ada", "SELECT COUNT(*) FROM people WHERE age > 10", epsilon=0.1).rows
    ledger.close()


def test_many_threads_may_ask_at_once() -> None:
    """Each call has a cursor of its own; with this ε noise is zero but once in 10^21 draws."""
    database = Database(PUBLIC, prepared(), None)
    wrong: list[object] = []

    def work(age: int) -> None:
        for _ in range(5):
            sql = f"SELECT COUNT(*) AS n, MEDIAN(age) AS m FROM people WHERE age >= {age}"
            pending = database.prepare("ada", sql, price_of(epsilon=100))
            answer = database.answer_of(database.run(pending))
            if answer.rows[0][0] != 50 - age:
                wrong.append(answer)

    threads = [threading.Thread(target=work, args=(age,)) for age in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert wrong == []


def test_dummy_answers_are_marked_and_free() -> None:
    """Tried out on data made from metadata: nothing is charged and nothing real is read."""
    ledger = Recorder()
    ledger.events = EVENTS
    EVENTS.clear()
    database = Database(PUBLIC, prepared(Watched), ledger)
    answer = database.try_out("SELECT sex, AVG(age) FROM people GROUP BY sex", epsilon=1)
    assert EVENTS == []
    assert answer.dummy
    assert len(answer.rows) == 3


def test_data_of_other_metadata_are_refused() -> None:
    """Bounds that were not used at registration must not be used for noise."""
    other = Metadata("clinic", PUBLIC.tables, groups_per_person=3)
    with pytest.raises(BadInput, match="other metadata"):
        Database(other, prepared(), None)
    with pytest.raises(BadInput, match="no ledger"):
        Database(PUBLIC, prepared(), None).ask("ada", COUNT, epsilon=1)


cells = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text()
)


@given(
    st.lists(st.tuples(cells, cells), max_size=4),
    st.sampled_from(
        [Price.pure("0.1"), Price.concentrated("0.5", delta="1e-9"), Price.approximate(1, "1e-7")]
    ),
)
def test_answers_survive_text_without_a_change(rows: list[tuple[object, object]], price: Price) -> None:
    """To the last bit of every float."""
    held = tuple((key, value) for key, value in rows)
    answer = Answer(("k", "n"), held, ((0.1, None),) * len(rows), price, 7, "d", "w", note="ε")  # type: ignore[arg-type] # any cell
    again = answer_of(text_of(answer))
    assert again == answer
    assert [[type(cell) for cell in row] for row in again.rows] == [[type(c) for c in row] for row in held]


def test_a_text_that_is_no_answer_is_refused() -> None:
    """And not half read."""
    for text in ("", "{}", "[1]", '{"price": 1}'):
        with pytest.raises(BadInput, match="not an answer"):
            answer_of(text)
