"""Searches against trying every choice, and counts against writing every text out."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.text.ontology import COUNTINGS, LOSSES, Option, Problem, exact, from_pairs, greedy
from sfumato.text.ontology.counting import Counting, counted, options_of
from sfumato.text.ontology.search import Loss
from tests.oracles import plausibility as oracle


@st.composite
def ontologies(draw: st.DrawFn) -> dict[str, list[str]]:
    """Draw a graph without cycles, with one root above all."""
    size = draw(st.integers(2, 9))
    parents: dict[str, list[str]] = {"n0": []}
    for place in range(1, size):
        above = draw(st.sets(st.integers(0, place - 1), min_size=1, max_size=3))
        parents[f"n{place}"] = [f"n{one}" for one in sorted(above)]
    return parents


@st.composite
def problems(draw: st.DrawFn, loss: Loss) -> Problem:
    """Draw a few terms in one to three notes; what is needed can be reached."""
    many = draw(st.integers(1, 5))
    options = []
    for _ in range(many):
        counts = sorted(draw(st.sets(st.integers(2, 40), max_size=4)) | {1})
        options.append(
            tuple(
                Option(place, count, place and draw(st.integers(1, 4))) for place, count in enumerate(counts)
            )
        )
    notes = [tuple(range(many))]
    notes += draw(st.lists(st.sets(st.integers(0, many - 1), min_size=1).map(sorted).map(tuple), max_size=2))
    most = [math.prod(options[term][-1].count for term in terms) for terms in notes]
    needs = tuple(draw(st.integers(1, top)) for top in most)
    return Problem(tuple(options), tuple(notes), needs, loss)


@pytest.mark.parametrize("counting", COUNTINGS)
@settings(max_examples=60, deadline=None)
@given(parents=ontologies())
def test_counts_are_those_of_following_every_way(parents: dict[str, list[str]], counting: Counting) -> None:
    ontology = from_pairs([(low, high) for low, above in parents.items() for high in above])
    for low in parents:
        for high in parents:
            if oracle.chains(parents, low, high):
                found = counted(ontology, ontology.one(low), ontology.one(high), counting)
                assert found == oracle.count(parents, low, high, counting)


@settings(max_examples=40, deadline=None)
@given(parents=ontologies(), data=st.data())
def test_the_product_is_the_number_of_texts_that_can_be_written_out(
    parents: dict[str, list[str]], data: st.DataObject
) -> None:
    ontology = from_pairs([(low, high) for low, above in parents.items() for high in above])
    shown = []
    for _ in range(data.draw(st.integers(1, 3))):
        low = data.draw(st.sampled_from(sorted(parents)))
        above = [high for high in sorted(parents) if oracle.chains(parents, low, high)]
        shown.append((low, data.draw(st.sampled_from(above))))
    product = math.prod(
        counted(ontology, ontology.one(low), ontology.one(high), "descendants") for low, high in shown
    )
    assert product == oracle.texts(parents, shown)


@settings(max_examples=40, deadline=None)
@given(parents=ontologies())
def test_options_rise_from_the_term_itself_and_are_the_nearest_of_their_count(
    parents: dict[str, list[str]],
) -> None:
    ontology = from_pairs([(low, high) for low, above in parents.items() for high in above])
    for low in parents:
        options = options_of(ontology, ontology.one(low), [low], "descendants")
        assert options[0] == Option(ontology.one(low), 1, 0)
        assert [option.count for option in options] == sorted({option.count for option in options})
        steps: dict[int, list[int]] = {}
        for high in parents:
            ways = oracle.chains(parents, low, high)
            fits = oracle.count(parents, low, high, "descendants")
            if ways and fits > 1 and low != high:
                steps.setdefault(fits, []).append(min(map(len, ways)) - 1)
        assert {option.count: option.levels for option in options[1:]} == {
            count: min(levels) for count, levels in steps.items()
        }


@pytest.mark.parametrize("loss", LOSSES)
@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_the_exact_search_loses_least_of_all_choices(loss: Loss, data: st.DataObject) -> None:
    problem = data.draw(problems(loss))
    choice = exact(problem)
    assert problem.holds(choice)
    best = oracle.least_loss(
        [[(option.count, option.levels) for option in listed] for listed in problem.options],
        problem.notes,
        problem.needs,
        loss,
    )
    assert best is not None
    levels = sum(problem.options[term][option].levels for term, option in enumerate(choice))
    assert problem.total(choice) == pytest.approx(best[0], abs=1e-9)
    if loss != "uniform":
        assert levels == best[1]


@pytest.mark.parametrize("loss", LOSSES)
@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_the_greedy_search_holds_and_leaves_no_step_that_could_be_taken_back(
    loss: Loss, data: st.DataObject
) -> None:
    problem = data.draw(problems(loss))
    choice = greedy(problem)
    assert problem.holds(choice)
    assert problem.total(choice) >= problem.total(exact(problem)) - 1e-9
    for term, taken in enumerate(choice):
        for option in range(taken):
            other = (*choice[:term], option, *choice[term + 1 :])
            assert not problem.holds(other) or problem.total(other) >= problem.total(choice)


def test_greedy_loses_few_bits_more_than_exact_on_random_notes() -> None:
    """The gap is measured, so that the documentation can say it."""
    random = np.random.default_rng(7)
    gaps = []
    for _ in range(200):
        options = []
        for _ in range(6):
            counts = sorted({1, *(int(x) for x in 2 ** random.uniform(1, 11, 8))})
            options.append(tuple(Option(place, count, place) for place, count in enumerate(counts)))
        problem = Problem(tuple(options), (tuple(range(6)),), (1000,))
        gaps.append(problem.total(greedy(problem)) - problem.total(exact(problem)))
    assert min(gaps) >= -1e-9
    assert float(np.median(gaps)) < 0.5
    assert max(gaps) < 2.0


def test_a_note_of_two_terms_by_hand() -> None:
    one = (Option(0, 1, 0), Option(1, 3, 1), Option(2, 10, 2))
    two = (Option(3, 1, 0), Option(4, 4, 1), Option(5, 20, 4))
    # 10 · 1 = 10 needs two steps, 3 · 4 = 12 too; 10 is the smaller product.
    assert exact(Problem((one, two), ((0, 1),), (10,))) == (2, 0)
    assert exact(Problem((one, two), ((0, 1),), (10,), "uniform")) == (1, 1)
    assert exact(Problem((one, two), ((0, 1),), (11,), "levels")) == (1, 1)
    assert greedy(Problem((one, two), ((0, 1),), (200,))) == (2, 2)


def test_a_term_of_two_notes_is_decided_once() -> None:
    shared = (Option(0, 1, 0), Option(1, 5, 1), Option(2, 50, 2))
    other = (Option(3, 1, 0), Option(4, 2, 1))
    problem = Problem((shared, other), ((0,), (0, 1)), (5, 8))
    assert exact(problem) == (1, 1)
    assert greedy(problem) == (1, 1)


def test_an_exact_search_that_would_not_end_says_so() -> None:
    primes = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29)
    options = tuple(
        (Option(0, 1, 0), *(Option(place, prime**power, power) for power in (1, 2)))
        for place, prime in enumerate(primes)
    )
    problem = Problem(options, (tuple(range(10)),), (10**12,))
    with pytest.raises(BadInput, match="more than 50 states for 10 terms; take search='greedy'"):
        exact(problem, most_states=50)
