"""Sparse matching: a few ratings with errors find nearly everybody, and nobody once ratings are shuffled."""

from __future__ import annotations

import datetime as dt
import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.attack import Scored
from sfumato.core.errors import BadInput
from sfumato.core.verdict import Threat
from sfumato.demo import generate_ratings
from sfumato.engine.contract import Engine
from sfumato.engine.sources import Frame
from sfumato.table.attacks.contract import Knowledge, People
from sfumato.table.attacks.sparse.ratings import Ratings
from sfumato.table.attacks.sparse.scoreboard import KnownRatings, Scoreboard, noisy_knowledge, ratings_of
from sfumato.table.attacks.sparse_matching import SparseMatching
from sfumato.table.published import PublishedTable
from tests.oracles import sparse_matching as oracle

stars = st.sampled_from([None, 1.0, 2.0, 3.5, 5.0])
days = st.one_of(st.none(), st.integers(700_000, 700_120))


def numbers(values: list[float | None] | list[int | None]) -> np.ndarray:
    return np.array([math.nan if value is None else value for value in values], np.float64)


@st.composite
def worlds(draw: st.DrawFn) -> tuple[int, int, list[oracle.Rating], list[oracle.Known]]:
    users, items = draw(st.integers(2, 6)), draw(st.integers(1, 5))
    who, what = st.integers(0, users - 1), st.integers(0, items - 1)
    rows = draw(st.lists(st.tuples(who, what, stars, days), min_size=1, max_size=25))
    # A table in which every rating is missing has no column of ratings: the items alone count then.
    rows.append((0, 0, 2.0, 700_000))
    known = draw(st.lists(st.tuples(what, stars, days), min_size=1, max_size=5))
    return users, items, rows, known


def by_item(users: int, items: int, rows: list[oracle.Rating]) -> Ratings:
    who, what, rating, day = (list(column) for column in zip(*rows, strict=True))
    return Ratings.of(
        np.array(who), np.array(what), numbers(rating), numbers(day), user_count=users, item_count=items
    )


def knowing(known: list[oracle.Known]) -> KnownRatings:
    what, rating, day = (list(column) for column in zip(*known, strict=True))
    return KnownRatings(np.array(what, np.int64), numbers(rating), numbers(day))


@given(worlds())
def test_the_scoreboard_is_the_one_of_the_paper(
    world: tuple[int, int, list[oracle.Rating], list[oracle.Known]],
) -> None:
    users, items, rows, known = world
    board = Scoreboard(by_item(users, items, rows), 1.5, 30.0)
    expected = oracle.scores(rows, known, users, 1.5, 30.0)
    np.testing.assert_allclose(board.scores(knowing(known)), expected, rtol=1e-12, atol=1e-12)
    match = board.match(knowing(known))
    assert match.score == pytest.approx(max(expected))
    # Scores that differ in their last digit alone are told apart here and there by chance.
    if np.std(expected) > 1e-9:
        assert match.eccentricity == pytest.approx(oracle.eccentricity(expected), abs=1e-6)
        assert match.confidence == pytest.approx(oracle.confidence(expected), rel=1e-6)


@given(worlds())
def test_the_ratings_of_a_user_are_found_again(
    world: tuple[int, int, list[oracle.Rating], list[oracle.Known]],
) -> None:
    users, items, rows, _ = world
    chosen = np.arange(users)[::-1].astype(np.int64)
    found = ratings_of(by_item(users, items, rows), chosen)
    for place, user in enumerate(chosen.tolist()):
        some = slice(found.starts[place], found.starts[place + 1])
        listed = zip(found.items[some], found.ratings[some], found.days[some], strict=True)
        expected = [
            (what, math.nan if rating is None else rating, math.nan if day is None else day)
            for who, what, rating, day in rows
            if who == user
        ]
        assert sorted(map(repr, ((int(a), float(b), float(c)) for a, b, c in listed))) == sorted(
            map(repr, ((a, float(b), float(c)) for a, b, c in expected))
        )


@pytest.fixture(scope="module")
def films() -> Ratings:
    return generate_ratings(users=4000, items=8000, ratings=500_000, seed=5)


