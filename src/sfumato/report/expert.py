"""Expert determination: what an expert needs to see before signing (45 CFR 164.514(b)(1)).

The rule asks a person with knowledge of statistical methods to determine that the risk is very small, and
to document methods and results. This section gathers them; the determination is the expert's.
"""

from __future__ import annotations

from sfumato.core.evidence import RiskEvidence, StewardEvidence
from sfumato.core.schema import Role
from sfumato.report.answer import with_role
from sfumato.report.markup import Child, Markup, element, facts, table, together
from sfumato.report.sections import section
from sfumato.report.words import chance, names, number, percent, threat


def _recipient(evidence: StewardEvidence) -> str:
    if evidence.agreement is not None:
        agreed = evidence.agreement
        return f"{agreed.recipient}, for {agreed.purpose}, under an agreement until {agreed.expires}"
    if evidence.masking is not None and evidence.masking.recipient:
        return f"{evidence.masking.recipient}, for {evidence.masking.purpose}; no agreement was named"
    return "anybody: no recipient was named"


def _assumptions(evidence: StewardEvidence) -> list[tuple[str, Child]]:
    quasi = with_role(evidence, Role.QUASI_IDENTIFIER)
    others = with_role(evidence, Role.INSENSITIVE)
    return [
        ("Anticipated recipient", _recipient(evidence)),
        ("What an adversary knows", together("the values of ", names(quasi), " of a person")),
        ("Whom they look for", "somebody who is in the file, and they know it (prosecutor)"),
        ("What they do not know", names(others) if others else "nothing else was declared unknown"),
        ("Who was counted", evidence.people),
        ("Missing values", evidence.missing),
    ]


def _measures(before: RiskEvidence, after: RiskEvidence) -> list[tuple[str, str, str]]:
    above = f"share of records above {percent(before.threshold)}"
    return [
        ("highest risk, 1 / smallest group", chance(before.highest_risk), chance(after.highest_risk)),
        ("average risk, groups / records", chance(before.average_risk), chance(after.average_risk)),
        (above, percent(before.records_at_risk), percent(after.records_at_risk)),
        ("people alone in their group", number(before.uniques), number(after.uniques)),
        ("smallest group", number(before.classes.smallest), number(after.classes.smallest)),
    ]


def determination(evidence: StewardEvidence) -> Markup | None:
    """Gather assumptions, thresholds, measures and methods, and leave room for the expert's words."""
    if not evidence.expert_determination:
        return None
    methods = [
        (
            together(f"{verdict.model}: required {verdict.required}, achieved {verdict.achieved}"),
            "; ".join(threat(one) for one in verdict.protects_from) or "–",
            verdict.basis,
        )
        for verdict in evidence.verdicts
    ]
    lines = [
        element("div", element("span", "", class_="blank"), element("span", label), class_="line-to-sign")
        for label in ("Expert, and what qualifies them", "Threshold for a very small risk, and why")
    ]
    lines += [
        element("div", element("span", "", class_="blank"), element("span", label), class_="line-to-sign")
        for label in ("Valid until", "Place, date and signature")
    ]
    return section(
        "expert",
        "Expert determination",
        element(
            "p",
            "What an expert needs to judge whether the risk is very small that an anticipated recipient ",
            "finds a person, alone or with other information. The judgement is the expert’s.",
        ),
        element("h3", "Assumptions"),
        facts(_assumptions(evidence)),
        element("h3", "Risk measured"),
        table(
            "Risk of being found, before and after",
            ("Measure", "Before", "After"),
            _measures(evidence.risk_before, evidence.risk_after),
            numbers=[1, 2],
        ),
        element("h3", "Methods and thresholds"),
        facts(
            [
                ("Method", evidence.method),
                ("Records left out", number(evidence.suppressed_records)),
                ("Without consent", number(evidence.withheld_records)),
                ("Truthful", "yes" if evidence.truthful else "no: some values are made up or moved"),
            ]
        ),
        table("Promises that were checked", ("Promise", "Protects from learning", "Checked from"), methods),
        element("h3", "Determination"),
        element("div", lines, class_="signing"),
    )
