"""Safe disassociation joins clusters before it refuses: it refuses only where no layout is safe."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations_with_replacement, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.codes.disassociated import Disassociated
from sfumato.codes.methods.disassociation import Disassociation
from sfumato.codes.models.disassociated_anonymity import DisassociatedAnonymity
from sfumato.core.errors import PromiseNotMet
from tests.codes.disassociation.test_method import disassociate
from tests.oracles.code_partitions import set_partitions
from tests.oracles.possible_worlds import size_of, worlds

SETS = ("a", "b", "ab", "c", "abc")


def safe_release(records: list[list[str]], k: int = 2, size: int | None = None) -> Disassociated:
    return disassociate(records, k, 2, Disassociation(size), safe=True)


def certain(line: str) -> list[tuple[int, str]]:
    """Return codes that somebody of a cluster holds in every possible world, by the place of their record."""
    always: list[frozenset[str]] | None = None
    for world in worlds(line):
        if all(held for _, _, held in world):
            held = [codes for _, _, codes in world]
            always = (
                held if always is None else [one & other for one, other in zip(always, held, strict=True)]
            )
    return [(place, code) for place, codes in enumerate(always or []) for code in sorted(codes)]


def layouts(records: list[str]) -> Iterator[str]:
    """Go through every release in plain clusters: partitions of records, then chunks and terms."""
    for blocks in set_partitions([str(number) for number in range(len(records))]):
        clusters = [[records[int(number)] for number in sorted(block)] for block in blocks]
        for told in product(*(list(_taken_apart(cluster)) for cluster in clusters)):
            yield "\n".join(json.dumps(one) for one in told)


def _taken_apart(cluster: list[str]) -> Iterator[dict[str, object]]:
    codes = sorted({code for record in cluster for code in record})
    for shown in product((True, False), repeat=len(codes)):
        terms = [code for code, as_chunk in zip(codes, shown, strict=True) if not as_chunk]
        inside = [code for code, as_chunk in zip(codes, shown, strict=True) if as_chunk]
        for blocks in set_partitions(inside) if inside else [[]]:
            chunks = [
                [sorted(set(record) & block) for record in cluster if set(record) & block] for block in blocks
            ]
            yield {"records": len(cluster), "chunks": chunks, "terms": terms}


def test_what_fits_into_one_cluster_is_joined_before_it_is_refused() -> None:
    records = [["b"]] * 11 + [["a", "b"]] * 2
    shown = safe_release(records)
    assert DisassociatedAnonymity(2, 2, safe=True).check(shown).holds
    assert len(shown) == 13


def test_one_code_that_everybody_holds_is_refused_and_nothing_else_could_be_done() -> None:
    with pytest.raises(PromiseNotMet, match="everybody holds one and the same code"):
        safe_release([["b"]] * 13)
    model = DisassociatedAnonymity(2, 2, safe=True)
    assert not any(
        model.check(Disassociated.from_lines(told.split("\n"))).holds for told in layouts(["b"] * 4)
    )


@pytest.mark.parametrize("size", [None, 4])
def test_no_small_file_is_refused_that_some_layout_keeps_safe(size: int | None) -> None:
    """All bags of four and five records over three codes, against all layouts in plain clusters."""
    model = DisassociatedAnonymity(2, 2, safe=True)
    refused = 0
    for number in (4, 5):
        for bag in combinations_with_replacement(SETS, number):
            try:
                shown = safe_release([[*record] for record in bag], size=size)
            except PromiseNotMet:
                refused += 1
                kept = (
                    model.check(Disassociated.from_lines(told.split("\n"))).holds for told in layouts([*bag])
                )
                assert not any(kept), bag
                continue
            assert model.check(shown).holds
    assert refused == 6  # everybody holds a, b or c and nothing else, of four and of five people


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(["a", "b", "ab", "c", "bc"]), min_size=4, max_size=7))
def test_in_a_safe_release_no_code_is_certain_in_all_possible_worlds(bag: list[str]) -> None:
    try:
        shown = safe_release([[*record] for record in bag], size=4)
    except PromiseNotMet:
        assert len({*"".join(bag)}) == 1
        return
    for line in shown.to_lines():
        if size_of(line) <= 20_000:
            assert not certain(line), line


def test_people_without_codes_are_a_cluster_of_any_size() -> None:
    shown = safe_release([["a"], ["b"], ["a", "b"], ["b"], []])
    assert sorted(part.records for part in shown.leaves() if not part.held) == [1]
    assert DisassociatedAnonymity(2, 2, safe=True).check(shown).holds
