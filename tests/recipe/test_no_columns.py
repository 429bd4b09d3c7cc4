"""None stands for no columns wherever columns may be left out."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

import sfumato as sf

DATA = pd.DataFrame({"age": [1, 1, 2, 2]})


@pytest.mark.parametrize("role", ["sensitive", "identifier", "known", "confirmed"])
def test_none_means_none(role: str) -> None:
    asked: dict[str, Any] = {"quasi": "age", "models": sf.KAnonymity(2), role: None}
    assert sf.protect(DATA, **asked).verdicts[0].holds
    if role in ("sensitive", "known"):
        assert sf.check(DATA, **asked)[0].holds
    if role == "sensitive":
        assert sf.risk(DATA, quasi="age", sensitive=None).uniques == 0


def test_quasi_identifiers_are_needed() -> None:
    with pytest.raises(sf.BadInput, match="columns are not given"):
        sf.protect(DATA, quasi=None, models=sf.KAnonymity(2))  # type: ignore[arg-type]
