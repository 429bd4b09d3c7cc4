"""The report on released networks: what is promised, what is shown, who could be found, what was lost."""

from __future__ import annotations

from sfumato.core.evidence import RiskFigure
from sfumato.core.evidence_graph import GraphEvidence, StewardGraphEvidence
from sfumato.report import graph_curves, graph_private, graph_shown, sections, steward
from sfumato.report.answer import answer_box, in_words
from sfumato.report.attacks import adversaries
from sfumato.report.markup import Child, Markup, element, facts, together
from sfumato.report.risk_pairs import paired, risk_section, value
from sfumato.report.sections import learned_section, section
from sfumato.report.words import capital, number, percent

_UNIQUE = "-unique"
_KEY_RISKS = ("degree-unique", "h2-unique")
_SHORT = {
    "neighbourhood and labels": "neighbours, labels",
    "degree": "degree (H1)",
}
"""titles of risks as they fit before a bar"""


def above(evidence: GraphEvidence) -> Markup:
    """Build the answer box and the handful of numbers that people look for first."""
    sentences = [in_words(verdict) for verdict in evidence.verdicts]
    figures = evidence.form == "statistics"
    held = graph_private.held(evidence) if figures else graph_shown.held(evidence)
    pairs = graph_private.key_figures(evidence) if figures else graph_shown.key_figures(evidence)
    if isinstance(evidence, StewardGraphEvidence):
        pairs += _key_figures(evidence)
    about = {"network": "this network", "grouping": "these groups"}.get(evidence.form, "these figures")
    return together(answer_box(evidence, sentences, held, about), facts(pairs, class_="figures"))


def _key_figures(evidence: StewardGraphEvidence) -> list[tuple[str, Child]]:
    """Return what the steward looks for first: who is unique, and who was found."""
    titles = {"degree-unique": "unique by degree", "h2-unique": "unique by neighbours’ degrees"}
    found: list[tuple[str, Child]] = [
        (titles[one.name], f"{value(one)} → {value(other)}")
        for one, other in paired(evidence.risk_before, evidence.risk_after)
        if one.name in _KEY_RISKS
    ]
    for attack in evidence.attacks:
        if attack.name == "active" and attack.before is not None and attack.after is not None:
            hit = f"{percent(attack.before.success)} → {percent(attack.after.success)}"
            found.append(("found by the active attack", hit))
            break
    return found


def body(evidence: GraphEvidence) -> Markup:
    """Build the sections, those for the steward only where the evidence is the steward's."""
    kept = evidence if isinstance(evidence, StewardGraphEvidence) else None
    figures = evidence.form == "statistics"
    k = promised_k(evidence)
    return together(
        sections.promises(evidence),
        graph_private.meaning(evidence) if figures else None,
        _learned(evidence),
        graph_private.shown(evidence) if figures else graph_shown.shown(evidence),
        graph_shown.groups(evidence, k),
        None if evidence.table is None else graph_shown.people(evidence.table),
        None
        if kept is None
        else together(
            graph_curves.degrees(kept),
            _risk(kept),
            graph_curves.candidates(kept, k),
            adversaries(kept.attacks, _ATTACKED),
            steward.loss_by_measures(kept.utility),
            _read(kept),
            steward.how_made(kept.method, kept.search, kept.seconds),
        ),
        sections.verify(evidence),
        None if kept is None else steward.source(kept),
        sections.provenance(evidence),
        None if kept is None else steward.signature(kept),
    )


_ATTACKED = (
    "Adversaries were really run, on the network as it was read, without its names, and on the release. "
    "Where they pick one of several candidates, their chance is counted. “Without their data” is a pick of "
    "any node, or a guess of any edge: only what is above it is due to what the release shows."
)


def promised_k(evidence: GraphEvidence) -> int | None:
    """Return the largest k that was promised of the network; promises about a table beside it do not
    count."""
    values = [
        k
        for verdict in evidence.verdicts
        if verdict.model in ("k-degree", "k-neighbourhood", "k-grouping", "k-automorphism", "k-isomorphism")
        and isinstance(k := verdict.parameters.get("k"), int)
        and not isinstance(k, bool)
    ]
    return max(values, default=None)


def _learned(evidence: GraphEvidence) -> Markup:
    """Say honestly what no promise covers; the warnings of the release come first."""
    kept = {one for verdict in evidence.verdicts if verdict.holds for one in verdict.protects_from}
    nowhere = together(
        element("strong", "That somebody is in the network at all. "), "No promise here hides it."
    )
    besides = [] if "membership" in kept else [nowhere]
    if evidence.form == "statistics":
        true = "How people are connected on the whole is what such figures are for: it is learned of "
        items = [together(element("strong", "What is true of everybody. "), true, "everybody, in it or not.")]
        return learned_section(evidence, [*items, *besides])
    items = [
        together(
            element("strong", "What edges mean. "),
            "A network tells of friends, calls, meetings or infections. What is known of such ties from "
            "elsewhere is knowledge about nodes, and more of it than any promise here counts with.",
        ),
        *besides,
        together(
            element("strong", "What is known besides edges. "),
            "Demographics, dates or places of the same people, in this or another file, are not covered.",
        ),
        together(
            element("strong", "Several releases together. "),
            "The promises are about this release alone. Another release about the same people, or the same "
            "network a year later, can break them.",
        ),
    ]
    return learned_section(evidence, items)


def _risk(evidence: StewardGraphEvidence) -> Markup | None:
    if evidence.form == "statistics" and not evidence.risk_before and not evidence.risk_after:
        said = [element("p", capital(one), ".") for one in evidence.risk_said]
        return section("risk", "Risk before and after", said) if said else None
    return risk_section(
        evidence.risk_before,
        evidence.risk_after,
        evidence.risk_said,
        told="Shares of the people whom somebody finds who knows their place in the network: in the network "
        "as it was read, and in what is released. H1 is the number of somebody’s neighbours, H2 those of the "
        "neighbours, H3 those of their neighbours, H* all of it, however far. Bars show who is unique; the "
        "table below them also tells who has few candidates, and whom a guess among the candidates finds.",
        drawn=_drawn,
        label=_label,
    )


def _drawn(one: RiskFigure) -> bool:
    return one.name.endswith(_UNIQUE)


def _label(title: str) -> str:
    """Return a title that fits before a bar.

    >>> _label("degree, unique"), _label("H2, unique"), _label("neighbourhood and labels, unique")
    ('degree (H1)', 'H2', 'neighbours, labels')
    """
    plain = title.removesuffix(", unique")
    return _SHORT.get(plain, plain)


def _read(evidence: StewardGraphEvidence) -> Markup:
    """Count what was read, and what was left out of it and why."""
    read = evidence.read
    pairs: list[tuple[str, Child]] = [
        ("Nodes", number(read.nodes)),
        ("Edges", number(read.edges)),
        ("Nodes without an edge", number(read.isolated)),
    ]
    if read.components is not None:
        pairs.append(("Connected parts", number(read.components)))
    pairs += [(f"Left out: {reason}", number(amount)) for reason, amount in read.left_out.items()]
    return section(
        "read",
        "What was read",
        facts(pairs),
        element("ul", [element("li", capital(note), ".") for note in evidence.notes])
        if evidence.notes
        else None,
    )
