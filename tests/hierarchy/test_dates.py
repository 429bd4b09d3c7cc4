import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.domain import Domain
from sfumato.core.errors import BadInput
from sfumato.hierarchy import Dates, UncoveredValues
from tests.oracles.hierarchy import DATE_LABELS, assert_sound, leaf_counts, published


def paths(hierarchy: Dates, values: list[object]) -> list[tuple[str | None, ...]]:
    domain = Domain.of("date", values)
    shown = published(hierarchy.ladder(domain), domain)
    return [shown[value] for value in values]


def test_a_leap_day_climbs_to_its_decade() -> None:
    for day in ("2024-02-29", dt.date(2024, 2, 29)):
        assert paths(Dates(), [day]) == [("2024-02-29", "2024-02", "2024-Q1", "2024", "2020-2029", "*")]


def test_decades_change_with_the_tens() -> None:
    shown = paths(Dates(("decade",)), ["1999-12-31", "2000-01-01", "2009-12-31", "2010-01-01"])
    assert [path[1] for path in shown] == ["1990-1999", "2000-2009", "2000-2009", "2010-2019"]


def test_dates_before_1970_lie_in_their_own_month() -> None:
    shown = paths(Dates(("month", "decade")), ["1969-12-31", "1900-01-01", "0001-01-01"])
    assert [path[1:-1] for path in shown] == [
        ("1969-12", "1960-1969"),
        ("1900-01", "1900-1909"),
        ("0001-01", "0000-0009"),
    ]


def test_quarters_begin_in_january_april_july_october() -> None:
    days = [f"2023-{month:02}-01" for month in range(1, 13)]
    assert [path[1][-2:] for path in paths(Dates(("quarter",)), days)] == [  # type: ignore[index]
        quarter for quarter in ("Q1", "Q2", "Q3", "Q4") for _ in range(3)
    ]


def test_date_times_begin_with_the_day() -> None:
    noon = dt.datetime(2024, 2, 29, 12, 30)
    assert paths(Dates(("day", "month")), [noon]) == [("2024-02-29 12:30:00", "2024-02-29", "2024-02", "*")]
    text = "2024-02-29T23:59:59+02:00"
    assert paths(Dates(("day", "month")), [text])[0][1:] == ("2024-02-29", "2024-02", "*")


def test_leaves_of_dates_are_days_between_the_first_and_the_last() -> None:
    ladder = Dates(("month", "year")).ladder(Domain.of("date", ["2024-01-30", "2024-02-10", "2025-03-01"]))
    assert ladder.size == 397
    assert leaf_counts(ladder)[1:] == [
        {"2024-01": 2, "2024-02": 29, "2025-03": 1},
        {"2024": 337, "2025": 60},
        {"*": 397},
    ]


def test_leaves_of_date_times_are_the_distinct_values() -> None:
    times = [dt.datetime(2024, 1, 1, hour) for hour in (1, 2, 3)]
    assert leaf_counts(Dates(("day",)).ladder(Domain.of("t", times)))[1:] == [{"2024-01-01": 3}, {"*": 3}]


def test_missing_dates_are_apart() -> None:
    assert paths(Dates(("year",)), ["2024-02-29", None])[1] == (None, None, "*")


def test_values_that_are_no_dates_are_uncovered() -> None:
    with pytest.raises(UncoveredValues, match="column 'date': 2 values are not dates") as caught:
        Dates().ladder(Domain.of("date", ["2024-02-29", "2023-02-29", "yesterday"]))
    assert caught.value.codes == (0, 2)


@pytest.mark.parametrize(
    ("levels", "said"),
    [
        (("moth",), "there is no unit 'moth'; did you mean 'month'"),
        (("year", "month"), "from short units to long ones"),
        (("year", "year"), "from short units to long ones"),
        ((), "from short units to long ones"),
        ("year", "levels must be a list"),
    ],
)
def test_wrong_levels_are_refused(levels: tuple[str, ...], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        Dates(levels)


units = st.sets(st.sampled_from(["day", "month", "quarter", "year", "decade"]), min_size=1).map(
    lambda chosen: tuple(sorted(chosen, key=["day", "month", "quarter", "year", "decade"].index))
)


@given(st.lists(st.dates(), min_size=1, max_size=20), units)
def test_any_dates_show_what_the_calendar_says(days: list[dt.date], levels: tuple[str, ...]) -> None:
    domain = Domain.of("date", days)
    ladder = Dates(levels).ladder(domain)
    assert_sound(ladder)
    for day, path in published(ladder, domain).items():
        assert path[1:-1] == tuple(DATE_LABELS[unit](day) for unit in levels)


@given(st.lists(st.dates(dt.date(1998, 1, 1), dt.date(2002, 12, 31)), min_size=1, max_size=6), units)
def test_leaves_are_the_days_of_the_calendar(days: list[dt.date], levels: tuple[str, ...]) -> None:
    ladder = Dates(levels).ladder(Domain.of("date", days))
    between = [dt.date.fromordinal(day) for day in range(min(days).toordinal(), max(days).toordinal() + 1)]
    assert ladder.size == len(between)
    for unit, counted in zip(levels, leaf_counts(ladder)[1:], strict=False):
        for label, leaves in counted.items():
            assert leaves == sum(DATE_LABELS[unit](day) == label for day in between)
