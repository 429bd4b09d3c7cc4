"""The choice of least loss, exactly: dynamic programming over products, cut by bounds.

Terms are decided one after the other. A state is the product that each unfinished note has reached, capped at
what it needs (more is not better); of all ways into one state only the best is kept, so there are never more
states than t in a note. States that cannot reach their need any more, or have lost more than the greedy
answer already, are dropped. Products and, for ``entropy``, losses are whole numbers: no rounding decides.
"""

from __future__ import annotations

from typing import NamedTuple

from sfumato.core.errors import BadInput
from sfumato.text.ontology.search import Choice, Problem, greedy

MOST_STATES = 200_000
"""beyond, the search is given up: memory would not suffice"""

_Lost = tuple[float, int]
"""what a way has lost (a product of counts for entropy), and its steps up"""


class _Decided(NamedTuple):
    """The option of a term, and what was decided before it."""

    option: int
    before: _Decided | None


_Way = tuple[_Lost, _Decided | None]


def exact(problem: Problem, most_states: int = MOST_STATES) -> Choice:
    """Return a choice of least loss; of several, one of the fewest steps up. The problem must be feasible."""
    choice = list(greedy(problem))
    for notes in _apart(problem):
        terms = list(dict.fromkeys(term for note in notes for term in problem.notes[note]))
        for term, option in zip(terms, _solved(problem, notes, terms, choice, most_states), strict=True):
            choice[term] = option
    return tuple(choice)


def _apart(problem: Problem) -> list[list[int]]:
    """Part notes that share no term: they can be solved one by one."""
    groups: list[tuple[set[int], list[int]]] = []
    for note, terms in enumerate(problem.notes):
        mine, listed = {*terms}, [note]
        rest = []
        for other, notes in groups:
            if mine.isdisjoint(other):
                rest.append((other, notes))
            else:
                mine, listed = mine | other, [*notes, *listed]
        groups = [*rest, (mine, listed)]
    return [sorted(notes) for _, notes in groups]


def _lost(problem: Problem, lost: _Lost, term: int, option: int) -> _Lost:
    chosen = problem.options[term][option]
    if problem.loss == "entropy":
        return lost[0] * chosen.count, lost[1] + chosen.levels
    return lost[0] + problem.cost(term, option), lost[1] + chosen.levels


def _solved(
    problem: Problem, notes: list[int], terms: list[int], known: list[int], most_states: int
) -> list[int]:
    """Decide the terms of some notes; ``known`` is an answer that need not be the best."""
    nothing: _Lost = (1, 0) if problem.loss == "entropy" else (0.0, 0)
    bound = nothing
    for term in terms:
        bound = _lost(problem, bound, term, known[term])
    if problem.loss == "uniform":
        bound = (bound[0] * (1 + 1e-9) + 1e-9, bound[1])  # sums of floats depend on their order
    needs = [problem.needs[note] for note in notes]
    members = [{*problem.notes[note]} for note in notes]
    most = [[1] * len(notes)]
    for term in reversed(terms):
        top = problem.options[term][-1].count
        most.append([high * (top if term in own else 1) for high, own in zip(most[-1], members, strict=True)])
    most.reverse()
    states: dict[tuple[int, ...], _Way] = {(1,) * len(notes): (nothing, None)}
    for place, term in enumerate(terms):
        fresh: dict[tuple[int, ...], _Way] = {}
        after = most[place + 1]
        for state, (lost, chain) in states.items():
            for option, chosen in enumerate(problem.options[term]):
                now = _lost(problem, lost, term, option)
                if now[0] > bound[0]:
                    continue
                reached = tuple(
                    min(have * chosen.count, need) if term in own else have
                    for have, need, own in zip(state, needs, members, strict=True)
                )
                if any(have * can < need for have, can, need in zip(reached, after, needs, strict=True)):
                    continue
                if reached not in fresh or now < fresh[reached][0]:
                    fresh[reached] = now, _Decided(option, chain)
        if len(fresh) > most_states:
            raise BadInput(
                f"the exact search would need more than {most_states:,} states for {len(terms)} terms",
                where="sanitise",
                remedy="take search='greedy', or a smaller t",
            )
        states = fresh
    ((_, chain),) = states.values()
    found: list[int] = []
    while chain is not None:
        found.append(chain.option)
        chain = chain.before
    return found[::-1]
