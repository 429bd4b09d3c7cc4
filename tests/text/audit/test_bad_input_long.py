"""Long and pathological texts: time goes with the length, and memory does not fill with what was read."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle, islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.text.compete import MOST_NEIGHBOURS, compete
from sfumato.text.detectors.spelling import Misspelt
from sfumato.text.finder import Finder
from sfumato.text.finders import finder_of
from sfumato.text.kinds import Kind
from sfumato.text.note import Record
from sfumato.text.span import THRESHOLD, Span
from tests.growth import grows_with_the_length
from tests.oracles.text_compete import kinds_by_character

PIECES = (
    "a", "a@", "O'", "DR/jt\n", "1 Jan ", "www.", "John,", "J. ", "(", "\u0301", "-", "7/21/13 ",
    "MRN: SH-02-22222 ", "Mr. Whitfa, Whitfb ", "**NAME[AAA] ", "&#111;", "\u200b",
)  # fmt: skip


@pytest.fixture(scope="module")
def finder() -> Finder:
    return finder_of("en", "shipped")


@pytest.mark.parametrize("piece", PIECES, ids=ascii)
def test_time_goes_with_the_length_and_not_with_its_square(piece: str, finder: Finder) -> None:
    assert grows_with_the_length(lambda text: finder.find(Record.of(text)), piece, short=750)


TEXT = "Ab c, (d) Ef-gh i; [jk] " * 3
KINDS = (Kind.NAME, Kind.DATE, Kind.CLINICAL)


@st.composite
def proposals(draw: st.DrawFn) -> list[Span]:
    spans = []
    for _ in range(draw(st.integers(1, 14))):
        start = draw(st.integers(0, len(TEXT) - 1))
        end = draw(st.integers(start + 1, min(len(TEXT), start + 20)))
        certainty = draw(st.integers(1, 100)) / 100
        spans.append(
            Span(start, end, draw(st.sampled_from(KINDS)), "", certainty, draw(st.sampled_from("abc")))
        )
    return spans


@given(proposals())
@settings(deadline=None)
def test_every_letter_goes_to_the_most_certain_proposal_over_it(proposed: list[Span]) -> None:
    won = {at: span.kind for span in compete(TEXT, proposed) for at in range(span.start, span.end)}
    for at, kind in kinds_by_character(proposed, THRESHOLD).items():
        if TEXT[at].isalnum():
            assert won.get(at, Kind.CLINICAL) is kind


SHAPES: dict[str, Callable[[int, int], tuple[int, int]]] = {
    "one inside the other": lambda n, at: (0, at + 1),
    "like stairs": lambda n, at: (at, at + n // 2),
    "like a chain": lambda n, at: (at, at + 2),
    "all the same": lambda n, at: (5, 9),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_twenty_thousand_proposals_upon_each_other_are_settled(shape: str) -> None:
    count = 20_000
    names = islice(cycle("abc"), count)
    proposed = [Span(*SHAPES[shape](count, at), Kind.NAME, "", 0.6, name) for at, name in enumerate(names)]
    won = compete("a" * 2 * count, proposed)
    assert len(won) == 1
    assert (won[0].start, won[0].end) == (
        min(span.start for span in proposed),
        max(span.end for span in proposed),
    )


def test_where_support_is_only_estimated_nothing_that_identifies_is_lost_and_nothing_clinical_gains() -> None:
    count = 3 * MOST_NEIGHBOURS
    doubtful = [
        Span(0, 9 + at, Kind.NAME, "", 0.4, name) for at, name in enumerate(islice(cycle("ab"), count))
    ]
    assert compete("a" * 1000, doubtful) != ()
    clinical = [
        Span(0, 9 + at, Kind.CLINICAL, "", 0.4, name) for at, name in enumerate(islice(cycle("ab"), count))
    ]
    [name] = compete("a" * 1000, [*clinical, Span(0, 9, Kind.NAME, "", 0.55, "c")])
    assert (name.start, name.end) == (0, 9)


def test_a_word_of_a_million_letters_is_no_name_with_a_slip() -> None:
    names = Misspelt.of(["whitfield", "a" * 1_000_000])
    assert names.words == {"whitfield"}
    assert not names.near("a" * 1_000_000)


@given(st.lists(st.text("abc", min_size=4, max_size=8), max_size=5), st.text("abc", min_size=4, max_size=8))
def test_slips_are_found_as_by_trying_all_of_them(names: list[str], word: str) -> None:
    def slips(name: str) -> set[str]:
        places = range(1, len(name))
        found = {name[:at] + name[at + 1 :] for at in places}
        found |= {name[:at] + letter + name[at:] for at in (*places, len(name)) for letter in "abc"}
        found |= {name[:at] + letter + name[at + 1 :] for at in places for letter in "abc"}
        found |= {name[:at] + name[at + 1] + name[at] + name[at + 2 :] for at in range(1, len(name) - 1)}
        return found

    long = [name for name in names if len(name) >= Misspelt.SHORTEST]
    expected = len(word) >= Misspelt.SHORTEST and any(word in slips(name) for name in long)
    if word not in names:
        assert Misspelt.of(names).near(word) is expected


def test_a_long_note_of_many_names_is_searched_to_its_end(finder: Finder) -> None:
    text = "".join(
        f"Seen by Dr. Whitf{at:05d}".translate(str.maketrans("0123456789", "abcdefghij")) + ".\n"
        for at in range(2_000)
    )
    spans = finder.find(Record.of(text)).spans[0]
    assert sum(span.kind is Kind.NAME for span in spans) >= 2_000
    assert spans[-1].end == len(text) - 2
