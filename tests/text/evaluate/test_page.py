"""The page about an evaluation: whole, self-contained, and readable without colour."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.report.text_evaluation import evaluation_page
from sfumato.text.annotation import Annotated
from sfumato.text.evaluate import evaluate, over_redaction
from sfumato.text.kinds import Kind
from sfumato.text.risk import residual_risk
from sfumato.text.span import Span
from tests.oracles.html_document import read

NOTE = Annotated("Foley placed by Ada Lovelace", (Span(16, 28, Kind.NAME, "doctor"),), id="7", template="t")
FOUND = [Span(0, 5, Kind.NAME, detector="names"), Span(16, 19, Kind.LOCATION)]


def test_found_missed_and_too_much_are_told_by_words_and_by_elements() -> None:
    page = evaluation_page([NOTE], [FOUND])
    assert '<mark class="missed">Lovelace<span class="tag">✗ missed NAME</span></mark>' in page
    assert '<mark class="excess">Foley<span class="tag">+ too much NAME</span></mark>' in page
    assert '<mark class="found">Ada<span class="tag">✓ NAME as LOCATION</span></mark>' in page
    assert "1 note of 1 still holds an identifying token" in page


def test_the_page_says_whose_it_is_and_needs_no_network() -> None:
    page = evaluation_page([NOTE], [FOUND])
    assert "keep it in the house" in page
    assert "default-src &#x27;none&#x27;" in page
    for foreign in ("http://", "https://", "<script", "url("):
        assert foreign not in page


def test_all_sections_are_there_when_all_is_given() -> None:
    other = Annotated("all well", (), template="u")
    outcome = evaluate([NOTE, other], [FOUND, ()])
    page = evaluation_page(
        [NOTE, other],
        [FOUND, ()],
        over=over_redaction([other.text], [[Span(0, 3, Kind.NAME)]]),
        residual=residual_risk(outcome, 500),
    )
    for key in (
        "answer",
        "certainty",
        "kinds",
        "templates",
        "confusion",
        "over-redaction",
        "notes",
        "reading",
    ):
        assert f'id="{key}"' in page
    assert "In 500 released notes" in page


def test_notes_that_leak_come_first_and_the_rest_is_counted() -> None:
    fine = [Annotated("nothing here", (), id=f"fine {number}") for number in range(5)]
    page = evaluation_page([*fine, NOTE], [*([()] * 5), FOUND], most_notes=2)
    assert page.index("<summary>7: ") < page.index("<summary>fine 0: ")
    assert "4 more notes not shown" in page


def test_a_long_note_is_cut_and_says_so() -> None:
    long = Annotated("well " * 10_000 + "Ada", (Span(50_000, 50_003, Kind.NAME),))
    assert "30,003 more characters not shown" in evaluation_page([long], [()])


def test_nothing_annotated_is_not_a_success() -> None:
    assert "Nothing identifying was annotated" in evaluation_page([Annotated("all well", ())], [()])


@given(st.text(min_size=1, max_size=30), st.data())
@settings(max_examples=40, deadline=None)
def test_whatever_a_note_holds_it_changes_no_element(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    hostile = Annotated(text, (Span(start, len(text), Kind.NAME, text),), id=text, template=text)
    page = evaluation_page([hostile], [()])
    document = read(page)
    assert not [node for node in document.walk() if node.tag in ("script", "img", "iframe", "a")]
