"""Texts from outside, column names above all, can hold anything and change nothing but themselves."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.evidence import AttributeLoss, SearchEvidence
from sfumato.report import render
from sfumato.report.markup import clean, element, text
from tests.oracles.html_document import Node, read
from tests.report.examples import column, public_fields, steward, steward_only, verdict

NASTY = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</title></style></svg><script>",
    "<!-- ",
    "]]>",
    "&lt;b&gt;",
    "\x00\x1b[31m",
    "\ud800",
    "\u202egnp.exe",
    "{{7*7}}",
    "a\nb",
    "",
    " ",
    "日本語 نص עברית 🧬",
]
anything = st.one_of(st.sampled_from(NASTY), st.text(alphabet=st.characters(), max_size=30))


def shape(node: Node) -> list[tuple[str, tuple[str, ...]]]:
    """Return the elements in order, each with the names of its attributes."""
    return [(one.tag, tuple(sorted(one.attributes))) for one in node.walk()]


def told(word: str) -> str:
    """Render evidence in which every text from outside is this word."""
    names = [f"{word}{i}" for i in range(3)]
    told = verdict().model_copy(
        update={
            "model": word,
            "required": word,
            "achieved": word,
            "basis": word,
            "note": f"{word}!",
            "parameters": {word: word},
            "protects_from": [word],
            "does_not_protect_from": [word],
        }
    )
    columns = [
        column(names[0], treatment=word, type=word, example_path=[word, word]),
        column(names[1], role="sensitive"),
        column(names[2], role="insensitive"),
    ]
    fields = public_fields(
        title=word,
        created=word,
        software={word: word},
        recipe={word: {word: [word]}},
        columns=columns,
        verdicts=[told, verdict()],
        people=word,
        missing=word,
        order=word,
        method=word,
        suppressed_policy=f"drop {word}",
        warnings=[word],
    )
    fields["data"] = fields["data"].model_copy(update={"file": word, "sha256": f"0{word}"})
    own = steward_only()
    own["input"] = own["input"].model_copy(update={"fingerprint": word, "key": word})
    own["utility"] = [
        one.model_copy(update={"name": word, "title": word, "range": word, "meaning": word})
        for one in own["utility"]
    ]
    own["attribute_loss"] = [AttributeLoss(name=name, loss=0.5) for name in names]
    own["search"] = SearchEvidence(
        score=1.0, bound=None, optimal=False, levels={names[0]: 1}, details={word: word}
    )
    own["seconds"] = {word: 1.0}
    return render(steward(**fields, **own))


@settings(deadline=None)
@given(word=anything)
def test_no_text_changes_the_shape_of_the_document(word: str) -> None:
    assert shape(read(told(word))) == shape(read(told("plain")))


@settings(deadline=None)
@given(word=anything)
def test_every_document_can_be_written_as_utf_8(word: str) -> None:
    assert b"\x00" not in told(word).encode("utf-8")


@pytest.mark.parametrize("word", [word for word in NASTY if word.strip()])
def test_a_strange_name_is_shown_as_it_is(word: str) -> None:
    cells = [name.text for name in read(told(word)).section("changes").all("bdi", "name")]
    assert cells == [clean(f"{word}{i}") for i in range(3)]


def test_a_column_without_a_name_is_called_so() -> None:
    evidence = steward(columns=[column(""), column("   ")])
    assert [name.text for name in read(render(evidence)).section("changes").all("bdi", "name")] == [
        "(no name)",
        "(no name)",
    ]


@settings(deadline=None)
@given(word=st.text(alphabet=st.characters()))
def test_escaped_text_reads_back_as_the_cleaned_text(word: str) -> None:
    body = read(f"{element('p', word, data_x=word)}").all("p")[0]
    # A reader of HTML turns a carriage return into a newline; clean() has none left.
    assert body.text == clean(word)
    assert body.attributes["data-x"] == clean(word)


@settings(deadline=None)
@given(word=st.text(alphabet=st.characters()))
def test_escaping_leaves_no_character_that_means_something_to_html(word: str) -> None:
    assert not set(text(word)) & set("<>\"'")
