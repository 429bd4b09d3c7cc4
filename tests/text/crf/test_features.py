"""What the model sees around a word."""

from __future__ import annotations

import hashlib
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.text.crf.decode import LONGEST, chains_of
from sfumato.text.crf.features import (
    BEFORE_LABEL,
    CHANNELS,
    EDGE_TYPE,
    HERE,
    LABEL,
    NO_TYPE,
    REACH,
    WORD_CHANNELS,
    Layout,
    Seen,
    seen,
)
from sfumato.text.crf.glossary import Glossary
from sfumato.text.crf.words import CLASSES, VERSION, case_of, class_of, folded, sense_of, traits_of
from sfumato.text.lexicon import Mark
from sfumato.text.page import tokenise
from tests.text.crf.small import SmallLexicon


def look(text: str, vocabulary: tuple[str, ...] = ()) -> tuple[Seen, dict[int, str]]:
    """Return what is seen, and the word of each type."""
    tokens = tokenise(text)
    glossary = Glossary({word: number for number, word in enumerate(vocabulary, 1)}, len(tokens) + 2)
    numbers: dict[str, int] = {}
    for word in tokens.words:
        if word not in numbers:
            numbers[word] = glossary.add(word, SmallLexicon().marks(word))[0]
    found = seen(
        np.array([numbers[word] for word in tokens.words], dtype=np.int64),
        glossary.known,
        np.array(tokens.starts, dtype=np.int64),
        np.array(tokens.ends, dtype=np.int64),
        Layout.of(text),
    )
    return found, {EDGE_TYPE: "<edge>", NO_TYPE: "<none>"} | {
        number: word for word, number in numbers.items()
    }


def labels(text: str) -> list[tuple[str, str, str]]:
    """Return each word with the label of its field and the word before that."""
    found, names = look(text)
    return [
        (names[row[HERE]], names[row[LABEL]], names[row[BEFORE_LABEL]])
        for row in found.slots.tolist()
        if row[LABEL] != NO_TYPE
    ]


def test_what_follows_a_colon_knows_the_label_and_the_word_before_it() -> None:
    assert labels("Referring physician: Ada Byron") == [
        ("Ada", "physician", "Referring"),
        ("Byron", "physician", "Referring"),
    ]


def test_a_label_ends_with_its_line_its_column_and_the_next_label() -> None:
    assert labels("Name: Ada\nfever") == [("Ada", "Name", "<none>")]
    assert labels("Name: Ada   fever") == [("Ada", "Name", "<none>")]
    assert labels("Name:\tAda\tfever") == [("Ada", "Name", "<none>")]
    assert labels("Name:      Ada") == [("Ada", "Name", "<none>")]
    assert ("5", "Age", "Ada") in labels("Name: Ada Age: 5")


def test_a_label_is_forgotten_after_eight_words() -> None:
    assert [word for word, *_ in labels("Name: a b c d e f g h i j")] == list("abcdefgh")


def test_neighbours_are_seen_across_lines_and_not_beyond_the_text() -> None:
    found, names = look("Ada\nhas fever")
    assert [names[number] for number in found.slots[0, : 2 * REACH + 1]] == [
        *("<edge>", "<edge>", "<edge>"),
        *("Ada", "has", "fever", "<edge>"),
    ]


def test_classes_of_neighbours_end_with_the_line() -> None:
    joined, _ = look("Ada fever")
    parted, _ = look("Ada\nfever")
    alone, _ = look("Ada")
    assert parted.codes[0, 1] == alone.codes[0, 1] != joined.codes[0, 1]


def test_words_outside_the_vocabulary_have_no_channel_of_words() -> None:
    unknown, _ = look("Ada has fever")
    assert (unknown.codes[:, WORD_CHANNELS:] == -1).all()
    assert (unknown.codes[:, :WORD_CHANNELS] >= 0).all()
    known, _ = look("Ada has fever", ("has",))
    assert (known.codes[2, WORD_CHANNELS:] >= 0).any()


