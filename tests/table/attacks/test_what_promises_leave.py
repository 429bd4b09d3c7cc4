"""Where a promise ends: it holds, and the attack beside the one that it stops succeeds.

Each of these is a line in the description of the model; together they say why its bound reads as it does.
"""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

import sfumato as sf
from sfumato.core.attack import AttackResult, Scored
from sfumato.table.attacks import Homogeneity, Linkage, Similarity, Skewness
from sfumato.table.attacks.contract import Knowledge, People
from sfumato.table.published import PublishedTable
from tests.oracles.models import publish, table_of
from tests.table.attacks.class_tables import NOTHING, published
from tests.table.attacks.stopping import identified
from tests.table.attacks.tables import in_memory


def linked(originals: list[str], labels: list[str], *models: Any) -> AttackResult:
    """Release labels under promises that hold, and let somebody look for people whose codes are known."""
    original = table_of(pd.DataFrame({"code": originals}))
    target = publish(pd.DataFrame({"code": labels}), ["code"], original=original)
    assert all(model.check(target).holds for model in models)
    return Linkage().run(target, Knowledge(original=PublishedTable(original, ("code",))))


def test_a_wildcard_hides_nobody_from_an_adversary_who_knows_the_hidden_value() -> None:
    """The star agrees with a and b, but neither of them with c, who is the only one left for it."""
    model = sf.KAnonymity(2, missing="wildcard")
    result = linked(["a", "b", "c"], ["a", "b", "*"], model)
    assert result.certain == 1
    assert model.stops == ()
    assert sf.KAnonymity(2).stops == ("linkage",)


def test_a_few_wildcards_for_each_town_are_enough_for_the_promise_and_hide_nearly_nobody() -> None:
    model = sf.KAnonymity(3, missing="wildcard")
    situation = identified(model, sf.LocalSuppression(missing="wildcard"))
    result = Linkage().run(situation.target, situation.knowledge)
    assert result.scored is Scored.MEASURED
    assert result.success > 0.9


def test_records_that_fit_two_people_may_be_all_that_fits_one_of_them() -> None:
    """(2,1): every record fits two, and only the first fits a."""
    result = linked(["a", "b", "c"], ["{a, b}", "{b, c}", "{b, c}"], sf.KOneAnonymisation(2))
    assert result.certain == 1


def test_of_two_records_that_fit_the_one_that_fits_fewer_others_is_likelier_theirs() -> None:
    """(2,2): nobody is sure, but whoever knows everybody's codes is right more often than one time in two."""
    labels = ["{a, b}", "{a, b, c}", "{b, c}"]
    models = [sf.OneKAnonymisation(2), sf.KKAnonymisation(2)]
    result = linked(["a", "b", "c"], labels, *models)
    assert result.certain == 0
    assert result.highest == pytest.approx((1 / 2) / (1 / 2 + 1 / 3))
    assert result.highest > 1 / 2


def test_a_map_of_the_population_hides_nobody_who_is_known_to_be_in_the_data() -> None:
    population = publish(pd.DataFrame({"code": ["a", "a", "b", "b"]}), ["code"])
    target = publish(pd.DataFrame({"code": ["a", "b"]}), ["code"], population=population)
    assert sf.KMap(2).check(target).holds
    listed = People(population.table, {"code": "code"})
    assert Linkage().run(target, Knowledge(people=listed)).highest == 1 / 2
    inside = Knowledge(original=PublishedTable(target.table, ("code",)))
    assert Linkage().run(target, inside).certain == 2


def test_whoever_has_most_rows_of_a_class_is_found_more_often_than_one_in_k() -> None:
    """Persons are counted, and a record is picked: nine of ten are those of the first person."""
    rows = {"id": [1] * 9 + [2], "code": ["a"] * 10}
    target = PublishedTable(in_memory(rows), ("code",), person="id")
    assert sf.KAnonymity(2).check(target).holds
    known = People(in_memory({"id": [1, 2], "code": ["a", "a"]}), {"code": "code"}, "id")
    result = Linkage().run(target, Knowledge(people=known))
    assert result.scored is Scored.MEASURED
    assert result.highest == 0.9


