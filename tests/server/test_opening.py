"""From files to a service: secrets, budgets, windows."""

from __future__ import annotations

import stat
from decimal import Decimal
from pathlib import Path

import pytest

from sfumato.core.errors import BadInput
from sfumato.query.ledger.contract import Scope
from sfumato.server.books import Books
from sfumato.server.opening import Opened, open_all, secret_of
from sfumato.server.wire import AddAnalyst
from tests.server.test_kills import YAML, write_town


@pytest.fixture(autouse=True)
def _no_secret_around(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SFUMATO_SECRET", raising=False)


def opened(path: Path) -> Opened:
    found = open_all([path], None, owner=True)
    found.close()
    return found


def test_a_secret_is_made_once_for_its_owner_alone_and_data_keep_their_version(tmp_path: Path) -> None:
    path = write_town(tmp_path)
    first, again = opened(path), opened(path)
    assert stat.S_IMODE((tmp_path / "database.secret").stat().st_mode) == 0o600
    assert [p.name for p in tmp_path.glob(".*")] == []
    assert first.databases["town"].prepared.version == again.databases["town"].prepared.version
    (tmp_path / "database.secret").write_text("cut o")
    with pytest.raises(BadInput, match="secret"):
        opened(path)


def test_a_secret_may_come_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SFUMATO_SECRET", "ab" * 32)
    assert secret_of(tmp_path / "database.yaml") == b"\xab" * 32
    assert not list(tmp_path.iterdir())
    monkeypatch.setenv("SFUMATO_SECRET", "xyz")
    with pytest.raises(BadInput, match="hexadecimal"):
        secret_of(tmp_path / "database.yaml")


def test_budgets_of_the_file_are_set_once_and_the_owners_changes_stay(tmp_path: Path) -> None:
    path = write_town(tmp_path)
    path.write_text(YAML + "analyst_budget: {epsilon: 0.5}\ngroups: {stats: {epsilon: 3}}\n")
    found = open_all([path], None, owner=False)
    limits = {(one.scope, one.name): one.limit for one in found.ledger.all_budgets()}
    assert limits == {(Scope.DATA_SET, "town"): 1000, (Scope.GROUP, "stats"): 3}
    books = Books(found.ledger, found.usual)
    books.add(AddAnalyst(name="ana", group="stats"), by="test")
    books.add(AddAnalyst(name="otto", role="auditor"), by="test")
    changed = found.ledger.budgets("town", "", analyst="ana", group="stats")
    assert [one.limit for one in changed] == [1000, 3, Decimal("0.5")]
    found.close()
    path.write_text(YAML.replace("epsilon: 1000", "epsilon: 5000"))
    found = open_all([path], None, owner=False)
    assert {one.limit for one in found.ledger.all_budgets() if one.scope is Scope.DATA_SET} == {1000}
    found.close()


def test_a_new_window_has_only_people_who_were_in_no_earlier_one(tmp_path: Path) -> None:
    path = write_town(tmp_path)
    assert opened(path).databases["town"].prepared.facts[0].not_admitted == 0
    rows = (tmp_path / "people.csv").read_text() + "".join(f"q{i},30,f\n" for i in range(10))
    (tmp_path / "people.csv").write_text(rows)
    path.write_text(YAML + "window: '2027'\n")
    facts = opened(path).databases["town"].prepared.facts[0]
    assert (facts.kept, facts.not_admitted) == (10, 500)


def test_rows_that_do_not_say_whose_they_are_have_one_window(tmp_path: Path) -> None:
    path = write_town(tmp_path)
    nameless = YAML.replace("    person: id\n    rows_per_person: 1\n", "")
    path.write_text(nameless)
    opened(path)
    path.write_text(nameless + "window: '2027'\n")
    with pytest.raises(BadInput, match="whose they are"):
        opened(path)


def test_what_does_not_fit_together_is_refused(tmp_path: Path) -> None:
    path = write_town(tmp_path)
    with pytest.raises(BadInput, match="same data set"):
        open_all([path, path], None, owner=False)
    path.write_text(YAML.replace("    source: people.csv\n", ""))
    with pytest.raises(BadInput, match="no source"):
        open_all([path], None, owner=False)


def test_what_was_left_out_is_told_to_the_owner_when_asked(tmp_path: Path) -> None:
    path = write_town(tmp_path)
    (tmp_path / "people.csv").write_text("id,age,sex\na,1,f\na,2,f\n,3,m\nb,x,d\n")
    found = opened(path)
    told = " ".join(found.facts())
    assert "2 of 4 rows are kept" in told
    assert "1 without a person" in told
    assert "column 'sex': 1 values" in told
    assert "rows" not in " ".join(found.told())


def test_limits_of_the_file_bound_questions_before_they_are_charged(tmp_path: Path) -> None:
    path = write_town(tmp_path)
    sql = "SELECT age, COUNT(*) FROM people GROUP BY age"
    version = opened(path).databases["town"].prepared.version
    path.write_text(YAML + "max_cells: 3\n")
    found = open_all([path], None, owner=False)
    before = found.ledger.head()
    for step in (found.databases["town"].quote, found.databases["town"].try_out):
        with pytest.raises(BadInput, match="at most 3 are"):
            step(sql, epsilon=1)
    with pytest.raises(BadInput, match="at most 3 are"):
        found.databases["town"].ask("ana", sql, epsilon=1)
    assert found.ledger.head() == before
    assert found.databases["town"].prepared.version == version, "answers that were paid stay paid"
    found.close()
