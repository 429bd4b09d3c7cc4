"""Two tiers from one recipe: person-level data for who may have them, counts for everybody."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.masking.tiers import shown
from tests.masking.examples import people, recipe, rows_of, write

TIERS = "tiers: {public: {by: [zip], smallest: 7}}"


@given(st.lists(st.integers(1, 40), min_size=1, max_size=8), st.integers(2, 15))
def test_small_counts_cannot_be_computed_from_the_total(counts: list[int], smallest: int) -> None:
    kept = shown(counts, smallest)
    assert all(number >= smallest for number, keep in zip(counts, kept, strict=True) if keep)
    hidden = [number for number, keep in zip(counts, kept, strict=True) if not keep]
    if min(counts) >= smallest:
        assert not hidden
    elif len(counts) > 1:
        assert len(hidden) >= 2
        assert sum(hidden) >= smallest or not any(kept)


def test_no_more_counts_are_hidden_than_needed() -> None:
    assert shown([50, 40, 12, 3], 11) == [True, True, False, False]
    assert shown([50, 5, 6], 11) == [True, False, False]
    assert shown([50, 4, 6], 11) == [False, False, False]


def test_one_recipe_makes_both_tiers(tmp_path: Path) -> None:
    text = recipe(postcode="role: sensitive", more=TIERS)
    released = sf.run(write(tmp_path, text, people(30)))
    assert len(rows_of(released.data)) == 30
    public = tmp_path / "public"
    counted = {row["zip"]: int(row["persons"]) for row in rows_of(public / "release" / "data.csv")}
    true = Counter(row.split(",")[4] for row in people(30))
    assert counted == {place: number for place, number in true.items() if number >= 7}
    told = json.loads((public / "release" / "evidence.json").read_text())
    assert told["smallest"] == 7
    assert "left_out" not in told
    assert json.loads((public / "steward" / "evidence.json").read_text())["left_out"] == 0
    with pytest.raises(sf.BadInput, match="public tier of counts"):
        sf.verify(public / "release")


def test_people_are_counted_not_rows_and_small_counts_are_gone(tmp_path: Path) -> None:
    rows = people(30) + people(30)[:9]
    rows += [row.replace(",0213", ",0999") for row in people(40)[37:]]
    text = recipe(postcode="role: sensitive", more=TIERS)
    sf.run(write(tmp_path, text, rows))
    found = rows_of(tmp_path / "public" / "release" / "data.csv")
    counted = {row["zip"]: int(row["persons"]) for row in found}
    assert counted == {"02130": 8, "02131": 8, "02133": 7}
    assert json.loads((tmp_path / "public" / "steward" / "evidence.json").read_text())["left_out"] == 4


def test_an_empty_public_tier_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    text = recipe(postcode="role: sensitive", more=TIERS.replace("7", "20"))
    with pytest.raises(sf.PromiseNotMet, match="every count of the public tier is below 20"):
        sf.run(write(tmp_path, text, people(30)))
    assert {path.name for path in tmp_path.iterdir()} == {"people.csv", "recipe.yaml"}


def test_both_tiers_are_replaced_together(tmp_path: Path) -> None:
    path = write(tmp_path, recipe(postcode="role: sensitive", more=TIERS))
    sf.run(path)
    with pytest.raises(sf.BadInput, match="already a folder"):
        sf.run(path)
    sf.run(path, replace=True)
    assert (tmp_path / "public" / "release" / "data.csv").exists()


@pytest.mark.parametrize(
    ("by", "said"),
    [("consent", "quasi-identifiers and sensitive columns only"), ("zpi", "did you mean 'zip'")],
)
def test_counts_are_by_watched_columns(tmp_path: Path, by: str, said: str) -> None:
    with pytest.raises(sf.BadInput, match=said):
        sf.run(write(tmp_path, recipe(more=TIERS.replace("zip", by))))


def test_an_expert_finds_assumptions_thresholds_measures_and_methods(tmp_path: Path) -> None:
    asked = recipe(output="output: {expertDetermination: true}")
    report = (sf.run(write(tmp_path / "a", asked)).steward / "report.html").read_text()
    for said in ("Expert determination", "Anticipated recipient", "prosecutor", "highest risk", "Threshold"):
        assert said in report
    assert "k-anonymity: required" in report
    silent = sf.run(write(tmp_path / "b", recipe()))
    assert "Expert determination" not in (silent.steward / "report.html").read_text()
    public = sf.run(write(tmp_path / "c", asked)).release / "report.html"
    assert "Expert determination" not in public.read_text()
