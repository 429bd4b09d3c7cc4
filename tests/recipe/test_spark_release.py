"""The same recipe on both engines gives the same release."""

from __future__ import annotations

from pathlib import Path

import pytest

import sfumato as sf
from tests.recipe.examples import PEOPLE, RECIPE, ward


@pytest.mark.java
@pytest.mark.xdist_group("spark")
@pytest.mark.parametrize("method", ["optimal-lattice: {suppress: 0.2}", "mondrian: {}"])
def test_spark_makes_the_release_that_duckdb_makes(tmp_path: Path, method: str) -> None:
    people = [*PEOPLE, "8,Hal,,02171,flu", "9,Ida,62,,cold", "9,Ida,62,,flu"]
    recipe = RECIPE.replace("optimal-lattice: {suppress: 0.2}", method) + "output: {order: kept}\n"
    found = {}
    for engine in ("duckdb", "spark"):
        path = ward(tmp_path, f"{recipe}engine: {engine}\n", people)
        released = sf.run(path, out=tmp_path / engine)
        assert not sf.verify(released.release).refuted
        found[engine] = released
    assert found["spark"].data.read_text() == found["duckdb"].data.read_text()
    assert found["spark"].verdicts == found["duckdb"].verdicts