def test_shares_of_unique_people_and_averages_leave_single_people_alone() -> None:
    codes = ["a"] * 19 + ["b"]
    result = linked(codes, codes, sf.AverageRisk(0.1), sf.SampleUniqueness(0.05))
    assert result.success == pytest.approx(0.1)
    assert result.certain == 1


def test_an_estimate_of_population_uniques_may_be_wrong_about_a_population() -> None:
    """By the many pairs of the sample some who are alone in it should have a twin outside: nobody has."""
    codes = [f"alone{i}" for i in range(10)] + [f"pair{i // 2}" for i in range(60)]
    model = sf.PopulationUniqueness(0.1, 80, "zayatz")
    target = publish(pd.DataFrame({"code": codes}), ["code"])
    everybody = table_of(pd.DataFrame({"code": [*codes, *[f"pair{i}" for i in range(10)]]}))
    assert model.check(target).holds
    result = Linkage().run(target, Knowledge(people=People(everybody, {"code": "code"})))
    assert (result.certain, result.attempts) == (10, 80)


@pytest.mark.parametrize("distance", ["ordered", "numeric"])
def test_closeness_along_a_line_lets_a_value_stand_out_among_its_neighbours(distance: Any) -> None:
    rows = [(name, value) for name in "abc" for value in range(100)]
    rows += [(name, value) for name, value in (("a", 50), ("b", 51), ("c", 52)) for _ in range(110)]
    target = published(rows)
    model = sf.TCloseness(0.01, distance)
    assert model.check(target).holds
    assert not sf.TCloseness(0.25).check(target).holds
    result = Skewness().run(target, NOTHING)
    assert result.success == pytest.approx(333 / 630)
    assert result.details["largest_factor"] == pytest.approx((111 / 210) / (113 / 630))
    assert "skewness" not in model.stops


def test_a_relative_width_says_nothing_of_small_numbers() -> None:
    rows = [("a", value) for value in (1, 2, 4, 8)] + [("b", 1000 * value) for value in (1, 2, 4, 8)]
    target = published(rows)
    assert sf.EpsilonMAnonymity(0.4, 2, relative=True).check(target).holds
    assert Similarity(width=10).run(target, NOTHING).success == 1 / 2
    assert not sf.EpsilonMAnonymity(10, 2).check(target).holds


def test_one_far_value_is_range_enough_and_the_others_are_learned_nearly_for_sure() -> None:
    rows = [("a", 10 + i) for i in range(9)] + [("a", 1000)] + [("b", 100 * i) for i in range(11)]
    target = published(rows)
    assert sf.RangeDiversity(900).check(target).holds
    assert Similarity(width=10).run(target, NOTHING).success == 0
    assert Similarity(width=10, confidence=0.9).run(target, NOTHING).success == pytest.approx(9 / 21)


def test_a_value_that_nobody_watches_may_fill_a_class() -> None:
    target = published([("a", "flu"), ("a", "flu"), ("b", "hiv"), ("b", "flu")])
    assert sf.AlphaKAnonymity(0.5, 2, ("hiv",)).check(target).holds
    found = Homogeneity().run(target, NOTHING, victims=True)
    assert [victim.row for victim in found.victims] == [1, 2]


def test_different_values_of_which_one_is_frequent_leave_an_adversary_nearly_sure() -> None:
    target = published([("a", "hiv")] * 9 + [("a", "flu")])
    assert sf.DistinctLDiversity(2).check(target).holds
    assert sf.EntropyLDiversity(1.3).check(target).holds
    assert Homogeneity().run(target, NOTHING).success == 0
    assert Homogeneity().run(target, NOTHING).highest == 0.9


def test_whoever_guards_nothing_is_not_protected() -> None:
    data = pd.DataFrame(
        {"quasi": list("aabb"), "ill": [1, 2, 1, 7], "hide": [None, None, "low", None]}, dtype=object
    )
    tree = sf.Tree({"any": {"low": [1, 2], "high": [7]}})
    target = publish(data, ["quasi"], ["ill"], guard="hide", hierarchies={"ill": tree})
    assert sf.PersonalisedPrivacy(0.5).check(target).holds
    found = Similarity(common=1).run(target, NOTHING, victims=True)
    assert [victim.row for victim in found.victims] == [1, 2]
