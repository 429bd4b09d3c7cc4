"""Search logs: numbers instead of names hide nobody; fresh numbers every day, or no rare searches, do."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pyarrow as pa
import pytest

from sfumato.core.attack import AttackResult, Scored
from sfumato.core.errors import BadInput
from sfumato.core.verdict import Threat
from sfumato.demo import generate, generate_searches, split_by_day, without_rare_queries
from sfumato.engine.contract import Engine
from sfumato.engine.sources import CsvFile, Frame
from sfumato.table.attacks.contract import Knowledge, People
from sfumato.table.attacks.search_logs import SearchLogs
from sfumato.table.published import PublishedTable

DIRECTORY = {
    "voter": [1, 2, 3, 4, 5, 6, 7, 8],
    "name": [
        *("Thelma Arnwood", "Tom Arnwood", "Ann Ashby", "Zoe Ashby"),
        *("Max Oakley", "Ida Oakley", "Lea Redman", "Jo Redman"),
    ],
    "birth_date": [
        *("1944-02-01", "1980-05-05", "1944-07-07", "1990-01-01"),
        *("1944-03-03", "1970-01-01", "1960-01-01", None),
    ],
    "zip": ["30047", "30047", "30047", "10001", "10001", "10001", "10001", "10001"],
}
PLACES = {"Lilburn Park": "30047", "New Town": "10001"}
LOG = {
    "searcher": [4417749] * 4 + [2, 2],
    "date": ["2006-03-01"] * 6,
    "query": [
        *("landscapers in Lilburn Park", "arnwood family tree", "dating over 60", "numb fingers"),
        *("pizza new town", "weather"),
    ],
    "voter": ["1"] * 4 + ["8"] * 2,
}


def attacked(
    engine: Engine, log: pa.Table, directory: pa.Table, attack: SearchLogs, *, person: str | None = "voter"
) -> AttackResult:
    people = People(engine.read(Frame(directory)), {"query": "name"}, person=person)
    target = PublishedTable(engine.read(Frame(log)), (), person=person)
    return attack.run(target, Knowledge(people=people), victims=True)


def test_a_place_a_surname_and_an_age_are_enough(duck: Engine) -> None:
    found = attacked(duck, pa.table(LOG), pa.table(DIRECTORY), SearchLogs(PLACES, margin=1))
    assert found.threat is Threat.IDENTITY
    assert found.scored is Scored.MEASURED
    assert (found.attempts, found.certain) == (2, 1)
    assert [victim.row for victim in found.victims] == [1]
    # The other one is one of five people in the same quarter.
    assert found.success == pytest.approx((1 + 1 / 5) / 2)
    assert found.details["searches laid bare"] == 4


def test_the_score_is_the_sum_of_the_bits_of_all_hints(duck: Engine) -> None:
    """Thelma: 3 of 8 in the quarter, 2 of the surname, 3 born when somebody of sixty was."""
    found = attacked(duck, pa.table(LOG).slice(0, 4), pa.table(DIRECTORY), SearchLogs(PLACES))
    fits = {"place": {0, 1, 2}, "surname": {0, 1}, "age": {0, 2, 4}}
    bits = [
        sum(math.log2(8 / len(people)) for people in fits.values() if person in people) for person in range(8)
    ]
    assert found.highest == pytest.approx(2 ** bits[0] / sum(2**score for score in bits))
    second = sorted(bits)[-2]
    for margin, certain in ((bits[0] - second - 0.01, 1), (bits[0] - second + 0.01, 0)):
        again = attacked(
            duck, pa.table(LOG).slice(0, 4), pa.table(DIRECTORY), SearchLogs(PLACES, margin=margin)
        )
        assert again.certain == certain


def test_a_full_name_alone_is_not_claimed(duck: Engine) -> None:
    log = pa.table({"searcher": ["7"], "query": ["thelma arnwood"], "date": ["2006-03-01"], "voter": ["1"]})
    found = attacked(duck, log, pa.table(DIRECTORY), SearchLogs(PLACES, margin=0))
    assert found.success == 1.0
    assert found.certain == 0


def test_without_the_truth_claims_are_only_claims(duck: Engine) -> None:
    log, directory = pa.table(LOG).drop_columns(["voter"]), pa.table(DIRECTORY)
    found = attacked(duck, log, directory, SearchLogs(PLACES, margin=1), person=None)
    assert found.scored is Scored.CLAIMED
    assert found.success == 0.5


@dataclass(frozen=True)
class Town:
    log: pa.Table
    directory: Path
    places: dict[str, str]

    def attack(self, engine: Engine, log: pa.Table) -> AttackResult:
        people = People(engine.read(CsvFile(self.directory)), {"query": "name"}, person="voter")
        target = PublishedTable(engine.read(Frame(log)), (), person="voter")
        return SearchLogs(self.places).run(target, Knowledge(people=people))


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Town:
    folder = tmp_path_factory.mktemp("searches")
    found = generate_searches(generate(folder, patients=1000).voters, folder / "log", people=150)
    key = pl.read_csv(found.key, infer_schema=False)
    log = pl.read_csv(found.log, infer_schema=False).join(key, on="searcher").to_arrow()
    with found.places.open(newline="") as file:
        places = {row["place"]: row["zip"] for row in csv.DictReader(file)}
    return Town(log, found.directory, places)


def test_the_log_says_nothing_of_anybody_but_what_they_asked(town: Town) -> None:
    assert town.log.column_names == ["searcher", "date", "query", "voter"]
    assert len(set(town.log["searcher"].to_pylist())) == 150
    assert not {*town.log["searcher"].to_pylist()} & {*town.log["voter"].to_pylist()}


def test_numbers_instead_of_names_hide_hardly_anybody(duck: Engine, town: Town) -> None:
    found = town.attack(duck, town.log)
    assert found.attempts == 150
    assert found.success > 0.85
    assert found.certain > 0.75 * 150
    assert int(found.details["false matches"]) <= 3


def test_fresh_numbers_every_day_hide_most_searches(duck: Engine, town: Town) -> None:
    before = town.attack(duck, town.log)
    after = town.attack(duck, split_by_day(town.log))
    assert after.attempts > 10 * before.attempts
    assert after.success < 0.15
    bare = int(before.details["searches laid bare"])
    assert int(after.details["searches laid bare"]) < 0.1 * bare


def test_without_rare_searches_nobody_is_found(duck: Engine, town: Town) -> None:
    kept = without_rare_queries(town.log, 10)
    assert kept.num_rows > 0.5 * town.log.num_rows
    found = town.attack(duck, kept)
    assert found.success < 0.05
    assert found.certain == 0


@pytest.mark.parametrize(
    ("log", "directory", "message"),
    [
        ({"who": [1], "query": ["a"], "voter": [1]}, DIRECTORY, "there is no column 'searcher'"),
        ({**LOG, "query": [None] * 6}, DIRECTORY, "nobody searched for anything"),
        ({**LOG, "voter": ["99"] * 6}, DIRECTORY, "nobody who searched is in the directory"),
        (LOG, {"voter": [1], "title": ["x"]}, "no column 'name'"),
        (LOG, {"voter": ["1"], "name": ["Ann"], "birth_date": ["young"]}, "column 'birth_date'"),
    ],
)
def test_files_that_do_not_fit_are_explained(
    duck: Engine, log: dict[str, list[object]], directory: dict[str, list[object]], message: str
) -> None:
    typed = {
        name: pa.array(values, pa.string() if values[0] is None else None) for name, values in log.items()
    }
    held = pa.table({"title": ["x"] * len(directory["voter"]), **directory})
    people = People(duck.read(Frame(held)), {"query": "title"}, person="voter")
    target = PublishedTable(duck.read(Frame(pa.table(typed))), (), person="voter")
    with pytest.raises(BadInput, match=message) as raised:
        SearchLogs(PLACES).run(target, Knowledge(people=people))
    assert "young" not in str(raised.value)


def test_without_a_directory_there_is_nothing_to_look_up(duck: Engine) -> None:
    target = PublishedTable(duck.read(Frame(pa.table(LOG))), ())
    with pytest.raises(BadInput, match="there is no directory"):
        SearchLogs(PLACES).run(target, Knowledge())


@pytest.mark.parametrize("parameters", [{"places": ["a"]}, {"places": {}, "margin": -1}])
def test_parameters_that_make_no_sense_are_refused(parameters: dict[str, object]) -> None:
    with pytest.raises(BadInput, match="search-logs"):
        SearchLogs(**parameters)  # type: ignore[arg-type]


@pytest.mark.parametrize("people", [0, 10**6])
def test_only_people_of_the_list_can_search(tmp_path: Path, people: int) -> None:
    voters = generate(tmp_path, patients=50).voters
    with pytest.raises(BadInput, match="people search"):
        generate_searches(voters, tmp_path, people=people)
