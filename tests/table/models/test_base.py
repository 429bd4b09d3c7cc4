"""Models that compare with the whole table say with which: the released one, or the input."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.core.errors import BadInput
from sfumato.core.verdict import Basis
from sfumato.table.protect import PrivacyModel

ZIP = ["1", "1", "1", "1", "2", "2", "2", "2"]
BEFORE = {"zip": [*ZIP, "3", "3"], "ill": ["x", "x", "y", "y", "x", "x", "y", "y", "z", "z"]}
AFTER = {"zip": ZIP, "ill": BEFORE["ill"][:8]}


def check(model: PrivacyModel, after: dict[str, Any], before: dict[str, Any] | None) -> Any:
    original = None if before is None else pa.table(before)
    return sf.check(pa.table(after), quasi=["zip"], sensitive="ill", models=[model], original=original)[0]


@pytest.mark.parametrize(
    ("model", "released", "achieved"),
    [
        (sf.TCloseness(0.1), "t = 0", "t = 0.2"),
        (sf.TCloseness(0.1, distance="ordered", alphabetical=True), "t = 0", "t = 0.15"),
        (sf.BasicBetaLikeness(0.2), "β = 0", "β = 0.25"),
        (sf.DeltaDisclosure(0.3), "δ = 0", "δ = 0.3219"),
    ],
    ids=str,
)
def test_the_two_bases_are_two_promises(model: Any, released: str, achieved: str) -> None:
    """Of ten people two had z, and were left out: each class is like the release, and unlike the input."""
    own = check(model, AFTER, None)
    assert own.holds
    assert own.achieved == released
    assert own.basis is Basis.RELEASE
    compared = check(type(model)(**{**vars(model), "base": "input"}), AFTER, BEFORE)
    assert not compared.holds
    assert compared.achieved == achieved
    assert compared.basis is Basis.ORIGINAL
    assert compared.note == "compared with the input"


def test_without_the_input_nothing_is_said() -> None:
    with pytest.raises(BadInput, match="before records were left out, which is not given"):
        check(sf.TCloseness(0.1, base="input"), AFTER, None)


def test_an_input_that_lacks_released_values_is_refused() -> None:
    with pytest.raises(BadInput, match="1 of the values that are released do not occur"):
        check(sf.TCloseness(0.1, base="input"), AFTER, {"zip": ["1"], "ill": ["x"]})


def test_another_base_is_refused() -> None:
    with pytest.raises(BadInput, match="base"):
        sf.TCloseness(0.1, base="population")  # type: ignore[arg-type]


def test_what_compares_with_the_input_stops_no_attack_that_compares_with_the_release() -> None:
    for model in (sf.TCloseness(0.1), sf.BasicBetaLikeness(1), sf.EnhancedBetaLikeness(1)):
        assert model.stops
    for model in (sf.TCloseness(0.1, base="input"), sf.BasicBetaLikeness(1, base="input")):
        assert model.stops == ()
        assert "before records were left out" in model.in_words()


@pytest.mark.parametrize("seed", range(5))
def test_a_release_keeps_its_promise_by_the_shares_of_the_input(seed: int) -> None:
    generator = np.random.default_rng(seed)
    zips = generator.integers(0, 6, 60)
    ill = [str(value) for value in np.clip(zips // 2 + generator.integers(0, 3, 60), 0, 3)]
    table = pa.table({"zip": [f"{code}" for code in zips], "ill": ill})
    result = sf.protect(
        table,
        quasi=["zip"],
        sensitive="ill",
        models=sf.BasicBetaLikeness(1, base="input"),
        method=sf.OptimalLattice(suppress=0.4),
        hierarchies={"zip": "flat"},
    )
    (verdict,) = result.verdicts
    assert verdict.holds
    assert verdict.basis is Basis.ORIGINAL
    assert result.evidence.search.optimal
    before = Counter(ill)
    released = (
        result.data.to_pylist() if isinstance(result.data, pa.Table) else result.data.to_dict("records")
    )
    for shown in {row["zip"] for row in released}:
        own = Counter(row["ill"] for row in released if row["zip"] == shown)
        for value, count in own.items():
            assert Fraction(count, sum(own.values())) <= 2 * Fraction(before[value], len(ill))
