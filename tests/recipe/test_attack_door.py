"""``sf.attack``: any release, file or frame, and whatever the adversary holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.attack import in_per_cent
from sfumato.core.errors import BadInput
from sfumato.core.verdict import Threat
from sfumato.recipe.attack import AttackReport, attack
from sfumato.recipe.attack_knowledge import NotRun, common_columns
from tests.recipe.adversaries import Alone, adversaries
from tests.recipe.examples import ward

__all__ = ["adversaries"]

SHOWN = pd.DataFrame(
    {
        "zip": ["476**"] * 3 + ["479**"] * 3,
        "ward": ["a", "b", "c", "d", "e", "f"],
        "ill": ["flu", "flu", "flu", "cold", "flu", "ache"],
    }
)
VOTERS = pd.DataFrame({"name": ["Ada", "Bo"], "Zip": ["47677", "47901"], "ward": ["a", "b"]})


def attacked(**more: Any) -> AttackReport:
    return attack(SHOWN, **({"quasi": "zip", "sensitive": "ill"} | more))


pytestmark = pytest.mark.usefixtures("adversaries")


def test_without_names_every_attack_is_run_that_can_be_and_the_others_are_listed() -> None:
    found = attacked()
    assert [one.attack for one in found] == ["peek"]
    assert [(one.attack, one.reason) for one in found.not_run] == [("alone", "it needs an identified file")]
    assert "alone was not run: it needs an identified file" in str(found)


def test_a_named_attack_that_lacks_something_is_an_error() -> None:
    with pytest.raises(BadInput, match="alone: the attack needs an identified file; give a file of people"):
        attacked(attacks="alone")
    with pytest.raises(BadInput, match="peek: the attack needs a sensitive column"):
        attacked(attacks="peek", sensitive=())


def test_when_nothing_can_be_run_that_is_an_error_and_no_empty_table() -> None:
    with pytest.raises(BadInput, match=r"no attack could be run: it needs an identified file \(alone\)"):
        attacked(sensitive=())


def test_an_identified_file_is_matched_by_names_without_case() -> None:
    found = attacked(attacks=Alone(), with_=VOTERS)
    assert found["alone"].details["columns"] == 1
    assert found.notes == (
        "the adversary knows the people of the identified file by: zip = Zip",
        "the file has more columns in common that are no quasi-identifiers (ward): map them to let the "
        "adversary use them",
        "rows were taken as people: no column names the person",
    )


def test_a_mapped_column_lets_the_adversary_see_finer_classes() -> None:
    plain = attacked(attacks="alone", with_=VOTERS)
    finer = attacked(attacks="alone", with_=VOTERS, columns={"ward": "ward"})
    assert plain["alone"].success == 0
    assert finer["alone"].success == 1


def test_the_original_serves_as_identified_file() -> None:
    original = pd.DataFrame({"zip": ["47677", "47678"], "ill": ["flu", "flu"], "id": [1, 2]})
    found = attacked(original=original, person="id")
    assert found["alone"].details["known"] == 2
    assert found.notes[0] == "the adversary knows everybody in the original by: zip"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"quasi": None}, r"nobody said what an adversary may know; name the quasi-identifiers"),
        ({"quasi": "zap"}, "there is no column 'zap' to be quasi-identifier; did you mean 'zip'"),
        ({"with_": pd.DataFrame({"x": [1]})}, "the identified file: it has no column in common with the rel"),
        ({"with_": VOTERS, "columns": {"zip": "postcode"}}, "there is no column 'postcode'; known are"),
        ({"with_": VOTERS, "columns": {"zap": "Zip"}}, "the release has no column 'zap' that people could"),
        ({"with_": VOTERS, "columns": {"ill": "name"}}, "the release has no column 'ill' that people could"),
        ({"columns": {"zip": "Zip"}}, "'columns' speaks of a file that is not there; give it as 'with_'"),
        ({"original": VOTERS}, "the original has no column 'zip', which the release has"),
        ({"original": SHOWN, "person": "id"}, "the original has no column 'id'"),
        ({"population": pd.DataFrame({"x": [1]})}, "the population: it has no column in common"),
        ({"others": pd.DataFrame({"x": [1]})}, "the other release: it has none of the quasi-identifiers"),
        ({"attacks": "pek"}, "there is no attack 'pek'; did you mean 'peek'"),
        ({"attacks": Alone}, r"attacks\[0\]: an attack is a type; give an object, or a name: alone, peek"),
        ({"with_": "nowhere.csv"}, "nowhere.csv: there is no such file"),
    ],
)
def test_bad_input_is_said_in_a_sentence(more: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        attacked(**more)


def test_a_release_folder_and_a_release_bring_their_roles(tmp_path: Path) -> None:
    released = sf.run(ward(tmp_path))
    people = pd.read_csv(tmp_path / "people.csv", dtype=str)
    from_folder = attack(released.release, original=people)
    assert [(one.attack, one.column) for one in from_folder] == [("alone", None), ("peek", "ill")]
    release = sf.protect(
        people[["age", "zip", "ill"]], quasi=["age", "zip"], sensitive="ill", models=sf.KAnonymity(2)
    )
    found = attack(release, original=people)
    assert [(one.attack, one.column) for one in found] == [("alone", None), ("peek", "ill")]
    assert set(release.hierarchies) == {"age", "zip"}
    parent = attack(tmp_path, "peek")
    assert parent["peek"].column == "ill"


def test_hierarchies_come_from_a_recipe_file(tmp_path: Path) -> None:
    recipe = ward(tmp_path)
    released = sf.run(recipe)
    found = attack(released.release, original=tmp_path / "people.csv", hierarchies=recipe)
    assert found["alone"].success == 0


def test_victims_are_told_only_when_asked_for() -> None:
    told = {"attacks": "alone", "with_": VOTERS, "columns": {"ward": "ward"}}
    assert attacked(**told)[0].victims == ()
    assert [victim.row for victim in attacked(**told, victims=True)[0].victims] == [1, 2, 3, 4, 5, 6]


def test_the_report_prints_a_table_for_each_kind_of_disclosure() -> None:
    found = attacked(attacks=["alone", {"peek": {"percent": 20}}], with_=VOTERS)
    assert str(found).splitlines()[:6] == [
        "identity: which record is a person's",
        "  attack  column  people  success  without   guess  sure of",
        "  alone                6    0.0 %   16.7 %  16.7 %        0",
        "attribute: a sensitive value of a person",
        "  attack  column  people  success  without   guess  sure of",
        "  peek    ill        100   20.0 %    0.0 %  50.0 %       20",
    ]
    assert len(found) == 2
    assert found.of(Threat.MEMBERSHIP) == ()
    with pytest.raises(KeyError):
        found["linkage"]


def test_attacks_that_failed_for_one_reason_share_a_sentence() -> None:
    left = tuple(NotRun("peek", Threat.ATTRIBUTE, "it is dark", column) for column in ("ill", "paid"))
    assert AttackReport((), left).said == ["peek on 'ill', 'paid' was not run: it is dark"]


@given(st.floats(0, 1))
def test_only_nothing_is_written_as_nothing_and_only_all_as_all(share: float) -> None:
    assert (in_per_cent(share) == "0.0 %") == (share == 0)
    assert (in_per_cent(share) == "100.0 %") == (share == 1)


def test_equal_names_win_over_alike_ones() -> None:
    assert common_columns(["zip"], ["ZIP", "zip"]) == {"zip": "zip"}


def test_names_that_could_mean_several_columns_are_never_guessed() -> None:
    with pytest.raises(BadInput, match="'zip_code' of the release may be any of 'ZipCode', 'zip code'"):
        common_columns(["zip_code"], ["ZipCode", "zip code"])
    assert common_columns(["zip_code"], ["ZipCode", "zip code"], {"zip_code": "zip code"}) == {
        "zip_code": "zip code"
    }


@given(st.lists(st.text("abcXYZ_ -", min_size=1, max_size=6), unique=True, max_size=6))
def test_columns_of_one_name_are_always_found(names: list[str]) -> None:
    if names:
        assert common_columns(names, names) == {name: name for name in names}


def test_published_means_are_attacked_as_they_are() -> None:
    draw = np.random.default_rng(2)
    names = [f"c{i}" for i in range(200)]
    people = pd.DataFrame((draw.random((200, 200)) < 0.5).astype(int), columns=names).assign(id=range(200))
    inside = people.head(30)
    means = pd.DataFrame({"column": names, "value": 1, "mean": inside[names].mean().to_numpy()})
    attack = sf.Aggregates(layout="marginals")
    found = sf.attack(means, attack, population=people, original=inside, person="id")
    assert found.results[0].success > 0.8
    with pytest.raises(sf.BadInput, match="a table of marginals has the columns"):
        sf.attack(means.rename(columns={"column": "attribute"}), attack, population=people, person="id")
