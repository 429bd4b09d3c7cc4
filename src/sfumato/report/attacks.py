"""The section about adversaries that were run: what each learns before and after, and the threats checklist.

For the steward alone: the figures were computed from the raw data.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from sfumato.core.evidence import AttackEvidence, AttackFigures, StewardEvidence
from sfumato.core.evidence_codes import StewardCodesEvidence
from sfumato.core.evidence_dna import StewardDnaEvidence
from sfumato.core.evidence_text import StewardTextEvidence
from sfumato.core.verdict import Threat
from sfumato.report.markup import Child, Markup, element, table, together
from sfumato.report.plots import Series, figure, lying_bars
from sfumato.report.sections import section
from sfumato.report.words import capital, chance, count, name, names, number, percent, threat

_MOST_BARS = 16
_BOUNDS = {
    "at-most": "success at most",
    "advantage-at-most": "due to their data at most",
    "sure-at-most": "sure of at most",
}


def adversary(evidence: StewardEvidence) -> Markup | None:
    """Show what adversaries learned, kind by kind, and which evidence speaks to which threat."""
    if not evidence.attacks:
        return None
    return section(
        "adversary",
        "What an adversary learns",
        element(
            "p",
            "Adversaries were really run, on the original without its identifiers and on the release. ",
            "“Without their data” says how often the same adversary is right about people whose record is ",
            "taken out first: only what is above it is due to their being in the data. An adversary of whom ",
            "no more is said knows which group of records a person belongs to.",
        ),
        _plot(evidence.attacks),
        [_of_kind(kind, evidence.attacks) for kind in Threat],
        _not_run(evidence.attacks),
        checklist(evidence),
    )


def adversary_of_codes(evidence: StewardCodesEvidence) -> Markup | None:
    """Show what adversaries who know codes of people learned, kind by kind."""
    return adversaries(
        evidence.attacks,
        "Adversaries were really run, on the codes as they were and on the release. “Without their "
        "data” says how often the same adversary is right about people whose record is taken out first: "
        "only what is above it is due to their being in the data.",
    )


def adversary_of_notes(evidence: StewardTextEvidence) -> Markup | None:
    """Show what adversaries who search notes learned, kind by kind."""
    return adversaries(
        evidence.attacks,
        "Adversaries were really run, on the notes as they were and on the release. “Without their "
        "data” is a pick at random: only what is above it is due to what stands in the notes. What is "
        "found after de-identification was missed, or is what the policy leaves: ages, years, states, "
        "the sex.",
    )


def adversary_of_dna(evidence: StewardDnaEvidence) -> Markup | None:
    """Show what adversaries who hold DNA of people learned, kind by kind."""
    return adversaries(
        evidence.attacks,
        "Adversaries were really run on the figures, about people who are in the study and others who were "
        "held out. Those who look for members are asked about as many members as strangers, and wrongly name "
        "a fixed share of the strangers: whoever guesses is right about half of them."
        if evidence.form == "statistics"
        else "Adversaries were really run, on the rows as they were read and on the release. “Without their "
        "data” says how often the same adversary is right about people whose row is taken out first: only "
        "what is above it is due to their being in the data.",
    )


def adversaries(attacks: Sequence[AttackEvidence], told: str) -> Markup | None:
    """Show what adversaries learned, kind by kind; ``told`` says whom they attacked, and what the baseline
    is."""
    if not attacks:
        return None
    return section(
        "adversary",
        "What an adversary learns",
        element("p", told),
        _plot(attacks),
        [_of_kind(kind, attacks) for kind in Threat],
        _not_run(attacks),
    )


def _ran(attacks: Sequence[AttackEvidence]) -> list[tuple[AttackEvidence, AttackFigures]]:
    return [(one, one.after) for one in attacks if one.after is not None]


def hit_most(attacks: Sequence[AttackEvidence]) -> list[tuple[AttackEvidence, AttackFigures]]:
    """Return for every adversary what it learns of the column that is hit most."""
    found: dict[tuple[str, str], tuple[AttackEvidence, AttackFigures]] = {}
    for one, after in _ran(attacks):
        key = (one.name, one.knows)
        if key not in found or after.success > found[key][1].success:
            found[key] = (one, after)
    return list(found.values())


def _plot(attacks: Sequence[AttackEvidence]) -> Markup | None:
    """Draw how often each adversary is right, on the column that is hit most."""
    shown = hit_most(attacks)[:_MOST_BARS]
    if not shown:
        return None
    twice = [one.name for one, _ in shown]
    labels = [
        f"{one.name} {1 + twice[:i].count(one.name)}" if twice.count(one.name) > 1 else one.name
        for i, (one, _) in enumerate(shown)
    ]
    before = [math.nan if one.before is None else one.before.success for one, _ in shown]
    series = [Series("before", before, "before"), Series("after", [a.success for _, a in shown], "after")]
    spoken = "; ".join(
        f"{label} {percent(before[i])} before, {percent(series[1].shares[i])} after"
        for i, label in enumerate(labels)
    )
    title = "How often each adversary is right, before and after"
    rows = [
        (label, shown[i][0].column or "–", percent(before[i]), percent(series[1].shares[i]))
        for i, label in enumerate(labels)
    ]
    return figure(
        lying_bars("attacks-plot", title, spoken, labels, series),
        title,
        series,
        table(title, ("Attack", "On", "Before", "After"), rows, numbers=[2, 3]),
    )


def _of_kind(kind: Threat, attacks: Sequence[AttackEvidence]) -> Markup | None:
    """Show the attacks that are about one kind of disclosure."""
    shown = [(one, after) for one, after in _ran(attacks) if one.threat == kind]
    if not shown:
        return None
    rows = [
        (
            together(
                one.name,
                [" on ", name(one.column)] if one.column else None,
                element("span", one.title, class_="under"),
                element("span", f"knows {one.knows}", class_="under") if one.knows else None,
            ),
            "–" if one.before is None else percent(one.before.success),
            together(
                percent(after.success),
                element("span", "claims, not compared with the truth", class_="under")
                if after.scored == "claimed"
                else None,
                _compared(after),
            ),
            percent(after.baseline),
            percent(after.guessing),
            _sure(one.before, after),
            _bound(one),
        )
        for one, after in shown
    ]
    header = ("Attack", "Before", "After", "Without their data", "A blind guess", "Sure of", "Bound")
    return together(
        element("p", _strongest(shown)),
        table(capital(threat(kind)), header, rows, numbers=[1, 2, 3, 4, 5]),
        _notes([one for one, _ in shown]),
    )


def _compared(after: AttackFigures) -> Markup | None:
    """Show whom an adversary with limits compared at all."""
    if after.compared is None:
        return None
    return element("span", f"compared {percent(after.compared)} of the people", class_="under")


def _strongest(shown: Sequence[tuple[AttackEvidence, AttackFigures]]) -> Markup:
    """Say in a sentence what the adversary who is right most often learns."""
    one, after = max(shown, key=lambda pair: pair[1].success)
    of = together(" on ", name(one.column)) if one.column else None
    before = "" if one.before is None else f", {percent(one.before.success)} before"
    due = after.success - after.baseline
    return together(
        element("strong", capital(one.threat), ". "),
        "Most often right is ",
        one.name,
        of,
        ": about ",
        element("strong", percent(after.success)),
        f" of {count(after.attempts, 'person', 'people')}{before}; ",
        f"{percent(due)} is due to their own data."
        if due > 0
        else "as many would be hit without their own record.",
    )


def _sure(before: AttackFigures | None, after: AttackFigures) -> str:
    told = number(after.certain)
    return told if before is None else f"{number(before.certain)}\u00a0→\u00a0{told}"


def _bound(attack: AttackEvidence) -> Child:
    """Say what the recipe allows, and whether it held."""
    if not attack.bounds:
        return "–"
    held = "kept" if attack.held else "not kept"
    told = [
        element("span", f"{_BOUNDS.get(key, key)} {percent(bound)}", class_="line")
        for key, bound in attack.bounds.items()
    ]
    return together(told, element("span", held, class_="under"))


def _notes(attacks: Sequence[AttackEvidence]) -> Markup | None:
    """Say what must be known to read the figures."""
    told = dict.fromkeys((one.name, one.after.note) for one in attacks if one.after and one.after.note)
    if not told:
        return None
    return element("ul", [element("li", called, ": ", note, ".") for called, note in told])


def _not_run(attacks: Sequence[AttackEvidence]) -> Markup | None:
    """List the attacks without figures: of them nothing is known."""
    left: dict[tuple[str, str], list[str]] = {}
    for one in attacks:
        if one.after is None:
            left.setdefault((one.name, one.not_run), []).extend([one.column] if one.column else [])
    if not left:
        return None
    return together(
        element("p", "Not run, so that nothing is known of their success:"),
        element(
            "ul",
            [
                element("li", called, [" on ", names(columns)] if columns else None, f": {reason}.")
                for (called, reason), columns in left.items()
            ],
        ),
    )


def checklist(evidence: StewardEvidence) -> Markup:
    """Go through the privacy threats of a design review, and name the evidence that speaks to each."""
    rows = [
        (together(title, element("span", meaning, class_="under")), element("ul", list(said), class_="plain"))
        for title, meaning, said in (
            ("Linkability", "a record and something known elsewhere are one person’s", _linkable(evidence)),
            ("Identifiability", "which record is a person’s", _identifiable(evidence)),
            ("Non-repudiation", "a person can no longer deny a value", _undeniable(evidence)),
            ("Detectability", "that a person is in the data at all", _detectable(evidence)),
            ("Disclosure of information", "a sensitive value of a person", _disclosed(evidence)),
        )
    ]
    return together(
        element("p", element("strong", "Threats checklist. "), "For each threat, what speaks to it here:"),
        table("Threats and the evidence about them", ("Threat", "Evidence"), rows),
    )


def _item(*said: Child) -> Markup:
    return element("li", *said)


def _figures(evidence: StewardEvidence, kinds: Sequence[Threat], most: int = 3) -> Iterator[Markup]:
    """Quote the attacks about some kinds of disclosure, those first that are right most often."""
    shown = [(one, after) for one, after in _ran(evidence.attacks) if one.threat in kinds]
    for one, after in sorted(shown, key=lambda pair: -pair[1].success)[:most]:
        yield _item(
            one.name,
            [" on ", name(one.column)] if one.column else None,
            f": {percent(after.success)} of people",
            "" if one.before is None else f" (before {percent(one.before.success)})",
        )


def _promised(evidence: StewardEvidence, kind: Threat) -> Iterator[Markup]:
    names = [
        verdict.model for verdict in evidence.verdicts if kind in verdict.protects_from and verdict.holds
    ]
    if names:
        yield _item("promised and checked: ", ", ".join(dict.fromkeys(names)))


def _linkable(evidence: StewardEvidence) -> Iterator[Markup]:
    smallest = evidence.risk_after.classes.smallest
    yield _item(f"the smallest group that looks alike has {count(smallest, 'person', 'people')}")
    codes = [
        c.name for c in evidence.columns if c.role in ("person", "identifier") and c.treatment != "left out"
    ]
    if codes:
        yield _item("codes may join rows, and this release to others: ", ", ".join(codes))
    if not any(one.name == "composition" and one.after for one in evidence.attacks):
        yield _item("with other releases about these people: not measured")


def _identifiable(evidence: StewardEvidence) -> Iterator[Markup]:
    yield from _promised(evidence, Threat.IDENTITY)
    yield from _figures(evidence, [Threat.IDENTITY])
    risk = evidence.risk_after
    yield _item(
        f"highest risk {chance(risk.highest_risk)}; {count(risk.uniques, 'person', 'people')} one of a kind"
    )


def _undeniable(evidence: StewardEvidence) -> Iterator[Markup]:
    sure = [(one, after) for one, after in _ran(evidence.attacks) if one.threat == Threat.ATTRIBUTE]
    if not sure:
        yield _item("not measured")
    for one, after in sorted(sure, key=lambda pair: -pair[1].certain)[:2]:
        yield _item(
            one.name,
            [" on ", name(one.column)] if one.column else None,
            f": sure of {count(after.certain, 'person', 'people')}",
        )


def _detectable(evidence: StewardEvidence) -> Iterator[Markup]:
    said = [*_promised(evidence, Threat.MEMBERSHIP), *_figures(evidence, [Threat.MEMBERSHIP])]
    yield from said or [_item("no promise hides it, and no attack measured it: a population list would")]


def _disclosed(evidence: StewardEvidence) -> Iterator[Markup]:
    kinds = [Threat.ATTRIBUTE, Threat.INFERENCE]
    said = [*_promised(evidence, Threat.ATTRIBUTE), *_figures(evidence, kinds)]
    sensitive = any(column.role == "sensitive" for column in evidence.columns)
    yield from said or [_item("not measured" if sensitive else "no column is declared sensitive")]
