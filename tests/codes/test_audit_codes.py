"""What an auditor tried to break: every method and promise by brute force, labels, bounds and parameters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, pairwise, product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.codes.contract import Problem
from sfumato.codes.disassociated import Chunk, Cluster, Disassociated, JointCluster
from sfumato.codes.methods import (
    METHODS,
    AprioriAnonymisation,
    Coat,
    Disassociation,
    RareCodes,
    SuppressControl,
    TopDownControl,
    Ugaclip,
)
from sfumato.codes.methods.moles import limits
from sfumato.codes.models import (
    CohortCloseness,
    CompleteItemsetAnonymity,
    CompleteKAnonymity,
    DisassociatedAnonymity,
    HkpCoherence,
    KmAnonymity,
    PrivacyConstraints,
    PsRules,
    RhoUncertainty,
)
from sfumato.codes.policies import feasibility
from sfumato.codes.published import Items, PublishedSets, is_label_of, set_label
from sfumato.codes.question import Family, Question
from sfumato.codes.reading.published import items_of, read_published
from sfumato.codes.risk import exposure, release_exposure, told_in_file
from sfumato.codes.sets import CodeSets
from sfumato.codes.tree import CodeTree
from sfumato.codes.writing import PublishedLayout, published_table
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.engine.contract import Order
from sfumato.hierarchy import Tree

Group = frozenset[str]
Records = list[list[str]]


def groups_of(published: PublishedSets) -> list[Group]:
    items = published.items
    return [frozenset(items.domain[code] for code in items.under(item)) for item in range(len(items))]


def shown_by(published: PublishedSets) -> list[frozenset[Group]]:
    groups = groups_of(published)
    starts = published.starts.tolist()
    return [
        frozenset(groups[item] for item in published.shown[low:high].tolist())
        for low, high in pairwise(starts)
    ]


def choices(things: Iterable[Any], most: int) -> set[frozenset[Any]]:
    listed = list(things)
    return {frozenset(some) for size in range(1, most + 1) for some in combinations(listed, size)}


def support(records: Sequence[frozenset[Any]], itemset: Iterable[Any]) -> int:
    return sum(frozenset(itemset) <= record for record in records)


def fewest(records: Sequence[frozenset[Any]], most: int) -> int:
    """The support of the rarest itemset that somebody holds."""
    known = {some for record in records for some in choices(record, min(most, len(record)))}
    return min((support(records, some) for some in known), default=10**9)


def as_leaves(records: Sequence[frozenset[Group]]) -> list[frozenset[str]]:
    return [frozenset(code for group in record for code in group) for record in records]


def surest(
    records: Sequence[frozenset[Group]], sensitive: set[str], known: Sequence[frozenset[Group]]
) -> Any:
    """The greatest confidence of a sensitive item among those who hold one of some itemsets, outside it."""
    told = {group for record in records for group in record if group <= sensitive}
    return max(
        (
            Fraction(support(records, some | {one}), support(records, some))
            for some in known
            for one in told - some
        ),
        default=Fraction(0),
    )


def constraint_kept(leaves: Sequence[frozenset[str]], codes: Iterable[str], k: int, strict: bool) -> bool:
    whole = frozenset(codes)
    if support(leaves, whole):
        return support(leaves, whole) >= k
    parts = choices(whole, len(whole) - 1) if strict else set()
    return all(support(leaves, part) == 0 or support(leaves, part) >= k for part in parts)


def kept(model: Any, records: Sequence[frozenset[Group]], sensitive: set[str]) -> bool:
    """Say by trying everything whether a promise holds."""
    leaves = as_leaves(records)
    public = [frozenset(group for group in record if not group <= sensitive) for record in records]
    match model:
        case KmAnonymity(k=k, m=m, match=match):
            return fewest(leaves if match == "leaf" else records, m) >= k
        case CompleteItemsetAnonymity(k=k):
            return fewest(records, 99) >= k
        case CompleteKAnonymity(k=k):
            return all(records.count(record) >= k for record in records)
        case PrivacyConstraints(k=k, constraints=listed, wording=wording):
            return all(constraint_kept(leaves, codes, k, wording == "strict") for codes in listed)
        case PsRules(k=k, rules=rules):
            held = [(support(leaves, known), support(leaves, {*known, *told})) for known, told in rules]
            return all(not of or (of >= k and Fraction(both, of) <= model.confidence) for of, both in held)
        case HkpCoherence(k=k, p=p):
            known = [some for record in public for some in choices(record, min(p, len(record)))]
            return fewest(public, p) >= k and surest(records, sensitive, known) <= model.confidence
        case RhoUncertainty():
            some = [one for record in records for one in choices(record, len(record))]
            nothing = [frozenset[Group]()] if records else []
            return bool(surest(records, sensitive, nothing + some) < model.confidence)
    raise AssertionError(model)


CODES = "abcde"
SMALL_TREE = Tree({"any": {"A": {"a": None, "AB": ["b", "c"]}, "d": None, "e": None}})
SHARES = st.sampled_from([0.2, 0.3, 1 / 3, 0.5, Fraction(1, 3), Fraction(2, 3), 1])


@st.composite
def models(draw: st.DrawFn) -> Any:
    k, m = draw(st.integers(1, 4)), draw(st.sampled_from([1, 2, 3, 9]))
    listed = draw(st.lists(st.lists(st.sampled_from(CODES), min_size=1, max_size=3), min_size=1, max_size=3))
    rules = [(known, ["e"]) for known in listed if "e" not in known] or [(["a"], ["e"])]
    return draw(
        st.sampled_from(
            [
                KmAnonymity(k, m),
                KmAnonymity(k, m, "leaf"),
                CompleteItemsetAnonymity(k),
                CompleteKAnonymity(k),
                PrivacyConstraints(k, listed),
                PrivacyConstraints(k, listed, "plain"),
                HkpCoherence(draw(SHARES), k, m),
                RhoUncertainty(draw(SHARES)),
                PsRules(k, draw(SHARES), rules),
            ]
        )
    )


RECORDS = st.lists(st.lists(st.sampled_from(CODES), max_size=4), max_size=8)


@settings(max_examples=150, deadline=None)
@given(RECORDS, st.lists(models(), min_size=1, max_size=2), st.booleans())
def test_every_method_keeps_what_it_enforces_by_brute_force_or_says_that_it_cannot(
    records: Records, promised: list[Any], marked: bool
) -> None:
    sets = CodeSets.of(records)
    secret = {"e"} & {*sets.domain} if marked else set()
    tree = CodeTree.of(SMALL_TREE, sets.domain) if sets.domain else None
    for name, kind in METHODS.items():
        method = kind()
        asked = tuple(model for model in promised if method.enforces(model.question()))
        if not asked or name == "disassociation":
            continue
        problem = Problem(sets, asked, tree, sets.sensitive(secret), (("a", "b", "c"), ("d",)))
        try:
            published = method.protect(problem).published
        except (PromiseNotMet, BadInput):
            continue
        shown = shown_by(published)
        assert len(shown) == len(records)
        for one, original in zip(shown, records, strict=True):
            assert all(group & {*original} for group in one), f"{name} invents an item"
        for model in asked:
            assert kept(model, shown, secret), f"{name} breaks {model.name}"


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.lists(st.sets(st.sampled_from(CODES[:4]), min_size=1, max_size=3), max_size=3), max_size=7),
    st.lists(st.booleans(), min_size=7, max_size=7),
    models(),
)
def test_the_check_agrees_with_brute_force_on_items_that_overlap(
    public: list[list[set[str]]], secret: list[bool], model: Any
) -> None:
    records = [[*map(sorted, one), *(["e"] if has else [])] for one, has in zip(public, secret, strict=False)]
    published = PublishedSets.of(records, sensitive=["e"])
    if not published.items.sensitive.any() and isinstance(model, HkpCoherence | RhoUncertainty):
        return
    assert model.check(published).holds == kept(model, shown_by(published), {"e"})


class TestLabels:
    AWKWARD = ("(a,b)", "(a,b)*", "a", "b", "a,b", '"a"', "c d", '("a,b",c d)')

    def test_a_code_and_a_set_that_are_written_alike_have_different_labels(self) -> None:
        items = Items.of_groups(self.AWKWARD, [[0], [1], [2, 3], [4, 6], [7]])
        assert items.labels == ("(a,b)", "(a,b)*", "(a,b)**", '("a,b","c d")', '("a,b",c d)')

    def test_sets_of_awkward_codes_never_print_alike(self) -> None:
        assert set_label(["a", "b,c"]) != set_label(["a,b", "c"])
        assert is_label_of("(a,b)**", ["b", "a"])
        assert not is_label_of("(a,b)", ["a"])
        assert not is_label_of("(a,b)x", ["a", "b"])
        assert not is_label_of("a", [])

    @pytest.mark.parametrize("layout", list(PublishedLayout))
    @pytest.mark.parametrize("declared", [False, True])
    def test_such_items_are_read_again_as_they_were(self, layout: PublishedLayout, declared: bool) -> None:
        records = [["(a,b)", ["a", "b"]], [["a", "b"]], ["(a,b)"], [["a,b", "c d"], ["c d", "a", "b"]]]
        published = PublishedSets.of(records, domain=self.AWKWARD)
        table = published_table(published, layout, order=Order.KEPT)
        domain = published.items.domain
        spec = {
            label: [domain[code] for code in published.items.under(item)]
            for item, label in enumerate(published.items.labels)
        }
        again = read_published(table, layout, spec if declared else None)
        assert shown_by(again) == shown_by(published)

    def test_a_text_in_brackets_is_never_taken_for_a_code(self) -> None:
        with pytest.raises(BadInput, match="not among those"):
            read_published(pa.table({"codes": ["(a,b)"]}), "cells", {"(a,b)": ["(a,b)"]})

    def test_set_based_methods_publish_them(self) -> None:
        sets = CodeSets.of([["(a,b)"], ["a"], ["b"]])
        problem = Problem(sets, (PrivacyConstraints(2, [["a"]]),), utility=(("a", "b"),))
        published = Ugaclip().protect(problem).published
        assert isinstance(published, PublishedSets)
        assert [published.record(row) for row in range(3)] == [("(a,b)",), ("(a,b)*",), ("(a,b)*",)]

    def test_items_that_cannot_be_are_bad_input(self) -> None:
        with pytest.raises(BadInput, match="same label"):
            Items.of_groups(("a",), [[0], [0]])
        with pytest.raises(BadInput, match="public and sensitive"):
            items_of({"x": ["a", "b"], "a": ["a"]}, sensitive=["a"])


@pytest.mark.parametrize("records", [["ab"], [[1]], [["a", None]], [[["a"]]], [3]])
def test_records_that_are_no_lists_of_texts_are_refused(records: Any) -> None:
    with pytest.raises(BadInput, match="record 1: a record is not a list of codes"):
        CodeSets.of(records)


@pytest.mark.parametrize("records", [["ab"], [[1]], [["a", None]], [[["a", 1]]], [[[]]], [3]])
def test_published_records_that_are_no_lists_of_items_are_refused(records: Any) -> None:
    with pytest.raises(BadInput, match="record 1: an item is neither"):
        PublishedSets.of(records)


def test_no_print_of_data_shows_a_code() -> None:
    sets = CodeSets.of([["secret", "hidden"], ["secret"]])
    tree = CodeTree.of(Tree({"any": ["secret", "hidden"]}), sets.domain)
    chunks = Disassociation(safe=False).protect(Problem(sets, (DisassociatedAnonymity(1, 1),))).published
    policy = PrivacyConstraints(2, [["secret", "hidden"]])
    rules = PsRules(2, 0.5, [(["secret"], ["hidden"])])
    problem = Problem(sets, (policy, rules), tree, utility=(("secret", "hidden"),))
    for thing in (sets, PublishedSets.as_it_is(sets), tree, chunks, policy, rules, problem):
        assert "secret" not in repr(thing)
        assert "hidden" not in repr(thing)


class TestDisassociation:
    def test_it_keeps_its_promise_when_more_codes_are_known_than_any_record_has(self) -> None:
        # In a possible world a record may be longer than any of the original.
        sets = CodeSets.of([["a"], ["b"]])
        for k, m in product((1, 2), (1, 2, 3, 9)):
            model = DisassociatedAnonymity(k, m)
            published = Disassociation(safe=False).protect(Problem(sets, (model,), utility=(("a",), ("b",))))
            assert model.check(published.published).holds

    @settings(max_examples=60, deadline=None)
    @given(
        st.lists(st.lists(st.sampled_from(CODES), min_size=1, max_size=3), min_size=2, max_size=14),
        st.sampled_from([1, 2, 3, 5, 9]),
        st.booleans(),
        st.booleans(),
    )
    def test_for_every_m_what_it_publishes_is_what_its_model_asks_for(
        self, records: Records, m: int, safe: bool, constrained: bool
    ) -> None:
        model = DisassociatedAnonymity(2, m, safe)
        utility = (("a", "b"), ("c",)) if constrained else ()
        problem = Problem(CodeSets.of(records), (model,), utility=utility)
        method = Disassociation(cluster_size=4, safe=safe)
        try:
            published = method.protect(problem).published
        except PromiseNotMet:
            assert safe
            return
        assert model.check(published).holds

    def test_a_code_that_everybody_of_a_cluster_must_hold_is_not_called_safe(self) -> None:
        lone = Disassociated(("c",), (Cluster(4, (), (0,)),))
        assert DisassociatedAnonymity(2, 2).check(lone).holds
        found = DisassociatedAnonymity(2, 2, safe=True).check(lone)
        assert not found.holds
        assert "held by everybody" in str(found.witness)
        problem = Problem(CodeSets.of([["c"]] * 20), (DisassociatedAnonymity(2, 2, safe=True),))
        with pytest.raises(PromiseNotMet, match="everybody holds one and the same code"):
            Disassociation().protect(problem)

    def test_beside_a_shared_chunk_a_single_term_is_not_certain(self) -> None:
        shared = Chunk.of([[1], [1], [1]])
        leaves = (Cluster(4, (), (0,)), Cluster(4, (), (0, 2)))
        joint = Disassociated(("c", "d", "e"), (JointCluster(leaves, (shared,)),))
        assert DisassociatedAnonymity(2, 2, safe=True).check(joint).holds


class TestFeasibility:
    def test_a_constraint_that_joining_would_let_a_few_hold_is_doubtful(self) -> None:
        sets = CodeSets.of([["d"], ["d"], ["b"], ["d"], ["b", "d"], [], ["a"]])
        report = feasibility(sets, [("a", "d")], 3, [("a", "b")])
        assert (report.reachable, report.doubtful, report.feasible) == ((1,), (1,), False)
        assert "may need suppression" in str(report)

    @settings(max_examples=150, deadline=None)
    @given(
        st.lists(st.lists(st.sampled_from("abcd"), max_size=3), min_size=1, max_size=6),
        st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=3), min_size=1, max_size=3),
        st.integers(1, 3),
        st.booleans(),
    )
    def test_what_it_calls_feasible_is_and_what_it_calls_infeasible_is_not(
        self, records: Records, listed: Records, k: int, strict: bool
    ) -> None:
        sets = CodeSets.of(records)
        utility = [("a", "b", "c")]
        report = feasibility(sets, [tuple(codes) for codes in listed], k, utility, strict=strict)
        together = [code for code in "abc" if code in sets.domain]
        alone = [code for code in "d" if code in sets.domain]
        some, each = False, [False] * len(listed)
        for way in _partitions(together):
            items = [frozenset(group) for group in (*way, *([code] for code in alone))]
            shown = [frozenset(item for item in items if item & {*record}) for record in records]
            good = [constraint_kept(as_leaves(shown), codes, k, strict) for codes in listed]
            some |= all(good)
            each = [before or now for before, now in zip(each, good, strict=True)]
        assert not report.feasible or some
        assert not any(each[number - 1] for number in report.infeasible)
        assert report.feasible or report.doubtful or not some


def _partitions(codes: list[str]) -> Iterable[list[list[str]]]:
    if not codes:
        yield []
        return
    first, *rest = codes
    for way in _partitions(rest):
        yield [[first], *way]
        for place, group in enumerate(way):
            yield [*way[:place], [first, *group], *way[place + 1 :]]


class TestRisk:
    def test_thresholds_with_many_digits_are_exact_for_many_people(self) -> None:
        # 2,000 holders times a denominator of 10^16 does not fit into 64 bits.
        records = [["a", "s"]] * 500 + [["a"]] * 1500
        sets = CodeSets.of(records)
        marked = sets.sensitive(["s"])
        assert told_in_file(sets, marked, 1, 1 / 3).above == 0
        assert told_in_file(sets, marked, 1, Fraction(1, 4)).above == 0
        assert told_in_file(sets, marked, 1, Fraction(10**30 - 1, 4 * 10**30)).above == 500

    def test_where_sensitive_codes_take_too_long_a_sentence_says_so(self) -> None:
        sets = CodeSets.of([["a", "b", "s"], ["a", "c"], ["b", "c"]])
        risk = exposure(sets, k=2, m=2, sensitive=["s"], most_sets=5)
        assert risk.sensitive is None
        assert any("sensitive codes follow" in sentence for sentence in risk.said)
        published = PublishedSets.as_it_is(sets, sets.sensitive(["s"]))
        again = release_exposure(sets, published, k=2, m=2, most_sets=5)
        assert again.sensitive is None
        assert any("sensitive codes follow" in sentence for sentence in again.said)

    @pytest.mark.parametrize("match", ["codes", "items"])
    def test_where_items_are_too_wide_a_sentence_says_so(self, match: Any) -> None:
        sets = CodeSets.of([["a", "s"], ["b"]])
        published = PublishedSets.of([[["a", "b"], "s"], [["a", "b"]]], sensitive=["s"])
        risk = release_exposure(sets, published, k=2, m=1, match=match, most_slots=1)
        assert risk.sensitive is None
        assert any("too wide" in sentence for sentence in risk.said)

    @pytest.mark.parametrize("threshold", [1, -0.1, float("nan"), float("inf"), True])
    def test_a_threshold_that_is_no_share_is_refused(self, threshold: Any) -> None:
        with pytest.raises(BadInput, match="at least 0 and below 1"):
            exposure(CodeSets.of([["a", "s"]]), sensitive=["s"], threshold=threshold)


class TestParameters:
    STRANGE = (
        0,
        -1,
        2,
        "0.2",
        None,
        True,
        float("nan"),
        float("inf"),
        Decimal("NaN"),
        Decimal("sNaN"),
        10**400,
    )

    @pytest.mark.parametrize("value", STRANGE)
    def test_what_is_no_share_is_refused(self, value: Any) -> None:
        makers = (
            RhoUncertainty,
            lambda share: HkpCoherence(share, 2, 2),
            lambda share: CohortCloseness(share, 2),
            lambda share: PsRules(2, share, [(["a"], ["s"])]),
        )
        for make in makers:
            with pytest.raises(BadInput, match="share above 0"):
                make(value)

    @pytest.mark.parametrize("value", [-1, 2, "0.2", True, float("nan"), Decimal("NaN"), [0.2]])
    def test_methods_refuse_what_lies_outside_0_and_1(self, value: Any) -> None:
        with pytest.raises(BadInput, match="between 0 and 1"):
            RareCodes(share=value)
        with pytest.raises(BadInput, match="between 0 and 1"):
            Coat(suppress=value)

    def test_orders_and_weights_of_another_kind_are_refused(self) -> None:
        with pytest.raises(BadInput, match="orders"):
            AprioriAnonymisation(orders=3)  # type: ignore[arg-type]
        with pytest.raises(BadInput, match="no weights"):
            Ugaclip(weights=3)  # type: ignore[arg-type]

    def test_weights_whose_sums_would_not_fit_are_refused(self) -> None:
        for kind in (SuppressControl, TopDownControl):
            with pytest.raises(BadInput, match="whole number from 1 to"):
                kind(sensitive_weight=2**62)

    def test_a_k_beyond_all_counters_is_refused(self) -> None:
        with pytest.raises(BadInput, match="at most"):
            KmAnonymity(2**63, 2)
        sets = CodeSets.of([["a"], ["b"]])
        assert feasibility(sets, [("a",)], 2**63).infeasible == (1,)
        with pytest.raises(BadInput, match="whole number from 2"):
            exposure(sets, k=2**63)

    def test_shares_with_large_denominators_are_exact(self) -> None:
        tiny = Fraction(1, 10**30)
        question = Question(Family.UP_TO, size=1, confidence=tiny)
        assert limits(question, 3).tolist() == [-1, 0, 0, 0]
        sets = PublishedSets.of([["a", "s"], ["a"]], sensitive=["s"])
        assert not HkpCoherence(tiny, 1, 1).check(sets).holds
        assert HkpCoherence(Fraction(1, 2), 1, 1).check(sets).holds
        assert not HkpCoherence(Fraction(1, 2) - tiny, 1, 1).check(sets).holds
        assert not RhoUncertainty(Fraction(1, 2)).check(sets).holds
        assert RhoUncertainty(Fraction(1, 2) + tiny).check(sets).holds


def test_int32_and_int64_arrays_of_the_wrong_kind_are_brought_into_shape() -> None:
    sets = CodeSets(("a", "b"), np.array([0, 1, 2], np.int32), np.array([0, 1], np.int64))
    assert KmAnonymity(1, 2).check(PublishedSets.as_it_is(sets)).holds
