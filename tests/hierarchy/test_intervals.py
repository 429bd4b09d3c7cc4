from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.domain import Domain
from sfumato.core.errors import BadInput
from sfumato.hierarchy import Cuts, Intervals, UncoveredValues
from tests.oracles.hierarchy import assert_sound, interval_of, leaf_counts, published


def labels_of(hierarchy: Intervals | Cuts, values: list[object]) -> list[tuple[str | None, ...]]:
    domain = Domain.of("x", values)
    shown = published(hierarchy.ladder(domain), domain)
    return [shown[value][1:-1] for value in values]


def test_ages_written_as_text_become_intervals_of_5_10_20() -> None:
    assert labels_of(Intervals((5, 10, 20)), ["17", "20", "39"]) == [
        ("15-19", "10-19", "0-19"),
        ("20-24", "20-29", "20-39"),
        ("35-39", "30-39", "20-39"),
    ]


def test_one_width_doubles_over_the_levels_asked_for() -> None:
    assert labels_of(Intervals(5, levels=3), [38]) == [("35-39", "30-39", "20-39")]


def test_intervals_snap_to_the_origin() -> None:
    assert labels_of(Intervals(10, origin=3), [2, 3, 12, 13]) == [
        ("-7 to 2",),
        ("3-12",),
        ("3-12",),
        ("13-22",),
    ]


def test_negative_numbers_fall_downwards() -> None:
    assert labels_of(Intervals((5, 10)), [-10, -6, -5, -1, 0]) == [
        ("-10 to -6", "-10 to -1"),
        ("-10 to -6", "-10 to -1"),
        ("-5 to -1", "-10 to -1"),
        ("-5 to -1", "-10 to -1"),
        ("0-4", "0-9"),
    ]


def test_real_numbers_give_half_open_intervals() -> None:
    assert labels_of(Intervals((2.5, 5)), [0.0, 2.4, 2.5, 4.99]) == [
        ("[0, 2.5)", "[0, 5)"),
        ("[0, 2.5)", "[0, 5)"),
        ("[2.5, 5)", "[0, 5)"),
        ("[2.5, 5)", "[0, 5)"),
    ]


def test_decimals_on_a_bound_lie_above_it() -> None:
    """0.3 / 0.1 is 2.9999999999999996 in floats."""
    assert labels_of(Intervals(0.1), [0.3, 0.7, 0.29]) == [("[0.3, 0.4)",), ("[0.7, 0.8)",), ("[0.2, 0.3)",)]


def test_top_coding_begins_exactly_at_the_top() -> None:
    assert labels_of(Intervals((5, 20), top=90), [89, 90, 91, 120]) == [
        ("85-89", "80-89"),
        ("90+", "90+"),
        ("90+", "90+"),
        ("90+", "90+"),
    ]


def test_bottom_coding_ends_exactly_before_the_bottom() -> None:
    assert labels_of(Intervals((5, 50), bottom=20), [3, 19, 20, 49]) == [
        ("<20", "<20"),
        ("<20", "<20"),
        ("20-24", "20-49"),
        ("45-49", "20-49"),
    ]


def test_snapping_joins_what_the_top_and_the_bottom_cut_off() -> None:
    assert labels_of(Intervals((5, 20), bottom=25, top=90, snap=True), [24, 26, 79, 89, 90]) == [
        ("<25", "<40"),
        ("25-29", "<40"),
        ("75-79", "60-79"),
        ("85-89", "80+"),
        ("90+", "80+"),
    ]


def test_snapping_that_leaves_nothing_between_bottom_and_top_says_nothing() -> None:
    assert labels_of(Intervals((5, 100), bottom=20, top=90, snap=True), [3, 50, 95]) == [
        ("<20", "*"),
        ("50-54", "*"),
        ("90+", "*"),
    ]


def test_coded_groups_may_have_labels_of_their_own() -> None:
    hierarchy = Intervals(10, bottom=10, top=90, bottom_label="child", top_label="very old")
    assert labels_of(hierarchy, [3, 50, 95]) == [("child",), ("50-59",), ("very old",)]


