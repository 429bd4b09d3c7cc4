"""Promises about randomised values, checked from mechanisms."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.core.verdict import Basis, Threat, Verdict
from sfumato.engine.contract import Engine
from sfumato.engine.sources import Frame
from sfumato.table.models.delta_growth import DeltaGrowth
from sfumato.table.models.gamma_amplification import GammaAmplification
from sfumato.table.models.rho_privacy import RhoPrivacy
from sfumato.table.perturbation.contract import Mechanism
from sfumato.table.perturbation.randomisation import RetentionReplacement
from sfumato.table.published import PublishedTable
from tests.oracles.randomisation import all_beliefs

VALUES = ("a", "b", "c")


def published(
    duck: Engine, *mechanisms: Mechanism, sensitive: tuple[str, ...] = ("ill",), person: str | None = None
) -> PublishedTable:
    records = pa.table({"who": [1, 1, 2], "age": ["x", "x", "y"], "ill": ["a", "b", "c"], "pay": ["a"] * 3})
    return PublishedTable(
        duck.read(Frame(records)), ("age",), sensitive, person=person, mechanisms=mechanisms
    )


def randomised(column: str = "ill", **how: Any) -> Mechanism:
    return RetentionReplacement(column, VALUES, **how).mechanism(VALUES)


CALIBRATED: list[tuple[Any, dict[str, Any]]] = [
    (RhoPrivacy(0.1, 0.5), {"rho1": 0.1, "rho2": 0.5}),
    (RhoPrivacy(0.3, 0.4), {"rho1": 0.3, "rho2": 0.4}),
    (DeltaGrowth(0.2), {"delta": 0.2}),
    (DeltaGrowth(0.1, 0.2), {"delta": 0.1, "prior": 0.2}),
    (GammaAmplification(4), {"gamma": 4}),
]


@pytest.mark.parametrize(("model", "how"), CALIBRATED, ids=str)
def test_what_is_calibrated_for_a_promise_keeps_it_with_nothing_to_spare(
    duck: Engine, model: Any, how: dict[str, Any]
) -> None:
    mechanism = RetentionReplacement("ill", VALUES, **how).mechanism(VALUES)
    verdict = model.check(published(duck, mechanism))
    assert verdict.holds
    assert verdict.witness is None
    assert verdict.basis is Basis.MECHANISM
    assert set(verdict.protects_from) == {Threat.ATTRIBUTE, Threat.INFERENCE}
    kept = mechanism.matrix[0][0] - mechanism.matrix[1][0]
    more = RetentionReplacement("ill", VALUES, keep=float(kept) + 1e-6).mechanism(VALUES)
    assert not model.check(published(duck, more)).holds


@settings(max_examples=30)
@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 19))
def test_no_adversary_passes_a_promise_that_holds(one: int, other: int, kept: int) -> None:
    rho1, rho2 = Fraction(min(one, other), 10), Fraction(max(one, other), 10)
    mechanism = randomised(keep=kept / 20)
    found = PublishedTable(None, ("age",), ("ill",), mechanisms=(mechanism,))  # type: ignore[arg-type]
    beliefs = list(all_beliefs(mechanism.matrix, 10))
    if rho1 < rho2:
        holds = RhoPrivacy(float(rho1), float(rho2)).check(found).holds
        assert holds is all(after <= rho2 for before, after in beliefs if before <= rho1)
    if DeltaGrowth(float(rho2)).check(found).holds:
        assert all(after - before <= rho2 for before, after in beliefs)


def test_verdicts_read_as_sentences_and_name_positions_only(duck: Engine) -> None:
    good = RhoPrivacy(0.1, 0.5).check(published(duck, randomised(gamma=9)))
    assert str(good) == "rho-privacy holds: required belief 0.1 → at most 0.5, achieved 0.1 → 0.5"
    bad = GammaAmplification(3).check(published(duck, randomised(gamma=9)))
    assert str(bad) == (
        "gamma-amplification does not hold: required γ ≤ 3, achieved γ = 9; in the column 'ill' value 1 of 3 "
        "becomes value 1 more easily than value 2 does"
    )


def refused(verdict: Verdict) -> str:
    assert not verdict.holds
    assert verdict.violations >= 1
    return str(verdict.witness)


@pytest.mark.parametrize("model", [RhoPrivacy(0.1, 0.5), DeltaGrowth(0.2), GammaAmplification(9)], ids=str)
def test_a_sensitive_column_that_is_not_randomised_breaks_every_promise(duck: Engine, model: Any) -> None:
    assert "no column" in refused(model.check(published(duck, sensitive=())))
    assert "'ill' was not randomised" in refused(model.check(published(duck)))
    half = published(duck, randomised(gamma=1), sensitive=("ill", "pay"))
    assert "'pay' was not randomised" in refused(model.check(half))


def test_several_columns_tell_of_each_other(duck: Engine) -> None:
    both = (randomised(gamma=3), randomised("pay", gamma=2))
    verdict = GammaAmplification(6).check(published(duck, *both, sensitive=("ill", "pay")))
    assert verdict.holds
    assert verdict.achieved == "γ = 6"
    assert verdict.note == "over ill, pay together"
    assert GammaAmplification(3).check(published(duck, *both)).holds
    assert GammaAmplification(6).check(published(duck, *both, sensitive=())).achieved == "γ = 6"


def test_a_sensitive_column_that_is_known_anyway_need_not_be_randomised(duck: Engine) -> None:
    half = published(duck, randomised(gamma=3), sensitive=("ill", "pay"))
    assert not GammaAmplification(3).check(half).holds
    assert GammaAmplification(3).check(replace(half, known=("pay",))).holds


def test_several_rows_of_a_person_tell_more(duck: Engine) -> None:
    verdict = GammaAmplification(9).check(published(duck, randomised(gamma=3), person="who"))
    assert verdict.holds
    assert verdict.achieved == "γ = 9"
    assert "2 rows" in verdict.note


def test_a_column_that_is_randomised_twice_is_as_safe_as_its_safest_step(duck: Engine) -> None:
    twice = (randomised(gamma=3), randomised(gamma=8))
    assert GammaAmplification(3).check(published(duck, *twice)).achieved == "γ = 3"


@pytest.mark.parametrize(
    "mistake",
    [
        lambda: RhoPrivacy(0.5, 0.5),
        lambda: RhoPrivacy(0, 0.5),
        lambda: RhoPrivacy(0.5, 1),
        lambda: DeltaGrowth(0),
        lambda: DeltaGrowth(0.1, 1.1),
        lambda: GammaAmplification(0.9),
    ],
)
def test_parameters_that_make_no_sense_are_refused(mistake: Any) -> None:
    with pytest.raises(BadInput):
        mistake()
