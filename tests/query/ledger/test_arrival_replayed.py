"""When a question came differs from charge to charge: the quick reading leaves it out, and nothing else."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from sfumato.dp.price import Price
from sfumato.query.ledger.chain import ARRIVED, BEGINNING, CLOCK, canonical, entry_hash
from sfumato.query.ledger.charging import charge_body, fingerprint_of
from sfumato.query.ledger.contract import Asked
from sfumato.query.ledger.replay import Entry, Replay

CHARGE = charge_body(Asked("ann", "", "clinic", "", "1", "q", Price.pure("0.1"), 1000))
LIMITS = {"composition": "basic", "limit": "9", "delta": "0", "by": "", "data_set": "clinic", "window": ""}


def played(*charges: str) -> Replay:
    """Play a log of two budgets and some charges, each hashed as it should be."""
    budgets = [("data set", "clinic"), ("analyst", "ann"), ("analyst", 'x",'), ("analyst", "a\\")]
    bodies = [("budget", canonical(LIMITS | {"scope": scope, "name": name})) for scope, name in budgets]
    entries: list[Entry] = []
    before = BEGINNING
    for number, (kind, body) in enumerate([*bodies, *(("charge", body) for body in charges)], 1):
        value = entry_hash(number, 5, kind, body, before)
        entries.append((number, 5, kind, body, before, value))
        before = value
    replay = Replay()
    replay.play(entries)
    return replay


def is_a_charge(text: str) -> bool:
    """Read it as JSON: written in the one way, with the names of a charge."""
    try:
        body: dict[str, Any] = json.loads(text)
        if canonical(body) != text or body.keys() - {CLOCK, ARRIVED} != CHARGE.keys() - {ARRIVED}:
            return False
    except (ValueError, AttributeError):
        return False
    return type(body.get(ARRIVED, 0)) is int and body.get(ARRIVED, 0) >= 0


TEXT = canonical(CHARGE)
CAME = '"arrived":1000,'
ODD = [
    TEXT.replace(CAME, CAME + CAME),
    TEXT.replace(CAME, CAME + '"arrived":7,'),
    TEXT.replace(CAME, CAME + '"apple":1,'),
    TEXT.replace(CAME, '"apple":1,' + CAME),
    TEXT.replace(CAME, "").replace('"rho":', CAME + '"rho":'),
    TEXT.replace(CAME, "").replace('"data_set"', '"data_set":"clinic",' + CAME + '"data_set"'),
    TEXT.replace('"analyst":"ann",', ""),
    TEXT.replace('"ann",' + CAME, '"x\\",' + CAME + '",'),
    TEXT.replace("1000", "-1000"),
    TEXT.replace("1000", "01000"),
    TEXT.replace("1000", "1e3"),
    TEXT.replace("1000", '"1000"'),
    TEXT.replace("1000", "٣"),
    TEXT.replace("1000", "1" * 5000),
    TEXT.replace(CAME, '"arrived":{},'),
    TEXT[:-1] + ',"arrived":1000}',
    TEXT[:-1] + ',"zebra":1}',
]


def test_a_body_that_is_not_the_one_spelling_of_a_charge_is_found() -> None:
    assert played(TEXT).problems == []
    for odd in ODD:
        assert not is_a_charge(odd)
        # Also after charges that were in order, whose beginnings and ends are remembered.
        for before in ([], [TEXT]):
            replay = played(*before, odd)
            assert [problem.entry for problem in replay.problems] == [5 + len(before)], odd
            assert len(replay.charged) == len(before)


PIECES = [CAME, '"analyst":"ann",', '"', "\\", ",", "{", '","arrived":', "5", '"question":"', '","rho":', "}"]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(TEXT)), st.integers(0, 3), st.sampled_from(PIECES)), max_size=3))
@example([(TEXT.index('",'), 0, "\\"), (TEXT.index('"data_set"'), 0, '",')])
def test_whatever_is_cut_out_or_put_in_the_quick_reading_is_that_of_json(
    changes: list[tuple[int, int, str]],
) -> None:
    text = TEXT
    for place, cut, piece in changes:
        text = text[:place] + piece + text[place + cut :]
    replay = played(text)
    if is_a_charge(text):
        body = json.loads(text)
        assert [spend[1:4] for spend in replay.spends] in (
            [(fingerprint_of(body), body["analyst"], body["data_set"])],
            [],  # a price that is not spelt as money is
        )
        assert replay.spends or replay.problems
    else:
        assert replay.problems, text


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["ann", 'x",', "a\\"]),
            st.none() | st.integers(0, 2**40),
            st.booleans(),
            st.sampled_from(["q", '","arrived":5,', '"arrived":5', "\\", '\\","arrived":1,"'])
            | st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=1),
        ),
        max_size=6,
    )
)
def test_charges_with_and_without_an_arrival_have_the_fingerprint_of_their_body(
    asked: list[tuple[str, int | None, bool, str]],
) -> None:
    bodies = []
    for analyst, arrived, back, question in asked:
        body = charge_body(Asked(analyst, "", "clinic", "", "1", question, Price.pure("0.1"), arrived))
        bodies.append(body | ({CLOCK: "went back"} if back else {}))
    replay = played(*(canonical(body) for body in bodies))
    assert replay.problems == []
    assert [spend[1] for spend in replay.spends] == [fingerprint_of(body) for body in bodies]
