"""Risk in words and tables: the page of ``sfumato risk --report``, and parts of the steward's report."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from sfumato.core.evidence import RiskEvidence, RiskFigure, StewardEvidence
from sfumato.core.system import could_not
from sfumato.core.verdict import Threat
from sfumato.core.whole_file import write_whole
from sfumato.report.exposure import known_too
from sfumato.report.growth import Step, growth_figure
from sfumato.report.markup import Child, Markup, element, facts, table, together
from sfumato.report.plots import Series, figure, lying_bars
from sfumato.report.sections import section
from sfumato.report.words import (
    UNKNOWN,
    capital,
    chance,
    count,
    moment,
    name,
    names,
    number,
    percent,
    threat,
)
from sfumato.table.risk.illustrations import SAFE_HARBOR
from sfumato.table.risk.journalist import ITS_OWN_POPULATION

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_MOST_BARS = 12
_HEADINGS = {
    Threat.IDENTITY: "Identity: can a person’s record be found?",
    Threat.ATTRIBUTE: "Attribute: can a sensitive value be told?",
    Threat.MEMBERSHIP: "Membership: can it be told who is in the data?",
    Threat.INFERENCE: "Inference: what do the data say about anybody?",
}
_WAYS_TO_FIND = {
    "Somebody has a list of people and does not know who is in the data": (
        "journalist",
        "marketer",
        "lambda",
    ),
    "Estimated for the population": ("population", "individual", "household", "log-linear"),
    "Alone with few values": ("suda",),
}
"""captions, and how the names of their figures begin"""
_WITHOUT_A_LIST = (
    "No list of people was given. Somebody who has one and does not know who is in the data (a journalist, a "
    "marketer) succeeds at most as often as this."
)
_NOT_MEASURED = {
    Threat.ATTRIBUTE: "Not measured: no column was named as sensitive.",
    Threat.MEMBERSHIP: "Not measured: no list of the population was given.",
    Threat.INFERENCE: "Not measured: no column was named as sensitive.",
}
_READ_AS = {
    Threat.IDENTITY: "The prosecutor knows that a person is in the data; the journalist and the marketer "
    "have a list of people and do not know who is. The marketer wants many, the others one.",
    Threat.ATTRIBUTE: "Whoever knows the quasi-identifiers of a person guesses the most frequent value among "
    "those who look alike.",
    Threat.MEMBERSHIP: "Of the people of the population who look alike, the share who are in the data.",
    Threat.INFERENCE: "The same guess from everybody else’s records: a person who stays away is not spared "
    "it. Only what is above it is due to their own record.",
}


def head_of(title: str) -> Markup:
    """Return the head of a page about risk, with its style."""
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        element("meta", name="robots", content="noindex"),
        element("title", title, " · risk"),
        element("style", _style()),
    )


def render_risk(evidence: RiskEvidence, *, title: str, created: str) -> str:
    """Return the page about the risk of a table as one HTML document: no script, no network."""
    header = element(
        "header",
        element(
            "p",
            "Sfumato · risk of a table",
            element("span", "Steward’s edition: keep it in the house", class_="edition"),
            class_="over",
        ),
        element("h1", title),
        element(
            "p",
            f"{count(evidence.records, 'record')} · {count(evidence.persons, 'person', 'persons')} · ",
            element("time", moment(created), datetime=created),
            class_="under",
        ),
    )
    main = element(
        "main",
        _answer(evidence),
        _key_figures(evidence),
        [_of_kind(kind, evidence) for kind in Threat],
        which_identify(evidence),
        _reading(evidence),
    )
    footer = element(
        "footer",
        element(
            "p",
            "Made by Sfumato from the raw data. Risks are those from somebody who knows the declared "
            "quasi-identifiers of people, and nothing else.",
        ),
    )
    body = element("body", header, main, footer)
    return f"<!DOCTYPE html>\n{element('html', head_of(title), body, lang='en')}\n"


def write_risk(evidence: RiskEvidence, path: Path, *, title: str, created: str) -> None:
    """Write the page about the risk of a table to a file."""
    write_page(render_risk(evidence, title=title, created=created), path)


def write_page(page: str, path: Path) -> None:
    """Write a page to a file."""
    try:
        write_whole(path, page)
    except OSError as problem:
        raise could_not(problem, "the report cannot be written there", where=str(path)) from None


@functools.cache
def _style() -> Markup:
    return Markup((files("sfumato.report") / "style.css").read_text(encoding="utf-8"))


def shown(one: RiskFigure) -> str:
    """Write the value of a figure: a share, a number of people, or that it is not known."""
    return number(round(one.value, 1)) if one.people and one.value is not None else percent(one.value)


def _answer(evidence: RiskEvidence) -> Markup:
    alone = evidence.uniques
    title = (
        "Nobody stands alone with these columns"
        if not alone
        else f"{count(alone, 'person', 'persons')} of {number(evidence.persons)} can be singled out"
    )
    knows: Child = ["Somebody who knows ", names(evidence.quasi), " of "] if evidence.quasi else "Of "
    mood = "answer bad" if alone else "answer open"
    return element(
        "section",
        element("h2", title, id="answer"),
        element(
            "p",
            knows,
            "a person who is in the data finds the right record with a chance of ",
            element("strong", chance(evidence.highest_risk)),
            " where they are hidden least, and of ",
            element("strong", percent(evidence.average_risk)),
            " on average.",
        ),
        [element("p", f"{capital(evidence.people)}.")] if evidence.people else None,
        class_=mood,
        aria_labelledby="answer",
    )


def _key_figures(evidence: RiskEvidence) -> Markup:
    pairs = [
        ("one of a kind", percent(evidence.unique_share)),
        (f"above a risk of {percent(evidence.threshold)}", percent(evidence.records_at_risk)),
        ("groups of people who look alike", number(evidence.classes.number)),
        ("people in the smallest group", number(evidence.classes.smallest)),
    ]
    return facts(pairs, class_="figures")


def _of_kind(kind: Threat, evidence: RiskEvidence) -> Markup:
    if kind is Threat.IDENTITY:
        return _identity(evidence)
    rows = figure_rows([one for one in evidence.figures if one.threat == kind])
    if not rows:
        return section(str(kind), _HEADINGS[kind], element("p", _NOT_MEASURED[kind]))
    return section(
        str(kind),
        _HEADINGS[kind],
        element("p", _READ_AS[kind]),
        _table(capital(threat(kind)), rows),
    )


def _table(caption: str, rows: Sequence[Sequence[Child]]) -> Markup:
    return table(caption, ("Measure", "Value", "Meaning"), rows, numbers=[1])


def _identity(evidence: RiskEvidence) -> Markup:
    """Show the risk of being found: known to be in the data, by a list of people, estimated."""
    kind = Threat.IDENTITY
    figures = [one for one in evidence.figures if one.threat == kind and one.said != ITS_OWN_POPULATION]
    parts = [_table("Somebody knows that a person is in the data", _prosecutor(evidence))]
    if any(one.said == ITS_OWN_POPULATION for one in evidence.figures):
        parts.append(element("p", _WITHOUT_A_LIST))
    for caption, begins in _WAYS_TO_FIND.items():
        rows = figure_rows([one for one in figures if one.name.startswith(begins)])
        if rows:
            parts.append(_table(caption, rows))
    if others := known_too(evidence.exposure):
        parts.append(others)
    return section(
        str(kind),
        _HEADINGS[kind],
        element("p", _READ_AS[kind]),
        [element("p", capital(sentence), ".") for sentence in evidence.said],
        parts,
        _beside(evidence),
    )


def _prosecutor(evidence: RiskEvidence) -> list[tuple[Child, ...]]:
    return [
        ("Prosecutor risk, highest", chance(evidence.highest_risk), "For somebody in the smallest group"),
        ("Prosecutor risk, average", percent(evidence.average_risk), "For somebody drawn from the data"),
        (
            f"Prosecutor risk above {evidence.threshold:g}",
            percent(evidence.records_at_risk),
            "Of the people",
        ),
    ]


def figure_rows(figures: Sequence[RiskFigure]) -> list[tuple[Child, ...]]:
    """Lay figures out as rows: title, value, what to know."""
    return [
        (
            together(_title(one.title), element("span", one.name, class_="under")),
            shown(one),
            together(
                capital(one.meaning), element("span", capital(one.said), class_="under") if one.said else None
            ),
        )
        for one in figures
    ]


def _title(title: str) -> str:
    """Begin with a capital; a Greek letter that names a measure stays as it is."""
    return capital(title) if title[:1].isascii() else title


def _beside(evidence: RiskEvidence) -> Markup:
    return element(
        "details",
        element("summary", "An illustration to hold it against"),
        element("p", f"Highest risk: {SAFE_HARBOR.beside(min(evidence.highest_risk, 1.0))}."),
        element("p", f"It assumes: {SAFE_HARBOR.assumes}."),
    )


def which_identify(evidence: RiskEvidence, *, key: str = "identify") -> Markup | None:
    """Show which columns identify: single ones, growing knowledge, smallest identifying combinations."""
    if not evidence.attributes:
        return None
    shown_ = evidence.attributes[:_MOST_BARS]
    series = [Series("pairs of records told apart", [one.separation or 0.0 for one in shown_])]
    title = "How well single columns tell records apart"
    with_suda = any(one.contribution is not None for one in evidence.attributes)
    header = ["Column", "Values", "Distinction", "Separation", "Alone by it"]
    header += ["SUDA contribution"] if with_suda else []
    rows = [
        (
            name(one.name),
            number(one.distinct),
            percent(one.distinction),
            percent(one.separation),
            percent(one.unique_share),
            *([percent(one.contribution)] if with_suda else []),
        )
        for one in evidence.attributes
    ]
    spoken = ", ".join(f"{one.name} {percent(one.separation)}" for one in shown_)
    steps: list[Step] = [(one.columns, one.least, one.mean, one.greatest) for one in evidence.growth]
    return section(
        key,
        "Which columns identify?",
        element(
            "p",
            "Distinction is the share of different values among all records, separation the share of pairs ",
            "of records that a column tells apart. A column that tells little alone may tell much together ",
            "with others.",
        ),
        figure(
            lying_bars(f"{key}-bars", title, spoken, [one.name for one in shown_], series),
            title,
            series,
            table(title, header, rows, numbers=range(1, len(header))),
        ),
        growth_figure(steps, key=f"{key}-growth") if steps else None,
        _smallest(evidence),
    )


def _smallest(evidence: RiskEvidence) -> Markup:
    if not evidence.identifying:
        return element("p", "No combination that was looked at singles out half of the people.")
    return table(
        "The smallest combinations that single out half of the people or more",
        ("Columns", "One of a kind", "Average risk"),
        [
            (names(one.columns), percent(one.unique_share), percent(one.average_risk))
            for one in evidence.identifying
        ],
        numbers=[1, 2],
    )


def _reading(evidence: RiskEvidence) -> Markup:
    return section(
        "reading",
        "How to read this",
        element(
            "p",
            "Each figure is about one adversary, who knows these columns and no other",
            [": ", names(evidence.quasi)] if evidence.quasi else None,
            ". Adding a column never lowers a risk. An estimate that could not be computed is called not ",
            "known: that is no sign of safety. What other columns add is counted one at a time.",
        ),
    )


def before_and_after(evidence: StewardEvidence) -> Markup | None:
    """Show the other measures of risk before and after, and which columns identified people before."""
    before, after = evidence.risk_before, evidence.risk_after
    found = {(one.name, one.column): one for one in after.figures}
    rows = []
    for one in before.figures:
        if one.said == ITS_OWN_POPULATION:
            continue
        then = found.get((one.name, one.column))
        rows.append(
            (
                together(_title(one.title), element("span", one.threat, class_="under")),
                shown(one),
                UNKNOWN if then is None else shown(then),
                together(capital(one.meaning), _notes(one, then)),
            )
        )
    identify = which_identify(before)
    if not rows:
        return identify
    said = dict.fromkeys((*before.said, *after.said))
    return together(
        section(
            "population",
            "Risk against the population",
            element(
                "p",
                "An adversary who does not know who is in the file needs a list of people. The figures ",
                "compare with the population that the recipe names, or estimate it from its size.",
            ),
            [element("p", capital(sentence), ".") for sentence in said],
            table(
                "Other risks, before and after",
                ("Measure", "Before", "After", "Meaning"),
                rows,
                numbers=[1, 2],
            ),
        ),
        identify,
    )


def _notes(before: RiskFigure, after: RiskFigure | None) -> list[Markup]:
    """Tell what must be known of both, or of which one."""
    if after is not None and before.said == after.said:
        said = [capital(before.said)]
    else:
        said = [f"Before: {before.said}" if before.said else ""]
        said += [f"After: {after.said}"] if after is not None and after.said else []
    return [element("span", sentence, class_="under") for sentence in said if sentence]