def test_made_up_ratings_have_few_popular_films_and_few_busy_people(films: Ratings) -> None:
    support = np.sort(films.support)[::-1]
    assert support[:800].sum() > 0.3 * len(films)
    each = np.sort(np.bincount(films.users, minlength=films.user_count))[::-1]
    assert each[:400].sum() > 0.3 * len(films)
    assert each.min() >= 8
    assert films.scale.tolist() == [1, 2, 3, 4, 5]
    assert 0 <= films.days.min() <= films.days.max() < 2000


def test_made_up_ratings_hold_a_film_once_for_each_user_in_the_order_of_users(films: Ratings) -> None:
    item = np.repeat(np.arange(films.item_count), films.support)
    assert (np.diff(item * films.user_count + films.users) > 0).all()


def test_the_same_seed_makes_up_the_same_ratings() -> None:
    one, same, other = (generate_ratings(50, 40, 1500, seed) for seed in (3, 3, 4))
    for column in ("users", "ratings", "days", "starts"):
        np.testing.assert_array_equal(getattr(one, column), getattr(same, column))
    assert len(one) != len(other) or (one.users != other.users).any()


def found_by(attack: SparseMatching, films: Ratings, **knowledge: int) -> tuple[float, int, int]:
    random = np.random.default_rng(9)
    people = random.permutation(films.user_count)[:500]
    known = noisy_knowledge(films, people, random=random, **knowledge)
    result = attack.find(films, known, [np.array([person]) for person in people])
    assert result.attempts == 500
    return result.success, result.certain, int(result.details["false matches"])


def test_eight_ratings_two_of_them_wrong_find_nearly_everybody(films: Ratings) -> None:
    success, certain, false = found_by(SparseMatching(), films, known=8, wrong=2, days=14)
    assert success >= 0.99
    assert certain >= 0.99 * 500
    assert false == 0


def test_items_alone_find_people_too(films: Ratings) -> None:
    item = np.repeat(np.arange(films.item_count), films.support)
    bare = Ratings.of(films.users, item)
    success, certain, false = found_by(SparseMatching(), bare, known=20, wrong=2, days=0)
    assert success >= 0.8
    assert certain >= 0.3 * 500
    assert false <= 2


def test_two_ratings_without_dates_find_far_fewer(films: Ratings) -> None:
    success, _, _ = found_by(SparseMatching(), films, known=2, wrong=0, days=1500)
    assert success < 0.5


def test_knowledge_that_is_noise_claims_hardly_anybody(films: Ratings) -> None:
    success, certain, false = found_by(SparseMatching(), films, known=8, wrong=8, days=14)
    assert success < 0.01
    assert certain == 0
    assert false <= 0.02 * 500


def as_table(ratings: Ratings, *, shuffled: bool = False) -> pa.Table:
    users = ratings.users
    if shuffled:
        users = np.random.default_rng(2).permutation(users)
    item = np.repeat(np.arange(ratings.item_count), ratings.support)
    first = dt.date(1999, 1, 1).toordinal()
    shown = [dt.date.fromordinal(first + day).isoformat() for day in range(2000)]
    return pa.table(
        {
            "user": [f"u{user}" for user in users],
            "item": [f"film {film}" for film in item],
            "rating": ratings.scale[ratings.ratings],
            "date": np.array(shown)[ratings.days],
        }
    )


def published(engine: Engine, table: pa.Table, person: str | None = None) -> PublishedTable:
    return PublishedTable(engine.read(Frame(table)), (), person=person)


@pytest.fixture(scope="module")
def few() -> Ratings:
    return generate_ratings(users=600, items=2500, ratings=50_000, seed=6)


def test_a_release_without_names_does_not_hide_its_people(duck: Engine, few: Ratings) -> None:
    result = SparseMatching(targets=200).run(published(duck, as_table(few)), Knowledge(), victims=True)
    assert result.threat is Threat.IDENTITY
    assert result.scored is Scored.MEASURED
    assert result.success >= 0.98
    assert result.baseline == 1 / 600
    assert len(result.victims) == result.certain >= 180
    assert result.details["users"] == 600
    users = as_table(few)["user"].to_pylist()
    assert all(users.index(users[victim.row - 1]) == victim.row - 1 for victim in result.victims)