def test_lines_in_capitals_and_texts_in_lower_case_are_told_apart() -> None:
    def case_code(text: str, word: int = 0) -> int:
        return int(look(text)[0].codes[word, 6])

    assert case_code("fever today") != case_code("fever Today")
    assert case_code("fever today\nAda") != case_code("fever today")
    assert case_code("FEVER TODAY\nada") != case_code("FEVER Today\nada")


@given(st.text())
@settings(max_examples=150, deadline=None)
def test_any_text_is_seen_and_no_code_is_of_two_channels(text: str) -> None:
    found, _ = look(text, ("a", "b"))
    assert found.codes.shape == (len(tokenise(text)), CHANNELS)
    for channel in range(CHANNELS):
        there = found.codes[:, channel][found.codes[:, channel] >= 0]
        assert (there >> 58 == channel).all()


@given(st.lists(st.integers(1, 3 * LONGEST), max_size=5), st.integers(1, 40))
def test_chains_cover_every_word_once_and_none_is_long(lines: list[int], sentence: int) -> None:
    numbers = np.repeat(np.arange(len(lines)), lines) if lines else np.empty(0, dtype=np.int64)
    words = ["." if place % sentence == 0 else "w" for place in range(len(numbers))]
    bounds = chains_of(numbers, words).tolist()
    assert bounds == sorted({*bounds})
    assert bounds[0] == 0
    assert bounds[-1] == len(numbers)
    assert all(two - one <= LONGEST for one, two in pairwise(bounds))
    ends = {sum(lines[: place + 1]) for place in range(len(lines))}
    assert ends <= {*bounds}


@pytest.mark.parametrize(
    ("word", "marks", "other", "other_marks"),
    [
        ("12", 0, "13", 0),
        ("31", 0, "32", 0),
        ("1999", 0, "3999", 0),
        ("A12", 0, "12A", 0),
        ("Ada", 0, "ada", 0),
        ("Ada", Mark.FAMILY, "Ada", 0),
        ("Rose", Mark.FAMILY, "Rose", Mark.FAMILY | Mark.WORD_COMMON),
        ("Foley", Mark.FAMILY, "Foley", Mark.FAMILY | Mark.EPONYM),
        (":", 0, ";", 0),
    ],
)
def test_classes_tell_apart_what_matters(word: str, marks: int, other: str, other_marks: int) -> None:
    assert class_of(word, int(marks)) != class_of(other, int(other_marks))


@given(st.from_regex(r"[^\W_]\w*|[^\w\s]", fullmatch=True), st.integers(0, 2**23 - 1))
@settings(max_examples=200)
def test_every_word_has_a_class_and_traits(word: str, marks: int) -> None:
    assert 0 < class_of(word, marks) < CLASSES <= 256
    assert traits_of(word, marks, ())
    assert sense_of(marks)
    assert case_of(word) in ("lower", "Title", "UPPER", "mixed", "letter")


@given(st.from_regex(r"[a-zA-Zàéîõü]{1,12}", fullmatch=True))
def test_no_trait_of_a_word_outside_the_vocabulary_spells_it(word: str) -> None:
    flat = folded(word)
    assert f"w={flat}" not in traits_of(word, 0, ())
    assert all(
        len(trait) - 2 < len(flat) for trait in traits_of(word, 0, ()) if trait[:2] in ("s=", "p=", "e=")
    )


def test_features_change_only_with_their_version() -> None:
    """Models are read by the version of their features: whoever changes these counts it up, and trains."""
    text = (
        "Referring physician:  Dr. Ada BYRON\tMRN 40-1187\nSeen 3/4/2011 at New York Hospital, fever of 39.5."
    )
    found, _ = look(text, ("at", "fever", "of", "physician", "seen"))
    traits = [trait for word in tokenise(text).words for trait in traits_of(word, 2**23 - 1, ("seen",))]
    digest = hashlib.sha256(found.slots.tobytes() + found.codes.tobytes() + "\n".join(traits).encode())
    assert (VERSION, digest.hexdigest()[:16]) == (1, "be4dccd58e5cfbf0")
