"""Membership from published means: many attributes of few people give them away, few or noisy ones do not."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sfumato.core.attack import AttackResult, Scored
from sfumato.core.errors import BadInput
from sfumato.core.verdict import Threat
from sfumato.table.attacks.aggregates import Aggregates
from sfumato.table.attacks.contract import Knowledge, People
from sfumato.table.attacks.inference.tracing import Statistic, Told, scores
from sfumato.table.published import PublishedTable
from tests.oracles.inference_attacks import area_under_curve, likelihood_ratio
from tests.table.attacks.tables import in_memory

STATISTICS: list[Statistic] = ["inner-product", "likelihood-ratio", "homer"]


def study(inside: int, attributes: int, seed: int, outside: int = 800) -> tuple[Any, Any, Any, Any]:
    """Answers of people inside, of two kinds of people outside, and the means of those inside."""
    generator = np.random.default_rng(seed)
    shares = generator.uniform(0.1, 0.9, attributes)
    answers = (generator.random((inside + outside, attributes)) < shares).astype(np.int8)
    own, reference, others = np.split(answers, [inside, inside + outside // 2])
    return own, reference, others, own.mean(0)


def told(
    means: NDArray[np.float64], own: Any, reference: Any, others: Any, statistic: Statistic, allowed: float
) -> Told:
    found = [scores(some, means, reference.mean(0), statistic) for some in (own, others)]
    known, tested = np.array_split(found[1], 2)
    return Told.apart(found[0], tested, known, Fraction(str(allowed)))


@pytest.mark.parametrize("statistic", STATISTICS)
def test_many_attributes_of_few_people_give_everybody_away(statistic: Statistic) -> None:
    own, reference, others, means = study(40, 4000, seed=1)
    found = told(means, own, reference, others, statistic, 0.01)
    assert found.power > 0.95
    assert found.false_positives < 0.05
    assert found.area > 0.99


@pytest.mark.parametrize("statistic", STATISTICS)
def test_few_attributes_of_many_people_give_nobody_away(statistic: Statistic) -> None:
    own, reference, others, means = study(2000, 20, seed=2, outside=4000)
    found = told(means, own, reference, others, statistic, 0.05)
    assert found.power < 0.12
    assert 0.45 < found.area < 0.56


@pytest.mark.parametrize("statistic", STATISTICS)
@pytest.mark.parametrize("kind", ["laplace", "normal"])
def test_enough_noise_on_the_means_hides_everybody(statistic: Statistic, kind: str) -> None:
    own, reference, others, means = study(40, 4000, seed=3)
    noise = getattr(np.random.default_rng(4), kind)(0.0, 5.0, len(means))
    found = told(means + noise, own, reference, others, statistic, 0.05)
    assert found.power < 0.25
    assert found.area < 0.7
    little = told(means + noise / 100, own, reference, others, statistic, 0.05)
    assert little.power > 0.9


@settings(max_examples=50)
@given(st.integers(1, 6), st.integers(0, 1000))
def test_the_likelihood_ratio_is_that_of_the_answers(attributes: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    answers = generator.integers(0, 2, (5, attributes)).astype(np.int8)
    inside, outside = generator.uniform(0.3, 0.7, (2, attributes))
    found = scores(answers, inside, outside, "likelihood-ratio")
    assert found == pytest.approx([likelihood_ratio(person, inside, outside) for person in answers])


def test_the_inner_product_and_homers_distance_are_those_of_their_definitions() -> None:
    answers = np.array([[1, 0, 1], [0, 0, 1]], np.int8)
    inside, outside = np.array([0.8, -0.1, 0.4]), np.array([0.5, 0.2, 0.6])
    product = ((answers - outside) * (inside - outside)).sum(1)
    distance = (np.abs(answers - outside) - np.abs(answers - inside)).sum(1)
    assert scores(answers, inside, outside, "inner-product") == pytest.approx(product)
    assert scores(answers, inside, outside, "homer") == pytest.approx(distance)


def test_the_likelihood_ratio_stays_finite_where_a_mean_is_none_or_all() -> None:
    answers = np.array([[1, 0]], np.int8)
    found = scores(answers, np.array([1.2, 0.0]), np.array([0.0, 1.0]), "likelihood-ratio")
    assert np.isfinite(found).all()


SCORES = st.lists(st.integers(0, 5).map(float), min_size=1, max_size=20)


@given(SCORES, SCORES, SCORES, st.integers(1, 9))
def test_thresholds_and_areas_are_those_of_comparing_everybody(
    inside: list[float], outside: list[float], known: list[float], allowed: int
) -> None:
    limit = Fraction(allowed, 10)
    found = Told.apart(np.array(inside), np.array(outside), np.array(known), limit)
    assert found.area == pytest.approx(area_under_curve(inside, outside))

    def claimed(some: list[float]) -> float:
        above = sum(score > found.threshold for score in some)
        return (above + found.coin * sum(score == found.threshold for score in some)) / len(some)

    # The coin makes the share of wrong claims about known people exactly what is allowed.
    assert claimed(known) == pytest.approx(float(limit))
    assert 0 <= found.coin < 1
    assert found.power == pytest.approx(claimed(inside))
    assert found.false_positives == pytest.approx(claimed(outside))
    assert found.sure == sum(score > max(outside + known) for score in inside)


@given(SCORES, SCORES, SCORES)
def test_the_best_guess_is_by_a_threshold_that_is_best_for_others(
    inside: list[float], outside: list[float], known: list[float]
) -> None:
    def gain(limit: float, learned: list[float], away: list[float]) -> Fraction:
        kept = Fraction(sum(score < limit for score in away), len(away))
        return kept - Fraction(sum(score < limit for score in learned), len(learned))

    def best(learned: list[float], away: list[float]) -> float:
        tried = sorted({*learned, *away})
        at = max(range(len(tried)), key=lambda i: (gain(tried[i], learned, away), -i))
        return (tried[max(at - 1, 0)] + tried[at]) / 2

    halves = (inside[::2], inside[1::2]) if len(inside) > 1 else (inside, inside)
    right = 0.0
    for learned, asked, away, tested in ((*halves, known, outside), (*halves[::-1], outside, known)):
        limit = best(learned, away)
        right += sum(score >= limit for score in asked) / len(asked) / 4
        right += sum(score < limit for score in tested) / len(tested) / 4
    found = Told.apart(np.array(inside), np.array(outside), np.array(known), Fraction(1, 20))
    assert found.success == pytest.approx(right)


def test_scores_that_many_share_do_not_hide_what_is_told() -> None:
    inside, outside = np.ones(100), np.array([1.0] * 20 + [0.0] * 80)
    found = Told.apart(inside, outside, outside, Fraction(1, 20))
    assert found.success == pytest.approx(0.9)
    assert found.power == pytest.approx(0.25)
    assert found.false_positives == pytest.approx(0.05)


def surveyed(inside: int, questions: int, outside: int, seed: int) -> tuple[pa.Table, pa.Table]:
    """Return the records of those inside, and a list of everybody, with ids."""
    generator = np.random.default_rng(seed)
    shares = generator.uniform(0.2, 0.8, questions)
    answers = generator.random((inside + outside, questions)) < shares
    columns = {f"q{j}": np.where(answers[:, j], "yes", "no") for j in range(questions)}
    town = np.where(np.arange(inside + outside) % 2, "north", "south")
    everybody = pa.table({"id": np.arange(inside + outside), "town": town, **columns})
    return everybody.slice(0, inside), everybody


def attacked(
    target: PublishedTable, records: pa.Table, everybody: pa.Table, attack: Aggregates, **more: Any
) -> AttackResult:
    columns = {name: name for name in everybody.column_names if name != "id"}
    knowledge = Knowledge(
        original=PublishedTable(in_memory(records), (), person="id"),
        population=People(in_memory(everybody), columns, person="id"),
    )
    return attack.run(target, knowledge, **more)


def published(records: pa.Table) -> PublishedTable:
    return PublishedTable(in_memory(records.drop_columns("id")), ())


def test_one_way_counts_of_a_wide_table_give_its_people_away() -> None:
    records, everybody = surveyed(16, 240, 400, seed=5)
    result = attacked(published(records), records, everybody, Aggregates(), victims=True)
    assert result.details["power"] > 0.9  # type: ignore[operator]
    assert result.success > 0.9
    assert result.baseline == result.guessing == 0.5
    assert result.certain > 8
    assert result.threat is Threat.MEMBERSHIP
    assert result.scored is Scored.MEASURED
    assert {victim.row for victim in result.victims} <= set(range(1, 17))
    assert len(result.victims) == round(16 * float(result.details["power"]))


def test_one_way_counts_of_a_narrow_table_do_not() -> None:
    records, everybody = surveyed(1000, 6, 1600, seed=6)
    result = attacked(published(records), records, everybody, Aggregates())
    assert result.success < 0.55
    assert 0.45 < float(result.details["area_under_the_curve"]) < 0.57


def marginals(records: pa.Table, scale: float, by: str | None = None) -> PublishedTable:
    """Publish counts in long form, with Laplace noise."""
    generator = np.random.default_rng(8)
    rows: list[dict[str, Any]] = []
    groups = [None] if by is None else sorted(set(records.column(by).to_pylist()))
    for group in groups:
        some = records if by is None else records.filter(pa.compute.equal(records.column(by), group))
        for name in records.column_names:
            if name.startswith("q"):
                for value in ("yes", "no"):
                    count = some.column(name).to_pylist().count(value)
                    rows.append(
                        {"column": name, "value": value, "count": count + generator.laplace(0, scale)}
                    )
                    if by is not None:
                        rows[-1][by] = group
    return PublishedTable(in_memory(pa.Table.from_pylist(rows)), ())


def test_published_counts_give_people_away_until_they_are_noisy() -> None:
    records, everybody = surveyed(16, 200, 400, seed=7)
    plain = attacked(marginals(records, 1e-9), records, everybody, Aggregates(layout="marginals"))
    noisy = attacked(marginals(records, 40.0), records, everybody, Aggregates(layout="marginals"))
    assert plain.success > 0.9
    assert noisy.success < 0.65


def test_counts_by_group_tell_more_because_each_group_is_smaller() -> None:
    records, everybody = surveyed(50, 80, 800, seed=9)
    whole = attacked(published(records), records, everybody, Aggregates())
    parts = attacked(published(records), records, everybody, Aggregates(by="town"))
    listed = attacked(
        marginals(records, 1e-9, "town"), records, everybody, Aggregates(layout="marginals", by="town")
    )
    assert parts.details["groups"] == 2
    assert float(parts.details["area_under_the_curve"]) > float(whole.details["area_under_the_curve"]) + 0.02
    assert listed.success == pytest.approx(parts.success)


def test_a_value_that_no_record_shows_tells_who_is_not_in() -> None:
    records = pa.table({"id": np.arange(40), "town": ["north"] * 40})
    others = pa.table({"id": np.arange(100, 300), "town": ["north", "south"] * 100})
    result = attacked(published(records), records, pa.concat_tables([records, others]), Aggregates())
    # Half of those outside live in the south, where nobody of the release does.
    assert 0.65 < result.success < 0.85
    assert 0.65 < float(result.details["area_under_the_curve"]) < 0.85


def test_a_list_of_people_outside_needs_no_ids() -> None:
    records, everybody = surveyed(12, 150, 400, seed=10)
    columns = {name: name for name in everybody.column_names if name != "id"}
    outside = People(in_memory(everybody.slice(12)), columns)
    original = PublishedTable(in_memory(records), ())
    knowledge = Knowledge(original=original, population=outside)
    assert Aggregates(outside=True).run(published(records), knowledge).success > 0.9
    with pytest.raises(BadInput, match="who of the population is in the data"):
        Aggregates().run(published(records), knowledge)


def test_what_cannot_be_computed_is_refused() -> None:
    records, everybody = surveyed(20, 3, 100, seed=11)
    target = published(records)
    with pytest.raises(BadInput, match="no list of people"):
        Aggregates().run(target, Knowledge())
    with pytest.raises(BadInput, match="too few"):
        attacked(target, records, everybody.slice(0, 22), Aggregates())
    with pytest.raises(BadInput, match="columns 'column'"):
        attacked(target, records, everybody, Aggregates(layout="marginals"))
    with pytest.raises(BadInput, match="to group by"):
        attacked(target, records, everybody, Aggregates(by="street"))
    other = PublishedTable(in_memory({"colour": ["red"]}), ())
    with pytest.raises(BadInput, match="no column in common"):
        attacked(other, records, everybody, Aggregates())
    strange = PublishedTable(in_memory({"q0": ["perhaps"] * 20}), ())
    with pytest.raises(BadInput, match="agrees with what is published"):
        attacked(strange, records, everybody, Aggregates())
    with pytest.raises(BadInput, match="nobody inside"):
        Told.apart(np.zeros(0), np.zeros(1), np.zeros(1), Fraction(1, 20))


@pytest.mark.parametrize(
    "mistake",
    [
        lambda: Aggregates(statistic="student"),  # type: ignore[arg-type]
        lambda: Aggregates(layout="cube"),  # type: ignore[arg-type]
        lambda: Aggregates(false_positives=0),
        lambda: Aggregates(people=0),
    ],
)
def test_parameters_that_make_no_sense_are_refused(mistake: Any) -> None:
    with pytest.raises(BadInput):
        mistake()
