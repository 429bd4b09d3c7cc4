"""Every method for rows against every combination of promises: what is handed out keeps all of them.

Methods may refuse. What they may not do is hand out rows of which the checkers, or the definitions in
``tests/oracles``, say that a promise is broken, or a cell that does not hold what stood there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.dna.aligned import Aligned
from sfumato.dna.contract import Problem, Solution
from sfumato.dna.methods import Binning, Dnala, HaplotypeBlocks, SnpSuppression
from sfumato.dna.models import Bins, GenotypeKMap, SequenceKAnonymity, SnpExposure
from sfumato.dna.writing import without_gaps
from sfumato.hierarchy.iupac import genotypes, iupac
from tests.oracles import dna_methods as oracle
from tests.oracles import dna_models as definitions

METHODS: list[Any] = [
    Dnala(effort=3),
    Dnala(effort=3, leave_out=True, seed=5),
    Dnala(neighbours=1, effort=1),
    Dnala(pairing="exact"),
    Dnala(pairing="exact", leave_out=True),
    Dnala(pairing="input-order"),
    Dnala(pairing="input-order", gap_level=1),
    Binning(),
    Binning(within=False),
    SnpSuppression(),
    SnpSuppression("most-linked"),
    SnpSuppression("most-identifying"),
    HaplotypeBlocks(rounds=1),
    HaplotypeBlocks("linked", rounds=2, seed=3),
    HaplotypeBlocks("alike", rounds=0),
]
every_method = pytest.mark.parametrize("method", METHODS, ids=repr)


@st.composite
def rows(draw: st.DrawFn, most: int = 10, widest: int = 6) -> Aligned:
    """Rows of bases or genotypes, with few or many kinds of cells, one person each or some with several."""
    lattice = draw(st.sampled_from([iupac(), iupac(1), iupac(4), genotypes()]))
    sets = sorted(lattice.masks.values())
    pool = draw(st.sampled_from([sets[:2], [1, 2, 4], sets, [1, lattice.top], [2, sets[-1], lattice.top]]))
    n, width = draw(st.integers(1, most)), draw(st.integers(0, widest))
    kinds = draw(st.integers(1, n))
    drawn = draw(st.lists(st.sampled_from(pool), min_size=kinds * width, max_size=kinds * width))
    of_row = draw(st.lists(st.integers(0, kinds - 1), min_size=n, max_size=n))
    cells = np.array(drawn, np.uint8).reshape(kinds, width)[of_row]
    people = draw(
        st.none() | st.lists(st.integers(-2, 6).map(lambda one: 10**9 * one), min_size=n, max_size=n)
    )
    names = draw(st.sampled_from(["numbers", "names", "twice"]))
    named = {
        "numbers": (),
        "names": tuple(f"MT:{width - at}" for at in range(width)),
        "twice": tuple(f"MT:{at // 2}" for at in range(width)),
    }[names]
    cells.flags.writeable = draw(st.booleans())
    persons = None if people is None else np.array(people, np.int64)
    return Aligned(cells, lattice, named, persons)


@st.composite
def promises(draw: st.DrawFn, of: Aligned, population: bool) -> tuple[Any, ...]:
    """One to three promises on all positions, some by name, or some by number."""
    places: st.SearchStrategy[Any] = st.none()
    if of.width:
        named = st.lists(st.sampled_from(of.positions), min_size=1, max_size=of.width)
        numbered = st.lists(st.integers(1, of.width), min_size=1, max_size=of.width)
        places = st.none() | named | numbered
    k = st.sampled_from([1, 2, 2, 2, 3, 4])
    one: list[st.SearchStrategy[Any]] = [
        st.builds(SequenceKAnonymity, k, places),
        st.builds(Bins, st.integers(1, 3), k, places),
        st.builds(SnpExposure, st.integers(1, 3), k, places),
    ]
    if population:
        one.append(st.builds(GenotypeKMap, k, places))
    return tuple(draw(st.lists(st.one_of(one), min_size=1, max_size=3)))


def spelt(of: Aligned) -> list[str]:
    """Rows as letters that the oracle knows: genotypes are sets of A, C and G, which are as many."""
    if of.lattice.name == "bases":
        return [of.lattice.spelt(row) for row in of.cells]
    letter = {1: "A", 2: "C", 4: "G", 3: "M", 6: "S", 7: "V"}
    return ["".join(letter[int(cell)] for cell in row) for row in of.cells]


def columns(model: Any, of: Aligned) -> list[int]:
    """The columns that a promise is about, by the definition: every column of a name."""
    if model.positions is None:
        return list(range(of.width))
    return sorted(
        {
            at
            for place in model.positions
            for at in range(of.width)
            if (place == of.positions[at] if isinstance(place, str) else place == at + 1)
        }
    )


def holds(model: Any, published: Aligned, population: Aligned | None) -> bool:
    """Say by the definitions alone whether a promise holds."""
    texts, persons, at = spelt(published), published.owners.tolist(), columns(model, published)
    match model:
        case SequenceKAnonymity():
            return min(definitions.people_alike(texts, persons, at), default=model.k) >= model.k
        case Bins():
            alike = min(definitions.people_alike(texts, persons, at), default=model.across)
            within = [definitions.rarest_value(text) for text in texts if text]
            return alike >= model.across and min(within, default=model.within) >= model.within
        case GenotypeKMap():
            assert population is not None
            crowd, who = spelt(population), population.owners.tolist()
            return all(definitions.people_fitting(text, crowd, who, at) >= model.k for text in texts)
        case SnpExposure():
            fewest, _ = definitions.fewest_by_snps(texts, persons, at, model.at_a_time, model.k)
            return not texts or fewest >= model.k
    raise AssertionError(model)


def protected(method: Any, problem: Problem) -> Solution | None:
    """What a method hands out; None where it refuses."""
    try:
        found: Solution = method.protect(problem)
    except (BadInput, PromiseNotMet):
        return None
    return found


@every_method
@given(st.data())
@settings(max_examples=40, deadline=None)
def test_what_is_handed_out_keeps_every_promise_and_is_true(method: Any, data: st.DataObject) -> None:
    original = data.draw(rows())
    before = original.cells.copy()
    population = None
    if isinstance(method, SnpSuppression) and data.draw(st.booleans()):
        more = data.draw(st.lists(st.integers(0, len(original) - 1), max_size=12))
        cells = original.cells[[*range(len(original)), *more]]
        turned = data.draw(st.lists(st.integers(0, max(0, original.width - 1)), max_size=2))
        for column in turned[: original.width]:
            cells[:, column] = np.roll(cells[:, column], 1)
        who = data.draw(st.none() | st.lists(st.integers(0, 9), min_size=len(cells), max_size=len(cells)))
        persons = None if who is None else np.array(who, np.int64)
        population = Aligned(cells, original.lattice, original.positions, persons)
    models = data.draw(promises(original, population is not None))
    found = protected(method, Problem(original, models, population=population))
    assert (original.cells == before).all(), "the input is left alone"
    if found is None:
        return
    published = found.published
    assert published.positions == original.positions
    if original.persons is not None:
        assert (published.owners == original.persons[found.kept]).all()
    assert len(set(found.kept.tolist())) == len(found.kept)
    assert oracle.holds_the_original(published, original.rows(found.kept))
    for model in models:
        assert model.check(published, population=population).holds, model
        assert holds(model, published, population), model
    whole = [one.k for one in models if isinstance(one, SequenceKAnonymity) and one.positions is None]
    if whole and original.lattice.gap is not None:
        assert SequenceKAnonymity(max(whole)).check(without_gaps(published)).holds
