"""The report of a comparison: what was asked, the maps, the table behind them."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING

from sfumato.core.evidence import ComparedEvidence, ComparisonEvidence
from sfumato.report.markup import Markup, clean, element, table, together
from sfumato.report.ru_map import Marked, ru_map, swatch
from sfumato.report.sections import section
from sfumato.report.words import capital, count, moment, number, percent, shorten

if TYPE_CHECKING:
    from rich.console import RenderableType

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def render(evidence: ComparisonEvidence) -> str:
    """Return the comparison as one HTML document: no script, no network."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        element("meta", name="robots", content="noindex"),
        element("title", evidence.title, " · comparison"),
        element("style", _style()),
    )
    header = element(
        "header",
        element(
            "p",
            "Sfumato · comparison of methods",
            element("span", "Steward’s edition: keep it in the house", class_="edition"),
            class_="over",
        ),
        element("h1", evidence.title),
        element(
            "p",
            f"{count(evidence.records, 'record')} · ",
            f"{count(len(evidence.configurations), 'configuration')} · ",
            element("time", moment(evidence.created), datetime=evidence.created),
            class_="under",
        ),
    )
    maps = [_map(evidence, risk, title) for risk, title in evidence.risks.items()]
    main = element(
        "main", _answer(evidence), maps, _numbers(evidence), _failures(evidence), _reading(evidence)
    )
    made = evidence.software.get("sfumato", "")
    footer = element(
        "footer",
        element(
            "p",
            f"Made by Sfumato {made}".rstrip()
            + ". Computed from the raw data. Risks are those from somebody who knows the declared "
            "quasi-identifiers of a person in the file, and nothing else.",
        ),
    )
    return f"<!DOCTYPE html>\n{element('html', head, element('body', header, main, footer), lang='en')}\n"


@functools.cache
def _style() -> Markup:
    folder = files("sfumato.report")
    return Markup(
        "".join((folder / name).read_text(encoding="utf-8") for name in ("style.css", "compare.css"))
    )


def headline(evidence: ComparisonEvidence) -> str:
    """Say in a few words what came out."""
    answer = evidence.answer
    if answer is not None and answer.best is not None:
        return f"Best: {evidence.configurations[answer.best].name}"
    if answer is not None:
        return "No configuration keeps what was asked"
    front = [one for one in evidence.configurations if not_beaten(evidence, one)]
    if not front:
        return "No configuration gave a release"
    # Those that gave no release lie on no map, and beat nobody.
    made = sum(not one.failed for one in evidence.configurations)
    return f"{count(len(front), 'configuration')} of {made} not beaten"


def not_beaten(evidence: ComparisonEvidence, one: ComparedEvidence, risk: str | None = None) -> bool:
    """Return whether no configuration beats one in a risk and the loss; the first risk unless one is named.

    Headline, map, table and stars ask here, so that they agree: a configuration may be beaten in one risk and
    not in another.
    """
    return (next(iter(evidence.risks)) if risk is None else risk) in one.front


def _answer(evidence: ComparisonEvidence) -> Markup:
    answer = evidence.answer
    good = any(not_beaten(evidence, one) for one in evidence.configurations) if answer is None else answer.met
    title = element("h2", headline(evidence), id="answer")
    if answer is None:
        first = next(iter(evidence.risks))
        best = [one for one in evidence.configurations if not_beaten(evidence, one)]
        best.sort(key=lambda one: one.risk[first])
        said = (
            [
                element(
                    "p",
                    f"No other configuration has a lower {evidence.risks[first]} without a greater loss, or "
                    "a smaller loss without a higher risk: "
                    + "; ".join(
                        f"{one.name} ({percent(one.risk[first])}, {number(one.loss[evidence.utility])})"
                        for one in best
                    )
                    + ".",
                )
            ]
            if best
            else []
        )
    else:
        said = [element("p", f"Asked: {answer.question}."), element("p", answer.said)]
    mood = "answer" if good else "answer bad"
    return element("section", title, said, class_=mood, aria_labelledby="answer")


def _methods(evidence: ComparisonEvidence) -> list[str]:
    return list(dict.fromkeys(_series(one) for one in evidence.configurations if not one.failed))


def _series(one: ComparedEvidence) -> str:
    """Return the part of a name before the parameters that vary: which method, and how it is set."""
    varied = "".join(f", {key} {value}" for key, value in one.parameters.items())
    return one.name.removesuffix(varied) if varied else one.name


