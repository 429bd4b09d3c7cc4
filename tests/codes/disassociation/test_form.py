"""The published form: what it keeps, what its lines say, and what reading refuses."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.codes.disassociated import Chunk, Cluster, Disassociated, JointCluster
from sfumato.core.errors import BadInput

PLAIN = {"records": 3, "chunks": [[["a", "b"], ["a"]]], "terms": ["c"]}


def test_the_order_of_sub_records_chunks_and_clusters_says_nothing() -> None:
    one = Chunk.of([[0, 1], [2], [0]])
    other = Chunk.of([[3], [3], [4]])
    again = Chunk.of([[2], [0], [1, 0]])
    domain = tuple("abcde")
    small, large = Cluster(3, (one, other)), Cluster(9, (), (0,))
    mixed = Disassociated(domain, (large, Cluster(3, (other, again))))
    assert Disassociated(domain, (small, large)).to_lines() == mixed.to_lines()
    joint = JointCluster((small, large), (Chunk.of([[4]]),))
    turned = JointCluster((large, small), (Chunk.of([[4]]),))
    assert Disassociated(domain, (joint,)).to_lines() == Disassociated(domain, (turned,)).to_lines()


@given(st.permutations([(0,), (0, 1), (1, 2), (2,), (2,)]))
def test_a_chunk_made_from_arrays_is_put_in_order(bag: list[tuple[int, ...]]) -> None:
    starts = [0]
    for one in bag:
        starts.append(starts[-1] + len(one))
    found = Chunk(starts, [code for one in bag for code in one])  # type: ignore[arg-type]  # lists on purpose
    assert found.sub_records() == tuple(sorted(bag))
    assert not found.codes.flags.writeable


def test_lines_come_back_as_they_were() -> None:
    inner = {"clusters": [PLAIN, {"records": 2, "chunks": [], "terms": []}], "shared": [[["d"], ["d"]]]}
    outer = {"clusters": [inner, {"records": 4, "chunks": [], "terms": ["é\u2028"]}], "shared": []}
    shown = Disassociated.from_lines([json.dumps(outer), "", json.dumps(PLAIN)])
    lines = shown.to_lines()
    assert Disassociated.from_lines(lines).to_lines() == lines
    assert all(line.splitlines() == [line] for line in lines)
    assert len(shown) == 3 + 2 + 4 + 3
    assert dict(zip(shown.domain, shown.supports.tolist(), strict=True)) == {
        "a": 4,
        "b": 2,
        "c": 0,
        "d": 2,
        "é\u2028": 0,
    }
    assert shown.occurrences == 8


def test_empty_sub_records_are_not_kept() -> None:
    assert Chunk.of([[], [1], []]).sub_records() == ((1,),)


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "keys"),
        ('{"records": 3}', "keys"),
        (json.dumps(PLAIN | {"more": 1}), "keys"),
        (json.dumps(PLAIN | {"records": 0}), "'records'"),
        (json.dumps(PLAIN | {"records": True}), "'records'"),
        (json.dumps(PLAIN | {"records": "3"}), "'records'"),
        (json.dumps(PLAIN | {"records": 10**30}), "'records'"),
        (json.dumps(PLAIN | {"terms": "c"}), "'terms'"),
        (json.dumps(PLAIN | {"terms": ["c", "c"]}), "'terms'"),
        (json.dumps(PLAIN | {"terms": [3]}), "'terms'"),
        (json.dumps(PLAIN | {"chunks": [3]}), "list of chunks"),
        (json.dumps(PLAIN | {"chunks": [[]]}), "list of chunks"),
        (json.dumps(PLAIN | {"chunks": [[[]]]}), "none empty"),
        (json.dumps(PLAIN | {"chunks": [[["a", "a"]]]}), "each code once"),
        (json.dumps(PLAIN | {"chunks": [["a"]]}), "lists of codes"),
        (json.dumps(PLAIN | {"terms": ["a"]}), "two chunks"),
        (json.dumps(PLAIN | {"chunks": [[["a"]], [["a"]]]}), "two chunks"),
        (json.dumps(PLAIN | {"records": 1}), "more sub-records"),
        (json.dumps({"clusters": [], "shared": []}), "at least one cluster"),
        (json.dumps({"clusters": [PLAIN], "shared": [[["z"]] * 4]}), "more sub-records"),
        (json.dumps({"clusters": [PLAIN], "shared": [[["z"]], [["z"]]]}), "two shared chunks"),
        ('{"shared": [], "clusters": [' * 300 + "3" + "]}" * 300, "too deep"),
    ],
)
def test_lines_that_cannot_be_are_refused_with_their_number(told: str, why: str) -> None:
    with pytest.raises(BadInput, match=why) as refused:
        Disassociated.from_lines([json.dumps(PLAIN), told], "sets.jsonl")
    assert refused.value.where == "sets.jsonl, line 2"
