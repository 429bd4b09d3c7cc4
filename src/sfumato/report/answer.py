"""The answer box: does the release keep its promises, in a few plain sentences."""

from __future__ import annotations

from sfumato.core.evidence import PublicEvidence, ReleaseEvidence, StewardEvidence, VerdictEvidence
from sfumato.core.evidence_codes import CodesEvidence, StewardCodesEvidence
from sfumato.core.evidence_graph import GraphEvidence
from sfumato.core.schema import Role
from sfumato.report.markup import Markup, element, facts, together
from sfumato.report.words import capital, count, names, number, percent, were

K_ANONYMITY = "k-anonymity"
SAMPLING = "safepub"
"""the method whose promise does not cover how many records it leaves out"""


def with_role(evidence: PublicEvidence, role: Role) -> list[str]:
    """Return the columns of a role, in their order."""
    return [column.name for column in evidence.columns if column.role == role]


def promised_k(evidence: PublicEvidence) -> int | None:
    """Return the k that was promised, if k-anonymity was."""
    for verdict in evidence.verdicts:
        k = verdict.parameters.get("k")
        if verdict.model == K_ANONYMITY and isinstance(k, int):
            return k
    return None


def keeps_suppressed(evidence: PublicEvidence) -> bool:
    """Say whether suppressed records are still in the file, blanked."""
    return evidence.suppressed_policy == "star"


def unit(evidence: PublicEvidence) -> str:
    """Name what was counted: a person where a column names them, else a record."""
    return "person" if with_role(evidence, Role.PERSON) else "record"


def records_in_all(evidence: PublicEvidence) -> int:
    """Count the records before any was left out."""
    if isinstance(evidence, StewardEvidence):
        return evidence.input.rows - evidence.withheld_records - evidence.unsampled_records
    return evidence.data.rows + (0 if keeps_suppressed(evidence) else evidence.suppressed_records)


def all_hold(evidence: ReleaseEvidence) -> bool:
    """Say whether there was a promise and every promise holds."""
    return bool(evidence.verdicts) and all(verdict.holds for verdict in evidence.verdicts)


def headline(evidence: ReleaseEvidence) -> str:
    """Say in one line what a steward must know first."""
    broken = sum(not verdict.holds for verdict in evidence.verdicts)
    if broken:
        return f"Do not share this file: {count(broken, 'promise does', 'promises do')} not hold."
    if not evidence.verdicts and isinstance(evidence, PublicEvidence) and evidence.policy is not None:
        return f"The steps of {evidence.policy.title} were taken; no statistical promise is made."
    if not evidence.verdicts:
        return "No promise was checked for this file."
    # Of networks rows are edges, and nodes without any are still released.
    if not evidence.data.rows and not isinstance(evidence, GraphEvidence):
        return "The file is empty: every record was left out."
    one = len(evidence.verdicts) == 1
    if little := little_left(evidence):
        return f"{'The' if one else 'Every'} promise holds, but {little}."
    return "The promise was checked and holds." if one else "Every promise holds."


def little_left(evidence: ReleaseEvidence) -> str:
    """Describe a release of which half of the items or values are at the root, or left out; else nothing."""
    if isinstance(evidence, PublicEvidence):
        return _little_of_table(evidence)
    if not isinstance(evidence, CodesEvidence):
        return ""
    shown = evidence.shown
    if shown.at_root and 2 * shown.at_root >= shown.occurrences:
        return f"{percent(shown.at_root / shown.occurrences)} of the items say nothing"
    if shown.records and not shown.occurrences and shown.clusters is None:
        return "no record shows any item"
    if isinstance(evidence, StewardCodesEvidence) and evidence.became is not None:
        left_out, had = evidence.became.suppressed, evidence.original.occurrences
        if had and 2 * left_out >= had:
            return f"{percent(left_out / had)} of the codes were left out"
    return ""


def _little_of_table(evidence: PublicEvidence) -> str:
    """The same of a table in which quasi-identifiers are generalised to the top of their hierarchies."""
    quasi = [column for column in evidence.columns if column.role == Role.QUASI_IDENTIFIER]
    gone = sum(bool(column.height) and column.level == column.height for column in quasi)
    if gone and 2 * gone >= len(quasi):
        return f"{gone} of {count(len(quasi), 'quasi-identifier')} say nothing"
    return ""


