"""Look-alikes: the finder and the checker of a release read the same text, and no digit stops a search."""

from __future__ import annotations

import ast
import unicodedata
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato
import sfumato as sf
from sfumato.text.finders import finder_of
from sfumato.text.kinds import Kind
from sfumato.text.look_alikes import plain
from sfumato.text.models import DetectedIdentifiersRemoved, KnownIdentifiersRemoved
from sfumato.text.models.contract import Handled
from sfumato.text.models.detected_identifiers import found_by_rules
from sfumato.text.note import Known, Note, Record
from sfumato.text.span import LIKELY

VALUES = {
    "en": (
        "call 615-555-0199 now", "SSN: 411-16-8757 on file", "write to ada@example.org today",
        "see www.example.org/x today", "from 192.168.1.44 today", "MRN: 4471-8829 today",
        "on 01/17/2003 seen", "a 93-year-old man", "Franklin, TN 37064 today",
    ),
    "es": ("Tel. 918-038-014 hoy", "DNI: 12345678-Z hoy", "correo: ada@example.org", "el 17/01/2003 visto"),
}  # fmt: skip
ZEROS = [
    code for code in range(0x80, 0x20000) if chr(code).isdecimal() and not unicodedata.decimal(chr(code))
]
"""zero in every script that has digits of its own"""
DIGITS = "".join(
    chr(code) for code in range(0x80, 0x20000) if chr(code).isdigit() and not chr(code).isdecimal()
)
"""what Python calls a digit and cannot read as a number: superscripts, circled numbers"""


def _digits(zero: int) -> Callable[[str], str]:
    return lambda text: "".join(chr(zero + int(one)) if one in "0123456789" else one for one in text)


def _instead(of: str, by: str) -> Callable[[str], str]:
    return lambda text: text.replace(of, by)


def _wide(text: str) -> str:
    return "".join(chr(ord(one) + 0xFEE0) if "!" <= one <= "~" else one for one in text)


WIDTHLESS = "\u00ad\u034f\u200b\u200c\u200d\u200e\u202c\u2060\u2063\ufe0f\ufeff"
"""nobody sees them"""
FORMS = {
    **{f"digits {zero:x}": _digits(zero) for zero in ZEROS},
    **{
        f"hyphen {ord(one):x}": _instead("-", one)
        for one in "\u2010\u2011\u2012\u2013\u2043\u2212\ufe63\uff0d"
    },
    **{
        f"space {ord(one):x}": _instead(" ", one)
        for one in "\u00a0\u2000\u2002\u2003\u2007\u2009\u200a\u202f\u205f\u3000"
    },
    **{f"slash {ord(one):x}": _instead("/", one) for one in "\u2044\u2215\uff0f"},
    "full width": _wide,
}


@pytest.mark.parametrize("language", VALUES)
def test_the_checker_finds_what_the_finder_finds_whatever_it_is_written_with(language: str) -> None:
    finder = finder_of(language, "none", LIKELY)
    differences: Counter[str] = Counter()
    for text in VALUES[language]:
        usual = _places(finder.find(Record.of(text)).spans[0])
        assert usual
        for name, form in FORMS.items():
            written = form(text)
            found = _places(finder.find(Record.of(written)).spans[0])
            checked = _places(found_by_rules(written, language, LIKELY))
            differences[f"{name}: {text}"] += (found != checked) + (found != usual)
    assert not +differences


@pytest.mark.parametrize("language", VALUES)
@pytest.mark.parametrize("unseen", WIDTHLESS, ids=lambda one: f"{ord(one):x}")
def test_what_has_no_width_hides_nothing_from_the_finder_or_the_checker(language: str, unseen: str) -> None:
    finder = finder_of(language, "none", LIKELY)
    for text in VALUES[language]:
        usual = [(span.kind, span.of(text)) for span in finder.find(Record.of(text)).spans[0]]
        inside = [text[:at] + unseen + text[at:] for at in range(1, len(text))]
        for written in (*inside, unseen.join(text), (unseen * 2).join(text)):
            for spans in (
                finder.find(Record.of(written)).spans[0],
                found_by_rules(written, language, LIKELY),
            ):
                read = [(span.kind, span.of(written).replace(unseen, "")) for span in spans]
                assert read == usual, ascii(written)