def test_shuffling_ratings_among_users_ends_the_attack(duck: Engine, few: Ratings) -> None:
    target = published(duck, as_table(few, shuffled=True))
    original = published(duck, as_table(few))
    result = SparseMatching(targets=200).run(target, Knowledge(original=original))
    assert result.success < 0.05
    assert result.certain <= 4
    claims = SparseMatching(targets=200).run(original, Knowledge(original=original))
    assert claims.success >= 0.98


FILE = {
    "member": ["Ann", "Ann", "Ann", "Zoe", "Zoe"],
    "film": ["film 1", "film 2", "film 3", "film 1", "film 9"],
    "when": ["2024-01-05", "2024-02-01", "2024-03-01", "2020-01-01", "2020-01-01"],
}
RELEASE = {
    "user": ["17", "17", "17", "18", "18", "19", "20"],
    "item": ["film 1", "film 2", "film 3", "film 1", "film 4", "film 2", "film 4"],
    "date": [
        *("2024-01-01", "2024-02-01", "2024-03-03", "2021-05-05"),
        *("2021-05-05", "2022-01-01", "2022-01-01"),
    ],
    "who": ["Ann", "Ann", "Ann", "Bob", "Bob", "Cid", "Dan"],
}
MAPPED = {"user": "member", "item": "film", "date": "when"}


def test_an_identified_file_says_what_is_known_and_who_was_right(duck: Engine) -> None:
    people = People(duck.read(Frame(pa.table(FILE))), MAPPED, person="member")
    target = published(duck, pa.table(RELEASE), person="who")
    result = SparseMatching().run(target, Knowledge(people=people), victims=True)
    assert (result.attempts, result.success, result.certain) == (1, 1.0, 1)
    assert result.details["people who are not in the release"] == 1
    assert [victim.row for victim in result.victims] == [1]


def test_without_the_truth_claims_are_only_claims(duck: Engine) -> None:
    people = People(duck.read(Frame(pa.table(FILE))), MAPPED)
    target = published(duck, pa.table(RELEASE).drop_columns(["who"]))
    result = SparseMatching().run(target, Knowledge(people=people))
    assert result.scored is Scored.CLAIMED
    assert result.attempts == 2
    assert "claims about" in str(result)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"item": ["x", "y"], "user": ["a", "b"]}, "no item of the identified file is in the release"),
        ({"item": ["film 1"], "user": ["somebody"]}, "nobody about whom ratings are known"),
    ],
)
def test_a_file_that_does_not_meet_the_release_is_refused(
    duck: Engine, columns: dict[str, list[str]], message: str
) -> None:
    table = duck.read(Frame(pa.table(columns)))
    people = People(table, {"user": "user", "item": "item"}, person="user")
    target = published(duck, pa.table(RELEASE), person="who")
    with pytest.raises(BadInput, match=message):
        SparseMatching().run(target, Knowledge(people=people))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"age": [1]}, "no column 'user'"),
        ({"user": ["a"], "item": [None]}, "no row has both"),
        ({"user": ["a"], "item": ["x"], "date": ["soon"]}, "column 'date': some values are no date"),
        ({"user": ["a"], "item": ["x"], "rating": ["good"]}, "column 'rating': some values are no number"),
        ({"user": ["a"], "item": ["x"]}, "nobody has 6 ratings"),
        ({"user": ["a"] * 2, "item": ["x"] * 2, "date": [1, 90_000]}, "89 years"),
        ({"user": ["a"] * 300, "item": ["x"] * 300, "rating": list(range(300))}, "300 different ratings"),
    ],
)
def test_a_table_without_ratings_is_refused(
    duck: Engine, table: dict[str, list[object]], message: str
) -> None:
    typed = {
        name: pa.array(values, pa.string() if values == [None] else None) for name, values in table.items()
    }
    with pytest.raises(BadInput, match=message) as raised:
        SparseMatching().run(published(duck, pa.table(typed)), Knowledge())
    assert "soon" not in str(raised.value)
    assert "good" not in str(raised.value)


@pytest.mark.parametrize(
    "parameters", [{"known": 0}, {"wrong": 8}, {"days": -1}, {"threshold": 0}, {"targets": True}]
)
def test_parameters_that_make_no_sense_are_refused(parameters: dict[str, int]) -> None:
    with pytest.raises(BadInput, match="sparse-matching"):
        SparseMatching(**parameters)  # type: ignore[arg-type]
