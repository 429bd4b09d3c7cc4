"""The page of ``sfumato risk --codes``: the charts of a case study on diagnosis codes, for any data set.

G. Loukides, J. C. Denny & B. Malin, "The disclosure of diagnosis codes can breach research participants'
privacy" (JAMIA, 2010): how many people are unique by what is known of their codes, by a visit or by the
whole history, with five digits and with three.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path

from sfumato.core.evidence import RiskFigure
from sfumato.core.evidence_codes_risk import CodesRiskEvidence, KnownCodes
from sfumato.core.verdict import Threat
from sfumato.report.markup import Child, Markup, element, facts, table, together
from sfumato.report.plots import Series, figure, lying_bars, standing_bars
from sfumato.report.risk import head_of, shown, write_page
from sfumato.report.sections import section
from sfumato.report.words import capital, count, moment, number, percent

_HISTORY = {
    "visit-unique": "codes of one visit",
    "held-set-unique": "codes of a history",
    "unique-set": "exactly a history",
}
"""what somebody may have seen of a person, from a summary to everything"""


def render_codes_risk(evidence: CodesRiskEvidence, *, title: str, created: str) -> str:
    """Return the page about the risk of sets of codes as one HTML document: no script, no network."""
    header = element(
        "header",
        element(
            "p",
            "Sfumato · risk of sets of codes",
            element("span", "Steward’s edition: keep it in the house", class_="edition"),
            class_="over",
        ),
        element("h1", title),
        element(
            "p",
            f"{count(evidence.records, 'person', 'people')} · {count(evidence.codes, 'different code')} · ",
            element("time", moment(created), datetime=created),
            class_="under",
        ),
    )
    main = element(
        "main",
        _answer(evidence),
        _key_figures(evidence),
        _known(evidence),
        _histories(evidence),
        _coarser(evidence),
        _sensitive(evidence),
        _all_figures(evidence),
        _reading(evidence),
    )
    footer = element(
        "footer",
        element("p", "Made by Sfumato from the raw data. Codes themselves are not on this page."),
    )
    body = element("body", header, main, footer)
    return f"<!DOCTYPE html>\n{element('html', head_of(title), body, lang='en')}\n"


def write_codes_risk(evidence: CodesRiskEvidence, path: Path, *, title: str, created: str) -> None:
    """Write the page about the risk of sets of codes to a file."""
    write_page(render_codes_risk(evidence, title=title, created=created), path)


def _value(evidence: CodesRiskEvidence, name: str) -> float | None:
    return next((one.value for one in evidence.figures if one.name == name), None)


def _where(evidence: CodesRiskEvidence) -> str:
    return "in the file" if evidence.searched == "file" else "in the list of the population"


def _answer(evidence: CodesRiskEvidence) -> Markup:
    alone = _value(evidence, "unique-set")
    last = evidence.steps[-1]
    known = count(last.known, "code")
    title = (
        "Whole sets of codes could not be compared"
        if alone is None
        else "Nobody is unique by all of their codes"
        if not alone
        else f"{percent(alone)} of the people are unique by all of their codes"
    )
    worst = (
        f"Whoever knows {known} of a person, the most telling ones, singles out "
        if last.worst_unique is not None
        else f"Who could be singled out by the most telling {known} is not known. "
    )
    return element(
        "section",
        element("h2", title, id="answer"),
        element(
            "p",
            worst,
            [element("strong", percent(last.worst_unique)), f" of the people {_where(evidence)}. "]
            if last.worst_unique is not None
            else None,
            [f"With {known} at random the chance is ", element("strong", percent(last.random_unique)), "."]
            if last.random_unique is not None
            else None,
        ),
        class_="answer bad" if alone or last.worst_unique else "answer open",
        aria_labelledby="answer",
    )


def _key_figures(evidence: CodesRiskEvidence) -> Markup:
    mean = evidence.occurrences / max(evidence.records, 1)
    pairs: list[tuple[str, Child]] = [
        ("codes of a person in the mean", number(round(mean, 1))),
        (f"have a set that fewer than {evidence.k} have", percent(_value(evidence, "set-below-k"))),
        ("people without a code", number(evidence.empty)),
    ]
    if evidence.visits is not None:
        pairs.append(("visits", number(evidence.visits)))
    return facts(pairs, class_="figures")


def _known(evidence: CodesRiskEvidence) -> Markup:
    few = f"fewer than {evidence.k}"
    return section(
        "known",
        "How much does knowing a few codes tell?",
        element(
            "p",
            f"Shares of people whom somebody finds {_where(evidence)}: at worst, by the most telling codes "
            "that a person has, and by codes drawn at random from people who have at least so many.",
        ),
        _chart("known-unique", "Unique by known codes", evidence.steps, _unique, "codes that somebody knows"),
        _chart(
            "known-few", f"One of {few} by known codes", evidence.steps, _below, "codes that somebody knows"
        ),
        _alone(evidence),
    )


Picked = Callable[[KnownCodes], tuple[float | None, float | None]]


def _unique(step: KnownCodes) -> tuple[float | None, float | None]:
    return step.worst_unique, step.random_unique


def _below(step: KnownCodes) -> tuple[float | None, float | None]:
    return step.worst_below, step.random_below


def _chart(key: str, title: str, steps: Sequence[KnownCodes], pick: Picked, axis: str) -> Markup:
    """Draw two bars for every number of known codes; what was not measured is not drawn, and said."""
    found = [pick(step) for step in steps]
    series = [
        Series("the worst codes", [_drawn(worst) for worst, _ in found], "before"),
        Series("random codes", [_drawn(drawn) for _, drawn in found], "after"),
    ]
    rows = [
        (number(step.known), percent(worst), percent(drawn))
        for step, (worst, drawn) in zip(steps, found, strict=True)
    ]
    spoken = "; ".join(f"{known} known: worst {worst}, random {drawn}" for known, worst, drawn in rows)
    return figure(
        standing_bars(key, title, spoken, [row[0] for row in rows], series, axis=axis),
        f"{title} (% of people)",
        series,
        table(title, ("Codes known", "Worst", "Random"), rows, numbers=range(3)),
    )


def _drawn(share: float | None) -> float:
    return math.nan if share is None else share


def _alone(evidence: CodesRiskEvidence) -> Markup | None:
    alone = evidence.alone
    if alone is None:
        return element("p", "How many codes each person needs to be unique was too much to look at.")
    rows = [
        (count(size, "code"), number(people), percent(people / evidence.people))
        for size, people in enumerate(alone.by_size, 1)
    ]
    rows += [
        ("more codes", number(alone.more), percent(alone.more / evidence.people)),
        ("not even by all", number(alone.never), percent(alone.never / evidence.people)),
    ]
    title = "How many codes suffice to single a person out"
    return table(title, ("By", "People", "Share"), rows, numbers=[1, 2])


def _histories(evidence: CodesRiskEvidence) -> Markup:
    """Compare what a discharge summary tells with what the whole history does, and both at three digits."""
    names = [name for name in _HISTORY if _value(evidence, name) is not None]
    coarse = {
        name: _value(evidence, f"coarser-1-{name}")
        for name in names
        if _value(evidence, f"coarser-1-{name}") is not None
    }
    series = [Series("codes as they are", [_drawn(_value(evidence, name)) for name in names], "before")]
    if coarse:
        series.append(Series(evidence.coarser[0].name, [_drawn(coarse.get(name)) for name in names], "after"))
    title = "Unique by a visit, and by the history"
    labels = [_HISTORY[name] for name in names]
    rows = [
        (_HISTORY[name], percent(_value(evidence, name)), *([percent(coarse.get(name))] if coarse else []))
        for name in names
    ]
    spoken = "; ".join(", ".join(row) for row in rows)
    header = ["What is known", "Codes as they are", *([capital(evidence.coarser[0].name)] if coarse else [])]
    return section(
        "histories",
        "By a visit, and by the whole history",
        element(
            "p",
            "A discharge summary tells the codes of one visit",
            "" if evidence.visits is not None else " (no column was named that says what a visit is)",
            "; the history is everything that a person has. Somebody may hold these codes among others, or "
            "exactly these.",
        ),
        figure(
            lying_bars("histories-bars", title, spoken, labels, series),
            title,
            series,
            table(title, header, rows, numbers=range(1, len(header))),
        )
        if names
        else element("p", "Nobody on the list has all codes of anybody of the file."),
    )


def _coarser(evidence: CodesRiskEvidence) -> list[Markup]:
    found = []
    for place, coarse in enumerate(evidence.coarser):
        rest = (
            "Whole sets could not be compared."
            if coarse.unique is None
            else f"By the whole set, {percent(coarse.unique)} of the people are unique then."
        )
        found.append(
            section(
                f"coarser-{place}",
                f"Does it help to say less: {coarse.name}?",
                element(
                    "p",
                    f"Cut down, {number(evidence.codes)} different codes become {number(coarse.codes)}. ",
                    rest,
                ),
                _chart(
                    f"coarser-{place}-unique",
                    f"Unique by known codes, {coarse.name}",
                    coarse.steps,
                    _unique,
                    "codes that somebody knows",
                ),
            )
        )
    return found


def _sensitive(evidence: CodesRiskEvidence) -> Markup:
    rows = _rows([one for one in evidence.figures if one.threat == Threat.ATTRIBUTE])
    title = "Can a sensitive code be told?"
    if not rows:
        return section("attribute", title, element("p", "Not measured: no code was named as sensitive."))
    return section("attribute", title, _table("Sensitive codes that follow from public ones", rows))


def _all_figures(evidence: CodesRiskEvidence) -> Markup:
    rows = _rows([one for one in evidence.figures if one.threat == Threat.IDENTITY])
    listed = _table("Can a person’s record be found?", rows)
    return section("identity", "All figures", listed)


def _rows(figures: Sequence[RiskFigure]) -> list[tuple[Markup, str, str]]:
    return [
        (
            together(capital(one.title), element("span", one.said, class_="under") if one.said else None),
            shown(one),
            one.meaning,
        )
        for one in figures
    ]


def _table(caption: str, rows: Sequence[Sequence[Child]]) -> Markup:
    return table(caption, ("Measure", "Value", "Meaning"), rows, numbers=[1])


def _reading(evidence: CodesRiskEvidence) -> Markup:
    said = [element("li", capital(sentence), ".") for sentence in evidence.said]
    return section(
        "reading",
        "How to read this",
        element(
            "p",
            "At worst means: some codes of the person single them out, and somebody happens to know these. "
            "Knowing more codes never lowers a risk. What could not be computed is called not known: that is "
            "no sign of safety.",
        ),
        element("ul", said) if said else None,
    )
