"""What an adversary could do who is not as simple as the attack: no attack may say less than that."""

from __future__ import annotations

import datetime as dt
import random
from collections import defaultdict
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from sfumato.core.attack import Scored
from sfumato.core.errors import BadInput
from sfumato.hierarchy import Mask
from sfumato.table.attacks.attribute_inference import AttributeInference
from sfumato.table.attacks.background_knowledge import BackgroundKnowledge
from sfumato.table.attacks.contract import Knowledge, People
from sfumato.table.attacks.corruption import Corruption
from sfumato.table.attacks.fuzzy_linkage import FuzzyLinkage
from sfumato.table.attacks.homogeneity import Homogeneity
from sfumato.table.attacks.linkage import Linkage
from sfumato.table.attacks.matching.compatible import compatible
from sfumato.table.attacks.membership import Membership
from sfumato.table.attacks.similarity import Similarity
from sfumato.table.attacks.skewness import Skewness
from sfumato.table.attacks.sparse_matching import SparseMatching
from sfumato.table.published import PublishedTable
from tests.oracles.models import publish
from tests.table.attacks.tables import in_memory

NOTHING = Knowledge()
_SAME_IDS = "equal ids are taken to be the same person in the file and in the data"


def visits(*people: tuple[str, str]) -> pd.DataFrame:
    """Make people of a class who have several values each: ``("a", "flu cold")``."""
    rows = [
        (quasi, ill, f"p{number}") for number, (quasi, values) in enumerate(people) for ill in values.split()
    ]
    return pd.DataFrame(rows, columns=["quasi", "ill", "who"])


def test_a_value_that_everybody_of_a_class_has_is_learned_though_they_have_others_too() -> None:
    data = visits(*(("a", "flu cold"),) * 3, ("b", "x"), ("b", "y"))
    result = Homogeneity().run(publish(data, ["quasi"], ["ill"], person="who"), NOTHING)
    assert result.certain == 6, "three people, two values of each"
    assert result.success == pytest.approx(6 / 8)
    assert result.highest == 1.0


def test_somebody_who_is_alone_is_not_hidden_by_having_two_values() -> None:
    data = visits(("a", "flu cold"), ("b", "flu"), ("b", "cold"))
    result = Homogeneity().run(publish(data, ["quasi"], ["ill"], person="who"), NOTHING)
    assert result.certain == 2
    assert result.baseline == 0.0, "without them nobody is in the class"


@pytest.mark.parametrize("seed", range(20))
def test_the_share_of_a_value_is_that_of_people_and_not_of_their_records(seed: int) -> None:
    chance = random.Random(seed)
    people = [
        (chance.choice("ab"), " ".join(chance.sample(["u", "v", "w"], chance.choice([1, 1, 2]))))
        for _ in range(chance.randint(4, 9))
    ]
    target = publish(visits(*people), ["quasi"], ["ill"], person="who")
    members: dict[str, list[set[str]]] = defaultdict(list)
    for quasi, values in people:
        members[quasi].append(set(values.split()))
    everybody = [values for some in members.values() for values in some]
    certain, skewed, highest, corrupted = 0, 0, Fraction(0), 0
    for some in members.values():
        for own in some:
            for value in own:
                share = Fraction(sum(value in other for other in some), len(some))
                prior = Fraction(sum(value in other for other in everybody), len(everybody))
                certain += share == 1
                skewed += share >= 2 * prior and share >= Fraction(1, 2)
                highest = max(highest, share)
                corrupted += sum(value not in other for other in some) <= 1
    pairs = sum(map(len, everybody))
    learned = Homogeneity().run(target, NOTHING)
    assert (learned.attempts, learned.certain) == (pairs, certain)
    assert learned.highest == pytest.approx(float(highest))
    assert Skewness().run(target, NOTHING).success == pytest.approx(skewed / pairs)
    one_known = Corruption(corrupted=1, worst=True).run(target, NOTHING)
    assert one_known.success == pytest.approx(corrupted / pairs)


def test_somebody_without_a_value_is_looked_for_among_those_who_have_none() -> None:
    original = pd.DataFrame({"zip": ["1"] * 3 + [None] * 3, "ill": list("abc") + ["x"] * 3})
    table = publish(original, ["zip"], ["ill"])
    result = BackgroundKnowledge().run(table, Knowledge(original=table))
    assert result.certain == 3, "all three without a ZIP code have x"
    assert result.success == pytest.approx((3 + 3 / 3) / 6)


def test_people_of_whom_no_value_is_the_true_one_are_said_to_be_left_out() -> None:
    data = visits(*(("a", "flu cold"),) * 3, ("a", "flu"), ("b", "leg"))
    table = publish(data, ["quasi"], ["ill"], person="who")
    result = AttributeInference().run(table, Knowledge(original=table))
    assert (result.attempts, result.scored) == (2, Scored.MEASURED)
    assert result.note == "3 people with several values are not attacked"
    everybody = publish(visits(*(("a", "flu cold"),) * 3), ["quasi"], ["ill"], person="who")
    with pytest.raises(BadInput, match="everybody has several values"):
        AttributeInference().run(everybody, Knowledge(original=everybody))


