"""Mistakes that first users made, and what they are told."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.recipe.init import propose, write_recipe
from sfumato.recipe.load import parse
from tests.recipe.examples import RECIPE, ward


def test_the_folder_of_the_steward_is_not_verified(tmp_path: Path) -> None:
    released = sf.run(ward(tmp_path))
    with pytest.raises(sf.BadInput, match="this is the steward's folder; give the folder 'release'"):
        sf.verify(released.steward)


def test_data_are_not_a_recipe() -> None:
    with pytest.raises(sf.BadInput, match="this is no recipe"):
        parse("a,b\n1,2\n")


def test_models_are_a_list() -> None:
    with pytest.raises(sf.BadInput, match="line 12: models must be a list; write '- k-anonymity"):
        parse(RECIPE.replace("  - k-anonymity: {k: 2}", "  k-anonymity: {k: 2}"))


def test_a_file_in_another_encoding_can_be_looked_at(tmp_path: Path) -> None:
    (tmp_path / "alt.csv").write_bytes("alter;ort\n1;Köln\n2;Köln\n".encode("latin-1"))
    with pytest.raises(sf.BadInput, match="encoding"):
        propose(tmp_path / "alt.csv")
    path, proposal = write_recipe(tmp_path / "alt.csv", encoding="latin-1", k=2)
    assert [column.name for column in proposal.columns] == ["alter", "ort"]
    assert sf.run(path).verdicts[0].holds


def test_lists_cannot_be_quasi_identifiers() -> None:
    data = pa.table({"codes": [["a"], ["b"]], "age": [1, 2]})
    with pytest.raises(sf.BadInput, match="column 'codes': its values are neither texts"):
        sf.risk(data, quasi="codes")


def test_k_of_one_is_warned_of() -> None:
    data = pd.DataFrame({"age": [1, 2], "ill": ["a", "b"]})
    release = sf.protect(data, quasi="age", sensitive="ill", models=sf.KAnonymity(1))
    assert any("k = 1 promises nothing" in warning for warning in release.evidence.warnings)


def test_a_column_that_boxes_leave_alone_is_called_unchanged(tmp_path: Path) -> None:
    data = pd.DataFrame({"sex": list("FM") * 20, "age": range(40)})
    release = sf.protect(data, quasi=["sex", "age"], models=sf.KAnonymity(2), method="mondrian")
    treatments = {column.name: column.treatment for column in release.evidence.columns}
    assert treatments == {"sex": "unchanged", "age": "generalised in boxes"}


def test_the_average_risk_is_never_above_the_highest() -> None:
    data = pd.DataFrame({"age": [i % 10 for i in range(100)], "who": [i % 20 for i in range(100)]})
    risk = sf.risk(data, quasi="age", person="who")
    assert risk.average_risk <= risk.highest_risk


def test_a_report_needs_a_folder_and_columns_need_names(tmp_path: Path) -> None:
    data = pd.DataFrame({"age": [1, 1]})
    release = sf.protect(data, quasi="age", models=sf.KAnonymity(2))
    with pytest.raises(sf.BadInput, match="cannot be written there"):
        release.report(tmp_path / "nowhere" / "x.html")
    with pytest.raises(sf.BadInput, match="a column name is a int"):
        sf.protect(data, quasi=[0], models=sf.KAnonymity(2))
    with pytest.raises(sf.BadInput, match="a hierarchy is a word or a mapping"):
        sf.protect(data, quasi="age", models=sf.KAnonymity(2), hierarchies={"age": [5, 10]})
    with pytest.raises(sf.BadInput, match="intervals needs options"):
        sf.protect(data, quasi="age", models=sf.KAnonymity(2), hierarchies={"age": "intervals"})
