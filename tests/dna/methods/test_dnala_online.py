"""A release that grows: each version keeps its promise, and two versions together tell no more by default."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.dna.aligned import Aligned, aligned
from sfumato.dna.methods.online import OnlineDnala, Standing, told_by_both
from sfumato.dna.models.sequence_k_anonymity import SequenceKAnonymity
from sfumato.hierarchy.iupac import genotypes, iupac


def some_rows(seed: int, number: int, first_person: int, gaps: bool = False) -> Aligned:
    chance = np.random.default_rng(seed)
    masks = np.array([1, 2, 4, 8, 15, 16] if gaps else [1, 2, 4, 8], np.uint8)
    cells = masks[chance.integers(0, len(masks), (number, 6))]
    return Aligned(cells, persons=np.arange(first_person, first_person + number))


def published_rows(standing: Standing) -> dict[tuple[int, ...], int]:
    """What anybody sees of a version: rows, and how often each is there."""
    found: dict[tuple[int, ...], int] = {}
    for row in standing.published.cells.tolist():
        found[tuple(row)] = found.get(tuple(row), 0) + 1
    return found


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 3), st.lists(st.integers(1, 4), max_size=4), st.booleans())
def test_what_is_new_stands_for_k_newcomers_and_nothing_old_changes(
    seed: int, k: int, arrivals: list[int], gaps: bool
) -> None:
    online = OnlineDnala(k)
    standing = online.start(some_rows(seed, 7, 0, gaps))
    person = 7
    for at, number in enumerate(arrivals):
        later = online.insert(standing, some_rows(seed + at + 1, number, person, gaps))
        person += number
        assert SequenceKAnonymity(k).check(later.published).holds
        before, after = published_rows(standing), published_rows(later)
        grown = {row: count - before.get(row, 0) for row, count in after.items()}
        assert all(before[row] <= after.get(row, 0) for row in before)
        assert all(new == 0 or new >= k for new in grown.values())
        told = told_by_both(standing, later)
        assert told.fewest is None or told.fewest >= k
        assert told.cells == 0
        assert len(later.published) + len(later.waiting) == person
        assert len(np.unique(later.waiting.owners)) < k
        standing = later


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 5))
def test_joining_keeps_each_version_k_anonymous_and_truthful(seed: int, number: int) -> None:
    online = OnlineDnala(2, newcomers="join")
    first, new = some_rows(seed, 6, 0), some_rows(seed + 1, number, 6)
    standing = online.start(first)
    later = online.insert(standing, new)
    assert SequenceKAnonymity(2).check(later.published).holds
    original = np.concatenate([first.cells, new.cells])
    assert ((original & later.published.cells) == original).all()
    assert later.published.owners.tolist() == list(range(6 + number))


def test_two_versions_tell_the_base_of_one_who_joined() -> None:
    online = OnlineDnala(2, newcomers="join")
    before = online.start(aligned("AAAA", "AAAA", "TTTT", "TTTT"))
    after = online.insert(before, Aligned(aligned("AACA").cells, persons=np.array([4])))
    assert iupac().spelt(after.published.cells[4]) == "AAMA"
    assert SequenceKAnonymity(2).check(after.published).holds
    then, now = before.published.cells[0], after.published.cells[4]
    assert [iupac().spelt(np.array([cell])) for cell in now & ~then if cell] == ["C"]
    told = told_by_both(before, after)
    assert (told.fewest, told.cells) == (1, 1)


def test_a_newcomer_joins_the_group_that_it_adds_least_to() -> None:
    online = OnlineDnala(2, newcomers="join")
    before = online.start(aligned("AAAA", "AAAA", "TTTT", "TTTT"))
    after = online.insert(before, Aligned(aligned("TTTA").cells, persons=np.array([4])))
    assert [iupac().spelt(row) for row in after.published.cells] == ["AAAA"] * 2 + ["TTTW"] * 3


def test_rows_of_one_new_person_wait_for_another_person() -> None:
    online = OnlineDnala(2)
    before = online.start(aligned("AAAA", "AAAA"))
    twice = Aligned(aligned("CCCC", "CCCC").cells, persons=np.array([9, 9]))
    after = online.insert(before, twice)
    assert (len(after.published), len(after.waiting)) == (2, 2)
    known = online.insert(after, Aligned(aligned("CCCC").cells, persons=np.array([0])))
    assert (len(known.published), len(known.waiting)) == (2, 3), "who is out already is no newcomer"
    last = online.insert(known, Aligned(aligned("CCCA").cells, persons=np.array([10])))
    assert (len(last.published), len(last.waiting)) == (6, 0)
    assert told_by_both(before, last).fewest == 2


def test_what_does_not_fit_is_refused() -> None:
    online = OnlineDnala(2)
    before = online.start(aligned("AAAA", "AAAA"))
    with pytest.raises(BadInput, match="4 positions of bases and the new rows 5"):
        online.insert(before, Aligned(aligned("AAAAA").cells, persons=np.array([4])))
    with pytest.raises(BadInput, match="of genotypes"):
        online.insert(before, Aligned(np.ones((1, 4), np.uint8), genotypes(), persons=np.array([4])))
    with pytest.raises(BadInput, match="do not say whose"):
        online.insert(before, aligned("AAAA"))
    with pytest.raises(PromiseNotMet):
        online.start(aligned("AAAA"))
    with pytest.raises(BadInput, match="newcomers wait or join"):
        OnlineDnala(2, newcomers="leave")  # type: ignore[arg-type]  # a wrong word on purpose