def in_words(verdict: VerdictEvidence) -> Markup:
    """Say what a verdict means by the words of its model."""
    state = "holds" if verdict.holds else "does not hold"
    measured = f"required {verdict.required}, achieved {verdict.achieved}"
    promised = "" if verdict.holds else "promised was that "
    meant = f"{promised}{verdict.meaning} ({measured})" if verdict.meaning else measured
    return together(element("strong", f"{verdict.model} {state}"), f": {meant}.")


def _in_words(evidence: PublicEvidence, verdict: VerdictEvidence) -> Markup:
    """Say what one verdict means for the people in the file."""
    quasi = with_role(evidence, Role.QUASI_IDENTIFIER)
    k = verdict.parameters.get("k")
    if verdict.model != K_ANONYMITY or not isinstance(k, int) or not quasi:
        return in_words(verdict)
    others = count(max(k - 1, 0), "other")
    if verdict.holds:
        return together(
            f"Every {unit(evidence)} in this file looks the same as at least ",
            element("strong", others),
            " on ",
            names(quasi),
            f" (required {verdict.required}, achieved {verdict.achieved}).",
        )
    return together(
        element("strong", "Some people in this file can be singled out"),
        f": not everybody looks the same as at least {others} on ",
        names(quasi),
        f" (required {verdict.required}, achieved {verdict.achieved}).",
    )


def left_out(evidence: PublicEvidence) -> str:
    """Say how many records were suppressed, and how."""
    amount = evidence.suppressed_records
    withheld = ""
    if evidence.withheld_records:
        withheld = f" {count(evidence.withheld_records, 'record')} without consent had been taken out before."
    if evidence.method == SAMPLING:
        return f"It is a sample; how many records it left out is not told.{withheld}"
    if not amount:
        return f"No record was left out.{withheld}"
    of = records_in_all(evidence)
    share = f" ({percent(amount / of)})" if of else ""
    how = "blanked" if keeps_suppressed(evidence) else "left out"
    return f"{amount:,} of {count(of, 'record')}{share} {were(amount)} {how}.{withheld}"


def _advice(evidence: ReleaseEvidence, broken: bool, about: str) -> Markup:
    """Say what to do next."""
    learned = element("a", "what could still be learned", href="#learned")
    if broken:
        return together("Change the recipe and make the release again. See also ", learned, ".")
    warned = len(evidence.cautions)
    warnings = "the warning and " if warned == 1 else f"the {warned:,} warnings and " if warned else ""
    return together(
        f"This is a statement about {about} only. Read {warnings}", learned, " before you share it."
    )


def answer(evidence: PublicEvidence) -> Markup:
    """Build the answer box."""
    sentences = [_in_words(evidence, verdict) for verdict in evidence.verdicts]
    return answer_box(evidence, sentences, left_out(evidence), "those columns")


def answer_box(evidence: ReleaseEvidence, sentences: list[Markup], counted: str, about: str) -> Markup:
    """Set what the verdicts mean, who was counted and what to do next into a box of its colour."""
    broken = any(not verdict.holds for verdict in evidence.verdicts)
    good = all_hold(evidence) and not little_left(evidence)
    mood = "bad" if broken else "good" if good else "open"
    sign = {"bad": "✗", "good": "✓", "open": "–"}[mood]
    return element(
        "section",
        element(
            "h2", element("span", sign, class_="sign", aria_hidden="true"), headline(evidence), id="answer"
        ),
        [element("p", sentence) for sentence in sentences],
        element("p", counted, f" {capital(evidence.people.rstrip('.'))}."),
        element("p", _advice(evidence, broken, about)),
        class_=f"answer {mood}",
        aria_labelledby="answer",
    )


def key_figures(evidence: PublicEvidence) -> Markup:
    """Set the handful of numbers apart that people look for first."""
    shown = [
        ("records in the file", number(evidence.data.rows)),
        ("blanked" if keeps_suppressed(evidence) else "left out", number(evidence.suppressed_records)),
        ("groups of records that look alike", number(evidence.classes.number)),
        ("smallest group", number(evidence.classes.smallest)),
    ]
    if isinstance(evidence, StewardEvidence):
        before, after = evidence.risk_before, evidence.risk_after
        shown.append(("highest risk", f"{percent(before.highest_risk)} → {percent(after.highest_risk)}"))
        shown.append(("one of a kind", f"{number(before.uniques)} → {number(after.uniques)}"))
        linked = next((one for one in evidence.attacks if one.name == "linkage" and one.after), None)
        if linked is not None and linked.before is not None and linked.after is not None:
            found = f"{percent(linked.before.success)} → {percent(linked.after.success)}"
            shown.append(("found by linkage", found))
    return facts(shown, class_="figures")
