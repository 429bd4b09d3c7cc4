"""A clinic of 60 people who can be told apart, half of them ill, behind a ledger on SQLite."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from sfumato.query.attacks.contract import Person
from sfumato.query.database import Database
from sfumato.query.ledger.contract import Budget, Composition, Scope
from sfumato.query.ledger.sql_ledger import SqlLedger
from sfumato.query.metadata import Column, Metadata, Table, Type
from sfumato.query.prepared import Prepared

PEOPLE = 60
PUBLIC = Metadata(
    "clinic",
    {
        "people": Table(
            "people",
            {
                "code": Column("code", Type.INTEGER, Fraction(0), Fraction(9999)),
                "sex": Column("sex", Type.CATEGORY, values=("f", "m")),
                "city": Column("city", Type.CATEGORY),
                "ill": Column("ill", Type.BOOLEAN),
            },
            person="id",
            rows_per_person=1,
            max_rows=1000,
        )
    },
)


@dataclass(frozen=True)
class Clinic:
    """A database, its ledger, and people under attack."""

    database: Database
    ledger: SqlLedger
    people: tuple[Person, ...]

    def spent(self, name: str) -> Decimal:
        """Return what a scope was charged."""
        return next(one.spent for one in self.ledger.all_budgets() if one.name == name)


Open = Callable[..., Clinic]


@pytest.fixture
def clinic(tmp_path: Path) -> Iterator[Open]:
    """Open clinics with budgets: of the data set, and of each analyst."""
    opened: list[Clinic] = []

    def make(data_set: str, each: str, analysts: tuple[str, ...] = ("adversary",)) -> Clinic:
        ill = np.random.default_rng(7).permutation(PEOPLE) < PEOPLE // 2
        table = pa.table(
            {
                "id": [f"p{i}" for i in range(PEOPLE)],
                "code": list(range(PEOPLE)),
                "sex": ["f" if i % 2 else "m" for i in range(PEOPLE)],
                "city": ["x"] * PEOPLE,
                "ill": ill.tolist(),
            }
        )
        people = tuple(Person({"code": i, "sex": "f" if i % 2 else "m"}, bool(ill[i])) for i in range(PEOPLE))
        ledger = SqlLedger.create(f"sqlite:///{tmp_path}/ledger{len(opened)}.db")
        ledger.set_budgets(
            [
                Budget(scope, name, "clinic", "", Composition.BASIC, Decimal(limit), Decimal(0))
                for scope, name, limit in [
                    (Scope.DATA_SET, "clinic", data_set),
                    *((Scope.ANALYST, analyst, each) for analyst in analysts),
                ]
            ]
        )
        held = Prepared.register(PUBLIC, {"people": table}, secret=b"s" * 32)
        opened.append(Clinic(Database(PUBLIC, held, ledger), ledger, people))
        return opened[-1]

    yield make
    for one in opened:
        one.database.close()
        one.ledger.close()
