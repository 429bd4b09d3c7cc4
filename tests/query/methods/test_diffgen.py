"""DiffGen: its budget, its cuts, and what it keeps."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.dp.mechanisms.laplace import DiscreteLaplace
from sfumato.dp.neighbours import Neighbours
from sfumato.dp.price import Price
from sfumato.query.methods.contract import Attribute, Coded, Problem
from sfumato.query.methods.diffgen import DiffGen, Score, _gain, _most_gain
from sfumato.query.methods.taxonomy import Cut

JOB = Attribute("job", ("nurse", "doctor", "clerk", "cook"), parents=((0, 0, 1, 1), (0, 0, 0, 0)))
AGE = Attribute("age", tuple(str(i) for i in range(8)), tuple(float(i) for i in range(9)))
PAY = Attribute("pay", ("low", "high"))


def people(many: int = 4000) -> Coded:
    """Nurses and doctors are paid well from the age of two."""
    generator = np.random.default_rng(1)
    job, age = generator.integers(4, size=many), generator.integers(8, size=many)
    pay = (job <= 1) & (age >= 2)
    return Coded((JOB, AGE, PAY), np.column_stack([job, age, pay]).astype(np.int32))


@pytest.mark.golden
def test_the_budget_is_split_as_in_the_golden_cases(shared: Path) -> None:
    cases = json.loads((shared / "golden" / "query.json").read_text(encoding="utf-8"))
    cases = cases["cases"] if isinstance(cases, dict) else cases
    found = [case for case in cases if case["kind"] == "diffgen_budget"]
    assert len(found) == 2
    for case in found:
        given_, expected = case["input"], case["expected"]
        epsilon = Fraction(str(given_["epsilon"]))
        share = DiffGen(given_["h_specializations"]).share_of_a_choice(epsilon, given_["numeric_attrs"])
        assert float(share) == pytest.approx(expected["eps_prime"], rel=1e-12)
        assert float(DiscreteLaplace.of(epsilon / 2).scale) == expected["leaf_laplace_scale"]


def test_a_leaf_gets_at_least_half_of_the_budget_and_what_choices_left() -> None:
    made = DiffGen(specialisations=4).protect(Problem(people(), Price.pure(1), target="pay"))
    *choices, (what, leaves) = made.steps
    assert what == "counts of the leaves"
    share = Fraction(math.floor(DiffGen(4).share_of_a_choice(Fraction(1), 1) * 10**18), 10**18)
    assert {Fraction(price.epsilon or 0) for _, price in choices} == {share}
    assert Fraction(leaves.epsilon or 0) == 1 - len(choices) * share
    assert Fraction(leaves.epsilon or 0) >= Fraction(1, 2)
    assert len(choices) <= 1 + 2 * 4


def test_two_halves_of_a_number_are_split_for_one_price() -> None:
    made = DiffGen(specialisations=3).protect(
        Problem(Coded((AGE, PAY), people().codes[:, 1:]), Price.pure(50), target="pay")
    )
    names = [what for what, _ in made.steps]
    assert names.count("choice of a specialisation") == 3
    assert names.count("split of age") <= 4


@pytest.mark.parametrize("score", Score)
def test_with_a_huge_budget_leaves_are_exact_and_the_class_is_kept(score: Score) -> None:
    data = people()
    made = DiffGen(specialisations=6, score=score).protect(
        Problem(data, Price.pure(900), Neighbours.SUBSTITUTION, target="pay")
    )
    assert made.records is not None
    (table,) = made.tables
    counts = np.zeros(table.counts.shape)
    np.add.at(counts, tuple(made.records.codes.T), 1)
    assert np.array_equal(counts, table.counts)
    assert int(counts.sum()) == 4000
    # The majority of each leaf says the pay of nearly everybody; that of all together, of five in eight. The
    # hierarchy of jobs is 20 times as likely to be specialised as all of age: not in six times, below 1e-7.
    assert counts.max(axis=-1).sum() / 4000 > 0.85


def test_labels_of_generalised_values_say_what_they_stand_for() -> None:
    made = DiffGen(specialisations=1).protect(
        Problem(Coded((JOB, PAY), people().codes[:, [0, 2]]), Price.pure(100), target="pay")
    )
    assert made.records is not None
    assert made.records.attributes[0].labels == ("{nurse, doctor}", "{clerk, cook}")
    assert made.records.attributes[1].labels == PAY.labels


def test_spread_records_have_the_original_domains() -> None:
    made = DiffGen(specialisations=2, spread=True).protect(Problem(people(), Price.pure(5), target="pay"))
    assert made.records is not None
    assert made.records.attributes == (JOB, AGE, PAY)
    assert set(np.unique(made.records.codes[:, 0])) == {0, 1, 2, 3}


def test_leaves_never_outgrow_their_bound() -> None:
    made = DiffGen(specialisations=20, cells=10).protect(Problem(people(), Price.pure(5), target="pay"))
    assert int(made.published["leaves"]) <= 10


@settings(deadline=None)
@given(st.data())
def test_a_cut_stands_for_every_position_once(data: st.DataObject) -> None:
    cut = Cut.top(data.draw(st.sampled_from([JOB, AGE, Attribute("flat", tuple("abcde"))])))
    for _ in range(data.draw(st.integers(0, 8))):
        if cut.ordered:
            for number, node in enumerate(cut.nodes):
                if not node.children and len(node.positions) > 1:
                    cut = cut.with_split(number, data.draw(st.sampled_from(cut.splits(number))))
        open_nodes = [i for i, node in enumerate(cut.nodes) if node.children]
        if not open_nodes:
            break
        cut = cut.specialised(data.draw(st.sampled_from(open_nodes)))
        listed = sorted(p for node in cut.nodes for p in node.positions)
        assert listed == list(range(cut.attribute.size))
        assert all(cut.node_of[p] == i for i, node in enumerate(cut.nodes) for p in node.positions)
    assert len(cut.generalised().labels) == len(set(cut.generalised().labels)) == len(cut.nodes)


@given(
    st.lists(
        st.tuples(*[st.integers(0, 30)] * 3),
        min_size=2,
        max_size=4,
    )
)
def test_information_gain_is_that_of_the_definition_and_within_its_bounds(
    rows: list[tuple[int, ...]],
) -> None:
    counts = np.array(rows)

    def entropy(shares: list[float]) -> float:
        return -sum(p * math.log2(p) for p in shares if p > 0)

    total = counts.sum()
    found = _gain(counts)
    assert 0 <= found <= _most_gain(3)
    if total:
        inside = sum(r.sum() / total * entropy([c / r.sum() for c in r]) for r in counts if r.sum())
        gain = entropy([c / total for c in counts.sum(axis=0)]) - inside
        assert found / 2**20 == pytest.approx(max(gain, 0.0), abs=2e-6)


@pytest.mark.parametrize("target", [None, "wage"])
def test_a_class_that_is_not_there_is_refused(target: str | None) -> None:
    with pytest.raises(BadInput, match="class attribute"):
        DiffGen().protect(Problem(people(), Price.pure(1), target=target))


def test_senseless_parameters_are_refused() -> None:
    with pytest.raises(BadInput):
        DiffGen(specialisations=0)
    with pytest.raises(BadInput):
        DiffGen(score="best")  # type: ignore[arg-type]  # what a recipe may hold