def test_leaves_of_whole_numbers_are_the_integers_between_lowest_and_highest() -> None:
    ladder = Intervals((5, 10), top=90).ladder(Domain.of("age", [17, 38, 93]))
    assert ladder.size == 93 - 17 + 1
    assert leaf_counts(ladder)[1:] == [
        {"15-19": 3, "35-39": 5, "90+": 4},
        {"10-19": 3, "30-39": 10, "90+": 4},
        {"*": 77},
    ]


def test_leaves_of_real_numbers_are_the_distinct_values() -> None:
    ladder = Intervals(1).ladder(Domain.of("x", [0.5, 0.7, 3.2, None]))
    assert leaf_counts(ladder) == [
        {"0.5": 1, "0.7": 1, "3.2": 1, None: 1},
        {"[0, 1)": 2, "[3, 4)": 1, None: 1},
        {"*": 4},
    ]


def test_a_number_written_in_two_ways_is_two_leaves() -> None:
    ladder = Intervals(1).ladder(Domain.of("x", ["7", "07"]))
    assert ladder.labels == (("07", "7"), ("7",), ("*",))
    assert_sound(ladder)


def test_a_column_of_missing_values_only_has_a_ladder() -> None:
    ladder = Intervals(5).ladder(Domain.of("age", [None]))
    assert ladder.labels == ((None,), (None,), ("*",))


