"""What became of identifiers: the lines of a policy, consent, repairs, and where keys and codes lie."""

from __future__ import annotations

from sfumato.core.evidence import PolicyLineEvidence, PublicEvidence, StewardEvidence
from sfumato.report.markup import Child, Markup, element, facts, table, together
from sfumato.report.sections import section
from sfumato.report.words import count, moment, name, were


def _done(line: PolicyLineEvidence) -> Child:
    if not line.done:
        return "no column was declared to hold it"
    return element(
        "ul",
        [element("li", name(column), f": {what}") for column, what in line.done.items()],
        class_="plain",
    )


def policy(evidence: PublicEvidence) -> Markup | None:
    """List each identifier of the policy with what was found and done; the steward attests the rest."""
    if evidence.policy is None:
        return None
    followed = evidence.policy
    rows = [(together(f"({line.key}) {line.title}"), _done(line)) for line in followed.lines]
    attest: Markup | None = None
    if isinstance(evidence, StewardEvidence) and followed.attestation:
        attest = together(
            element("p", "What no program can know is for the steward to attest:"),
            element("p", element("span", f"☐ {followed.attestation}", class_="choice")),
        )
    return section(
        "policy",
        "What the policy asked for",
        element(
            "p",
            element("strong", followed.title),
            f" ({followed.source}): " if followed.source else ": ",
            "these transformations were applied, to the columns that were declared. Whether that satisfies ",
            "the law is for people to decide.",
        ),
        table("Identifiers that the policy lists", ("Identifier", "Found and done"), rows),
        attest,
    )


def consent_and_repairs(evidence: PublicEvidence) -> Markup | None:
    """Say who was left out for want of consent, and which damaged values were mended."""
    items: list[Child] = []
    if evidence.withheld_records:
        amount = evidence.withheld_records
        whose = ""
        if isinstance(evidence, StewardEvidence) and evidence.withheld_persons:
            whose = f" of {count(evidence.withheld_persons, 'person', 'persons')}"
        items.append(
            f"{count(amount, 'record')}{whose} {were(amount)} left out before anything was counted: "
            "there was no consent."
        )
    items += [f"{repair}." for repair in evidence.repairs]
    if not items:
        return None
    return section("input", "What was done before", element("ul", [element("li", item) for item in items]))


def secrets(evidence: StewardEvidence) -> Markup | None:
    """Say for whom the release was made, and where keys and codes lie."""
    pairs: list[tuple[str, Child]] = []
    if evidence.agreement is not None:
        agreed = evidence.agreement
        pairs.append(
            ("Agreement", f"with {agreed.recipient}, for {agreed.purpose}, until {moment(agreed.expires)}")
        )
    if evidence.masking is not None:
        used = evidence.masking
        if used.recipient or used.purpose:
            pairs.append(("Made for", ", ".join(part for part in (used.recipient, used.purpose) if part)))
        pairs.append(("Key", used.key))
        pairs.append(("Vault", f"{used.vault} ({count(used.codes, 'code')})" if used.codes else used.vault))
    if not pairs:
        return None
    return section(
        "identifiers",
        "Keys and codes",
        element(
            "p", "Who holds the key or the vault can find people again. Keep them apart from the release."
        ),
        facts(pairs),
    )
