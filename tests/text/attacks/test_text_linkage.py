"""Text linkage finds people by what stands in their notes, and nobody where nothing stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.attack import Scored
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT
from sfumato.text.attacks import ATTACKS, Identified, Knowledge, ReleasedNotes, TextLinkage
from sfumato.text.attacks.clues import BIRTH, Sought, clues_in, clues_of
from sfumato.text.attacks.text_linkage import KnownPeople
from sfumato.text.kinds import Kind
from sfumato.text.methods import Deidentify
from sfumato.text.note import Known
from tests.growth import grows_with_the_length
from tests.oracles.text_attacks import linked
from tests.text.attacks.hospital import Hospital
from tests.text.replace.examples import secrets

ADA = Identified(((Known(Kind.NAME, "Ada"),),), ("1",))


@pytest.fixture(scope="module")
def hospital() -> Hospital:
    return Hospital.of(250)


def test_everybody_is_found_in_notes_as_they_are(hospital: Hospital) -> None:
    result = TextLinkage().run(hospital.notes, Knowledge(hospital.people, persons=hospital.persons))
    assert result.success == 1.0
    assert result.certain == 250
    assert result.scored is Scored.MEASURED
    assert result.baseline == 1 / 250


def test_dates_age_and_place_find_nearly_everybody_when_names_are_gone(hospital: Hospital) -> None:
    shown = hospital.without(Kind.NAME)
    result = TextLinkage().run(shown, Knowledge(hospital.people, persons=hospital.persons))
    assert result.success > 0.95


def test_what_stays_after_surrogates_and_moved_dates_finds_few(hospital: Hospital, tmp_path: Path) -> None:
    method = Deidentify("surrogates", "shifted-dates")
    shown, _ = hospital.replaced(method.replacement(), secrets(tmp_path))
    known = Knowledge(hospital.people, persons=hospital.persons)
    result = TextLinkage().run(shown, known)
    # Ages up to 89 and the sex stay by policy: of 250 people a handful share both.
    assert result.success < 0.5
    bare, _ = hospital.replaced(Deidentify("tags", "everything").replacement(), secrets(tmp_path))
    assert TextLinkage().run(bare, known).success < 0.05


def test_only_the_sex_is_left_when_everything_is_hidden(hospital: Hospital) -> None:
    shown = hospital.without(Kind.NAME, Kind.DATE, Kind.AGE, Kind.LOCATION)
    result = TextLinkage().run(shown, Knowledge(hospital.people, persons=hospital.persons))
    women = sum(one.sex == "F" for one in hospital.patients)
    # Each sex is a class of its own: a pick inside it is right once for every class.
    assert result.success == pytest.approx(2 / 250)
    assert 0 < women < 250
    assert result.certain == 0


def test_notes_without_a_clue_are_guesses_among_all() -> None:
    people = Identified(
        tuple((Known(Kind.NAME, name),) for name in ("Ada Ox", "Bo Elk", "Cy Yak")), tuple("123")
    )
    result = TextLinkage().run(ReleasedNotes(("is well",)), Knowledge(people, persons=("2",)))
    assert result.success == pytest.approx(1 / 3)
    assert result.details["notes without a clue"] == 1


def test_a_name_that_is_an_ordinary_word_of_the_notes_weighs_little() -> None:
    people = Identified(
        (
            (Known(Kind.NAME, "Young"),),
            (Known(Kind.NAME, "Zorn"),),
            *(((Known(Kind.NAME, f"Filler{chr(97 + n)}")),) for n in range(14)),
        ),
        tuple(str(number) for number in range(16)),
    )
    texts = ("a young man, son of Mr Zorn", *["a young man"] * 15)
    result = TextLinkage().run(ReleasedNotes(texts), Knowledge(people, persons=("1", *[None] * 15)))
    assert result.success == 1.0


def test_notes_that_the_release_shows_as_one_persons_are_read_together() -> None:
    people = Identified(
        (
            (Known(Kind.LOCATION, "Elmford"), Known(Kind.AGE, "57")),
            (Known(Kind.LOCATION, "Elmford"), Known(Kind.AGE, "58")),
            (Known(Kind.LOCATION, "Marbury"), Known(Kind.AGE, "57")),
        ),
        ("1", "2", "3"),
    )
    texts = ("comes from Elmford", "57 years old")
    alone = TextLinkage().run(ReleasedNotes(texts), Knowledge(people, persons=("1", "1")))
    together = TextLinkage().run(ReleasedNotes(texts, ("x", "x")), Knowledge(people, persons=("1", "1")))
    assert (alone.success, together.success) == (0.5, 1.0)


def test_without_a_truth_claims_are_claims(hospital: Hospital) -> None:
    result = TextLinkage().run(hospital.notes, Knowledge(hospital.people))
    assert result.scored is Scored.CLAIMED
    assert result.certain == 250
    assert "claims about" in str(result)


def test_victims_are_rows_of_the_file_and_told_only_when_asked_for(hospital: Hospital) -> None:
    known = Knowledge(hospital.people, persons=hospital.persons)
    assert TextLinkage().run(hospital.notes, known).victims == ()
    rows = {one.row for one in TextLinkage().run(hospital.notes, known, victims=True).victims}
    assert rows == set(range(1, 251))


@pytest.mark.parametrize(
    ("target", "knowledge"),
    [
        (ReleasedNotes(()), Knowledge(ADA)),
        (ReleasedNotes(("a",)), Knowledge()),
        (ReleasedNotes(("a",)), Knowledge(Identified(((),)))),
        (ReleasedNotes(("a",)), Knowledge(ADA, persons=("2",))),
        (ReleasedNotes(("a",)), Knowledge(ADA, persons=("1", "1"))),
    ],
)
def test_what_cannot_be_attacked_is_refused_and_never_reported_as_zero(
    target: ReleasedNotes, knowledge: Knowledge
) -> None:
    with pytest.raises(BadInput) as refused:
        TextLinkage().run(target, knowledge)
    assert "Ada" not in str(refused.value)


_WORDS = st.sampled_from(["ada", "bo", "cy", "elmford", "marbury", "zorn"])


@given(
    notes=st.lists(st.lists(_WORDS, max_size=4), min_size=1, max_size=6),
    people=st.lists(st.lists(_WORDS, min_size=1, max_size=3), min_size=1, max_size=6),
)
def test_claims_are_those_of_a_search_over_all_pairs(notes: list[list[str]], people: list[list[str]]) -> None:
    known = Identified(tuple(tuple(Known(Kind.NAME, name) for name in one) for one in people))
    target = ReleasedNotes(tuple(" and ".join(one) for one in notes))
    claims = KnownPeople.of(known, "en").claims(target, SILENT)
    sought = Sought.of({clue for one in known.rows for clue in clues_of(one)})
    expected = linked(
        [frozenset(clues_in(text, sought)) for text in target.texts],
        [frozenset(clues_of(one)) for one in known.rows],
    )
    assert [claim.best.tolist() for claim in claims] == expected


def test_values_are_found_however_they_are_written() -> None:
    known = [
        Known(Kind.SSN, "411168757"),
        Known(Kind.PHONE, "615-555-0142"),
        Known(Kind.LOCATION, "Salt Lake City"),
        Known(Kind.DATE, "2003-01-17"),
        Known(Kind.NAME, "O'Hara, Zoë"),
    ]
    clues = clues_of(known)
    sought = Sought.of(clues)
    for text in (
        "SSN 411-16-8757",
        "call (615) 555 0142",
        "call 6155550142",
        "from SALT LAKE\nCITY",
        "on 17 January 2003",
        "on 1/17/03",
        "on 17-Jan-2003",
        "in January 2003",
        "on Jan 17th",
        "ms ohara, zoe",
    ):
        assert clues_in(text, sought) & clues, text


def test_ages_follow_from_birth_and_stay_and_are_lumped_from_90_on() -> None:
    known = [Known(Kind.DATE, "1930-06-01", BIRTH), Known(Kind.DATE, "2020-05-31")]
    assert ("age", 89) in clues_of(known)
    older = clues_of([known[0], Known(Kind.DATE, "2021-06-01")])
    assert {("age", 91), ("age", "90+")} <= older
    assert ("age", "90+") in clues_in("aged over 89", Sought.of(()))


@pytest.mark.parametrize(
    "piece", ["a ", "1", "1/", "Jan ", "1 ", "1 Jan ", "12/12/", "1-1-", "age: 1", "20 "]
)
def test_time_grows_with_the_length_of_a_note_and_not_with_its_square(piece: str) -> None:
    sought = Sought.of({("words", "a a b"), ("words", "1 1 2")})
    assert grows_with_the_length(lambda text: clues_in(text, sought), piece, short=2_000)


@given(st.text(max_size=100))
def test_any_text_can_be_read(text: str) -> None:
    kinds = {kind for kind, _ in clues_in(text, Sought.of(()))}
    assert kinds <= {"age", "sex", "day", "month", "month-day", "year"}


def test_every_attack_says_what_it_is() -> None:
    for name, kind in ATTACKS.items():
        made = kind()
        assert made.name == name
        assert made.title
        assert made.threat
        assert made.needs