@pytest.mark.parametrize(
    ("known", "label"),
    [
        ([20, 25, None], "[20-25] or missing"),
        ([99, None], "[99] or missing"),
        (["f", "m", None], "{f, m} or missing"),
        ([True, None], "{true} or missing"),
        ([dt.date(1961, 9, 15), None], "[1961-09-15] or missing"),
        (["1961-09-15", "1961-09-20", None], "[1961-09-15 - 1961-09-20] or missing"),
        (["476**", "b\\", None], "{476**, b\\\\} or missing"),
        ([0.25, None], "0.25 or missing"),
    ],
)
def test_a_label_that_may_stand_for_nothing_is_also_theirs_who_have_none(
    known: list[object], label: str
) -> None:
    found = compatible("x", known, [label], missing_is_a_value=True)
    assert found.test(np.zeros(len(known), np.int64), found.codes).all()


def test_a_value_that_ends_like_a_label_is_still_itself() -> None:
    found = compatible("x", ["a", "a or missing", None], ["a or missing", "a"], missing_is_a_value=True)
    assert found.test(np.array([0, 0, 0, 1, 1]), found.codes[[0, 1, 2, 0, 1]]).tolist() == [
        *(True, True, True),
        *(True, False),
    ]


def test_a_backslash_at_the_end_of_a_value_is_not_lost_in_a_set() -> None:
    known = ["b\\", "c, ", "x\\, y", "b", "{x}"]
    labels = ["{b\\\\, c\\, , x\\\\\\, y}", "{b, \\{x\\}}"]
    found = compatible("x", known, labels)
    assert found.test(np.zeros(5, np.int64), found.codes).tolist() == [True, True, True, False, False]
    assert found.test(np.ones(5, np.int64), found.codes).tolist() == [False, False, False, True, True]


def test_one_value_of_another_length_does_not_take_a_mask_away_from_the_others() -> None:
    found = compatible("zip", ["47677", "4767", "02139"], ["476**", "02***"], Mask())
    agree = [found.test(np.full(3, label), found.codes).tolist() for label in (0, 1)]
    assert agree[0][0], "476** may be 47677"
    assert agree[1] == [False, False, True]


