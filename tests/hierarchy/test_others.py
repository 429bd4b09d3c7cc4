import pytest

from sfumato.core.domain import Domain
from sfumato.core.errors import BadInput
from sfumato.hierarchy import (
    Dates,
    Flat,
    HierarchyTable,
    Intervals,
    Mask,
    RootForOthers,
    UncoveredValues,
    validate,
)
from tests.oracles.hierarchy import leaf_counts, published

SEX = HierarchyTable.of([("f", "person", "*"), ("m", "person", "*")])


def test_others_are_a_star_at_every_level_and_missing_stays_missing() -> None:
    domain = Domain.of("sex", ["f", "m", "x", "?", None])
    ladder = RootForOthers(SEX).ladder(domain)
    assert published(ladder, domain) == {
        "f": ("f", "person", "*"),
        "m": ("m", "person", "*"),
        "x": ("*", "*", "*"),
        "?": ("*", "*", "*"),
        None: (None, None, "*"),
    }


def test_a_star_counts_as_all_leaves_and_the_size_stays() -> None:
    ladder = RootForOthers(SEX).ladder(Domain.of("sex", ["f", "x", "y"]))
    assert ladder.size == 2
    assert leaf_counts(ladder) == [{"f": 1, "*": 2}, {"person": 2, "*": 2}, {"*": 2}]
    assert ladder.shares(0).tolist() == [0.5, 1.0]


def test_without_others_the_ladder_is_the_same() -> None:
    domain = Domain.of("sex", ["f", None])
    assert published(RootForOthers(SEX).ladder(domain), domain) == published(SEX.ladder(domain), domain)


def test_words_among_numbers_dates_and_codes_go_to_the_root() -> None:
    for hierarchy, good in (
        (Intervals(10), ["9", "30", "100"]),
        (Dates(("year",)), ["2024-02-29", "1999-01-01"]),
        (Mask(length=5), ["47677", "02138"]),
    ):
        domain = Domain.of("x", [*good, "zzz unknown", None])
        alone = Domain.of("x", [*good, None])
        shown = published(RootForOthers(hierarchy).ladder(domain), domain)
        assert set(shown.pop("zzz unknown")) == {"*"}
        assert shown == published(hierarchy.ladder(alone), alone)


def test_a_hierarchy_that_covers_nothing_stays_an_error() -> None:
    with pytest.raises(UncoveredValues, match="2 values are not in the hierarchy"):
        RootForOthers(SEX).ladder(Domain.of("age", ["30", "31", None]))


def test_a_hierarchy_without_a_root_is_refused() -> None:
    continents = HierarchyTable.of([("France", "Europe"), ("Peru", "America")])
    with pytest.raises(BadInput, match="no root for the values that it does not cover; add a last level"):
        RootForOthers(continents).ladder(Domain.of("country", ["France", "Atlantis"]))


def test_others_join_values_that_the_hierarchy_itself_sends_to_the_star_early() -> None:
    table = HierarchyTable.of([("f", "person", "*"), ("?", "*", "*")])
    domain = Domain.of("sex", ["f", "?", "x"])
    shown = published(RootForOthers(table).ladder(domain), domain)
    assert shown["?"] == ("?", "*", "*")
    assert shown["x"] == ("*", "*", "*")


def test_a_star_that_becomes_something_else_cannot_take_others() -> None:
    table = HierarchyTable.of([("f", "person", "any"), ("*", "thing", "any")])
    with pytest.raises(BadInput, match="part again at level 1"):
        RootForOthers(table).ladder(Domain.of("sex", ["f", "*", "x"]))


def test_a_root_with_a_name_is_not_said_of_others() -> None:
    table = HierarchyTable.of([("f", "any"), ("m", "any")])
    domain = Domain.of("sex", ["f", "x"])
    shown = published(RootForOthers(table).ladder(domain), domain)
    assert shown == {"f": ("f", "any", "*"), "x": ("*", "*", "*")}


def test_a_hierarchy_that_covers_everything_never_meets_others() -> None:
    domain = Domain.of("x", ["a", "b"])
    assert validate(RootForOthers(Flat()).ladder(domain)).labels == (("a", "b"), ("*",))