def _map(evidence: ComparisonEvidence, risk: str, title: str) -> Markup:
    methods = _methods(evidence)
    answer = evidence.answer
    chosen = None if answer is None else answer.best if answer.best is not None else answer.nearest
    first = risk == next(iter(evidence.risks))
    marks = [
        Marked(
            one.name,
            ", ".join(f"{key} {value}" for key, value in one.parameters.items()),
            methods.index(_series(one)),
            one.risk[risk],
            one.loss[evidence.utility],
            not_beaten(evidence, one, risk),
            chosen=first and position == chosen,
        )
        for position, one in enumerate(evidence.configurations)
        if risk in one.risk and evidence.utility in one.loss
    ]
    caption = f"{capital(title)} against {evidence.utility_title}"
    if not marks:
        return section(f"map-{risk}", caption, element("p", "There is nothing to draw."))
    key = [element("li", swatch(number_), name) for number_, name in enumerate(methods)]
    drawn = ru_map(
        f"map-{risk}-plot",
        caption,
        marks,
        risk=title,
        loss=evidence.utility_title,
        risk_at_most=evidence.risk_at_most if first else None,
        loss_at_most=evidence.loss_at_most,
    )
    before = evidence.before.get(risk)
    told = f" The original has {percent(before)}." if before is not None else ""
    return section(
        f"map-{risk}",
        capital(title),
        element(
            "p",
            "Each mark is one configuration; nearer to the lower left corner is better. The line joins "
            f"those that nothing beats in both: {sum(mark.on_front for mark in marks)} of {len(marks)}."
            f"{told}",
        ),
        element("figure", element("figcaption", caption), element("ul", key, class_="key"), drawn),
    )


def _numbers(evidence: ComparisonEvidence) -> Markup:
    risks, utility = evidence.risks, evidence.utility
    others = [name for name in _all_losses(evidence) if name != utility]
    header = ["Configuration", *(capital(title) for title in risks.values()), evidence.utility_title]
    header += ["Suppressed", "Seconds"]
    rows = []
    for one in _in_order(evidence):
        if one.failed:
            continue
        name = (
            element("span", one.name, class_="not-beaten")
            if not_beaten(evidence, one)
            else together(one.name)
        )
        rows.append(
            (
                name,
                *(percent(one.risk.get(risk)) for risk in risks),
                number(one.loss.get(utility)),
                number(one.suppressed_records),
                number(one.seconds),
            )
        )
    more = None
    if others:
        every = [
            (one.name, *(number(one.loss.get(name)) for name in others))
            for one in _in_order(evidence)
            if not one.failed
        ]
        more = element(
            "details",
            element("summary", "All other measures of loss"),
            table("Other measures", ["Configuration", *others], every, numbers=range(1, len(others) + 1)),
        )
    return section(
        "numbers",
        "The numbers behind the maps",
        table("Configurations by risk", header, rows, numbers=range(1, len(header)))
        if rows
        else element("p", "There are none."),
        more,
    )


def _failures(evidence: ComparisonEvidence) -> Markup | None:
    failed = [one for one in evidence.configurations if one.failed]
    if not failed:
        return None
    return section(
        "failures",
        "What gave no release",
        table(
            "Configurations without a release", ("Configuration", "Why"), [(o.name, o.failed) for o in failed]
        ),
    )


def _reading(evidence: ComparisonEvidence) -> Markup:
    return section(
        "reading",
        "How to read this",
        element(
            "p",
            "Highest risk is one in the size of the smallest group: the chance to pick the right record of "
            "the person who is hidden least. Average risk is the same for a person drawn from the file. ",
            f"Loss is {evidence.utility_title}: less is better. One measure says little about another: "
            "look at the one that your analysis depends on.",
        ),
        element(
            "p",
            "The map compares like with like: one file, one set of quasi-identifiers, one measure of risk. "
            "It cannot say that two different promises are equally good.",
        ),
    )


def _all_losses(evidence: ComparisonEvidence) -> list[str]:
    return list(dict.fromkeys(name for one in evidence.configurations for name in one.loss))


def _in_order(evidence: ComparisonEvidence) -> Sequence[ComparedEvidence]:
    """Sort by the first risk, then by loss; what failed comes last, in the order it was tried."""
    first = next(iter(evidence.risks))
    worst = float("inf")
    return sorted(
        evidence.configurations,
        key=lambda one: (bool(one.failed), one.risk.get(first, worst), one.loss.get(evidence.utility, worst)),
    )


def terminal_table(evidence: ComparisonEvidence) -> RenderableType:
    """Return the table for the terminal: a star marks what is not beaten; below it, what failed."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    drawn = Table(
        title=Text(headline(evidence), style="bold"), title_justify="left", box=None, pad_edge=False
    )
    drawn.add_column("")
    drawn.add_column("configuration", overflow="fold")
    for title in evidence.risks.values():
        drawn.add_column(title, justify="right")
    drawn.add_column(evidence.utility, justify="right")
    drawn.add_column("suppressed", justify="right")
    failed: dict[str, list[ComparedEvidence]] = {}
    for one in _in_order(evidence):
        if one.failed:
            failed.setdefault(_series(one), []).append(one)
            continue
        drawn.add_row(
            Text("*" if not_beaten(evidence, one) else ""),
            Text(clean(one.name), style="bold" if not_beaten(evidence, one) else ""),
            *(percent(one.risk.get(risk)) for risk in evidence.risks),
            number(one.loss.get(evidence.utility)),
            number(one.suppressed_records),
        )
    lines: list[RenderableType] = [
        Text.assemble(("✗ ", "red"), clean(some[0].name), ": ", _reason(some)) for some in failed.values()
    ]
    return Group(drawn, *(["", *lines] if lines else []))


def _reason(failed: Sequence[ComparedEvidence]) -> str:
    """Say why the first of some configurations failed, and how many others of its method did."""
    more = f" (and {len(failed) - 1} more of it)" if len(failed) > 1 else ""
    return shorten(clean(failed[0].failed).replace("\n", " "), 300) + more
