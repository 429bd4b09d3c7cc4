"""Statements whose whole numbers are handed over beside them: one shape for questions that are alike."""

from __future__ import annotations

from fractions import Fraction

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.query import database as module
from sfumato.query import run as running
from sfumato.query.database import Database, price_of
from sfumato.query.metadata import Column, Metadata, Table, Type
from sfumato.query.prepared import Prepared
from sfumato.query.statement import without_numbers

PUBLIC = Metadata(
    "clinic",
    {
        "people": Table(
            "people",
            {
                "age": Column("age", Type.INTEGER, Fraction(0), Fraction(100)),
                "sex": Column("sex", Type.CATEGORY, values=("f", "m", "7::BIGINT")),
                "well": Column("well", Type.BOOLEAN),
            },
            None,
            1,
            10_000,
        )
    },
)
ROWS = [(age, ("f", "m", None)[age % 3], (True, False, None)[age % 5 % 3]) for age in range(0, 90, 2)]
QUESTIONS = [
    "SELECT COUNT(*) FROM people WHERE age >= {}",
    "SELECT sex, COUNT(*), AVG(age) FROM people WHERE age >= {} GROUP BY sex",
    "SELECT well, sex, COUNT(*) FROM people WHERE age >= {} AND sex <> '7::BIGINT' GROUP BY well, sex",
    "SELECT SUM(age + {}) FROM people WHERE well",
]


@pytest.fixture(scope="module")
def held() -> Prepared:
    columns = dict(zip(("age", "sex", "well"), zip(*ROWS, strict=True), strict=True))
    return Prepared.register(PUBLIC, {"people": pa.table(columns)}, secret=b"s" * 16)


PIECES = st.lists(
    st.one_of(
        st.integers(0, 10**15 - 1).map(lambda number: ("number", f"{number}::BIGINT")),
        st.integers(10**15, 10**19).map(lambda number: ("other", f"{number}::BIGINT")),
        st.text(alphabet="a'\" 0123456789:?BIGNT", max_size=20).map(
            lambda text: ("other", "'" + text.replace("'", "''") + "'")
        ),
        st.text(alphabet="a'\" 0123456789:?BIGNT", max_size=20).map(
            lambda text: ("other", '"' + text.replace('"', '""') + '"')
        ),
        st.sampled_from([("other", "k0"), ("other", "17 * u0"), ("other", "3::HUGEINT"), ("other", "1.5")]),
    ),
    max_size=8,
)


@given(PIECES)
def test_numbers_outside_quotes_are_taken_out_and_nothing_else(pieces: list[tuple[str, str]]) -> None:
    shape, numbers = without_numbers(" + ".join(text for _, text in pieces))
    assert shape == " + ".join("?::BIGINT" if kind == "number" else text for kind, text in pieces)
    assert numbers == tuple(int(text.split(":")[0]) for kind, text in pieces if kind == "number")


@pytest.mark.parametrize("question", QUESTIONS)
def test_questions_of_one_shape_have_each_their_own_numbers(held: Prepared, question: str) -> None:
    """The two ways of fetching rows agree, with rows, without any, and for every number."""
    base = Database(PUBLIC, held, None)
    for number in (0, 31, 88, 90, 100):
        planned = base.prepare("ann", question.format(number), price_of(epsilon=1)).planned
        few = running.exact(planned, held.cursor())
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(running, "_FEW", -1)
            many = running.exact(planned, held.cursor())
        assert few.groups == many.groups
        for one, other in zip(few.numbers, many.numbers, strict=True):
            assert one is not None
            assert other is not None
            assert one.tolist() == other.tolist()
        if question == QUESTIONS[0]:
            assert few.numbers[0] is not None
            assert few.numbers[0].tolist() == [[sum(age >= number for age, _, _ in ROWS)]]


def test_a_shape_is_tried_once(held: Prepared, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[object] = []
    monkeypatch.setattr(module, "check", lambda planned, shape, parsed: tried.append(planned))
    base = Database(PUBLIC, held, None)
    for number in (1, 2, 3):
        base.quote(QUESTIONS[0].format(number), epsilon=1)
    assert len(tried) == 1
    base.quote("SELECT COUNT(*) FROM people WHERE age < 5 OR sex = 'm'", epsilon=1)
    base.quote("SELECT COUNT(*) FROM people WHERE age < 5 OR sex = 'f'", epsilon=1)
    assert len(tried) == 3, "what is not a number is part of the shape"


def test_a_cursor_serves_many_questions_unless_one_failed(
    held: Prepared, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = Database(PUBLIC, held, None)
    pending = base.prepare("ann", QUESTIONS[0].format(3), price_of(epsilon=1))
    for _ in range(3):
        base.run(pending)
    assert len(base._idle) == 1

    def fails(*_: object) -> None:
        raise ArithmeticError

    with monkeypatch.context() as patch:
        patch.setattr(module, "read", fails)
        assert "could not be answered" in base.run(pending)
    assert base._idle == []
    assert "could not be answered" not in base.run(pending)
