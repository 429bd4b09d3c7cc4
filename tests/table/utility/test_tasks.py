"""Tasks that analysts have: classify, learn, cluster, find rules."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sfumato.core.errors import BadInput, MissingPart
from sfumato.table.utility.classification import Classification, classification_metric
from sfumato.table.utility.clusters import Clusters, adjusted_rand, pairwise_f
from sfumato.table.utility.features import features
from sfumato.table.utility.learning import Learning
from sfumato.table.utility.records import Records
from sfumato.table.utility.rules import AssociationRules, apriori, given_rule, rules_of
from sfumato.table.utility.tasks import TASKS

GROUPS = pa.table({"age": ["20-29"] * 3 + ["30-39"] * 3, "buys": ["y", "y", "n", "n", "n", "n"]})


def test_the_classification_metric_counts_minorities_and_suppressed_records() -> None:
    assert classification_metric(GROUPS, ("age",), "buys", 6) == pytest.approx(1 / 6)
    assert classification_metric(GROUPS, ("age",), "buys", 8) == pytest.approx(3 / 8)


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz")), min_size=1, max_size=30))
def test_the_classification_metric_equals_the_sum_of_penalties(rows: list[tuple[str, str]]) -> None:
    table = pa.table({"q": [q for q, _ in rows], "t": [t for _, t in rows]})
    kept = 0
    for group in {q for q, _ in rows}:
        labels = [t for q, t in rows if q == group]
        kept += max(labels.count(label) for label in labels)
    assert classification_metric(table, ("q",), "t", len(rows)) == pytest.approx(1 - kept / len(rows))


def test_the_classification_metric_stands_beside_the_best_and_the_worst_grouping() -> None:
    original = pa.table({"age": [21, 22, 23, 31, 32, 33], "buys": ["y", "y", "n", "n", "n", "n"]})
    found = Classification(target="buys").measure(Records(original, GROUPS, ("age",)))
    assert found.details == {"original": 0.0, "one_group": pytest.approx(2 / 6)}
    assert found.value == pytest.approx(1 / 6)


def two_camps(rows: int = 400) -> pa.Table:
    random = np.random.default_rng(1)
    age = random.integers(20, 60, rows)
    answer = np.where(age + random.normal(0, 3, rows) > 40, "yes", "no")
    return pa.table({"age": age, "sex": random.choice(["f", "m"], rows), "answer": answer})


def hidden(table: pa.Table) -> pa.Table:
    return table.set_column(0, "age", pa.array(["*"] * table.num_rows))


def halves(table: pa.Table) -> pa.Table:
    labels = ["[20-40]" if age <= 40 else "[41-59]" for age in table.column("age").to_pylist()]
    return table.set_column(0, "age", pa.array(labels))


@pytest.mark.parametrize("model", ["logistic-regression", "decision-tree", "random-forest", "naive-bayes"])
def test_what_is_learned_from_hidden_ages_is_no_better_than_the_baseline(model: Any) -> None:
    people = two_camps()
    task = Learning("answer", model, columns=("age",))
    nothing = task.measure(Records(people, hidden(people), ("age",)))
    something = task.measure(Records(people, halves(people), ("age",)))
    same = task.measure(Records(people, people, ("age",), rows=np.arange(people.num_rows)))
    assert nothing.details["accuracy_release"] <= nothing.details["baseline"] + 1e-9
    assert nothing.value > 0.2
    assert something.value < 0.1
    assert same.value == 0.0


def test_held_out_records_are_kept_out_of_the_release_where_rows_are_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    people = two_camps(60)
    trained: list[int] = []
    monkeypatch.setattr(Learning, "_accuracy", lambda _self, seen, *_: float(trained.append(len(seen)) or 0))
    task = Learning("answer", columns=("age",), holdout=0.25)
    known = task.measure(Records(people, people, ("age",), rows=np.arange(60)))
    unknown = task.measure(Records(people, people, ("age",)))
    assert trained == [45, 45, 45, 60]
    assert known.details["held_out"] == "of both tables"
    assert unknown.details["held_out"] == "of the original only"


def test_without_scikit_learn_the_missing_part_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name.startswith("sklearn"):
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr("importlib.import_module", lambda name: without(name))
    people = two_camps(40)
    for task in (Learning("answer"), Clusters()):
        with pytest.raises(MissingPart, match=r"install sfumato\[learn\]"):
            task.measure(Records(people, people, ("age",)))


def test_a_set_becomes_a_part_of_each_of_its_values() -> None:
    original = pa.table({"sex": ["f", "m", "x"], "age": [1, 2, 3]})
    released = pa.table({"sex": ["{f, m}", "m", "*"], "age": ["[1-3]", "2", "3"]})
    records = Records(original, released, ("sex", "age"))
    shown = features(records, ("sex",), released=True)
    assert shown[:, :3].tolist() == [[0.5, 0.5, 0], [0, 1, 0], [1 / 3, 1 / 3, 1 / 3]]
    ages = features(records, ("age",), released=True)[:, 0]
    assert ages[0] == pytest.approx(0)
    assert ages.tolist() == pytest.approx([0, 0, (3 - 2) / np.std([1, 2, 3])])


partitions = st.integers(2, 30).flatmap(
    lambda n: st.tuples(
        hnp.arrays(np.int64, n, elements=st.integers(0, 3)),
        hnp.arrays(np.int64, n, elements=st.integers(0, 3)),
    )
)


@given(partitions)
def test_agreement_of_clusters_equals_that_of_scikit_learn_and_of_counted_pairs(
    both: tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]],
) -> None:
    from sklearn.metrics import adjusted_rand_score

    one, other = both
    assert adjusted_rand(one, other) == pytest.approx(adjusted_rand_score(one, other))
    pairs = [(i, j) for i in range(len(one)) for j in range(i)]
    here = {(i, j) for i, j in pairs if one[i] == one[j]}
    there = {(i, j) for i, j in pairs if other[i] == other[j]}
    expected = 2 * len(here & there) / (len(here) + len(there)) if here or there else 1.0
    assert pairwise_f(one, other) == pytest.approx(expected)


def test_clusters_of_an_unchanged_table_agree_and_those_of_a_hidden_one_do_not() -> None:
    random = np.random.default_rng(2)
    camps = pa.table({"x": np.concatenate([random.normal(m, 1, 60) for m in (0, 20, 40)])})
    task = Clusters(clusters=3)
    assert task.measure(Records(camps, camps, ("x",))).value == pytest.approx(0)
    swapped = pa.table({"x": random.normal(20, 0.1, 180)})
    found = task.measure(Records(camps, swapped, ("x",)))
    assert found.value > 0.2
    assert found.details["stability"] == pytest.approx(1)


def smokers() -> pa.Table:
    """1,000 records in which 112 satisfy the condition of the rule, 29 of them with hypertension."""
    rows = [(45, "yes", "no", "yes", "yes")] * 29 + [(45, "yes", "no", "yes", "no")] * 83
    rows += [(30, "no", "yes", "no", "no")] * 888
    return pa.table(
        dict(zip(("age", "smoke", "exercise", "drink", "hypertension"), zip(*rows, strict=True), strict=True))
    )


RULE = "age BETWEEN 43 AND 48 AND smoke = 'yes' AND exercise = 'no' AND drink = 'yes' => hypertension = 'yes'"


def test_the_hypertension_rule_has_the_support_and_confidence_of_the_tutorial() -> None:
    people = smokers()
    rule = given_rule(Records(people, people, ("age",)), RULE, released=False)
    assert round(rule.support, 3) == 0.029
    assert round(rule.confidence, 2) == 0.26


def test_the_hypertension_rule_keeps_its_confidence_and_loses_support_when_ages_widen() -> None:
    people = smokers()
    labels = pa.array(["[43-54]" if age == 45 else "30" for age in people.column("age").to_pylist()])
    records = Records(people, people.set_column(0, "age", labels), ("age",))
    rule = given_rule(records, RULE, released=True)
    assert rule.support == pytest.approx(0.029 / 2)
    assert rule.confidence == pytest.approx(29 / 112)
    found = AssociationRules(rules=(RULE,)).measure(records)
    assert found.value == pytest.approx(0)
    assert found.details["support_1_release"] == pytest.approx(0.0145)


held = hnp.arrays(np.float64, (6, 4), elements=st.sampled_from([0.0, 0.25, 0.5, 1.0]))


@given(held, st.sampled_from([0.1, 0.25, 0.5]))
def test_apriori_finds_every_frequent_itemset_and_no_other(table: np.ndarray[Any, Any], least: float) -> None:
    columns = ["a", "a", "b", "c"]
    found = apriori(table, columns, least, 3)
    expected = {}
    for mask in range(1, 16):
        items = [i for i in range(4) if mask >> i & 1]
        if len(items) <= 3 and len({columns[i] for i in items}) == len(items):
            support = float(np.prod(table[:, items], axis=1).mean())
            if support >= least:
                expected[frozenset(items)] = support
    assert found == pytest.approx(expected)
    for (antecedent, consequent), rule in rules_of(found, 0.5).items():
        assert rule.confidence == pytest.approx(found[antecedent | {consequent}] / found[antecedent])
        assert rule.confidence >= 0.5


def test_rules_of_an_unchanged_table_are_all_kept_and_of_a_hidden_one_some_are_lost() -> None:
    people = two_camps()
    same = AssociationRules(support=0.1, confidence=0.7).measure(Records(people, people, ("age",)))
    assert same.value == 0
    assert same.details["kept"] == same.details["rules"] > 0
    lost = AssociationRules(support=0.1, confidence=0.7).measure(Records(people, hidden(people), ("age",)))
    assert lost.details["lost"] > 0
    assert 0 < lost.value <= 1


@pytest.mark.parametrize(
    ("task", "complaint"),
    [
        (Classification("agge"), "the original has no column 'agge'; did you mean 'age'"),
        (Classification("age"), "itself a quasi-identifier"),
        (Learning("age"), "itself a quasi-identifier"),
        (Learning("answer", columns=("nothing",)), "no column 'nothing'"),
        (Clusters(clusters=5000), "fewer records than 5000 clusters"),
        (AssociationRules(support=1.0, columns=("sex",)), "frequent enough"),
        (AssociationRules(rules=("age > 3",)), "a rule needs '=>'"),
    ],
)
def test_bad_input_is_one_clear_sentence(task: Any, complaint: str) -> None:
    people = two_camps(50)
    with pytest.raises(BadInput, match=complaint):
        task.measure(Records(people, people, ("age",)))


def test_a_target_of_many_values_is_refused() -> None:
    people = two_camps(200).append_column("number", pa.array(np.arange(200)))
    with pytest.raises(BadInput, match="200 different values"):
        Learning("number").measure(Records(people, people, ("age",)))


@pytest.mark.parametrize(
    "make",
    [
        lambda: Learning("a", "oracle"),  # type: ignore[arg-type]
        lambda: Learning("a", holdout=1.0),
        lambda: Clusters(clusters=1),
        lambda: AssociationRules(support=0),
        lambda: AssociationRules(longest=1),
    ],
)
def test_bad_parameters_are_refused(make: Any) -> None:
    with pytest.raises(BadInput):
        make()


def test_an_empty_original_and_a_missing_column_are_refused() -> None:
    with pytest.raises(BadInput, match="no rows"):
        Records(GROUPS.slice(0, 0), GROUPS, ("age",))
    with pytest.raises(BadInput, match="the release has no column 'age'"):
        Records(GROUPS, GROUPS.select(["buys"]), ("age",))


def test_every_task_says_what_it_is() -> None:
    for name, kind in TASKS.items():
        assert kind.name == name
        assert kind.title
        assert kind.range
        assert kind.meaning