@pytest.mark.parametrize("language", VALUES)
def test_nothing_of_a_number_with_unseen_characters_in_it_is_released(language: str) -> None:
    for text in ("6\u200b1\u200b2\ufeff3\u200b4\u200b5\u200b6\u200b7\u200b8", "612\u00ad345\u2060678"):
        released = str(sf.scrub(f"Tel. {text}.", language=language))
        assert not any(one in released for one in "12345678")
    assert "9" not in str(sf.scrub("Age: 9\u200b3 / Edad: 9\u200b3", language=language)).replace(
        "over 89", ""
    )
    young = {"en": "a 4\u200b5-year-old man", "es": "varón de 4\u200b5 años"}[language]
    assert sf.scrub(young, language=language) == young


def _places(spans) -> list[tuple[int, int, Kind]]:  # type: ignore[no-untyped-def]
    return [(span.start, span.end, span.kind) for span in spans]


@pytest.mark.parametrize(
    "text",
    [
        "call ６１５-５５５-０１９９",
        "call 615\u2011555\u20110199",
        "call ٦١٥-٥٥٥-٠١٩٩",
        "call 6\u200b15-55\u00ad5-\ufeff0199",
    ],
)
def test_a_number_in_look_alikes_that_was_left_breaks_the_promise(text: str) -> None:
    promise = DetectedIdentifiersRemoved()
    verdict = promise.verdict(promise.counted(Handled(Record.of(text), (text,), ((),))))
    assert not verdict.holds


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        ("615-555-0199", Kind.PHONE, "call ٦١٥-٥٥٥-٠١٩٩ now"),
        ("Nuñez", Kind.NAME, "Ms Nu&ntilde;ez is well"),
        ("Whitfield", Kind.NAME, "Ms Whit\u00adfield is well"),
        ("411168757", Kind.SSN, "on file: 411\u201116\u20118757"),
        ("4471882", Kind.ID, "on file: 44\u200b71\u200b882"),
    ],
)
def test_a_known_value_in_look_alikes_breaks_the_promise(value: str, kind: Kind, text: str) -> None:
    promise = KnownIdentifiersRemoved()
    record = Record((Note(text),), "1", (Known(kind, value),))
    assert not promise.verdict(promise.counted(Handled(record, (text,), ((),)))).holds


@given(st.text(st.sampled_from("a1–—-\u2011 \u00ad/&ntilde;٣²"), max_size=40))
def test_reading_look_alikes_keeps_every_character_in_its_place(text: str) -> None:
    assert len(plain(text)) == len(text)
    assert plain(plain(text)) == plain(text)


FINDERS = {code: finder_of(code) for code in ("en", "es")}
AROUND = (
    "Pt aged {} , seen", "BP {}/{} today", "Na 139 mmol/L  {}-{}", "strength {}/{} in both arms",
    "Edad: {} años", "peaked at {}", "up to {}", "on {}/{}/2003", "{} mg daily", "K 4.1 {}-{}, Na {}",
)  # fmt: skip


@given(st.text(st.sampled_from(DIGITS + "059"), min_size=1, max_size=4), st.sampled_from(AROUND))
def test_no_sort_of_digit_stops_a_search(digits: str, around: str) -> None:
    text = around.replace("{}", digits)
    for finder in FINDERS.values():
        finder.find(Record.of(text))


def test_a_number_of_any_length_can_be_searched() -> None:
    for text in ("9" * 5000, f"Na 139 mmol/L  {'1' * 5000}-145", f"aged {'4' * 5000}, seen"):
        sf.find_identifiers(text)


@pytest.mark.parametrize("no_text", [None, float("nan"), 5, b"x", ["x"]])
def test_what_is_no_text_is_refused_in_words(no_text: object) -> None:
    for asked in (sf.scrub, sf.find_identifiers):
        with pytest.raises(sf.BadInput, match="and no text"):
            asked(no_text)  # type: ignore[operator]


WATCHED = [
    *Path(sfumato.__file__).parent.joinpath("text").rglob("*.py"),
    *Path(sfumato.__file__).parent.joinpath("masking").rglob("*.py"),
    Path(sfumato.__file__).parent / "recipe" / "detectors.py",
]


def test_nothing_that_is_called_a_digit_is_read_as_a_number() -> None:
    """``"⁵⁰".isdigit()`` is true and ``int("⁵⁰")`` fails: who reads a number asks ``isdecimal``."""
    wrong = []
    for path in WATCHED:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef):
                continue
            called = {inside.attr for inside in ast.walk(node) if isinstance(inside, ast.Attribute)}
            reads = any(
                isinstance(inside, ast.Call)
                and isinstance(inside.func, ast.Name)
                and inside.func.id == "int"
                and "marks" not in ast.unparse(inside)
                for inside in ast.walk(node)
            )
            if reads and "isdigit" in called and "isdecimal" not in called:
                wrong.append(f"{path.name}: {node.name}")
    assert not wrong
