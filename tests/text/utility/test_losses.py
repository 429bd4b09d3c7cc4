"""What notes lose: words, distances between dates, readability; and nothing outside what was found."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.text.annotation import Annotated
from sfumato.text.evaluate import evaluate
from sfumato.text.kinds import Kind
from sfumato.text.methods import Deidentify
from sfumato.text.models.contract import Handled
from sfumato.text.note import Record
from sfumato.text.replace.apply import applied
from sfumato.text.replace.contract import Change
from sfumato.text.span import Span
from sfumato.text.utility import (
    UTILITIES,
    IntervalsLost,
    OutsideChanged,
    TokensChanged,
    Unreadable,
    counted_losses,
    measured_losses,
    over_redacted,
)
from tests.text.replace.examples import marked, secrets

NOTE = (
    "Seen {DATE/full 1/17/2003} and {DATE/full 1/20/2003}; {NAME/patient Ada Lovelace} is well. Foley, 5 mg."
)


def released(folder: Path, method: Deidentify, *notes: str) -> Handled:
    """Release marked notes."""
    found = marked(*notes)
    changes = method.replacement().changes(found, secrets(folder))
    texts = tuple(applied(note.text, made)[0] for note, made in zip(found.record.notes, changes, strict=True))
    return Handled(found.record, texts, changes)


def losses(handled: Handled) -> dict[str, float]:
    return {name: one.value for name, one in measured_losses(counted_losses(handled)).items()}


def test_moved_dates_keep_their_distances_and_years_do_not(tmp_path: Path) -> None:
    moved = losses(released(tmp_path, Deidentify("surrogates", "shifted-dates"), NOTE))
    years = losses(released(tmp_path, Deidentify("tags"), NOTE))
    assert (moved["intervals-lost"], years["intervals-lost"]) == (0.0, 1.0)


def test_distances_are_counted_over_all_notes_of_a_person(tmp_path: Path) -> None:
    handled = released(
        tmp_path, Deidentify("surrogates", "shifted-dates"), "{DATE/full 1/17/2003}", "{DATE/full 2/1/2003}"
    )
    assert IntervalsLost().counted(handled) == Counter(pairs=1, kept=1)


def test_words_outside_of_what_was_found_all_stay(tmp_path: Path) -> None:
    told = losses(released(tmp_path, Deidentify("tags"), NOTE))
    assert told["outside-changed"] == 0.0
    # Six parts of dates and two of a name, of 15 words and numbers.
    assert told["tokens-changed"] == pytest.approx(8 / 15)


def test_a_text_that_was_changed_elsewhere_is_noticed() -> None:
    handled = Handled(
        Record.of("Ada is well"), ("**NAME is ill",), ((Change(Span(0, 3, Kind.NAME), "**NAME"),),)
    )
    counts = OutsideChanged().counted(handled)
    assert counts["different"] == 1


@pytest.mark.parametrize(
    ("name", "unreadable"), [("tags", 0.0), ("surrogates", 0.0), ("removal", 1.0), ("masks", 1.0)]
)
def test_tags_and_surrogates_can_be_read_on_and_blanks_cannot(
    tmp_path: Path, name: str, unreadable: float
) -> None:
    handled = released(tmp_path, Deidentify(name), "{NAME/patient Ada Lovelace} is well")
    assert losses(handled)["unreadable"] == unreadable


def test_what_has_nothing_to_measure_is_left_out_and_not_zero() -> None:
    handled = Handled(Record.of(""), ("",), ((),))
    assert losses(handled) == {"outside-changed": 0.0}
    assert TokensChanged().measured(Counter()) is None
    assert Unreadable().measured(Counter()) is None


@given(st.text(alphabet="ab 1.\n", max_size=40), st.data())
def test_changed_tokens_are_those_that_share_a_letter_with_a_change(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    spans = [Span(a, b, Kind.OTHER) for a, b in zip(cuts[::2], cuts[1::2], strict=False)]
    changes = tuple(Change(span, "…") for span in spans)
    handled = Handled(Record.of(text), (applied(text, changes)[0],), (changes,))
    counts = TokensChanged().counted(handled)
    covered = {place for span in spans for place in range(span.start, span.end)}
    words, changed, inside, touched = 0, 0, False, False
    for place, letter in enumerate([*text, " "]):
        if letter.isalnum():
            words += not inside
            touched = (touched if inside else False) or place in covered
            inside = True
        elif inside:
            changed += touched
            inside = False
    assert (counts["tokens"], counts["changed"]) == (words, changed)


def test_over_redaction_is_estimated_from_the_precision_and_never_without_one() -> None:
    gold = [Annotated("Ada is well", (Span(0, 3, Kind.NAME),))] * 50
    half = [(Span(0, 3, Kind.NAME), Span(7, 11, Kind.NAME))] * 50
    expected, most = over_redacted(evaluate(gold, half), changed=10, tokens=100)
    assert expected == pytest.approx(0.05)
    assert expected < most <= 0.1
    with pytest.raises(BadInput, match="cannot be estimated"):
        over_redacted(evaluate(gold, [()] * 50), changed=1, tokens=10)
    with pytest.raises(BadInput, match="nothing can be said"):
        over_redacted(evaluate(gold, half), changed=0, tokens=0)


def test_every_measure_says_what_it_is() -> None:
    for name, kind in UTILITIES.items():
        made = kind()
        assert made.name == name
        assert made.title
        assert made.range
        assert made.meaning
