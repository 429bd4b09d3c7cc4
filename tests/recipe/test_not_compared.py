"""No limit of an adversary keeps a bound: whom it never compared counts as found, and the result says so."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.attack import AttackResult, Scored
from sfumato.core.errors import PromiseNotMet
from sfumato.core.verdict import Threat
from sfumato.dna.aligned import aligned
from sfumato.dna.attacks.contract import Knowledge as OfRows
from sfumato.dna.attacks.sequence_linkage import SequenceLinkage
from sfumato.graph.attacks import ATTACKS as OF_NETWORKS
from sfumato.graph.attacks.contract import Knowledge
from sfumato.graph.network import Network
from sfumato.recipe.attack_ask import AskedAttack, exceeded
from sfumato.recipe.attacked import figures_of, refuse_exceeded
from sfumato.table.attacks.linkage import Linkage


@given(
    people=st.integers(1, 40),
    data=st.data(),
    left_out=st.integers(0, 40),
    bound=st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.9, 1.0]),
)
def test_a_bound_holds_only_if_it_holds_with_all_who_were_not_compared_found(
    people: int, data: st.DataObject, left_out: int, bound: float
) -> None:
    missed = data.draw(st.integers(0, people))
    right = data.draw(st.integers(0, people - missed))
    sure = data.draw(st.integers(0, right))
    found = AttackResult(
        "linkage",
        Threat.IDENTITY,
        people,
        right / people,
        0.0,
        0.0,
        certain=sure,
        not_compared=missed,
        left_out=left_out,
    )
    everybody, allowed = people + left_out, Fraction(str(bound))
    broken = {one.key for one in exceeded({"at-most": bound, "sure-at-most": bound}, found)}
    assert ("at-most" in broken) == (Fraction(right + missed + left_out, everybody) > allowed)
    assert ("sure-at-most" in broken) == (Fraction(sure + missed + left_out, everybody) > allowed)
    assert found.compared == (people - missed) / everybody


def test_who_was_left_out_of_a_sample_breaks_the_bound_and_the_sentence_says_it() -> None:
    found = AttackResult("linkage", Threat.IDENTITY, 10, 0.1, 0.0, 0.0, left_out=90)
    with pytest.raises(
        PromiseNotMet, match=r"91\.0 % of 100 people, counting 90 whom it never compared.*compare everybody"
    ):
        refuse_exceeded(AskedAttack(Linkage(), {"at-most": 0.5}), found)
    refuse_exceeded(AskedAttack(Linkage(), {"at-most": 0.91}), found)
    assert "compared 10.0 %" in str(found)
    assert figures_of(found).not_compared == 90
    assert figures_of(found).compared == 0.1


def test_claims_keep_no_bound_and_an_attack_without_limits_shows_no_share() -> None:
    found = AttackResult("linkage", Threat.IDENTITY, 10, 0.0, 0.0, 0.0)
    assert found.compared is None
    assert "compared" not in str(found)
    assert exceeded({"at-most": 0.0}, found) == []
    claimed = dataclasses.replace(found, scored=Scored.CLAIMED)
    assert [one.key for one in exceeded({"at-most": 0.99}, claimed)] == ["at-most"]


def test_people_whom_sparse_matching_does_not_draw_are_left_out() -> None:
    draw = np.random.default_rng(1)
    rows = [(user, item, 3) for user in range(40) for item in draw.choice(60, 12, replace=False).tolist()]
    ratings = pd.DataFrame(rows, columns=["user", "item", "rating"])
    spec = {
        "sparse-matching": {"user": "user", "item": "item", "rating": "rating", "known": 4, "targets": 15}
    }
    result = sf.attack(ratings, spec, quasi="item")[0]
    assert (result.attempts, result.left_out) == (15, 25)


@pytest.mark.parametrize("attack", ["membership-by-distance", "aggregates"])
def test_members_whom_a_membership_attack_does_not_draw_are_left_out(attack: str) -> None:
    draw = np.random.default_rng(2)
    everybody = pd.DataFrame({f"c{j}": draw.integers(0, 5, 300) for j in range(4)})
    everybody["id"] = range(300)
    inside = everybody.head(100)
    found = sf.attack(
        inside,
        {attack: {"people": 30}},
        quasi=[f"c{j}" for j in range(4)],
        person="id",
        population=everybody,
        original=inside,
    )[0]
    assert found.left_out == 70


def test_people_whom_a_search_for_subgraphs_does_not_draw_are_left_out() -> None:
    ring = Network.of_edges(30, np.array([[i, (i + 1) % 30] for i in range(30)]))
    attack = OF_NETWORKS["subgraph"](people=12)
    result = attack.run(ring, Knowledge(ring, node=np.arange(30)))
    assert (result.attempts, result.left_out) == (12, 18)
    assert OF_NETWORKS["subgraph"]().run(ring, Knowledge(ring, node=np.arange(30))).compared is None


def test_sequences_that_are_not_drawn_are_left_out() -> None:
    read = aligned("ACGT", "ACGA", "TCGA", "TTTT")
    found = SequenceLinkage(snps=2, most_people=3).run(read, OfRows(original=read, kept=np.arange(4)))
    assert (found.attempts, found.left_out) == (3, 1)


def test_a_bound_on_sure_claims_is_not_kept_by_searches_that_were_cut() -> None:
    path = Network.of_edges(6, np.array([[0, 1], [1, 2], [2, 3], [3, 4], [1, 3], [4, 5], [0, 2]]))
    cut = OF_NETWORKS["subgraph"](edges=7, steps=3).run(path, Knowledge(path, node=np.arange(6)))
    assert cut.details["people whose search was cut"] > 0
    assert cut.certain < cut.attempts
    assert exceeded({"sure-at-most": 0.99}, cut), "any of them may be alone"
    assert exceeded({"sure-at-most": 0.99}, dataclasses.replace(cut, certain_at_most=None)) == []
