"""The sections on released statistics of sites: what ε or a bound means, the figures, and attackers by sites.

Membership by published frequencies: N. Homer and others (2008); what (ε, δ) leaves to any test of membership:
``dna/models/private``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

from sfumato.core.errors import SfumatoError
from sfumato.core.evidence_dna import CurveEvidence, DnaEvidence, FiguresEvidence, StewardDnaEvidence
from sfumato.dp.exact import exact
from sfumato.dp.identifiability import at_most
from sfumato.dp.rounding import exp_enclosure
from sfumato.report.dna_file import file_facts, promised
from sfumato.report.dna_plots import Curve, Limit, manhattan, success_curves
from sfumato.report.markup import Child, Markup, element, facts, table, together
from sfumato.report.plots import Series, figure
from sfumato.report.sections import section
from sfumato.report.words import capital, count, names, number, percent

BOUND = "membership-bound"
_BEACON = "beacon"
_ALPHA = 0.05
_RELATIVES = (2, 3, 4)
_MOST_CURVES = 8
_LARGEST = 1000
"""beyond such an ε nothing is promised, whatever δ is"""


def held(evidence: DnaEvidence) -> str:
    """Say in a sentence what the file holds."""
    figures = evidence.figures
    if figures is None:
        return "What the figures show was not counted."
    people = "" if figures.people is None else f", counted over {count(figures.people, 'person', 'people')}"
    of_each = count(len(figures.columns), "figure")
    return f"The file holds {of_each} of each of {count(figures.sites, 'site')}{people}."


def key_figures(evidence: DnaEvidence) -> list[tuple[str, Child]]:
    """Return the numbers that people look for first."""
    figures = evidence.figures
    if figures is None:
        return [("sites in the file", number(evidence.data.rows))]
    pairs: list[tuple[str, Child]] = [("sites in the file", number(figures.sites))]
    if figures.people is not None:
        pairs.append(("people counted over", number(figures.people)))
    if figures.epsilon is not None:
        pairs.append(("ε", figures.epsilon))
    bound = promised(evidence, BOUND, "auc")
    if bound is not None:
        pairs.append(("AUC promised at most", number(bound)))
    if isinstance(evidence, StewardDnaEvidence):
        worst = strongest(evidence)
        if worst is not None:
            pairs.append(("AUC of the best attacker", number(worst)))
        pairs.append(("people in the study", number(evidence.read.persons)))
    return pairs


def strongest(evidence: StewardDnaEvidence) -> float | None:
    """Return the largest AUC of any attacker on the released figures; None where none was run."""
    found = [
        point.auc
        for curve in evidence.curves
        if not on_all_sites(curve)
        for point in curve.points
        if math.isfinite(point.auc)
    ]
    return max(found, default=None)


def on_all_sites(curve: CurveEvidence) -> bool:
    """Say whether a curve is about what is not released: all sites of the study.

    >>> on_all_sites(CurveEvidence(attack="homer", what="all sites", points=[]))
    True
    """
    return curve.what.lower().startswith("all")


def meaning(evidence: DnaEvidence) -> Markup | None:
    """Say what the price or the bound means, in words."""
    figures = evidence.figures
    parts = [] if figures is None else [_of_epsilon(figures)]
    parts += [_of_bound(evidence)]
    told = [part for part in parts if part is not None]
    return section("meaning", "What the promise means", told) if told else None


def _of_bound(evidence: DnaEvidence) -> Markup | None:
    auc, power = promised(evidence, BOUND, "auc"), promised(evidence, BOUND, "power")
    if auc is None and power is None:
        return None
    said: list[Child] = [
        "Somebody who has the DNA of a person, frequencies of the population and these figures wants to know "
        "whether the person is in the study. "
    ]
    if auc is not None:
        said.append(
            f"Shown one member and one stranger, they pick the member with a chance of at most "
            f"{percent(auc)}; a guess has 50%. "
        )
    if power is not None:
        alpha = promised(evidence, BOUND, "alpha")
        wrong = percent(_ALPHA if alpha is None else alpha)
        said.append(
            f"When they wrongly name {wrong} of the strangers, they name at most {percent(power)} of the "
            "members. "
        )
    said.append(
        "This was measured on people who were held out, for the attackers that are known, and is no proof: "
        "an attacker with a much larger reference may do better."
    )
    return element("p", said)


def _of_epsilon(figures: FiguresEvidence) -> Markup | None:
    """Say what ε leaves to an attacker, to one of many people, and to relatives together."""
    if figures.epsilon is None:
        return None
    try:
        epsilon, delta = exact(figures.epsilon), exact(figures.delta or "0")
        rows = [(str(size), *_left_by(epsilon, delta, figures, size)) for size in (1, *_RELATIVES)]
    except SfumatoError:
        return element("p", "ε is not written as a number: what it means cannot be said.")
    compared = figures.neighbours or "two people, one in the place of the other"
    return together(
        element(
            "p",
            f"Noise was added, and ε says how much may depend on one person (ε = {figures.epsilon}"
            + (f", δ = {figures.delta}" if figures.delta not in (None, "0") else "")
            + f"; compared: {compared}). Whoever tests whether somebody is in the study, by whatever test "
            "and with whatever they know, is bound by the table. Relatives have one secret together, so that "
            "ε counts once for each.",
        ),
        table(
            "What an attacker may reach at most",
            (
                "People with one secret",
                "ε",
                "AUC (a guess: 0.5)",
                f"Members named, with {percent(_ALPHA)} of strangers",
            ),
            rows,
            numbers=[0, 1, 2, 3],
        ),
    )


def _left_by(
    epsilon: Fraction, delta: Fraction, figures: FiguresEvidence, relatives: int
) -> tuple[str, str, str]:
    """Return ε of some people together, and the bounds on AUC and power that it gives."""
    # Only who reads about DNA pays for its room.
    from sfumato.dna.models.private import auc_bound, power_bound

    total, missed = _between(epsilon, delta, figures, relatives)
    return (
        number(float(epsilon * relatives)),
        _up(auc_bound(total, missed)),
        at_most(power_bound(total, missed, _ALPHA)),
    )


def _between(
    epsilon: Fraction, delta: Fraction, figures: FiguresEvidence, people: int = 1
) -> tuple[Fraction, Fraction]:
    """Return ε and δ between a study with some people and one with others in their place, rounded up.

    From a member to a stranger is one person replaced; where neighbours are one more or less, these are
    two steps. Over s steps ε becomes sε and δ becomes δ (1 + e^ε + … + e^((s − 1)ε)).
    """
    steps = people if _replaced(figures) else 2 * people
    total = epsilon * steps
    if not delta or total > _LARGEST:
        return total, delta
    return total, min(
        Fraction(1), sum((delta * exp_enclosure(epsilon * i)[1] for i in range(steps)), Fraction(0))
    )


def _replaced(figures: FiguresEvidence) -> bool:
    return "replaced" in figures.neighbours or "substitution" in figures.neighbours


def _up(value: float) -> str:
    """Write a bound with three digits, rounded up.

    >>> _up(0.73105), _up(1.0)
    ('0.732', '1')
    """
    return f"{math.ceil(value * 1000) / 1000:.4g}"


def shown(evidence: DnaEvidence) -> Markup:
    """Say which figures are released, and draw published p-values along the genome."""
    figures = evidence.figures
    noisy = figures is not None and figures.epsilon is not None
    truth = (
        "The figures are those that were counted."
        if evidence.truthful
        else "Noise was added to the figures."
        if noisy
        else "Some figures were changed."
    )
    pairs: list[tuple[str, Child]] = []
    if figures is not None:
        pairs = [("Sites", number(figures.sites)), ("Figures of each site", names(figures.columns, most=20))]
        pairs.append(("People", "not told" if figures.people is None else number(figures.people)))
        if figures.cases is not None:
            pairs.append(("Cases among them", number(figures.cases)))
        if figures.neighbours:
            pairs.append(("Differential privacy compares", figures.neighbours))
        if figures.randomness:
            pairs.append(("Noise", capital(figures.randomness)))
    return section(
        "shown",
        "What the file shows",
        element("p", "Figures of sites, counted over all people: no row is about a person."),
        None if figures is None else _peaks(figures),
        facts([*pairs, *file_facts(evidence, truth)]),
    )


def _peaks(figures: FiguresEvidence) -> Markup | None:
    known = [one for one in figures.peaks if one.highest is not None and math.isfinite(one.highest)]
    if not known:
        return None
    title = "−log10 of the released p along the genome"
    plot = manhattan("manhattan", title, [(one.chromosome, one.highest) for one in figures.peaks])
    first: dict[str, int] = {}
    highest: dict[str, float] = {}
    for one in figures.peaks:
        first[one.chromosome] = first.get(one.chromosome, 0) + one.sites
        if one.highest is not None and math.isfinite(one.highest):
            highest[one.chromosome] = max(one.highest, highest.get(one.chromosome, 0.0))
    rows = [
        (element("bdi", chromosome), number(sites), number(highest.get(chromosome)))
        for chromosome, sites in first.items()
    ]
    header = ("Chromosome", "Sites", "Highest −log10 p")
    return figure(plot, title, [Series("sites", [])], table(title, header, rows, numbers=[1, 2]))


def curves(evidence: StewardDnaEvidence) -> Markup | None:
    """Draw how attackers get better with more sites, with what was promised across."""
    shown_curves = [curve for curve in evidence.curves if curve.points][:_MOST_CURVES]
    if not shown_curves:
        return None
    title = "How well an attacker tells members from others"
    drawn = _drawn(shown_curves)
    limit = _limit(evidence)
    rows = [
        (
            together(capital(curve.attack), element("span", curve.what, class_="under")),
            number(point.sites),
            number(point.auc),
            "–" if point.low is None or point.high is None else f"{number(point.low)}–{number(point.high)}",
            "–" if point.power is None else percent(point.power),
        )
        for curve in shown_curves
        for point in curve.points
    ]
    asked = all(curve.attack == _BEACON for curve in shown_curves)
    wrong = {curve.false_positives for curve in shown_curves if curve.false_positives is not None}
    named = f"Members named, with {percent(wrong.pop())} of strangers" if len(wrong) == 1 else "Members named"
    listed = table(
        title,
        ("Attack", "Questions" if asked else "Sites", "AUC", "From–to", named),
        rows,
        numbers=[1, 2, 3, 4],
    )
    keys = [Series(one.name, [], one.tone) for one in drawn]
    axis = "questions that the attacker asks" if asked else "sites that the attacker uses"
    caption = title if len(drawn) > 1 else f"{title}: {drawn[0].name}"
    return section(
        "curves",
        "How attackers get better with more sites",
        element(
            "p",
            "AUC is the chance that the attacker finds a member likelier than a stranger: 0.5 is a guess, 1 "
            "is certainty. It was measured with strangers who were held out"
            + (f"; the broken line is what was promised, {number(limit.value)}." if limit else "."),
        ),
        figure(success_curves("curves-plot", title, drawn, limit, axis), caption, keys, listed),
    )


def _drawn(listed: Sequence[CurveEvidence]) -> list[Curve]:
    """Give each curve its tone, and dots where another of its tone came before."""
    drawn: list[Curve] = []
    for curve in listed:
        tone: Literal["before", "after"] = "before" if on_all_sites(curve) else "after"
        dotted = sum(one.tone == tone for one in drawn) % 2 == 1
        drawn.append(
            Curve(
                f"{curve.attack}, {curve.what}{' (dotted)' * dotted}",
                [(point.sites, point.auc, point.low, point.high) for point in curve.points],
                tone,
                dotted,
            )
        )
    return drawn


def _limit(evidence: DnaEvidence) -> Limit | None:
    """Return the AUC that was promised, by a bound or by ε."""
    auc = promised(evidence, BOUND, "auc")
    if auc is not None:
        return Limit(auc, "promised at most")
    figures = evidence.figures
    if figures is None or figures.epsilon is None:
        return None
    from sfumato.dna.models.private import auc_bound

    try:
        epsilon, delta = exact(figures.epsilon), exact(figures.delta or "0")
        return Limit(auc_bound(*_between(epsilon, delta, figures)), "at most by ε")
    except SfumatoError:
        return None
