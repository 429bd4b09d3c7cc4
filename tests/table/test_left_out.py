"""What is left out is judged as it will be released, against every node with every set of classes."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.core.errors import PromiseNotMet
from sfumato.core.progress import SILENT
from sfumato.table.methods.datafly import Datafly
from sfumato.table.methods.keep import Keep
from sfumato.table.methods.local_recoding import LocalRecoding
from sfumato.table.methods.optimal_lattice import OptimalLattice
from sfumato.table.search import keeps_promises, searched
from sfumato.table.solution import Problem, Solution
from sfumato.table.utility.contract import Utility
from sfumato.table.utility.loss import Loss
from tests.oracles import as_released as oracle
from tests.oracles import lattice, rules
from tests.table.test_optimal_lattice import MEASURES

LIMITS = (0.0, 0.1, 0.2, 0.3, 0.5, 0.8)
DEFAULT = Loss()
SLACK = 1e-9


def problem_of(asked: oracle.Asked) -> Problem:
    return replace(rules.problem_of(asked.data, asked.rules), whole=asked.whole)


def found_by(
    asked: oracle.Asked, limit: float, utility: Utility, method: type = OptimalLattice
) -> Solution | None:
    problem = problem_of(asked)
    if method is Keep:
        problem = replace(problem, ladders=(None,) * len(problem.ladders))
    try:
        return searched(method(limit), problem, utility, SILENT)
    except PromiseNotMet:
        return None


def at_most(less: oracle.Score, more: oracle.Score) -> bool:
    """Compare scores; of ranks a bound is about the first entry."""
    if isinstance(less, tuple) and isinstance(more, tuple):
        return less[0] <= more[0] + SLACK
    assert isinstance(less, float)
    assert isinstance(more, float)
    return less <= more + SLACK * max(1.0, abs(more))


def asked_at_random(generator: np.random.Generator, most_rows: int) -> oracle.Asked:
    """Draw a table, and one or two promises of which one is about what is left."""
    data = oracle.drawn(generator, most_rows)
    names = list(oracle.COMPARING)
    whole: tuple[oracle.WholeRule, ...] = ()
    if generator.random() < 0.3:
        whole = (oracle.WHOLE[str(generator.choice(list(oracle.WHOLE)))],)
    asked: tuple[oracle.Rule, ...] = (oracle.COMPARING[str(generator.choice(names))],)
    if whole and generator.random() < 0.7:
        asked = ()
    if generator.random() < 0.3:
        asked = (*asked, oracle.Rule(oracle.Kind.MIN_PERSONS, (2,), True))
    return oracle.Asked(data, asked, whole)


def study(seed: int, most_rows: int, utility: Utility) -> list[tuple[float, bool]]:
    """Search one table under every limit; return the scores and what was proved, checked by brute force."""
    asked = asked_at_random(np.random.default_rng(seed), most_rows)
    measure = MEASURES[utility]
    told: list[tuple[float, bool]] = []
    last: oracle.Score | None = None
    for share in LIMITS:
        limit = int(Fraction(str(share)) * len(asked.data.sensitive))
        found = found_by(asked, share, utility)
        brute = oracle.best(asked, limit, measure)
        if found is None:
            assert last is None, "a smaller limit has an answer"
            continue
        assert brute is not None
        assert found.score is not None
        assert found.bound is not None
        node = oracle.node_of(asked.data, found)
        assert len(node.suppressed) <= limit
        assert oracle.kept_by(asked, node)
        assert np.allclose(found.score, measure(asked.data.table, node), rtol=1e-9, atol=1e-9)
        assert last is None or at_most(found.score, last), "the score rises with the limit"
        assert at_most(found.bound, brute)
        if found.optimal:
            assert at_most(found.score, brute), "brute force is better than what is called optimal"
        if limit == 0:
            assert found.optimal
        last = found.score
        told.append((0.0 if isinstance(last, tuple) else last, found.optimal))
    return told


@pytest.mark.parametrize("seed", range(60))
def test_no_set_of_classes_beats_what_is_called_optimal_and_the_score_never_rises(seed: int) -> None:
    utilities = [DEFAULT, *MEASURES]
    study(seed, 8, utilities[seed % len(utilities)] if seed % 3 == 0 else DEFAULT)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 1500, 50))
def test_five_hundred_tables_under_six_limits(first: int) -> None:
    told = [pair for seed in range(first, first + 50) for pair in study(seed, 12, DEFAULT)]
    proved = sum(optimal for _, optimal in told)
    assert proved > len(told) / 3, "hardly anything was proved"


ROWS = [
    (23, "a", "x"),
    (26, "b", "z"),
    (29, "b", "z"),
    (26, "b", "y"),
    (29, "a", "x"),
    (20, "b", "x"),
    (29, "a", "y"),
    (26, "b", "y"),
    (23, "a", "y"),
    (23, "b", "x"),
]


def test_more_suppression_never_costs_more() -> None:
    """Searched against the last release, this table lost all at 0.3 and was called optimal."""
    table = pa.table(dict(zip(("age", "sex", "ill"), map(list, zip(*ROWS, strict=True)), strict=True)))
    scores = []
    for limit in (0.0, 0.1, 0.2, 0.3, 0.5):
        result = sf.protect(
            table,
            quasi=["age", "sex"],
            sensitive="ill",
            models=sf.BasicBetaLikeness(1),
            method=sf.OptimalLattice(suppress=limit),
            hierarchies={"age": {"intervals": {"widths": [6]}}, "sex": "flat"},
        )
        search = result.evidence.search
        assert all(verdict.holds for verdict in result.verdicts)
        assert search.bound <= search.score
        assert search.optimal == (search.bound == search.score)
        scores.append(search.score)
    assert scores == sorted(scores, reverse=True)
    assert scores[3] <= 0.4143


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("method", [Keep, Datafly, LocalRecoding])
def test_other_methods_release_what_keeps_its_promise_and_refuse_no_more_under_a_higher_limit(
    method: type, seed: int
) -> None:
    generator = np.random.default_rng(seed)
    data = oracle.drawn(generator, 12)
    name = str(generator.choice(list(oracle.COMPARING)))
    asked = oracle.Asked(data, (oracle.COMPARING[name],))
    problem = problem_of(asked)
    answered = False
    for share in LIMITS:
        found = found_by(asked, share, DEFAULT, method)
        assert found is not None or not answered, "a smaller limit has an answer"
        if found is None:
            continue
        answered = True
        assert keeps_promises(problem, found)
        assert found.suppressed_rows <= int(Fraction(str(share)) * len(data.sensitive))
        if method is Datafly:
            assert oracle.kept_by(asked, oracle.node_of(data, found))


def test_a_search_that_asks_for_more_claims_nothing_about_what_was_asked() -> None:
    """Where people have several rows a search asks for a little more; what it proves is about that."""
    rows = [(zip_, who, ill) for who in range(8) for zip_ in (who % 3, who % 2) for ill in ("xyz"[who % 3],)]
    table = pa.table({"zip": [r[0] for r in rows], "who": [r[1] for r in rows], "ill": [r[2] for r in rows]})
    result = sf.protect(
        table,
        quasi=["zip"],
        sensitive="ill",
        person="who",
        models=[sf.KAnonymity(2), sf.EntropyLDiversity(2)],
        method=sf.OptimalLattice(),
        hierarchies={"zip": "flat"},
    )
    assert not result.evidence.search.optimal
    assert result.evidence.search.bound <= result.evidence.search.score


def test_every_set_within_the_limit_is_tried_where_there_are_few() -> None:
    """Three classes, of which one is unlike the others: all sets of them are tried, so the best is proved."""
    paths = (((0, 0), (1, 0), (2, 0)),)
    leaves = (({0: 1, 1: 1, 2: 1}, {0: 3}),)
    table = lattice.Table(((0,), (0,), (1,), (1,), (2,), (2,)), None, paths, (3,), leaves)
    data = rules.Watched(table, (1, 2, 1, 2, 1, 1), ("any",) * 6, table.records, rules.TREE)
    asked = oracle.Asked(data, (oracle.COMPARING["equal"],))
    found = found_by(asked, 0.4, DEFAULT)
    assert found is not None
    assert found.optimal
    assert found.score == pytest.approx(oracle.best(asked, 2, MEASURES[DEFAULT]), abs=1e-12)
