"""The parts of the lattice search, each against a slow way to the same answer."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.progress import SILENT
from sfumato.hierarchy.ladder import Ladder
from sfumato.table.methods.lattice._kernels_bounds import (
    lift_cone,
    live_steps_up,
    raise_below,
    settle_above,
)
from sfumato.table.methods.lattice.coding import Coding
from sfumato.table.methods.lattice.exhaustive import Exhaustive
from sfumato.table.methods.lattice.grouping import Classes, Grouper
from sfumato.table.methods.lattice.shape import Lattice
from sfumato.table.methods.lattice.witness import Witnesses
from sfumato.table.utility.class_size import AverageClassSize, Discernibility
from sfumato.table.utility.contract import Join, Utility
from sfumato.table.utility.entropy import NonUniformEntropy
from sfumato.table.utility.entropy_loss import EntropyBasedLoss
from sfumato.table.utility.kl_divergence import KLDivergence
from sfumato.table.utility.loss import Loss
from sfumato.table.utility.precision import Precision
from sfumato.table.utility.separable import marginals
from tests.oracles import lattice as oracle

FEW = settings(max_examples=50, deadline=None)


def flat_ladder(name: str, values: int) -> Ladder:
    """A column whose values can only be kept or blanked."""
    rungs = np.array([range(values), [0] * values], np.int32)
    labels = (tuple(map(str, range(values))), ("*",))
    return Ladder(name, rungs, labels, (np.ones(values), np.array([float(values)])), values)


def as_counts(classes: Classes, grouper: Grouper) -> Counter[tuple[int, ...]]:
    """Unpack the keys of classes into tuples of groups."""
    code = grouper.coding
    keys = classes.keys.reshape(-1, code.words)
    counted: Counter[tuple[int, ...]] = Counter()
    for key, rows in zip(keys, classes.rows, strict=True):
        place = zip(code.word, code.shift, code.mask, strict=True)
        counted[tuple(int(key[word] >> shift & mask) for word, shift, mask in place)] += int(rows)
    return counted


def test_every_node_has_a_position_of_its_own() -> None:
    lattice = Lattice((2, 0, 3))
    nodes = [lattice.levels(position) for position in range(lattice.size)]
    assert len({tuple(node) for node in nodes}) == lattice.size == 12
    assert [lattice.position(node) for node in nodes] == list(range(12))


@pytest.mark.parametrize(
    ("values", "words"), [([2**21] * 3, 1), ([2**21, 2**21, 2**21 + 1], 2), ([2] * 64, 2)]
)
def test_columns_of_up_to_63_bits_share_one_word(values: list[int], words: int) -> None:
    coding = Coding.of(tuple(flat_ladder(f"c{j}", count) for j, count in enumerate(values)))
    assert coding.words == words
    taken = [np.zeros(63, int) for _ in range(words)]
    for word, shift, mask in zip(coding.word, coding.shift, coding.mask, strict=True):
        taken[word][int(shift) : int(shift) + int(mask).bit_length()] += 1
    assert max(int(bits.max()) for bits in taken) == 1


@FEW
@given(data=st.data())
def test_classes_are_the_same_however_they_were_rolled_up(data: st.DataObject) -> None:
    table = data.draw(oracle.tables(persons=data.draw(st.booleans())))
    cells, ladders = oracle.cells_of(table)
    grouper = Grouper(cells, ladders, memory=data.draw(st.sampled_from([0, 5, 1000])))
    for levels in data.draw(st.lists(st.sampled_from(table.nodes()), min_size=1, max_size=12)):
        node = oracle.look(table, levels, 2)
        classes = grouper.group(np.array(levels), remember=data.draw(st.booleans()))
        assert as_counts(classes, grouper) == Counter(node.generalised)
        survey = grouper.survey(classes, 2)
        assert (survey.suppressed, survey.kept, survey.classes) == (
            len(node.suppressed),
            len(node.kept),
            len(node.class_of),
        )
        lost = [Counter(node.generalised[i][j] for i in node.suppressed) for j in range(len(levels))]
        histogram = survey.histogram()
        for j, counted in enumerate(lost):
            width = int(grouper.coding.groups[j, levels[j]])
            assert histogram[j, :width].tolist() == [counted[g] for g in range(width)]


@FEW
@given(data=st.data())
def test_a_witness_closes_only_nodes_that_leave_some_class_too_small(data: st.DataObject) -> None:
    table = data.draw(oracle.tables())
    k = data.draw(st.integers(2, 4))
    cells, ladders = oracle.cells_of(table)
    lattice, grouper = Lattice.of(ladders), Grouper(cells, ladders)
    failing = [levels for levels in table.nodes() if oracle.look(table, levels, k).suppressed]
    if not failing:
        return
    failed = data.draw(st.sampled_from(failing))
    bounds, live = np.zeros(lattice.size), np.arange(lattice.size)
    below = grouper.group(np.zeros(len(ladders), np.int64)).copy()
    Witnesses(marginals(cells, ladders), lattice, grouper.coding, k).refute(
        grouper.group(np.array(failed)).copy(), below, bounds, live, lattice.size
    )
    closed = {tuple(lattice.levels(position).tolist()) for position in np.flatnonzero(np.isinf(bounds))}
    assert failed in closed
    assert closed <= set(failing)


@pytest.mark.parametrize(
    "utility",
    [
        Loss(),
        Loss("max"),
        Loss(gs_factor=0.2),
        Loss(gs_factor=0.9),
        NonUniformEntropy(),
        EntropyBasedLoss(),
        Precision(),
        Discernibility(),
        Discernibility(monotone=True),
        AverageClassSize(),
        KLDivergence(),
    ],
    ids=str,
)
@FEW
@given(data=st.data())
def test_what_a_node_claims_about_its_neighbours_is_true(utility: Utility, data: st.DataObject) -> None:
    """Every lower bound holds at every node below and above, for every pair of nodes."""
    table = data.draw(oracle.tables(persons=data.draw(st.booleans()), most_rows=12))
    k = data.draw(st.integers(1, 4))
    cells, ladders = oracle.cells_of(table)
    grouper, scorer = Grouper(cells, ladders), utility.prepare(cells, ladders)
    nodes = [np.array(levels) for levels in table.nodes()]
    values, claims = [], []
    for node in nodes:
        appraisal = scorer.appraise(grouper.survey(grouper.group(node), k))
        values.append(appraisal.value)
        below = scorer.terms if appraisal.below is None else appraisal.below.copy()
        claims.append((below, appraisal.below_floor, appraisal.above_floor))
    columns = np.arange(len(ladders))
    for (below, below_floor, above_floor), here in zip(claims, nodes, strict=True):
        for value, there in zip(values, nodes, strict=True):
            slack = 1e-9 * max(1.0, abs(value))
            if (there <= here).all():
                terms = below[columns, there]
                joined = terms.max() if scorer.join is Join.MAX else terms.sum()
                assert max(joined, below_floor) <= value + slack
            if (there >= here).all():
                assert above_floor <= value + slack


@FEW
@given(data=st.data())
def test_cones_are_raised_exactly(data: st.DataObject) -> None:
    """Raising a down-set, lifting an interval and settling an up-set touch their own nodes and no other."""
    heights = data.draw(st.lists(st.integers(0, 3), min_size=1, max_size=4))
    lattice = Lattice(tuple(heights))
    generator = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    nodes = [lattice.levels(position) for position in range(lattice.size)]
    here = nodes[data.draw(st.integers(0, lattice.size - 1))]
    terms = generator.random((len(heights), max(heights) + 1))
    before, values = generator.random(lattice.size), generator.random(lattice.size)
    columns = np.arange(len(heights))
    for join_max in (False, True):
        raised = before.copy()
        raise_below(raised, lattice.strides, here, terms, join_max, 0.4)
        for x, node in enumerate(nodes):
            joined = terms[columns, node].max() if join_max else terms[columns, node].sum()
            expected = max(before[x], joined, 0.4) if (node <= here).all() else before[x]
            assert raised[x] == pytest.approx(expected, abs=1e-12)
    lifted, settled = before.copy(), before.copy()
    lift_cone(lifted, lattice.strides, here, lattice.top, 0.5)
    settle_above(settled, values, lattice.strides, here, lattice.top, 0.5)
    for x, node in enumerate(nodes):
        above = bool((node >= here).all())
        assert lifted[x] == (max(before[x], 0.5) if above else before[x])
        assert settled[x] == (np.inf if above and values[x] >= 0.5 else before[x])
    live = np.zeros(len(heights), np.int64)
    live_steps_up(before, lattice.strides, lattice.top, here, 0.5, live)
    for j in range(len(heights)):
        step = here.copy()
        step[j] += 1
        newly = [x for x, node in enumerate(nodes) if (node <= step).all() and not (node <= here).all()]
        inside = step[j] <= heights[j]
        assert live[j] == (sum(before[x] < 0.5 for x in newly) if inside else 0)


def test_a_search_that_ran_out_of_time_bounds_the_true_optimum() -> None:
    generator = np.random.default_rng(3)
    records = tuple(tuple(int(code) for code in row) for row in generator.integers(0, 4, (60, 3)))
    paths = tuple(tuple((code, code // 2, 0) for code in range(4)) for _ in range(3))
    leaves = tuple(({0: 1, 1: 1, 2: 1, 3: 1}, {0: 2, 1: 2}, {0: 4}) for _ in range(3))
    table = oracle.Table(records, None, paths, (4, 4, 4), leaves)
    cells, ladders = oracle.cells_of(table)
    scorer = Loss().prepare(cells, ladders)
    entropies = np.zeros((3, 3))
    search = Exhaustive(Lattice.of(ladders), Grouper(cells, ladders), scorer, entropies, 3, 12, 0.0, SILENT)
    search.run()
    best, *_ = oracle.best_nodes(
        table,
        oracle.look_everywhere(table, 3),
        12,
        lambda t, n: oracle.aggregate("geometric mean", oracle.losses(t, n, 0.5)),
    )[0]
    assert not search.finished
    assert isinstance(best, float)
    bound = scorer.score_of_bound(search.bound())
    assert isinstance(bound, float)
    assert bound <= best + 1e-12
