"""Quasi-identifiers and codes protected together: the promise, the method, the adversary who knows both."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.codes.models.k_m_anonymity import KmAnonymity
from sfumato.codes.published import PublishedSets
from sfumato.codes.sets import CodeSets
from sfumato.codes.tree import CodeTree
from sfumato.codes.utility.certainty_penalty import CertaintyPenalty
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.progress import SILENT
from sfumato.hierarchy import Tree
from sfumato.record.relational_codes import KKmAnonymity, PublishedRecords, RelationalCodes
from sfumato.record.relational_codes.boxes import Boxes
from sfumato.record.relational_codes.contract import RecordsProblem, RecordsSolution
from sfumato.record.relational_codes.joined import cells_of, ladders_of
from sfumato.record.relational_codes.merging import Bounding, Merging, merge_within
from sfumato.table.methods.clustering import BottomUp
from sfumato.table.methods.clustering.show import shown
from sfumato.table.methods.mondrian_columns import columns_of
from sfumato.table.rule import Rule, RuleKind
from sfumato.table.solution import Problem
from sfumato.table.utility.measures import global_certainty_penalty
from tests.oracles.relational_codes import Item, Row, candidates, fewest, penalty, unlike, widest

CODES = Tree({"any": {"A": ["a1", "a2"], "B": ["b1", "b2", "b3"], "c": None}})
AGES = Tree({"*": {"young": ["20", "21", "22"], "old": ["60", "61", "70"]}})
LEAVES = ["a1", "a2", "b1", "b2", "b3", "c"]

rows = st.tuples(
    st.sampled_from(["20", "21", "22", "60", "61", "70", None]), st.sampled_from(["f", "m", "x"])
)
sets = st.frozensets(st.sampled_from(LEAVES), max_size=4)
people = st.lists(st.tuples(rows, sets), min_size=4, max_size=16)
boundings = st.sampled_from(["rmerge", "tmerge", "rtmerge"])


def published(rows: list[Row], sets: list[list[str]]) -> PublishedRecords:
    columns = list(zip(*rows, strict=True)) if rows else [(), ()]
    names = [f"q{j}" for j in range(len(columns))]
    arrays = [pa.array(list(column), pa.string()) for column in columns]
    return PublishedRecords(pa.table(dict(zip(names, arrays, strict=True))), PublishedSets.of(sets))


def problem_of(
    people: list[tuple[Row, frozenset[str]]], k: int, m: int, *, hierarchical: bool = False
) -> RecordsProblem:
    columns = list(zip(*(row for row, _ in people), strict=True))
    quasi = pa.table(
        {f"q{j}": pa.array([None if v is None else v for v in column]) for j, column in enumerate(columns)}
    )
    cells, cell_of = cells_of(quasi)
    given = {"q0": AGES} if hierarchical else {}
    ladders = ladders_of(cells, given, infer_missing=hierarchical)
    codes = CodeSets.of([codes for _, codes in people])
    tree = CodeTree.of(CODES, codes.domain) if codes.domain else None
    return RecordsProblem(cells, cell_of, ladders, codes, KKmAnonymity(k, m), tree)


def labels_of(found: PublishedRecords) -> list[Row]:
    return list(zip(*(column.to_pylist() for column in found.quasi.columns), strict=True))


def items_of(found: PublishedRecords) -> list[list[Item]]:
    """The codes under every item, read from the tree of this file and not from the release."""
    under = {"A": {"a1", "a2"}, "B": {"b1", "b2", "b3"}, "any": {*LEAVES}}
    return [
        [frozenset(under.get(label, {label})) for label in found.sets.record(r)] for r in range(len(found))
    ]


def shown_by(found: PublishedRecords) -> list[tuple[str, ...]]:
    return [found.sets.record(r) for r in range(len(found))]


class TestPromise:
    def test_two_parts_that_are_protected_apart_break_it_together(self) -> None:
        apart = published([("20",), ("20",), ("30",), ("30",)], [["a"], ["b"], ["a"], ["b"]])
        assert KmAnonymity(2, 1).check(apart.sets).holds
        verdict = KKmAnonymity(2, 1).check(apart)
        assert not verdict.holds
        assert verdict.achieved == "k = 1"
        assert "1 item held by 1 of a class of 2 on q0" in str(verdict)

    def test_exactly_k_holders_in_every_class_are_enough_and_one_less_is_not(self) -> None:
        records = published([("20",)] * 3 + [("30",)] * 3, [["a", "b"]] * 3 + [["a"]] * 3)
        assert KKmAnonymity(3, 2).check(records).holds
        assert KKmAnonymity(3, 2).check(records).achieved == "k = 3"
        assert not KKmAnonymity(4, 2).check(records).holds

    def test_a_class_that_is_too_small_breaks_it_even_without_codes(self) -> None:
        verdict = KKmAnonymity(2, 1).check(published([("20",), ("30",), ("30",)], [[], [], []]))
        assert not verdict.holds
        assert verdict.witness is not None
        assert (verdict.witness.rows, verdict.witness.size) == ((1,), 1)

    def test_pairs_break_it_where_single_items_do_not(self) -> None:
        records = published([("20",)] * 4, [["a", "b"], ["a"], ["b"], []])
        assert KKmAnonymity(2, 1).check(records).holds
        assert not KKmAnonymity(2, 2).check(records).holds

    def test_a_missing_value_makes_a_class_of_its_own(self) -> None:
        records = published([(None,), (None,), ("20",), ("20",)], [["a"]] * 4)
        assert KKmAnonymity(2, 2).check(records).holds
        assert not KKmAnonymity(3, 2).check(records).holds

    def test_no_records_keep_every_promise(self) -> None:
        assert KKmAnonymity(5, 2).check(published([], [])).holds

    @pytest.mark.parametrize(("k", "m"), [(0, 1), (1, 0), (True, 2), (2.0, 2)])
    def test_k_and_m_are_whole_numbers_of_at_least_one(self, k: object, m: object) -> None:
        with pytest.raises(BadInput, match="whole number"):
            KKmAnonymity(k, m)  # type: ignore[arg-type]  # that is what is refused

    @settings(max_examples=120, deadline=None)
    @given(
        st.lists(
            st.tuples(
                st.tuples(st.sampled_from("xy"), st.sampled_from(["1", None])),
                st.frozensets(st.sampled_from("abc")),
            ),
            max_size=9,
        ),
        st.integers(1, 4),
        st.integers(1, 4),
    )
    def test_it_says_what_counting_every_itemset_says(
        self, people: list[tuple[Row, frozenset[str]]], k: int, m: int
    ) -> None:
        rows, sets = [row for row, _ in people], [sorted(codes) for _, codes in people]
        verdict = KKmAnonymity(k, m).check(published(rows, sets))
        least = fewest(rows, sets, m)
        assert verdict.holds == (least is None or least >= k)
        if verdict.holds and least is not None:
            assert verdict.achieved == f"k = {least}"
        if verdict.witness is not None:
            assert verdict.witness.size < k
            members = [number - 1 for number in verdict.witness.rows]
            assert len({rows[r] for r in members}) == 1
        assert (verdict.witness is None) == verdict.holds


class TestMethod:
    @settings(max_examples=60, deadline=None)
    @given(people, st.integers(2, 4), st.integers(1, 3), boundings, st.booleans())
    def test_what_it_publishes_keeps_the_promise_is_true_and_stays_within_the_bound(
        self,
        people: list[tuple[Row, frozenset[str]]],
        k: int,
        m: int,
        bounding: str,
        hierarchical: bool,
    ) -> None:
        method = RelationalCodes(bounding, 1.0, output="hierarchy" if hierarchical else "tight")  # type: ignore[arg-type]
        problem = problem_of(people, k, m, hierarchical=hierarchical)
        loosest = method.protect(problem)
        least = RelationalCodes(bounding, float(loosest.details["R"]), output=method.output)  # type: ignore[arg-type]
        for found in (loosest, least.protect(problem)):
            reached = fewest(labels_of(found.published), shown_by(found.published), m)
            assert reached is not None
            assert reached >= k
            assert problem.model.check(found.published).holds
            self.is_true(found, people)
            assert found.details["R"] == pytest.approx(global_certainty_penalty(found.relational), abs=1e-9)

    @staticmethod
    def is_true(found: RecordsSolution, people: list[tuple[Row, frozenset[str]]]) -> None:
        """Every item covers a code of its person; every code is covered, or counted as left out."""
        lost = 0
        for items, (_, codes) in zip(items_of(found.published), people, strict=True):
            assert all(item & codes for item in items)
            lost += len(codes - set().union(*items))
        assert lost == found.details["codes left out"]

    @settings(max_examples=40, deadline=None)
    @given(people, st.integers(2, 3), boundings, st.sampled_from([0.1, 0.3, 0.5, 0.8]))
    def test_a_bound_on_the_quasi_identifiers_is_kept_or_refused_where_the_first_clusters_exceed_it(
        self, people: list[tuple[Row, frozenset[str]]], k: int, bounding: str, delta: float
    ) -> None:
        problem = problem_of(people, k, 2)
        rule = Rule(RuleKind.MIN_PERSONS, (k,), monotone=True)
        first = BottomUp().search(Problem(problem.cells, problem.ladders, (rule,)))
        method = RelationalCodes(bounding, delta)  # type: ignore[arg-type]
        if global_certainty_penalty(first) > delta + 1e-9:
            with pytest.raises(PromiseNotMet, match="of their quasi-identifiers, more than delta"):
                method.protect(problem)
        else:
            found = method.protect(problem)
            assert global_certainty_penalty(found.relational) <= delta + 1e-9

    @settings(max_examples=40, deadline=None)
    @given(people, st.integers(2, 3), boundings, st.sampled_from([0.1, 0.3, 0.5, 0.8]))
    def test_a_bound_on_the_codes_is_kept_whenever_it_is_with_everybody_in_one_cluster(
        self, people: list[tuple[Row, frozenset[str]]], k: int, bounding: str, delta: float
    ) -> None:
        problem = problem_of(people, k, 2)
        everybody = RelationalCodes("rmerge", 1.0).protect(problem)
        assert everybody.details["clusters"] == 1
        method = RelationalCodes(bounding, delta, "codes")  # type: ignore[arg-type]
        try:
            found = method.protect(problem)
        except PromiseNotMet:
            found = None
        if found is None:
            assert float(everybody.details["T"]) > delta
        else:
            measured = CertaintyPenalty().of(problem.sets, found.published.sets)
            assert (0.0 if measured is None else measured.value) <= delta + 1e-9
            assert problem.model.check(found.published).holds

    def test_codes_that_lose_more_than_the_bound_with_everybody_together_are_refused(self) -> None:
        problem = problem_of([(("20", "f"), frozenset({leaf})) for leaf in LEAVES], 3, 1)
        with pytest.raises(PromiseNotMet, match="everybody in one cluster"):
            RelationalCodes(delta=0.1, bounded="codes").protect(problem)

    def test_clusters_that_lose_more_than_the_bound_are_refused_and_just_as_much_is_allowed(self) -> None:
        people = [((age, "f"), frozenset({"c"})) for age in ("20", "22", "60", "70")]
        # Two clusters, [20-22] and [60-70]: (2 + 10) / 50 / 2 on the first column, nothing on the second.
        found = RelationalCodes("rmerge", 0.06).protect(problem_of(people, 2, 1))
        assert found.details["R"] == pytest.approx(0.06)
        assert found.details["merges"] == 0
        with pytest.raises(PromiseNotMet, match=r"lose 0\.0600 .* more than delta = 0\.059"):
            RelationalCodes("rmerge", 0.059).protect(problem_of(people, 2, 1))

    def test_nobody_is_merged_without_need_and_codes_are_kept_when_clusters_agree(self) -> None:
        people = [((age, "f"), frozenset({"a1", "b1"})) for age in ("20", "20", "70", "70")]
        found = RelationalCodes(delta=0.0).protect(problem_of(people, 2, 2))
        assert found.details["R"] == 0.0
        assert shown_by(found.published) == [("a1", "b1")] * 4

    def test_merging_by_codes_joins_those_who_share_them_though_others_are_nearer(self) -> None:
        people = [(("20", "f"), {"a1"}), (("20", "f"), {"a1"}), (("22", "f"), {"b1"}), (("22", "f"), {"b1"})]
        people += [(("60", "f"), {"a1"}), (("60", "f"), {"a1"})]
        frozen = [(row, frozenset(codes)) for row, codes in people]
        by_codes = RelationalCodes("tmerge", 0.34).protect(problem_of(frozen, 2, 1))
        assert labels_of(by_codes.published)[0] == labels_of(by_codes.published)[4] == ("[20-60]", "f")
        by_age = RelationalCodes("rmerge", 0.34).protect(problem_of(frozen, 2, 1))
        assert labels_of(by_age.published)[0] == labels_of(by_age.published)[2] == ("[20-22]", "f")

    def test_codes_of_a_cluster_with_too_few_holders_are_left_out_and_counted(self) -> None:
        people = [(("20", "f"), frozenset({"a1", "b1"})), (("20", "f"), frozenset[str]())]
        people += [(("70", "m"), frozenset({"a1"}))] * 2
        found = RelationalCodes(delta=0.0).protect(problem_of(people, 2, 1))
        assert shown_by(found.published) == [(), (), ("a1",), ("a1",)]
        assert found.details["codes left out"] == 2
        merged = RelationalCodes(delta=1.0).protect(problem_of(people, 2, 1))
        assert merged.details["codes left out"] == 0

    def test_people_without_any_code_need_no_hierarchy_over_them(self) -> None:
        found = RelationalCodes(delta=1.0).protect(problem_of([(("20", "f"), frozenset())] * 3, 2, 2))
        assert shown_by(found.published) == [()] * 3

    def test_k_of_everybody_is_possible_and_one_more_is_not(self) -> None:
        people = [((age, "f"), frozenset({"a1"})) for age in ("20", "22", "60")]
        assert RelationalCodes(delta=1.0).protect(problem_of(people, 3, 1)).details["clusters"] == 1
        with pytest.raises(PromiseNotMet, match="more than the 3 persons"):
            RelationalCodes(delta=1.0).protect(problem_of(people, 4, 1))

    def test_it_finds_the_same_again(self) -> None:
        generator = np.random.default_rng(3)
        people = [
            (
                (str(generator.choice([20, 21, 22, 60, 61, 70])), str(generator.choice(["f", "m"]))),
                frozenset(generator.choice(LEAVES, 2).tolist()),
            )
            for _ in range(60)
        ]
        for bounding in ("rmerge", "tmerge", "rtmerge"):
            first, second = (
                RelationalCodes(bounding, 0.5).protect(problem_of(people, 3, 2))  # type: ignore[arg-type]
                for _ in range(2)
            )
            assert first.published.quasi.equals(second.published.quasi)
            assert shown_by(first.published) == shown_by(second.published)

    @pytest.mark.parametrize("clusters", ["bottom-up", "k-member", "top-down", "mondrian"])
    @pytest.mark.parametrize("codes", ["apriori", "local-apriori", "vertical-apriori"])
    def test_every_clustering_works_with_methods_for_sets(self, clusters: str, codes: str) -> None:
        people = [
            ((age, sex), frozenset({leaf, "c"}))
            for age, sex, leaf in zip("123456" * 2, "fmx" * 4, LEAVES * 2, strict=True)
        ]
        problem = problem_of([((f"2{age[-1]}", sex), held) for (age, sex), held in people], 3, 2)
        found = RelationalCodes(delta=1.0, clusters=clusters, codes=codes).protect(problem)
        assert problem.model.check(found.published).holds

    @pytest.mark.parametrize(
        "wrong",
        [
            {"bounding": "merge"},
            {"bounded": "both"},
            {"clusters": "datafly"},
            {"output": "centres"},
            {"delta": -0.1},
            {"delta": 1.1},
            {"delta": True},
            {"codes": "nothing"},
        ],
    )
    def test_parameters_that_cannot_be_are_refused(self, wrong: dict[str, object]) -> None:
        with pytest.raises(BadInput):
            RelationalCodes(**wrong)  # type: ignore[arg-type]  # that is what is refused

    def test_a_method_for_sets_that_cannot_keep_the_promise_is_refused(self) -> None:
        problem = problem_of([(("20", "f"), frozenset({"a1"}))] * 3, 2, 1)
        with pytest.raises(BadInput, match="does not enforce"):
            RelationalCodes(delta=1.0, codes="suppress-control").protect(problem)


class TestParts:
    @settings(max_examples=60, deadline=None)
    @given(people, st.lists(st.integers(0, 3), min_size=16, max_size=16), st.booleans())
    def test_the_loss_of_clusters_is_what_the_measure_of_tables_says(
        self, people: list[tuple[Row, frozenset[str]]], drawn: list[int], hierarchical: bool
    ) -> None:
        problem = problem_of(people, 2, 1, hierarchical=hierarchical)
        asked = Problem(problem.cells, problem.ladders, ())
        columns = columns_of(asked, hierarchical=hierarchical)
        _, owner = np.unique(np.array(drawn[: len(problem.cells)]), return_inverse=True)
        boxes = Boxes.of(columns, problem.cells.codes, owner.astype(np.int64), problem.cells.rows)
        output = "hierarchy" if hierarchical else "tight"
        measured = global_certainty_penalty(shown(problem.cells, columns, owner, output, {}))  # type: ignore[arg-type]
        assert boxes.loss().sum() / boxes.most == pytest.approx(measured, abs=1e-9)
        if len(boxes) > 1:
            together = float(boxes.with_all(0)[1])
            boxes.absorb(0, 1, together)
            owner = np.where(owner == 1, 0, owner)
            measured = global_certainty_penalty(shown(problem.cells, columns, owner, output, {}))  # type: ignore[arg-type]
            assert boxes.loss().sum() / boxes.most == pytest.approx(measured, abs=1e-9)
            again = Boxes.of(columns, problem.cells.codes, owner.astype(np.int64), problem.cells.rows)
            assert boxes.with_all(0)[0] == pytest.approx(2 * again.loss()[0], abs=1e-9)

    @settings(max_examples=40, deadline=None)
    @given(people)
    def test_the_loss_of_everybody_in_one_cluster_is_what_the_oracle_says(
        self, people: list[tuple[Row, frozenset[str]]]
    ) -> None:
        problem = problem_of(people, 2, 1)
        columns = columns_of(Problem(problem.cells, problem.ladders, ()), hierarchical=False)
        boxes = Boxes.of(
            columns, problem.cells.codes, np.zeros(len(problem.cells), np.int64), problem.cells.rows
        )
        ages, sexes = ([row[j] for row, _ in people] for j in range(2))
        numbers = any(age is not None for age in ages)
        expected = penalty(ages, ages, numbers=numbers) + penalty(sexes, sexes, numbers=False)
        assert boxes.loss()[0] == pytest.approx(len(people) * expected, abs=1e-9)

    @settings(max_examples=60, deadline=None)
    @given(people, st.lists(st.integers(0, 3), min_size=16, max_size=16))
    def test_codes_of_clusters_are_as_unlike_as_their_most_unlike_records(
        self, people: list[tuple[Row, frozenset[str]]], drawn: list[int]
    ) -> None:
        problem = problem_of([(("20", "f"), codes) for _, codes in people], 2, 1)
        codes = [codes for _, codes in people]
        _, owner = np.unique(np.array(drawn[: len(people)]), return_inverse=True)
        number = int(owner.max()) + 1
        rows = np.bincount(owner).astype(np.int64)
        boxes = Boxes([], rows, np.zeros(number))
        merging = Merging.of(boxes, problem.sets, owner.astype(np.int64))
        groups = [[codes[r] for r in np.flatnonzero(owner == one)] for one in range(number)]
        assert merging.spread.tolist() == [widest([group]) for group in groups]
        found = merging.unlike(0)
        assert found.tolist() == [
            widest([groups[0], *([group] * (one > 0))]) for one, group in enumerate(groups)
        ]

    def test_clusters_in_which_codes_cannot_be_shown_are_merged_first(self) -> None:
        people = [(("20", "f"), frozenset({"a1"}))] * 2 + [(("21", "f"), frozenset[str]())] * 2
        people += [(("60", "f"), frozenset({"a1"})), (("60", "f"), frozenset[str]())]
        problem = problem_of(people, 2, 1)
        columns = columns_of(Problem(problem.cells, problem.ladders, ()), hierarchical=False)
        boxes = Boxes.of(columns, problem.cells.codes, np.arange(3), problem.cells.rows)
        merging = Merging.of(boxes, problem.sets, problem.cell_of)
        # Of all merges only that of 60 with 21 fits: 4 rows · 39/40 of one column of two, of 6 rows.
        assert merge_within(merging, Bounding.RMERGE, 4 * 39 / 40 / 12, 2, SILENT) == 1
        assert merging.cluster_of.tolist()[2:] == [merging.cluster_of[2]] * 4

    def test_unlike_of_the_oracle_is_what_the_definition_says(self) -> None:
        assert unlike("ab", "bc") == 3 / 2
        assert unlike("", "") == 1.0


class TestAdversary:
    """Knows the quasi-identifiers of a person and up to m of their codes."""

    @staticmethod
    def attacked(
        rows: list[Row], items: list[list[Item]], people: list[tuple[Row, frozenset[str]]], m: int
    ) -> int:
        """Return the fewest candidates that are left of anybody, for any knowledge that matches somebody."""
        left = []
        for person, codes in people:
            for size in range(m + 1):
                for known in combinations(sorted(codes), size):
                    left.append(len(candidates(rows, items, person, known)))
        return min((number for number in left if number), default=0)

    @settings(max_examples=40, deadline=None)
    @given(people, st.integers(2, 3), st.integers(1, 2), boundings)
    def test_nobody_is_left_with_fewer_than_k_candidates(
        self, people: list[tuple[Row, frozenset[str]]], k: int, m: int, bounding: str
    ) -> None:
        found = RelationalCodes(bounding, 1.0).protect(problem_of(people, k, m))  # type: ignore[arg-type]
        assert self.attacked(labels_of(found.published), items_of(found.published), people, m) >= k

    def test_a_k_anonymous_table_beside_k_m_anonymous_sets_is_broken(self) -> None:
        people = [
            (("20", "f"), frozenset({"a1"})),
            (("20", "f"), frozenset({"b1"})),
            (("60", "m"), frozenset({"a1"})),
            (("60", "m"), frozenset({"b1"})),
        ]
        rows, items = [row for row, _ in people], [[codes] for _, codes in people]
        assert fewest(rows, [[] for _ in people], 1) == 2
        assert KmAnonymity(2, 2).check(PublishedSets.of([sorted(codes) for _, codes in people])).holds
        assert self.attacked(rows, items, people, 1) == 1
        found = RelationalCodes(delta=1.0).protect(problem_of(people, 2, 1))
        assert self.attacked(labels_of(found.published), items_of(found.published), people, 1) >= 2
