"""A service that is killed while many ask: nothing is answered uncharged, nothing is charged twice."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import make_url

from sfumato.query.ledger.sql_ledger import SqlLedger
from tests.server.storm import Served, found_in, rage, set_up

ANALYSTS, QUESTIONS, SHORT, KILLS = 5, 40, 7, 3
YAML = """\
data_set: town
tables:
  people:
    source: people.csv
    person: id
    rows_per_person: 1
    max_rows: 1000
    columns:
      age: {type: integer, lower: 0, upper: 100}
      sex: {type: category, values: [f, m]}
budget: {epsilon: 1000}
"""


def write_town(folder: Path) -> Path:
    rows = "".join(f"p{i},{i % 90},{'fm'[i % 2]}\n" for i in range(500))
    (folder / "people.csv").write_text("id,age,sex\n" + rows)
    path = folder / "database.yaml"
    path.write_text(YAML)
    return path


def question(analyst: int, number: int) -> str:
    if number % 3 == 0:
        return f"SELECT sex, COUNT(*) FROM people WHERE age > {number} GROUP BY sex"
    return f"SELECT COUNT(*) FROM people WHERE age > {number} AND age <> {analyst}"


def check(ledger_url: str, folder: Path) -> None:
    path = write_town(folder)
    ledger = SqlLedger.create(ledger_url)
    keys = set_up(ledger, "town", ANALYSTS, QUESTIONS, SHORT)
    served = Served([path], ledger_url)
    try:
        storm = rage(served, keys, question, QUESTIONS, KILLS)
        found = found_in(ledger, storm)
    finally:
        code = served.stop()
        ledger.close()
    assert served.kills == KILLS
    assert storm.refused == SHORT
    assert len(storm.answers) == found.charges == ANALYSTS * QUESTIONS - SHORT
    assert (found.overspent, found.without_charge) == (0, 0)
    assert found.holds
    assert code == 0
    assert sum("sfu_" in line for line in served.said) == 1, "the owner's key is shown once"


def test_a_service_on_sqlite_survives_being_killed(tmp_path: Path) -> None:
    check(f"sqlite:///{tmp_path}/ledger.db", tmp_path)


@pytest.mark.slow
@pytest.mark.postgres
def test_a_service_on_postgres_survives_being_killed(tmp_path: Path, postgres: str) -> None:
    import psycopg

    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA storm")
        url = make_url(postgres).update_query_dict({"options": "-csearch_path=storm"})
        check(url.render_as_string(hide_password=False), tmp_path)
        connection.execute("DROP SCHEMA storm CASCADE")
