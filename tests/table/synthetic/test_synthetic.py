"""Synthetic records: what they keep of the real ones, and what they do not promise."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.errors import BadInput, MissingPart
from sfumato.core.randomness import SecretRandom, SeededRandom
from sfumato.core.schema import Schema
from sfumato.table.perturbation import PERTURBATIONS
from sfumato.table.perturbation.synthetic import NOT_PRIVATE, Synthetic
from sfumato.table.synthetic import Marginals, SequentialTrees

BOTH: list[Any] = [Marginals(), SequentialTrees(2)]
both = pytest.mark.parametrize("synthesiser", BOTH, ids=lambda one: one.name)
tables = st.lists(
    st.tuples(st.sampled_from(["a", "b", None]), st.integers(0, 40) | st.none(), st.booleans()),
    min_size=1,
    max_size=30,
)


def people(rows: int = 4000) -> pa.Table:
    rng = np.random.default_rng(3)
    age = rng.integers(20, 80, rows)
    ill = np.where(rng.random(rows) < (age - 20) / 60, "cancer", "flu")
    pay = (age * 50 + np.where(ill == "flu", 500, 0) + rng.normal(0, 100, rows)).round(2)
    return pa.table({"age": age, "ill": ill, "pay": pay, "who": np.arange(rows)})


def drawn(synthesiser: Any, records: pa.Table, columns: list[str], rows: int, seed: int = 1) -> pa.Table:
    random = SeededRandom(seed)
    return synthesiser.fit(records, Schema.of(columns), random).sample(rows, random)


@both
@settings(max_examples=25)
@given(listed=tables, rows=st.integers(0, 40))
def test_records_have_the_columns_types_and_values_that_were_learned(
    synthesiser: Any, listed: list[tuple[Any, ...]], rows: int
) -> None:
    kinds = [("x", pa.string()), ("y", pa.int64()), ("z", pa.bool_())]
    records = pa.table(
        {name: pa.array([row[j] for row in listed], kind) for j, (name, kind) in enumerate(kinds)}
    )
    found = drawn(synthesiser, records, ["z", "x", "y"], rows)
    assert found.column_names == ["z", "x", "y"]
    assert found.num_rows == rows
    for name, kind in kinds:
        assert found.column(name).type == kind
        assert set(found.column(name).to_pylist()) <= set(records.column(name).to_pylist())


@both
def test_columns_keep_their_distributions(synthesiser: Any) -> None:
    records = people()
    found = drawn(synthesiser, records, ["age", "ill", "pay"], 4000)
    real, other = (np.array(t.column("ill").to_pylist()) == "flu" for t in (records, found))
    assert abs(real.mean() - other.mean()) < 5 * (0.5 / 4000) ** 0.5
    for name in ("age", "pay"):
        one, two = (t.column(name).to_numpy() for t in (records, found))
        assert abs(one.mean() - two.mean()) < 6 * one.std() * (2 / 4000) ** 0.5


def correlation(table: pa.Table) -> float:
    return float(np.corrcoef(table.column("age").to_numpy(), table.column("pay").to_numpy())[0, 1])


def test_trees_keep_what_columns_have_to_do_with_each_other_and_marginals_do_not() -> None:
    records = people()
    columns = ["age", "ill", "pay"]
    assert correlation(records) > 0.9
    assert correlation(drawn(SequentialTrees(), records, columns, 4000)) > 0.9
    assert abs(correlation(drawn(Marginals(), records, columns, 4000))) < 0.1
    found = drawn(SequentialTrees(), records, columns, 4000).to_pandas()
    shares = (
        found.assign(old=found["age"] > 50).groupby("old")["ill"].apply(lambda ill: (ill == "cancer").mean())
    )
    assert shares[True] > shares[False] + 0.3


@both
def test_draws_can_be_repeated_in_tests_and_not_otherwise(synthesiser: Any) -> None:
    records = people(300)
    columns = ["age", "ill", "pay"]
    assert drawn(synthesiser, records, columns, 50).equals(drawn(synthesiser, records, columns, 50))
    fitted = synthesiser.fit(records, Schema.of(columns), SecretRandom())
    assert not fitted.sample(50, SecretRandom()).equals(fitted.sample(50, SecretRandom()))


@pytest.mark.parametrize("by", ["marginals", "cart"])
def test_a_step_leaves_nothing_of_the_real_records_behind(by: Any) -> None:
    records = people(200).append_column("name", pa.array([f"n{i}" for i in range(200)]))
    outcome = Synthetic(("age", "ill"), by=by, rows=150, person="who").apply(records, SeededRandom(1))
    assert outcome.records.column_names == records.column_names
    assert outcome.records.column("who").to_pylist() == list(range(1, 151))
    assert outcome.records.column("name").null_count == 150
    assert outcome.records.column("pay").null_count == 150
    assert outcome.published == {"by": by, "rows": 150, "warning": NOT_PRIVATE}
    assert not Synthetic.truthful


def test_a_recipe_spells_it_as_a_step_of_perturb() -> None:
    assert PERTURBATIONS["synthetic"] is Synthetic
    data = people(500).to_pandas().drop(columns=["who"])
    release = sf.protect(
        data,
        quasi=["age"],
        sensitive=["ill", "pay"],
        models={"k-anonymity": {"k": 5}},
        perturb={"synthetic": {"columns": ["age", "ill", "pay"], "by": "cart"}},
    )
    assert not release.evidence.truthful
    assert len(release.data) >= 490
    assert any("synthetic" in warning for warning in release.evidence.warnings)
    assert isinstance(release.data, pd.DataFrame)


MISTAKES: list[tuple[str, Any]] = [
    ("empty", lambda: Synthetic(())),
    ("twice", lambda: Synthetic(("a", "a"))),
    ("person", lambda: Synthetic(("a",), person="a")),
    ("rows must", lambda: Synthetic(("a",), rows=0)),
    ("leaf must", lambda: Synthetic(("a",), by="cart", leaf=0)),
    ("did you mean 'cart'", lambda: Synthetic(("a",), by="kart")),  # type: ignore[arg-type]
    ("did you mean 'age'", lambda: Synthetic(("agee",)).apply(people(9), SecretRandom())),
    ("no record", lambda: Synthetic(("age",)).apply(people(9).slice(0, 0), SecretRandom())),
]


@pytest.mark.parametrize(("said", "mistake"), MISTAKES, ids=[said for said, _ in MISTAKES])
def test_what_cannot_be_done_is_refused(said: str, mistake: Any) -> None:
    with pytest.raises(BadInput, match=said):
        mistake()


def test_trees_need_an_optional_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.tree", None)
    with pytest.raises(MissingPart, match=r"sfumato\[learn\]"):
        SequentialTrees().fit(people(20), Schema.of(["age", "ill"]), SecretRandom())


@pytest.mark.parametrize("rows", [300, 700])
def test_a_release_of_more_or_fewer_records_is_written_and_verified(tmp_path: Path, rows: int) -> None:
    people(500).to_pandas().drop(columns=["who"]).to_csv(tmp_path / "people.csv", index=False)
    (tmp_path / "recipe.yaml").write_text(
        f"""
sfumato: 1
resources:
  - path: people.csv
    schema:
      fields:
        - {{name: age, role: quasi-identifier, type: integer}}
        - {{name: ill, role: sensitive}}
        - {{name: pay, role: identifier}}
perturb:
  - synthetic: {{columns: [age, ill], by: marginals, rows: {rows}}}
models:
  - k-anonymity: {{k: 2}}
method:
  optimal-lattice: {{suppress: 0}}
""",
        encoding="utf-8",
    )
    done = sf.run(tmp_path / "recipe.yaml")
    assert not sf.verify(done.release, original=tmp_path / "people.csv").refuted
    assert len(pd.read_csv(done.data)) == rows
    assert done.evidence.input.rows == 500
    assert NOT_PRIVATE in done.evidence.warnings
    assert "not drawn into the sample" not in (done.release / "report.html").read_text(encoding="utf-8")
