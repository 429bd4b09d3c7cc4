"""Measures of tasks, from recipes and for any two tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

from sfumato.core.errors import BadInput
from sfumato.recipe.api import protect, run
from sfumato.recipe.measured import tasks_of, utility
from sfumato.table.methods.mondrian import Mondrian
from sfumato.table.methods.optimal_lattice import OptimalLattice
from sfumato.table.models import KAnonymity
from sfumato.table.utility.learning import Learning
from sfumato.table.utility.queries import QueryError
from tests.recipe.examples import RECIPE, ward

PEOPLE = pd.DataFrame(
    {
        "age": [20 + 7 * i % 41 for i in range(80)],
        "zip": [f"021{3 * i % 29:02d}" for i in range(80)],
        "old": ["yes" if 7 * i % 41 > 20 else "no" for i in range(80)],
    }
)
ROLES: dict[str, Any] = {"quasi": ["age", "zip"], "sensitive": "old", "models": KAnonymity(4)}
ASKED = [
    {"query-error": {"queries": 20}},
    {"classification": {"target": "old"}},
    {"learning": {"target": "old"}},
    "moments",
]


@pytest.mark.parametrize(
    "method", [Mondrian(), OptimalLattice(suppress=0.1)], ids=["mondrian", "optimal-lattice"]
)
def test_a_release_is_measured_as_the_two_tables_are(method: Any) -> None:
    release = protect(PEOPLE, **ROLES, method=method, measures=ASKED, order="kept")
    inside = {one.name: one for one in release.evidence.utility}
    beside = utility(PEOPLE, release.data, quasi=["age", "zip"], measures=ASKED[:2])
    for name, found in beside.items():
        assert inside[name] == found
    assert release.utility["query-error"] > 0
    # The house knows which row became which, and holds the tested records out of the release.
    assert inside["learning"].details["held_out"] == "of both tables"
    assert inside["moments"].details["il1s"] > 0


def test_rows_that_are_suppressed_or_shuffled_are_still_matched() -> None:
    plain = protect(PEOPLE, **ROLES, method=Mondrian(), measures="moments", order="kept")
    shuffled = protect(PEOPLE, **ROLES, method=Mondrian(), measures="moments")
    il1s = [release.evidence.utility[-1].details["il1s"] for release in (plain, shuffled)]
    assert il1s[0] == pytest.approx(il1s[1])
    aligned = utility(PEOPLE, plain.data, measures="moments", aligned=True)["moments"]
    assert aligned.details["il1s"] == pytest.approx(il1s[0])
    dropped = protect(PEOPLE, **ROLES, method=OptimalLattice(suppress=0.3), measures="moments")
    assert dropped.evidence.utility[-1].details["il1s"] >= 0


def test_perturbed_records_are_measured_against_the_raw_ones_without_matching_rows() -> None:
    noisy = protect(
        PEOPLE, **ROLES, method=Mondrian(), measures=["moments", {"learning": {"target": "old"}}],
        perturb={"rounding": {"columns": ["age"], "base": 10}},
    )  # fmt: skip
    found = {one.name: one for one in noisy.evidence.utility}
    assert "il1s" not in found["moments"].details
    assert found["learning"].details["held_out"] == "of the original only"


def test_a_recipe_asks_for_measures_and_only_the_steward_sees_them(tmp_path: Path) -> None:
    asked = RECIPE + "measures:\n  - query-error: {sql: [\"age > 60 AND ill = 'rare'\"]}\n  - moments\n"
    released = run(ward(tmp_path, asked))
    steward = json.loads((released.steward / "evidence.json").read_text())
    names = [one["name"] for one in steward["utility"]]
    assert names[-2:] == ["query-error", "moments"]
    assert steward["utility"][-2]["details"]["queries"] == 1
    for path in released.release.iterdir():
        assert "query-error" not in path.read_text()
        assert "rare'" not in path.read_text()


def test_files_are_measured_too(tmp_path: Path) -> None:
    PEOPLE.to_csv(tmp_path / "people.csv", index=False)
    wide = PEOPLE.assign(age="[20-60]")
    wide.to_csv(tmp_path / "shown.csv", index=False)
    from_files = utility(
        tmp_path / "people.csv", str(tmp_path / "shown.csv"), measures=QueryError(columns=("age",))
    )
    from_frames = utility(PEOPLE, wide, measures=QueryError(columns=("age",)))
    assert from_files == from_frames


def test_objects_names_and_spellings_are_the_same() -> None:
    assert tasks_of(["moments", {"learning": {"target": "old"}}])[1] == Learning("old")
    assert tasks_of(Learning("old")) == (Learning("old"),)
    assert tasks_of(()) == ()


@pytest.mark.parametrize(
    ("measures", "complaint"),
    [
        ("momments", r"measures\[0\]: there is no measure 'momments'; did you mean 'moments'"),
        ([7], "a measure is a int"),
        (QueryError, "a measure is a"),
        (["moments", "moments"], "'moments' is there twice"),
        ({"learning": {}}, "needs the parameter 'target'"),
        ({"query-error": {"queries": "many"}}, "must be a whole number"),
        ({"query-error": {"sql": ["age >"]}}, "not SQL"),
    ],
)
def test_bad_input_is_one_clear_sentence(measures: Any, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        utility(PEOPLE, PEOPLE, measures=measures)


def test_tables_of_different_length_cannot_be_aligned() -> None:
    with pytest.raises(BadInput, match="80 rows and the release 79"):
        utility(PEOPLE, PEOPLE.iloc[1:], measures="moments", aligned=True)


def test_a_frame_of_any_kind_will_do() -> None:
    table = pa.Table.from_pandas(PEOPLE, preserve_index=False)
    assert utility(table, PEOPLE, measures="moments")["moments"].value == 0
