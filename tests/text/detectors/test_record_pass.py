"""What was identified once in a record is found everywhere in it."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.text.detectors.record_pass import WholeRecord
from sfumato.text.detectors.spelling import Misspelt, initials_of, name_parts
from sfumato.text.finder import Finder
from sfumato.text.kinds import Kind
from sfumato.text.lexicon import Mark
from sfumato.text.note import Known, Note, Record
from sfumato.text.page import Page, Tokens
from sfumato.text.span import Span


@dataclass(frozen=True)
class SmallLexicon:
    """A few words of English."""

    words: dict[str, int] = field(
        default_factory=lambda: {
            "hand": Mark.WORD_COMMON | Mark.FAMILY,
            "will": Mark.WORD_COMMON | Mark.GIVEN_MALE,
            "right": Mark.WORD_COMMON,
            "brown": Mark.WORD_COMMON | Mark.FAMILY,
            "may": Mark.WORD_COMMON | Mark.FAMILY | Mark.MONTH,
            "slid": Mark.WORD,
            "need": Mark.WORD_COMMON,
            "shower": Mark.WORD,
            "sputum": Mark.WORD | Mark.MEDICAL,
            "ms": Mark.MEDICAL,
            "whitman": Mark.FAMILY,
        }
    )

    def marks(self, word: str) -> int:
        return int(self.words.get(word.lower(), 0))

    def phrases(self, tokens: Tokens) -> list[tuple[int, int, int]]:
        return []


@dataclass(frozen=True)
class Says:
    """A detector that finds given texts, once each: at their first place."""

    kind: Kind
    texts: tuple[str, ...]
    certainty: float = 0.95
    name: str = "says"

    def find(self, page: Page) -> list[Span]:
        found = []
        for text in self.texts:
            at = page.text.find(text)
            if at >= 0:
                found.append(Span(at, at + len(text), self.kind, "", self.certainty, self.name))
        return found


def _found(record: Record, *detectors: Says) -> list[list[str]]:
    finder = Finder(detectors, (WholeRecord(SmallLexicon()),))
    found = finder.find(record)
    return [
        [span.of(note.text) for span in spans] for note, spans in zip(record.notes, found.spans, strict=True)
    ]


HEADER = "PATIENT: Whitfield, Eleanor M."


@pytest.mark.parametrize(
    ("body", "again"),
    [
        ("Eleanor is well.", ["Eleanor"]),
        ("Mrs. WHITFIELD's pain", ["WHITFIELD"]),
        ("eleanor whitfield resting", ["eleanor", "whitfield"]),
        ("Whitfeild was seen", ["Whitfeild"]),
        ("Whitfiel was seen", ["Whitfiel"]),
        ("seen by EW at noon", ["EW"]),
        ("seen by EMW at noon", ["EMW"]),
        ("Walt Whitman read", []),
        ("nothing of the sort", []),
        ("Éléanor called", ["Éléanor"]),
        ("E\u0301le\u0301anor called", ["E\u0301le\u0301anor"]),
    ],
)
def test_a_name_from_the_header_of_one_note_is_found_in_another(body: str, again: list[str]) -> None:
    _, second = _found(Record.of(HEADER, body), Says(Kind.NAME, ("Whitfield, Eleanor M",)))
    assert second == again


def test_a_name_that_is_a_word_is_found_again_only_where_a_capital_letter_says_so() -> None:
    header = "Surgeon: Rachel Hand"
    body = "The right hand was seen by Hand. Hand weakness. RIGHT HAND."
    _, second = _found(Record.of(header, body), Says(Kind.NAME, ("Rachel Hand",)))
    assert second == ["Hand"]
    assert body.index("Hand") == 27


def test_initials_that_are_a_medical_abbreviation_are_not_taken_alone() -> None:
    _, second = _found(Record.of("PATIENT: Mary Smith", "history of MS"), Says(Kind.NAME, ("Mary Smith",)))
    assert second == []


def test_what_columns_know_is_searched_for() -> None:
    known = (
        Known(Kind.NAME, "Okonkwo-Reyes, Adaeze"),
        Known(Kind.ID, "00-4711-99"),
        Known(Kind.PHONE, "(615) 555-0142"),
    )
    note = Note("adaeze (okonkwo) called from 615.555.0142, chart 00 4711 99, again 00-4711-98")
    (found,) = _found(Record((note,), "p", known))
    assert found == ["adaeze", "okonkwo", "615.555.0142", "00 4711 99"]


def test_a_number_of_one_note_is_found_in_another_in_another_writing() -> None:
    record = Record.of("MRN: 359-71-46", "chart 359 71 46 and 359.71.47")
    assert _found(record, Says(Kind.ID, ("359-71-46",)))[1] == ["359 71 46"]


def test_short_numbers_are_not_spread_over_the_record() -> None:
    record = Record.of("Room 4-12", "4 12 tablets")
    assert _found(record, Says(Kind.ID, ("4-12",)))[1] == []


def test_a_place_of_several_words_is_found_again() -> None:
    record = Record.of("at Picheta Memorial Hospital", "back to picheta\nmemorial hospital")
    assert _found(record, Says(Kind.LOCATION, ("Picheta Memorial Hospital",)))[1] == [
        "picheta\nmemorial hospital"
    ]


def test_a_doubtful_name_is_repeated_only_as_it_was_written() -> None:
    record = Record.of("Zyx", "Zyx and zyx")
    assert _found(record, Says(Kind.NAME, ("Zyx",), certainty=0.6))[1] == ["Zyx"]


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("Brown slid from the chair.", 1),
        ("Brown's drops were renewed.", 1),
        ("Brown sputum was seen.", 0),
        ("A brown stool was seen.", 0),
    ],
)
def test_a_name_that_is_a_word_is_found_again_where_a_sentence_begins_with_somebody(
    text: str, times: int
) -> None:
    record = Record.of("Mr. Brown", text)
    assert _found(record, Says(Kind.NAME, ("Mr. Brown",), certainty=0.96))[1] == ["Brown"] * times


@pytest.mark.parametrize("text", ["Will need a ride.", "May shower on Friday."])
def test_a_sentence_that_begins_with_a_verb_does_not_begin_with_the_patient(text: str) -> None:
    record = Record.of("Will May", text)
    assert _found(record, Says(Kind.NAME, ("Will May",), certainty=0.96))[1] == []


def test_initials_follow_the_given_name_whatever_the_order() -> None:
    assert initials_of("Reyes, Ana") == initials_of("Ana Reyes") == ["AR"]
    assert initials_of("Dr. Ana Reyes") == ["AR"]
    assert initials_of("J. Reyes") == []


def test_titles_and_particles_are_no_parts_of_a_name() -> None:
    assert name_parts("Dr. Ludwig van der Berg Jr.") == ["Ludwig", "Berg"]


def _slips(one: str, two: str) -> int:
    """Count slips between two words: the slow, obvious way (Damerau, neighbours swapped once)."""
    table = [[0] * (len(two) + 1) for _ in range(len(one) + 1)]
    for i, j in itertools.product(range(len(one) + 1), range(len(two) + 1)):
        if not i or not j:
            table[i][j] = i + j
            continue
        table[i][j] = min(
            table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (one[i - 1] != two[j - 1])
        )
        if i > 1 and j > 1 and one[i - 1] == two[j - 2] and one[i - 2] == two[j - 1]:
            table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
    return table[-1][-1]


@given(st.text("abc", min_size=5, max_size=7), st.text("abc", min_size=5, max_size=8))
def test_near_names_are_those_one_slip_away_behind_the_first_letter(name: str, word: str) -> None:
    near = Misspelt.of([name]).near(word)
    if name == word:
        return
    if near:
        assert _slips(name, word) == 1
    elif name[0] == word[0] and _slips(name[1:], word[1:]) == 1:
        raise AssertionError("one slip behind the first letter was not seen")