def test_text_among_the_numbers_is_an_error_that_shows_no_value() -> None:
    with pytest.raises(UncoveredValues) as caught:
        Intervals(5).ladder(Domain.of("age", ["17", "secret", None]))
    assert caught.value.codes == (1,)
    assert str(caught.value).startswith("column 'age': 1 value is not a number; mend")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"widths": ()}, "widths must be positive"),
        ({"widths": 0}, "widths must be positive"),
        ({"widths": "5"}, "a width must be a number"),
        ({"widths": float("nan")}, "a width must be a number"),
        ({"widths": True}, "a width must be a number"),
        ({"widths": (5, 12)}, "the widths do not nest; make each width a multiple"),
        ({"widths": (5, 5)}, "the widths do not nest"),
        ({"widths": (5, 10), "levels": 1}, "levels must be a whole number"),
        ({"widths": 5, "bottom": 90, "top": 90}, "bottom must be smaller than top"),
        ({"widths": 5, "origin": "x"}, "the origin must be a number"),
        ({"widths": 5, "top": "90"}, "top must be a number"),
    ],
)
def test_wrong_parameters_are_refused(options: dict[str, object], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        Intervals(**options)  # type: ignore[arg-type]


def test_a_width_far_too_small_is_refused() -> None:
    with pytest.raises(BadInput, match="column 'x': the width is too small"):
        Intervals(1e-9).ladder(Domain.of("x", [0, 1e12]))


def test_very_large_numbers_and_widths_work() -> None:
    assert labels_of(Intervals((10**15, 10**40)), [3 * 10**15, 3 * 10**15 - 1]) == [
        ("3000000000000000-3999999999999999", f"0-{10**40 - 1}"),
        ("2000000000000000-2999999999999999", f"0-{10**40 - 1}"),
    ]


def test_numbers_that_share_a_float_are_refused() -> None:
    """2^60 − 1 would be put into the interval that begins with 2^60."""
    with pytest.raises(BadInput, match="1 value is not a number"):
        Intervals((2**20,)).ladder(Domain.of("x", [2**60 - 1]))


decimals = st.decimals(-1000, 1000, places=3).map(lambda number: str(number + Decimal(0)))
widths = st.sampled_from(["0.001", "0.05", "0.1", "0.3", "1", "2.5", "7", "12"])


@given(st.lists(decimals, min_size=1, max_size=30), widths, st.sampled_from(["0", "0.1", "-3", "17"]))
def test_every_decimal_lies_in_the_interval_of_exact_arithmetic(
    values: list[str], width: str, origin: str
) -> None:
    domain = Domain.of("x", values)
    hierarchy = Intervals((float(width), float(Decimal(width) * 3)), origin=float(origin))
    ladder = hierarchy.ladder(domain)
    assert_sound(ladder)
    for level, factor in ((1, 1), (2, 3)):
        exact = {value: interval_of(value, str(Decimal(width) * factor), origin) for value in values}
        label = {value: path[level] for value, path in published(ladder, domain).items()}
        for one in values:
            for other in values:
                assert (exact[one] == exact[other]) == (label[one] == label[other])
            text = str(label[one])
            if text.startswith("["):
                low, high = text[1:-1].split(", ")
                assert (Fraction(low), Fraction(high)) == exact[one]


@given(
    st.lists(st.integers(-200, 200), min_size=1, max_size=30),
    st.integers(1, 12),
    st.integers(2, 4),
    st.none() | st.integers(-150, -1),
    st.none() | st.integers(1, 150),
    st.booleans(),
)
def test_leaves_partition_the_integers(
    values: list[int], width: int, factor: int, bottom: int | None, top: int | None, snap: bool
) -> None:
    """Laid over all integers of the range, the labels hold exactly the leaves that were counted."""
    hierarchy = Intervals((width, width * factor), bottom=bottom, top=top, snap=snap)
    some = Domain.of("x", values)
    every = Domain.of("x", range(min(values), max(values) + 1))
    ladder = hierarchy.ladder(some)
    assert_sound(ladder)
    everything = published(hierarchy.ladder(every), every)
    assert ladder.size == len(every)
    for value, path in published(ladder, some).items():
        assert path == everything[value]
    for level, counted in enumerate(leaf_counts(ladder)):
        for label, leaves in counted.items():
            assert leaves == sum(path[level] == label for path in everything.values())


def test_cuts_make_open_intervals_at_both_ends() -> None:
    assert labels_of(Cuts([18, 45, 65]), [17, 18, 44, 45, 64, 65]) == [
        ("<18",),
        ("18-44",),
        ("18-44",),
        ("45-64",),
        ("45-64",),
        ("65+",),
    ]


def test_cuts_of_several_levels_nest() -> None:
    assert labels_of(Cuts([[18, 45, 65], [18, 65], [65]]), [20, 50, 70]) == [
        ("18-44", "18-64", "<65"),
        ("45-64", "18-64", "<65"),
        ("65+", "65+", "65+"),
    ]


def test_cuts_of_real_numbers_are_half_open() -> None:
    assert labels_of(Cuts([18.5, 25.0, 30.0]), [18.4, 18.5, 24.9, 30.0]) == [
        ("<18.5",),
        ("[18.5, 25)",),
        ("[18.5, 25)",),
        ("30+",),
    ]


@pytest.mark.parametrize(
    ("cuts", "said"),
    [
        ([], "at least one"),
        ([[]], "at least one"),
        ([3, 1], "increasing order"),
        (["a"], "a cut must be a number"),
        ([[1, 2], [3]], "the cuts do not nest"),
        ([[1, 2], [1, 2]], "the cuts do not nest"),
    ],
)
def test_wrong_cuts_are_refused(cuts: list[object], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        Cuts(cuts)  # type: ignore[arg-type]


@given(st.lists(st.integers(-50, 50), min_size=1), st.sets(st.integers(-40, 40), min_size=2, max_size=6))
def test_cuts_lie_as_bisection_by_hand_says(values: list[int], cuts: set[int]) -> None:
    fine, coarse = sorted(cuts), sorted(cuts)[::2]
    if len(coarse) == len(fine):
        coarse = coarse[:-1]
    domain = Domain.of("x", values)
    ladder = Cuts([fine, coarse]).ladder(domain)
    assert_sound(ladder)
    shown = published(ladder, domain)
    for level, marks in ((1, fine), (2, coarse)):
        passed = {value: sum(value >= mark for mark in marks) for value in values}
        for one in values:
            for other in values:
                assert (passed[one] == passed[other]) == (shown[one][level] == shown[other][level])
