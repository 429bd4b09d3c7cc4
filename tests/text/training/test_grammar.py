"""The little language of notes."""

from __future__ import annotations

import random

import pytest

from sfumato.core.errors import BadInput
from sfumato.text.kinds import Kind
from sfumato.text.training.grammar import Grammar
from sfumato.text.training.scribe import Scribe


def marked(scribe: Scribe, form: str) -> None:
    scribe.mark(form or "Ada", Kind.NAME, "patient")


def written(text: str, rules: str = "", seed: int = 1) -> tuple[str, list[str]]:
    grammar = Grammar({"who": marked})
    grammar.add_rules(rules)
    writer = grammar.compiled(text, "here")
    grammar.check()
    scribe = Scribe(random.Random(seed))
    writer(scribe)
    whole = "".join(scribe.parts)
    return whole, [span.of(whole) for span in scribe.spans]


def outcomes(text: str, rules: str = "") -> set[str]:
    return {written(text, rules, seed)[0] for seed in range(200)}


def test_plain_text_is_written_as_it_is() -> None:
    assert written("BP 120/80 -> ok | fine") == ("BP 120/80 -> ok | fine", [])


def test_a_choice_writes_one_of_its_alternatives() -> None:
    assert outcomes("<a|b<c|d>|>") == {"a", "bc", "bd", ""}


def test_signs_of_the_language_are_written_behind_a_backslash() -> None:
    assert written(r"\<5 \| \{x\} <\>|\>>")[0] == "<5 | {x} >"


def test_lines_come_in_any_order_and_empty_ones_are_left_out() -> None:
    assert outcomes("<&a||b>") == {"a\nb", "b\na"}
    assert outcomes("<%a|b<|>>") == {"a b", "b a"}


def test_what_was_left_out_moves_no_span() -> None:
    for seed in range(50):
        text, values = written("<&{who}|<|x>|<{who.Bo}|>>", seed=seed)
        assert all(value in ("Ada", "Bo") for value in values)
        assert text.split("\n").count("") == 0


def test_a_rule_writes_one_of_its_lines_and_several_are_different() -> None:
    rules = "a comment\n@word\none\ntwo\nthree"
    assert outcomes("{word}", rules) == {"one", "two", "three"}
    for text in outcomes("{word*2-3}", rules):
        words = text.split(" ")
        assert 2 <= len(words) <= 3
        assert len(set(words)) == len(words)


def test_an_alternative_with_a_number_comes_so_much_more_often() -> None:
    drawn = [written("{word}", "@word\n9*often\nseldom", seed)[0] for seed in range(400)]
    assert set(drawn) == {"often", "seldom"}
    assert 320 < drawn.count("often") < 395


def test_numbers_lie_between_their_bounds_and_keep_their_decimals() -> None:
    assert outcomes("{#3-5}") == {"3", "4", "5"}
    assert outcomes("{#0.8-1.1}") == {"0.8", "0.9", "1.0", "1.1"}


def test_spans_hold_what_slots_wrote() -> None:
    assert written("Seen: {who}, {who.Bo}.") == ("Seen: Ada, Bo.", ["Ada", "Bo"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<a|b", "a choice is not closed"),
        ("{who", "a slot is not closed"),
        ("{whom}", "there is no slot or rule 'whom'"),
        ("{no slot}", "is not a slot"),
    ],
)
def test_mistakes_are_told(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        written(text)


def test_a_rule_may_not_take_the_name_of_a_slot() -> None:
    with pytest.raises(BadInput, match="two rules or slots are called 'who'"):
        written("x", "@who\na")
