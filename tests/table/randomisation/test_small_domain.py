"""Sub-tables that are randomised on their own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.randomness import SecretRandom, SeededRandom
from sfumato.engine import open_engine
from sfumato.engine.contract import Table
from sfumato.engine.sources import Frame
from sfumato.table.models import GammaAmplification
from sfumato.table.perturbation.estimator import estimate_counts, mechanism_as_text, mechanism_from_text
from sfumato.table.perturbation.randomisation import RetentionReplacement
from sfumato.table.perturbation.randomisation_small_domain import SmallDomainRandomisation
from sfumato.table.published import PublishedTable

LISTS: dict[str, tuple[Any, ...]] = {"f": ("flu", "ovarian"), "m": ("flu", "prostate", "hernia")}


def step(**how: Any) -> SmallDomainRandomisation:
    return SmallDomainRandomisation("ill", "sex", LISTS, **(how or {"gamma": 9}))


def people(rows: int = 3000) -> pa.Table:
    rng = np.random.default_rng(2)
    sex = np.where(rng.random(rows) < 0.4, "f", "m")
    ill = np.where(rng.random(rows) < 0.7, "flu", np.where(sex == "f", "ovarian", "prostate"))
    return pa.table({"sex": sex, "ill": ill})


def test_more_is_kept_than_over_the_whole_domain_at_the_same_promise() -> None:
    whole = RetentionReplacement("ill", ("flu", "ovarian", "prostate", "hernia"), gamma=9)
    kept = [m.matrix[0][0] - m.matrix[1][0] for m in step().mechanisms()]
    assert kept == [Fraction(8, 10), Fraction(8, 11)]
    assert min(kept) > whole.retention(4) == Fraction(8, 12)


def test_values_stay_within_their_sub_table_and_rows_in_their_order() -> None:
    records = people()
    outcome = step(keep=0.2).apply(records, SeededRandom(1))
    assert outcome.records.column("sex").equals(records.column("sex"))
    frame = outcome.records.to_pandas()
    for sex, values in LISTS.items():
        assert set(frame.loc[frame["sex"] == sex, "ill"]) == set(values)
    untouched = step(keep=1).apply(records, SecretRandom())
    assert untouched.records.equals(records)


@pytest.fixture
def read() -> Iterator[Callable[[pa.Table], Table]]:
    engine = open_engine("duckdb")
    yield lambda records: engine.read(Frame(records))
    engine.close()


def test_the_worst_sub_table_is_what_a_promise_is_about(read: Callable[[pa.Table], Table]) -> None:
    uneven = step(keep=0.5).mechanisms()
    found = PublishedTable(read(people()), ("sex",), ("ill",), mechanisms=uneven)
    # p + (1 − p)/m over (1 − p)/m is 3 for two values and 4 for three.
    assert GammaAmplification(4).check(found).achieved == "γ = 4"
    assert not GammaAmplification(3).check(found).holds
    better = RetentionReplacement("ill", ("flu",), gamma=2).mechanism(
        ("flu", "ovarian", "prostate", "hernia")
    )
    both = PublishedTable(read(people()), ("sex",), ("ill",), mechanisms=(*uneven, better))
    assert GammaAmplification(4).check(both).achieved == "γ = 2"


def test_sub_tables_bound_nothing_where_the_release_does_not_show_them(
    read: Callable[[pa.Table], Table],
) -> None:
    """Prostate trouble gives the sex away, and with it that nobody has ovarian trouble."""
    even = step(gamma=9).mechanisms()
    hidden = people().set_column(0, "sex", pa.array(["*"] * 3000))
    wrong = people().set_column(0, "sex", pa.array(["f", "m"] * 1500))
    for records in (hidden, wrong, people().drop_columns(["sex"])):
        found = GammaAmplification(9).check(PublishedTable(read(records), (), ("ill",), mechanisms=even))
        assert not found.holds
        assert "by 'sex', which is not published as it was" in str(found)


@pytest.mark.parametrize("quasi", [["age", "sex"], ["age"]])
def test_a_promise_by_sub_tables_is_refused_when_these_are_generalised_or_left_out(quasi: list[str]) -> None:
    frame = people(60).to_pandas().assign(age=range(60))
    with pytest.raises(PromiseNotMet, match="not published as it was"):
        sf.protect(
            frame,
            quasi=quasi,
            identifier=[name for name in ("sex",) if name not in quasi],
            sensitive="ill",
            models=[GammaAmplification(9), sf.KAnonymity(60)],
            perturb=[step(gamma=9)],
            method=sf.OptimalLattice(),
        )


def test_what_sub_tables_are_told_by_is_not_changed_afterwards() -> None:
    frame = people(60).to_pandas().assign(age=range(60))
    with pytest.raises(BadInput, match="randomised by it before"):
        sf.protect(
            frame,
            quasi=["age", "sex"],
            sensitive="ill",
            models=[GammaAmplification(9)],
            perturb=[step(gamma=9), {"value-swapping": {"columns": ["sex"]}}],
        )


def test_estimates_over_sub_tables_are_unbiased_and_their_variances_honest() -> None:
    records, random, rounds = people(), SeededRandom(6), 300
    frame = records.to_pandas()
    found, variances = [], []
    for _ in range(rounds):
        outcome = step(keep=0.5).apply(records, random)
        estimated = estimate_counts(outcome.records, outcome.mechanisms, ["ill"])
        assert estimated.counts.sum() == pytest.approx(3000)
        found.append(estimated.counts)
        variances.append(estimated.variances)
    truth = np.array([(frame["ill"] == value).sum() for value in estimated.values[0]])
    spread = np.std(found, axis=0, ddof=1)
    assert (np.abs(np.mean(found, axis=0) - truth) < 5 * spread / rounds**0.5).all()
    assert (np.abs(np.mean(variances, axis=0) / spread**2 - 1) < 5 * (2 / rounds) ** 0.5).all()
    joint = estimate_counts(outcome.records, outcome.mechanisms, ["sex", "ill"])
    assert joint.count("f", "prostate") == 0
    np.testing.assert_allclose(joint.counts.sum(axis=0), estimated.counts)


def test_a_release_publishes_which_rows_each_matrix_is_about() -> None:
    data = people().to_pandas()
    release = sf.protect(
        data,
        quasi=["sex"],
        sensitive="ill",
        perturb={"small-domain-randomisation": {"column": "ill", "by": "sex", "values": LISTS, "delta": 0.5}},
        models=[{"delta-growth": {"delta": 0.5}}],
        method="keep",
    )
    assert release.verdicts[0].achieved == "growth = 0.5"
    mechanisms = release.evidence.perturbation[0].mechanisms
    assert [m.where for m in mechanisms] == [("sex", "f"), ("sex", "m")]
    estimated = estimate_counts(release.data, mechanisms)
    assert estimated.counts.sum() == pytest.approx(3000)
    written = [json.loads(m.model_dump_json()) for m in mechanisms]
    again = estimate_counts(release.data, written)
    np.testing.assert_allclose(again.counts, estimated.counts)


def test_a_mechanism_of_some_rows_travels_as_text() -> None:
    for mechanism in step().mechanisms():
        assert mechanism_from_text(json.loads(json.dumps(mechanism_as_text(mechanism)))) == mechanism


def test_what_belongs_to_no_sub_table_is_refused() -> None:
    with pytest.raises(BadInput, match="2 rows belong to no sub-table"):
        step().apply(pa.table({"sex": ["f", None, "x"], "ill": ["flu"] * 3}), SecretRandom())
    with pytest.raises(BadInput, match="1 rows hold a value"):
        step().apply(pa.table({"sex": ["f", "m"], "ill": ["flu", "ovarian"]}), SecretRandom())
    with pytest.raises(BadInput, match="not told apart"):
        SmallDomainRandomisation("ill", "ill", LISTS, gamma=2)
    with pytest.raises(BadInput, match="one way"):
        SmallDomainRandomisation("ill", "sex", LISTS)
    with pytest.raises(BadInput, match="no mechanism is published"):
        estimate_counts(pd.DataFrame({"sex": ["x"], "ill": ["flu"]}), step().mechanisms())
