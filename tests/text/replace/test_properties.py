"""What holds for every record, whatever was found in it."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.masking.contract import Secrets
from sfumato.text.kinds import Kind
from sfumato.text.note import Found, Note, Record
from sfumato.text.policy import TEXT_POLICIES
from sfumato.text.replace import (
    REPLACEMENTS,
    Change,
    Generalisation,
    Masks,
    Pseudonyms,
    Removal,
    Replacement,
    Surrogates,
    Tags,
)
from sfumato.text.replace.apply import applied
from sfumato.text.span import Span
from tests.oracles.text_replace import days_between, long_numbers, outside, put_together, words

GIVEN = ("Eleanor", "ramiro", "Noémi", "ANSELM", "Błażej", "Li", "Hans-Dietrich", "Mary Ann", "Nirja", "Zoë")
FAMILY = ("Whitfield", "bùi", "O'Neil", "Sethi-Brown", "van der Berg", "Al-Hashimi", "NG", "Đặng", "Roskosz")
FORMS = ("%Y-%m-%d", "%m/%d/%Y", "%m/%d/%y", "%d %B %Y", "%B %d, %Y", "%d-%b-%Y", "%b %d %Y", "%m.%d.%Y")
EVERY = (Tags, Masks, Removal, Generalisation, Pseudonyms, Surrogates)
names = st.builds(
    lambda given, family, letter, form: form.format(g=given, f=family, m=letter),
    st.sampled_from(GIVEN),
    st.sampled_from(FAMILY),
    st.sampled_from("ABMQ"),
    st.sampled_from(
        ("{g} {f}", "{f}, {g} {m}", "{f}, {g}", "{g}", "{f}", "{m}. {f}", "Dr. {f}", "{g} {m}. {f}", "EW")
    ),
)  # fmt: skip
days = st.dates(dt.date(1971, 1, 1), dt.date(2024, 12, 31))
dates = st.builds(lambda day, form: (day.strftime(form), form), days, st.sampled_from(FORMS))
ids = st.from_regex(r"[A-Z]{0,3}-?[0-9]{5,9}", fullmatch=True)
phones = st.from_regex(
    r"(\([2-9][0-9]{2}\) |[2-9][0-9]{2}[-.])?[2-9][0-9]{2}-[0-9]{4}( x[0-9]{3})?", fullmatch=True
)
fillers = st.sampled_from(
    (" was seen; BP 128/74, ", "\nPercocet 5/325. ", "\r\n", " — ", " 🙂 renal mass ", "'s office, ", "\t| ")
)  # fmt: skip


@dataclass(frozen=True)
class Item:
    """Something that stands in a note."""

    kind: Kind
    text: str
    label: str = ""
    form: str = ""


items = st.one_of(
    names.map(lambda text: Item(Kind.NAME, text)),
    dates.map(lambda pair: Item(Kind.DATE, pair[0], "full", pair[1])),
    ids.map(lambda text: Item(Kind.ID, text, "mrn")),
    phones.map(lambda text: Item(Kind.PHONE, text)),
    st.integers(0, 109).map(lambda age: Item(Kind.AGE, f"{age}-year-old")),
    st.sampled_from(("Ovid", "Pawnee Rock", "118 Sycamore Lane, Franklin, TN 37064", "Mercy Clinic")).map(
        lambda text: Item(Kind.LOCATION, text)
    ),
    st.sampled_from(("411-16-8757", "091-04-1767")).map(lambda text: Item(Kind.SSN, text)),
    st.sampled_from(("10.20.30.40", "fe80::1ff:fe23:4567:890a")).map(lambda text: Item(Kind.IP, text)),
    st.sampled_from(("eleanor.whitfield@mail.example", "ewhitfield31@x.example")).map(
        lambda text: Item(Kind.EMAIL, text)
    ),
    st.just(Item(Kind.URL, "http://portal.example.com/p/8572335")),
)


@dataclass(frozen=True)
class Written:
    """A record, and what stands in its notes."""

    found: Found
    items: tuple[tuple[Item, ...], ...]


@st.composite
def records(draw: st.DrawFn, what: st.SearchStrategy[Item] = items) -> Written:
    notes, spans, all_items = [], [], []
    for number in range(draw(st.integers(1, 3))):
        chosen = draw(st.lists(what, min_size=0, max_size=7))
        text, found = draw(fillers), []
        for item in chosen:
            found.append(Span(len(text), len(text) + len(item.text), item.kind, item.label))
            text += item.text + draw(fillers)
        notes.append(Note(text, str(number)))
        spans.append(tuple(found))
        all_items.append(tuple(chosen))
    return Written(Found(Record(tuple(notes), "P"), tuple(spans)), tuple(all_items))


replacements = st.builds(
    lambda kind, policy: kind(policy=policy), st.sampled_from(EVERY), st.sampled_from(sorted(TEXT_POLICIES))
)


def pairs(written: Written, changes: tuple[tuple[Change, ...], ...]) -> list[tuple[Item, Change]]:
    listed = zip(written.items, changes, strict=True)
    return [pair for items, made in listed for pair in zip(items, made, strict=True)]


def test_every_replacement_is_registered_under_its_name() -> None:
    assert set(REPLACEMENTS.values()) == set(EVERY)
    assert sorted(REPLACEMENTS) == [
        "generalisation", "masks", "pseudonyms", "removal", "surrogates", "tags",
    ]  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(records(), replacements)
def test_text_outside_spans_is_unchanged(key: Secrets, written: Written, replacement: Replacement) -> None:
    changes = replacement.changes(written.found, key)
    for note, made, spans in zip(written.found.record.notes, changes, written.found.spans, strict=True):
        assert tuple(change.span for change in made) == spans
        between = outside(note.text, [(span.start, span.end) for span in spans])
        text, new = applied(note.text, made)
        assert text == put_together(between, [change.after for change in made])
        if all(change.after for change in made):
            assert outside(text, [(span.start, span.end) for span in new]) == between


@settings(max_examples=150, deadline=None)
@given(records(), replacements)
def test_nothing_of_what_was_replaced_survives_in_its_place(
    key: Secrets, written: Written, replacement: Replacement
) -> None:
    for item, change in pairs(written, replacement.changes(written.found, key)):
        if change.how == "kept":
            assert change.after == item.text
            assert item.kind is Kind.AGE
            assert int(item.text.split("-")[0]) < 90
        elif item.kind is Kind.NAME:
            assert words(change.after).isdisjoint(words(item.text) - {"dr"})
        elif item.kind is not Kind.AGE:
            assert change.after != item.text
        if item.kind in (Kind.ID, Kind.PHONE, Kind.SSN, Kind.LOCATION):
            assert not any(number in change.after for number in long_numbers(item.text))


@settings(max_examples=150, deadline=None)
@given(records(), st.sampled_from((Tags, Surrogates, Generalisation, Pseudonyms)))
def test_all_dates_of_a_person_move_by_one_offset(key: Secrets, written: Written, kind: type) -> None:
    replacement = kind(policy="shifted-dates")
    offset = replacement.offset(written.found.record, key)
    for item, change in pairs(written, replacement.changes(written.found, key)):
        if item.kind is Kind.DATE and change.how == "shifted":
            after = change.after.removeprefix("**DATE[").removesuffix("]")
            # May is both a whole name and a short one, and is written on as the whole.
            form = item.form.replace("%b", "%B") if "May" in item.text else item.form
            assert days_between(item.text, after, form) == offset


@settings(max_examples=100, deadline=None)
@given(records())
def test_a_key_gives_the_same_notes_every_time(key: Secrets, written: Written) -> None:
    for kind in EVERY:
        replacement = kind(policy="shifted-dates")
        assert replacement.changes(written.found, key) == replacement.changes(written.found, key)


@settings(max_examples=100, deadline=None)
@given(records(names.map(lambda text: Item(Kind.NAME, text))))
def test_equal_names_have_equal_surrogates_and_different_ones_different(
    key: Secrets, written: Written
) -> None:
    drawn: dict[str, set[str]] = {}
    for item, change in pairs(written, Surrogates().changes(written.found, key)):
        drawn.setdefault(item.text, set()).add(change.after)
    assert all(len(made) == 1 for made in drawn.values())
    families = {text: made for text, made in drawn.items() if text in FAMILY}
    assert len({next(iter(made)).lower() for made in families.values()}) == len(families)


@settings(max_examples=100, deadline=None)
@given(records(), st.sampled_from(sorted(TEXT_POLICIES)))
def test_tagging_twice_changes_nothing(key: Secrets, written: Written, policy: str) -> None:
    tags = Tags(policy=policy)
    once = [
        applied(note.text, made)
        for note, made in zip(
            written.found.record.notes, tags.changes(written.found, key), strict=True
        )
    ]  # fmt: skip
    tagged = [tuple(span for span in spans if "**" in span.of(text)) for text, spans in once]
    again = Found(Record(tuple(Note(text) for text, _ in once), "P"), tuple(tagged))
    for (text, _), made in zip(once, tags.changes(again, key), strict=True):
        assert applied(text, made)[0] == text


@pytest.mark.parametrize("kind", EVERY, ids=lambda kind: kind.name)
def test_an_empty_note_stays_empty(kind: type, key: Secrets) -> None:
    found = Found(Record((Note(""),), "P"), ((),))
    assert kind().changes(found, key) == ((),)


anything = st.text(
    st.sampled_from("abzABZéßđĐłñŋ中🙂\u0301\u0300 -'’.,_09½²٣/:#@*[]\n\t"), min_size=1, max_size=24
)
TITLES = {"dr", "drs", "mr", "mrs", "ms", "md", "rn", "np"}


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(sorted(Kind)), anything), max_size=5), replacements)
def test_nothing_crashes_and_names_and_numbers_go_whatever_stands_there(
    key: Secrets, said: list[tuple[Kind, str]], replacement: Replacement
) -> None:
    text, spans = "", []
    for kind, value in said:
        spans.append(Span(len(text) + 1, len(text) + 1 + len(value), kind))
        text += f"|{value}"
    [made] = replacement.changes(Found(Record.of(text + "|", person="P"), (tuple(spans),)), key)
    between = outside(text + "|", [(change.span.start, change.span.end) for change in made])
    assert applied(text + "|", made)[0] == put_together(between, [change.after for change in made])
    for span in spans:
        # Of what a policy keeps by its label, the words that are something else are changes of their own.
        inside = [change for change in made if change.span.overlaps(span)]
        assert inside
        assert all(span.start <= one.span.start and one.span.end <= span.end for one in inside)
        assert len(inside) == 1 or span.kind in (Kind.AGE, Kind.PROFESSION, Kind.SEX)
    for change in made:
        kind, value = change.span.kind, change.span.of(text)
        if kind is Kind.NAME:
            # A tag numbers names by one letter three times, which may be a name by chance.
            numbers = {word for word in words(value) if word == 3 * word[0]}
            assert words(change.after).isdisjoint(words(value) - TITLES - {"name"} - numbers)
        if kind in (Kind.LOCATION, Kind.PHONE, Kind.SSN, Kind.ID) and change.how != "kept":
            long = {word for word in words(value) if len(word) > 3}
            assert long.isdisjoint(words(change.after))
        if kind in (Kind.ID, Kind.SSN, Kind.PHONE, Kind.EMAIL, Kind.URL, Kind.IP) and value.isalnum():
            assert change.after != value


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(("Do", "Md", "Don", "Pa", "Al", "Le", "Van", "Sr", "Li", "San", "Mac", "Ng", "IV", "St")),
    names,
)
def test_short_names_that_look_like_something_else_do_not_survive(
    key: Secrets, short: str, other: str
) -> None:
    for written in (
        short,
        short.upper(),
        f"{short}, {other.split(',')[0]}",
        f"{other}, {short}",
        f"{other} {short}",
    ):
        found = Found(Record.of(written, person="P"), ((Span(0, len(written), Kind.NAME),),))
        for kind in (Surrogates, Tags, Pseudonyms, Masks):
            [[change]] = kind().changes(found, key)
            assert short.lower() not in re.findall(r"[^\W_]+", change.after.lower())
