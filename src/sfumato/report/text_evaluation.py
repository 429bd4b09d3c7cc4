"""The page about an evaluation of a finder of identifiers: figures, kinds, confusion, notes highlighted.

It shows notes with what was missed in them. It is the steward's, and says so; what may be released are the
numbers of ``Evaluation.public``.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from importlib.resources import files

from sfumato.report.markup import Child, Markup, element, facts, table
from sfumato.report.plots import Series, figure, lying_bars
from sfumato.report.sections import section
from sfumato.report.text_notes import highlighted
from sfumato.report.words import count, number, percent, shorten
from sfumato.text.annotation import Annotated
from sfumato.text.evaluate import (
    EVERYTHING,
    HIPAA,
    Evaluation,
    Example,
    OverRedaction,
    Scope,
    Share,
    compare,
    evaluate,
    examples,
)
from sfumato.text.evaluate.evaluation import NOTHING
from sfumato.text.risk import ResidualRisk
from sfumato.text.span import Span

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_SCOPES = {
    HIPAA.name: "Counted as under HIPAA Safe Harbor: ages up to 89, states, countries, times of day, "
    "professions and sex identify nobody.",
    EVERYTHING.name: "Whatever was annotated is counted.",
}


def evaluation_page(
    notes: Sequence[Annotated],
    found: Sequence[Iterable[Span]],
    *,
    scope: Scope = HIPAA,
    title: str = "Finding identifiers in notes",
    over: OverRedaction | None = None,
    residual: ResidualRisk | None = None,
    most_notes: int = 50,
) -> str:
    """Return the page as one HTML document without script or network. Notes that leak are shown first."""
    spans = [tuple(one) for one in found]
    outcome = evaluate(notes, spans, scope)
    compared = [compare(note, one, scope) for note, one in zip(notes, spans, strict=True)]
    body = element(
        "body",
        _header(title, outcome),
        element(
            "main",
            _answer(outcome),
            _figures(outcome),
            _risk(outcome, residual),
            _kinds(outcome),
            _templates(outcome),
            _confusion(outcome, examples(notes, spans, scope)),
            _over(over),
            highlighted(notes, compared, most_notes),
            _reading(outcome),
        ),
    )
    return f"<!DOCTYPE html>\n{element('html', _head(title), body, lang='en')}\n"


def _head(title: str) -> Markup:
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        element("meta", name="robots", content="noindex"),
        element("title", title, " · evaluation"),
        element("style", _style()),
    )


@functools.cache
def _style() -> Markup:
    folder = files("sfumato.report")
    return Markup(
        "".join((folder / name).read_text(encoding="utf-8") for name in ("style.css", "text_evaluation.css"))
    )


def _header(title: str, outcome: Evaluation) -> Markup:
    edition = "Steward’s edition: it shows notes, keep it in the house"
    return element(
        "header",
        element(
            "p",
            "Sfumato · evaluation on annotated notes",
            element("span", edition, class_="edition"),
            class_="over",
        ),
        element("h1", title),
        element(
            "p",
            f"{count(outcome.notes, 'note')} · {count(outcome.tokens.gold, 'identifying token')} of "
            f"{number(outcome.words)}",
            class_="under",
        ),
    )


def _answer(outcome: Evaluation) -> Markup:
    if outcome.recall.value is None:
        mood, heading = "answer open", "Nothing identifying was annotated"
    elif outcome.leak_free == outcome.notes:
        mood, heading = "answer", "No identifying token was missed in these notes"
    else:
        leaking = outcome.notes - outcome.leak_free
        mood = "answer bad"
        verb = "holds" if leaking == 1 else "hold"
        heading = f"{count(leaking, 'note')} of {number(outcome.notes)} still {verb} an identifying token"
    return element(
        "section",
        element("h2", heading, id="answer"),
        element("p", outcome.sentence()),
        element("p", _SCOPES.get(outcome.scope, f"Counted under the policy “{outcome.scope}”.")),
        class_=mood,
        aria_labelledby="answer",
    )


def _figures(outcome: Evaluation) -> Markup:
    return facts(
        [
            ("notes without a leak", percent(outcome.leak_free_share.value)),
            ("identifying tokens found (recall)", percent(outcome.recall.value)),
            ("found tokens that identify (precision)", percent(outcome.precision.value)),
            ("F1 of tokens", _figure(outcome.tokens.f1)),
            ("F1 of spans, ends and kind right", _figure(outcome.spans.typed_f1)),
            ("spans of which no token stays", percent(outcome.spans.covered_recall)),
        ],
        class_="figures",
    )


def _risk(outcome: Evaluation, residual: ResidualRisk | None) -> Markup:
    rows = [
        ("Notes without a leak", *_interval(outcome.leak_free_share)),
        ("Identifying tokens found", *_interval(outcome.recall)),
        ("Found tokens that identify", *_interval(outcome.precision)),
    ]
    return section(
        "certainty",
        "How certain these figures are",
        table(
            f"Shares with intervals of {percent(outcome.recall.confidence)} confidence; tokens of a note are "
            "taken to stand and fall together as far as they do here",
            ["", "Share", "From", "To", "At least"],
            rows,
            numbers=range(1, 5),
        ),
        None if residual is None else element("p", str(residual)),
    )


def _interval(share: Share) -> tuple[str, str, str, str]:
    ends = (share.low, share.high, share.at_least) if share.value is not None else (None, None, None)
    one, two, three = (percent(end) for end in ends)
    return percent(share.value), one, two, three


def _kinds(outcome: Evaluation) -> Markup:
    kinds = {kind: one for kind, one in outcome.by_kind.items() if one.tokens.gold}
    recall = Series("found", [one.tokens.recall or 0.0 for one in kinds.values()])
    precision = Series(
        "precision",
        [float("nan") if one.tokens.precision is None else one.tokens.precision for one in kinds.values()],
        "before",
    )
    rows = [
        (
            kind,
            number(one.tokens.gold),
            percent(one.tokens.recall),
            percent(one.tokens.typed_recall),
            percent(one.tokens.precision),
            percent(one.spans.covered_recall),
            number(one.notes - one.leak_free),
        )
        for kind, one in outcome.by_kind.items()
    ]
    head = ["Kind", "Tokens", "Found", "As this kind", "Precision", "Spans covered", "Notes leaking"]
    numbers = table("Tokens and spans by kind", head, rows, numbers=range(1, 7))
    plot = lying_bars(
        "kinds",
        "Recall and precision by kind",
        "For each kind of identifier the share of its tokens that were found, and the share of what was "
        "found as this kind that identifies.",
        list(kinds),
        [recall, precision],
    )
    labels = [
        (label, number(one.tokens.gold), percent(one.tokens.recall), number(one.notes - one.leak_free))
        for label, one in outcome.by_label.items()
    ]
    return section(
        "kinds",
        "By kind of identifier",
        figure(plot, "Share of tokens found, and precision", [recall, precision], numbers),
        element(
            "details",
            element("summary", "By label of the annotators"),
            table(
                "Tokens by label", ["Label", "Tokens", "Found", "Notes leaking"], labels, numbers=range(1, 4)
            ),
        ),
    )


def _templates(outcome: Evaluation) -> Markup | None:
    if len(outcome.by_template) < 2:
        return None
    ranked = sorted(outcome.by_template.items(), key=lambda item: item[1].leak_free / item[1].notes)
    rows = [
        (
            shorten(name or "(none)", 60),
            number(one.notes),
            percent(one.leak_free / one.notes),
            percent(one.tokens.recall),
            percent(one.tokens.precision),
        )
        for name, one in ranked
    ]
    failing = outcome.failing()
    said = (
        f"Of {len(failing)} of {count(len(rows), 'template')} fewer than nine in ten notes are free of leaks."
        if failing
        else "Of every template at least nine in ten notes are free of leaks."
    )
    head = ["Template", "Notes", "Without a leak", "Recall", "Precision"]
    return section(
        "templates",
        "By template",
        element("p", said),
        table("The worst first", head, rows, numbers=range(1, 5)),
    )


def _confusion(outcome: Evaluation, shown: Sequence[Example]) -> Markup:
    golds = [*sorted({gold for gold, _ in outcome.confusion} - {NOTHING}), NOTHING]
    hits = [*sorted({hit for _, hit in outcome.confusion} - {NOTHING}), NOTHING]
    rows: list[Sequence[Child]] = [
        (
            "not annotated" if gold == NOTHING else gold,
            *(
                number(outcome.confusion[gold, hit]) if (gold, hit) in outcome.confusion else ""
                for hit in hits
            ),
        )
        for gold in golds
    ]
    head = ["Annotated as", *("not found" if hit == NOTHING else hit for hit in hits)]
    listed = [
        (
            "not annotated" if one.gold == NOTHING else one.gold,
            "not found" if one.found == NOTHING else one.found,
            element("span", one.before, element("strong", one.held), one.after, class_="held"),
            shorten(one.note, 40),
            one.detector or NOTHING,
        )
        for one in shown
    ]
    return section(
        "confusion",
        "What was taken for what",
        table(
            "Tokens by what they are (rows) and were found as (columns)",
            head,
            rows,
            numbers=range(1, len(head)),
        ),
        element(
            "details",
            element("summary", f"{count(len(listed), 'example')}, those that leak first"),
            table("Examples", ["Annotated as", "Found as", "Text", "Note", "Detector"], listed),
        )
        if listed
        else None,
    )


def _over(over: OverRedaction | None) -> Markup | None:
    if over is None:
        return None
    rows = [(shorten(held, 40), kind, number(times)) for kind, held, times in over.shapes]
    return section(
        "over-redaction",
        "What is lost of notes without annotations",
        element(
            "p",
            f"{number(over.found)} of {count(over.tokens, 'token')} in {count(over.notes, 'note')} would be "
            f"taken away ({percent(over.share.value)}). X and x stand for letters, d for digits.",
        ),
        table("The most frequent shapes", ["Shape", "Found as", "Times"], rows, numbers=[2])
        if rows
        else None,
    )


def _reading(outcome: Evaluation) -> Markup:
    said = (
        "A token is a word or number. It counts as found when all of its annotated characters are covered, "
        "as whatever kind; as too much when none of it was annotated.",
        "A note is without a leak when none of its identifying tokens stays.",
        "The figures hold for notes like these. Notes of another ward, another hospital or another year "
        "differ: evaluate on notes of your own.",
        "Annotators miss things, too: what is counted as too much may be a name that nobody marked.",
    )
    return section(
        "reading", "How to read this", element("ul", [element("li", sentence) for sentence in said])
    )


def _figure(value: float | None) -> str:
    return "not known" if value is None else f"{value:.3f}"
