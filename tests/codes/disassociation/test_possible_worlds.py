"""Drawing possible originals, and what disassociation loses."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sfumato.codes.contract import Problem
from sfumato.codes.disassociated import Disassociated
from sfumato.codes.methods.disassociation import Disassociation
from sfumato.codes.models.disassociated_anonymity import DisassociatedAnonymity
from sfumato.codes.possible_worlds import possible_original
from sfumato.codes.published import PublishedSets
from sfumato.codes.sets import CodeSets
from sfumato.codes.utility.disassociation import HiddenCounts, LostAssociations
from sfumato.core.errors import BadInput
from tests.codes.disassociation.test_method import disassociate, some_records
from tests.oracles.possible_worlds import originals, size_of

JOINT = {
    "clusters": [
        {"records": 3, "chunks": [[["a", "b"], ["a", "b"]]], "terms": ["e"]},
        {"records": 2, "chunks": [[["c"], ["c"]]], "terms": []},
    ],
    "shared": [[["a"], ["a"]], [["d"], ["d"], ["d"]]],
}


@settings(max_examples=60, deadline=None)
@given(some_records("abcd", 8), st.booleans(), st.integers(0, 5))
def test_what_is_drawn_is_a_possible_world(records: list[list[str]], safe: bool, seed: int) -> None:
    assume(sum(map(bool, records)) != 1)
    lines = disassociate(records, 2, 2, Disassociation(4, safe=safe)).to_lines()
    for line in lines:
        assume(size_of(line) <= 4000)
        drawn = possible_original(Disassociated.from_lines([line]), seed)
        assert tuple(sorted(drawn)) in originals(line)


def test_every_world_of_a_small_release_is_drawn_sooner_or_later() -> None:
    line = json.dumps(JOINT)
    shown = Disassociated.from_lines([line])
    drawn = {tuple(sorted(possible_original(shown, seed))) for seed in range(400)}
    # Of a term only one holder is drawn, so worlds in which several have it never come.
    possible = {world for world in originals(line) if sum("e" in record for record in world) == 1}
    assert drawn == possible


def test_codes_of_a_shared_chunk_do_not_go_where_a_chunk_shows_them() -> None:
    shown = Disassociated.from_lines([json.dumps(JOINT)])
    for seed in range(20):
        assert sum("a" in record and "b" not in record for record in possible_original(shown, seed)) == 2


@settings(max_examples=40, deadline=None)
@given(some_records("abcdefgh", 50, 12), st.integers(0, 3))
def test_supports_are_those_that_chunks_show(records: list[list[str]], seed: int) -> None:
    assume(sum(map(bool, records)) >= 3)
    shown = disassociate(records, 3, 2, Disassociation(8))
    drawn = possible_original(shown, seed)
    named = Counter(code for leaf in shown.leaves() for code in leaf.terms)
    assert len(drawn) == len(records)
    assert drawn.supports.tolist() == [
        support + named[code] for code, support in enumerate(shown.supports.tolist())
    ]


def test_codes_of_different_chunks_meet_by_chance() -> None:
    line = json.dumps({"records": 10, "chunks": [[["a"]] * 5, [["b"]] * 4], "terms": []})
    shown = Disassociated.from_lines([line])
    met = [sum(len(record) == 2 for record in possible_original(shown, seed)) for seed in range(300)]
    assert np.mean(met) == pytest.approx(10 * (5 / 10) * (4 / 10), abs=0.25)


def test_the_same_seed_draws_the_same() -> None:
    shown = Disassociated.from_lines([json.dumps(JOINT)])
    assert list(possible_original(shown, 3)) == list(possible_original(shown, 3))


def test_a_release_without_an_original_is_refused() -> None:
    line = json.dumps({"clusters": JOINT["clusters"], "shared": [[["a"], ["a"], ["a"]]]})
    with pytest.raises(BadInput, match="no original"):
        possible_original(Disassociated.from_lines([line]))


def test_associations_inside_chunks_are_not_lost() -> None:
    records = [["a", "b"]] * 6 + [["c", "d"]] * 6
    original = CodeSets.of(records)
    shown = disassociate(records, 3, 2, Disassociation(12))
    kept = LostAssociations(top=6).of(original, shown)
    assert kept is not None
    assert kept.value == 0
    counted = HiddenCounts().of(original, shown)
    assert counted is not None
    assert counted.value == 0
    assert counted.details["in record chunks"] == 24


def test_associations_between_chunks_are_lost() -> None:
    # Both codes are held by the same five of a hundred; put into two chunks, they meet by chance alone.
    original = CodeSets.of([["a", "b"]] * 5 + [["c"]] * 95)
    line = {"records": 100, "chunks": [[["a"]] * 5, [["b"]] * 5, [["c"]] * 95], "terms": []}
    lost = LostAssociations(top=4).of(original, Disassociated.from_lines([json.dumps(line)]))
    assert lost is not None
    assert lost.value == 0.25


def test_measures_of_chunks_do_not_apply_to_sets() -> None:
    original = CodeSets.of([["a"]])
    for measure in (HiddenCounts(), LostAssociations()):
        assert measure.of(original, PublishedSets.as_it_is(original)) is None


def test_a_release_of_other_data_is_refused() -> None:
    shown = Disassociated.from_lines([json.dumps(JOINT)])
    with pytest.raises(BadInput, match="the original has 1 records and the release 5"):
        LostAssociations().of(CodeSets.of([["a"]]), shown)


def test_hidden_counts_add_up() -> None:
    sets = CodeSets.of([["a", "b"]] * 4 + [["c", "d"]] * 4 + [["e"], ["a"]])
    found = Disassociation(10).protect(Problem(sets, (DisassociatedAnonymity(2, 2),)))
    told = HiddenCounts().of(sets, found.published)
    assert told is not None
    assert told.details["in record chunks"] == found.details["occurrences_in_record_chunks"]
    assert told.details["hidden"] == found.details["occurrences_in_term_chunks"]
