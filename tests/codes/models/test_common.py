"""What every model of sets must do, whatever it promises. A new one is tested by being registered."""

from __future__ import annotations

import inspect
import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.codes.check import answer
from sfumato.codes.models import MODELS
from sfumato.codes.published import PublishedSets
from sfumato.codes.question import ItemsetWitness
from sfumato.core.errors import BadInput
from sfumato.core.verdict import Basis, Threat
from tests.codes.check.sets import SENSITIVE, Listed, with_sensitive
from tests.codes.models.examples import ALL, CHUNKS, EXAMPLES, NEED_SENSITIVE, holds
from tests.oracles import codes as oracle

every_model = pytest.mark.parametrize("model", ALL, ids=str)
quickly = settings(max_examples=25, deadline=None)
"""each is run for every model, and the counting itself is tested with more examples"""
repeated = st.tuples(with_sensitive, st.integers(1, 3)).map(lambda drawn: drawn[0] * drawn[1])
"""the same records several times: promises that ask for several people hold now and then"""


def of(listed: Listed) -> PublishedSets:
    return PublishedSets.of(listed, sensitive=SENSITIVE)


def test_every_registered_model_has_an_example() -> None:
    assert set(MODELS) - CHUNKS == set(EXAMPLES)
    assert all(type(model) is MODELS[name] for name, models in EXAMPLES.items() for model in models)


@every_model
@given(repeated)
@quickly
def test_it_says_what_the_oracle_says(model: Any, listed: Listed) -> None:
    assert model.check(of(listed)).holds == holds(model, oracle.records_of(listed), SENSITIVE)


@every_model
@given(repeated)
@quickly
def test_both_faces_say_the_same(model: Any, listed: Listed) -> None:
    verdict, found = model.check(of(listed)), answer(of(listed), model.question())
    assert (verdict.holds, verdict.violations) == (found.holds, found.violations)
    assert verdict.witness == (None if found.holds else found.witness)
    assert verdict.holds == (verdict.violations == 0)


@every_model
@given(repeated)
@quickly
def test_checking_changes_nothing_and_is_the_same_again(model: Any, listed: Listed) -> None:
    published = of(listed)
    before = published.starts.copy(), published.shown.copy()
    assert model.check(published) == model.check(published) == model.check(of(listed))
    assert np.array_equal(before[0], published.starts)
    assert np.array_equal(before[1], published.shown)


@every_model
@given(repeated, st.randoms(use_true_random=False))
@quickly
def test_the_order_of_records_does_not_matter(model: Any, listed: Listed, random: Any) -> None:
    shuffled = list(listed)
    random.shuffle(shuffled)
    assert model.check(of(shuffled)).holds == model.check(of(listed)).holds


@every_model
@given(repeated)
@quickly
def test_a_witness_is_there_when_it_breaks_and_names_rows_that_are_there(model: Any, listed: Listed) -> None:
    verdict = model.check(of(listed))
    assert (verdict.witness is None) == verdict.holds
    if isinstance(verdict.witness, ItemsetWitness):
        assert len(verdict.witness.rows) == min(5, verdict.witness.size)
        assert all(1 <= row <= len(listed) for row in verdict.witness.rows)


@every_model
@given(repeated)
@quickly
def test_what_was_reached_agrees_with_the_verdict(model: Any, listed: Listed) -> None:
    verdict = model.check(of(listed))
    support = re.match(r"k [=≤≥] (\d+)", verdict.achieved)
    share = re.search(r"(?:confidence|distance) (?:[≤≥] )?(\S+)$", verdict.achieved)
    few = support is not None and int(support[1]) < model.k
    much = False
    bound = re.search(r"(?:confidence|distance) ([<≤]) (\S+)", verdict.required)
    if share and bound:
        reached, most = Fraction(share[1]), Fraction(bound[2])
        much = reached >= most if bound[1] == "<" else reached > most
    if support or share:
        assert verdict.holds == (not few and not much)
    else:
        assert verdict.holds
        assert re.match("no codes|no records|nobody|nothing", verdict.achieved)


@every_model
def test_no_code_reaches_a_sentence(model: Any) -> None:
    names = {code: f"raw-{code}-code" for code in "abcdest"}
    listed = [[names[code] for code in record] for record in ("abs", "at", "bcst", "des", "a", "ade")]
    published = PublishedSets.of(listed, sensitive=[names["s"], names["t"]])
    said = str(model.check(published)) + model.in_words()
    assert "raw-" not in said


@every_model
def test_no_records_keep_every_promise(model: Any) -> None:
    published = PublishedSets.of([], sensitive=["s"])
    if model.name in NEED_SENSITIVE:
        with pytest.raises(BadInput, match="sensitive"):
            model.check(published)
    else:
        assert model.check(published).holds


@every_model
def test_records_without_items_are_counted_only_where_records_are(model: Any) -> None:
    verdict = model.check(PublishedSets.of([[], ["s"], [], []], sensitive=["s"]))
    assert verdict.holds == holds(model, oracle.records_of([[], ["s"], [], []]), {"s"})


@every_model
def test_more_than_there_are_records_is_never_reached(model: Any) -> None:
    if not hasattr(model, "k"):
        return
    bold = type(model)(**{**vars(model), "k": 7})
    assert not bold.check(of([["a", "b", "d", "s"], ["a", "b", "d"], ["a", "b", "d", "e"]] * 2)).holds


@every_model
def test_parts_of_records_are_refused(model: Any) -> None:
    with pytest.raises(BadInput, match="shown in parts"):
        model.check(object())


@every_model
def test_what_must_not_be_learned_has_to_be_marked(model: Any) -> None:
    published = PublishedSets.of([["a", "b"], ["a", "b"]])
    if model.name in NEED_SENSITIVE:
        with pytest.raises(BadInput, match="marked as sensitive"):
            model.check(published)
    else:
        model.check(published)


@every_model
def test_it_says_who_wrote_it_and_what_it_is_for(model: Any) -> None:
    source = inspect.getmodule(type(model))
    assert source is not None
    assert re.search(r"\b(19|20)\d\d\b", source.__doc__ or "")
    assert "Protects from" in (inspect.getdoc(type(model)) or "")
    assert not model.in_words().endswith(".")
    assert isinstance(model.basis, Basis)
    assert model.protects_from
    assert all(isinstance(threat, Threat) for threat in model.protects_from)
    assert set(model.stops) <= {"known-codes", "whole-set", "sensitive-code"}
    assert isinstance(hash(model), int)