def half_blanked(person: str | None = None) -> tuple[PublishedTable, PublishedTable]:
    """Make ten people in classes of two and ten others whose records are blanked in the release."""
    shown, who = [str(number // 2) for number in range(10)], [f"p{number}" for number in range(20)]
    before = in_memory({"zip": [*shown, *map(str, range(100, 110))], "who": who, "ill": ["x"] * 20})
    after = in_memory({"zip": [*shown, *["*"] * 10], "who": who, "ill": ["x"] * 10 + [None] * 10})
    return (
        PublishedTable(before, ("zip",), ("ill",), person),
        PublishedTable(after, ("zip",), ("ill",), person, blanked=10),
    )


@pytest.mark.parametrize("person", ["who", None])
@pytest.mark.parametrize("file", [True, False])
def test_blanked_records_do_not_hide_those_whose_class_is_shown(person: str | None, file: bool) -> None:
    before, after = half_blanked(person)
    people = People(before.table, {"zip": "zip"}, person)
    result = Linkage().run(after, Knowledge(people) if file else Knowledge(original=before))
    assert result.success == pytest.approx((10 / 2 + 10 / 10) / 20)
    assert result.highest == 0.5


def test_whoever_fits_no_class_is_told_to_be_among_the_blanked() -> None:
    _, after = half_blanked()
    zips = [str(number // 2) for number in range(10)] + [str(number) for number in range(100, 120)]
    result = Membership().run(after, Knowledge(population=People(in_memory({"zip": zips}), {"zip": "zip"})))
    assert result.certain == 10, "those whose classes are shown, and no more"
    assert result.details["least_probability"] == pytest.approx(10 / 20)


def test_of_users_who_rated_alike_each_is_found_as_often_as_the_other() -> None:
    rows = [(f"u{user}", f"i{item}", 3) for user in range(40) for item in range(user // 2, user // 2 + 12)]
    table = in_memory(dict(zip(("user", "item", "rating"), map(list, zip(*rows, strict=True)), strict=True)))
    result = SparseMatching(known=12, wrong=0).run(PublishedTable(table, ()), Knowledge())
    assert result.success == pytest.approx(1 / 2), "twenty pairs, and a coin for each of the people"


def test_what_is_no_news_because_most_people_share_it_is_said_to_be_left_out() -> None:
    data = pd.DataFrame({"quasi": list("aaaabbbccc"), "ill": list("uvuvuvuwxw")})
    groups = {"infections": ["u", "v"], "other": ["w", "x"]}
    result = Similarity(groups=groups).run(publish(data, ["quasi"], ["ill"]), NOTHING)
    assert result.success == pytest.approx(3 / 10), "seven of ten have an infection"
    assert "not counted are 7 people" in result.note
    common = Similarity(groups=groups, common=0.7).run(publish(data, ["quasi"], ["ill"]), NOTHING)
    assert common.success == 1.0
    assert "not counted" not in common.note


def test_labels_that_nobody_can_read_are_said_to_be_so_however_few() -> None:
    target = PublishedTable(in_memory({"ill": ["flu", "leg", "lungs"], "sex": list("mmf")}), ("ill", "sex"))
    listed = in_memory({"ill": ["flu", "leg", "asthma"], "sex": list("mmf")})
    result = Linkage().run(target, Knowledge(People(listed, {"ill": "ill", "sex": "sex"})))
    assert "1 records have a label in 'ill' that is nobody's in the file" in result.note


@pytest.mark.parametrize(
    ("known", "label", "theirs"),
    [
        ([79, 80, 89, 90, 101], "[80-90+]", [80, 89, 90, 101]),
        ([79, 80, 89, 90, 101], "[80 - 90+] or missing", [80, 89, 90, 101]),
        ([79, 90, 101], "[90+]", [90, 101]),
        ([79, 90, 101], "90+", [90, 101]),
        ([1900, 1936, 1937, 1951], "[≤1936-1950]", [1900, 1936, 1937]),
        ([1900, 1936, 1937], "1936 or earlier", [1900, 1936]),
        ([1900, 1936, 1937], "[≤1936] or missing", [1900, 1936]),
        (["1935-05-01", "1936-12-31", "1937-01-01"], "1936 or earlier", ["1935-05-01", "1936-12-31"]),
        (["1935-05-01", "1950-12-31", "1951-01-01"], "[≤1936-1950]", ["1935-05-01", "1950-12-31"]),
    ],
)
def test_labels_with_an_open_end_are_those_of_the_oldest(
    known: list[object], label: str, theirs: list[object]
) -> None:
    found = compatible("age", known, [label])
    agrees = found.test(np.zeros(len(known), np.int64), found.codes).tolist()
    assert [value for value, agree in zip(known, agrees, strict=True) if agree] == theirs


def test_moments_of_a_day_are_looked_for_between_two_others() -> None:
    known = [dt.datetime(2020, 1, 1, hour, 30) for hour in (0, 3, 6)]
    labels = ["[2020-01-01 00:30:00 - 2020-01-01 03:30:00]", "2020-01-01 06:30:00", "[2020-01-01 03:30:00]"]
    found = compatible("when", known, labels)
    agrees = [found.test(np.full(3, label), found.codes).tolist() for label in range(3)]
    assert agrees == [[True, True, False], [False, False, True], [False, True, False]]


@pytest.mark.parametrize("person", ["who", None])
def test_people_of_the_original_who_match_nothing_are_said_to_count_as_not_found(person: str | None) -> None:
    before = in_memory({"zip": list("1122"), "who": list("abcd")})
    after = in_memory({"zip": list("11"), "who": list("ab")})
    target, original = (
        PublishedTable(after, ("zip",), (), person),
        PublishedTable(before, ("zip",), (), person),
    )
    result = Linkage().run(target, Knowledge(original=original))
    assert result.success == pytest.approx(1 / 4), "two people are found every other time"
    assert "2 of 4 people have no record that agrees, and count as not found" in result.note


def test_that_equal_ids_are_taken_for_the_same_person_is_said() -> None:
    before, after = half_blanked("who")
    listed = People(before.table, {"zip": "zip"}, "who")
    assert _SAME_IDS in Linkage().run(after, Knowledge(listed)).note
    assert _SAME_IDS not in Linkage().run(after, Knowledge(original=before)).note


def test_of_somebody_who_is_surely_in_the_data_all_that_is_believed_is_about_their_pairs() -> None:
    chance = random.Random(4)
    people = [(chance.randint(20, 59), chance.choice("mf"), chance.choice("abcd")) for _ in range(120)]
    shown = [(f"[{age // 10 * 10}-{age // 10 * 10 + 9}]", sex, town) for age, sex, town in people]
    names = ("age", "sex", "town")
    before, after = (
        PublishedTable(in_memory(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))), names)
        for rows in (people, shown)
    )
    listed = Knowledge(People(before.table, dict(zip(names, names, strict=True))))
    inside = FuzzyLinkage().run(after, Knowledge(original=before))
    perhaps = FuzzyLinkage().run(after, listed)
    assert inside.success > 1.5 * perhaps.success
    assert inside.highest > perhaps.highest


def test_one_column_that_tells_is_enough_where_the_other_tells_nothing() -> None:
    chance = random.Random(0)
    heights, who = [150.0 + number for number in range(40)], list(range(40))
    noisy = [height + 0.4 * chance.random() for height in heights]
    before = in_memory({"height": heights, "weight": [90.0 - number for number in who], "who": who})
    after = in_memory({"height": noisy, "weight": [70.0] * 40, "who": who})
    original, target = (PublishedTable(table, ("height", "weight"), (), "who") for table in (before, after))
    result = FuzzyLinkage().run(target, Knowledge(original=original))
    assert result.success > 0.9, "the nearest height is everybody's own"
