"""The section about adversaries: what is shown, to whom, and what is said of what is not known."""

from __future__ import annotations

from typing import Any

import pytest
from rich.console import Console

from sfumato.core.evidence import AttackEvidence, AttackFigures, PublicEvidence, StewardEvidence
from sfumato.report.attacks import adversary
from sfumato.report.page import render
from sfumato.report.terminal import summary
from tests.report.examples import public_fields, steward, verdict

HEADING = "What an adversary learns"


def figures(success: float, **more: Any) -> AttackFigures:
    told: dict[str, Any] = {
        "attempts": 2000,
        "baseline": 0.0123,
        "guessing": 0.0456,
        "certain": 17,
        "highest": 1.0,
        "scored": "expected",
    }
    return AttackFigures(success=success, **(told | more))


def attack(name: str = "linkage", threat: str = "identity", **more: Any) -> AttackEvidence:
    told: dict[str, Any] = {
        "title": f"what {name} does",
        "before": figures(0.9177, certain=1234),
        "after": figures(0.0834),
    }
    return AttackEvidence(name=name, threat=threat, **(told | more))


def section(*attacks: AttackEvidence, **changes: Any) -> str:
    return str(adversary(steward(attacks=list(attacks), **changes)) or "")


def test_every_figure_of_an_attack_is_shown_before_and_after() -> None:
    shown = section(attack(knows="voters by name"))
    for figure in ("91.8%", "8.3%", "1.2%", "4.6%", "1,234\u00a0→\u00a017", "knows voters by name"):
        assert figure in shown, figure
    assert "Most often right is linkage: about <strong>8.3%</strong> of 2,000 people, 91.8% before" in shown


def test_the_kinds_of_disclosure_are_kept_apart() -> None:
    shown = section(attack(), attack("homogeneity", "attribute", column="diagnosis"))
    identity = shown.index("Identity: which record is a person’s")
    attribute = shown.index("Attribute: a sensitive value of a person")
    assert identity < attribute
    assert "Membership: " not in shown


def test_what_taking_part_costs_is_told_apart_from_what_anybody_would_learn() -> None:
    some = section(attack(after=figures(0.25, baseline=0.2)))
    none = section(attack(after=figures(0.25, baseline=0.25)))
    assert "5% is due to their own data." in some
    assert "as many would be hit without their own record." in none


def test_an_attack_without_figures_is_listed_and_never_shown_as_nothing() -> None:
    left = [
        attack("similarity", "attribute", column=column, before=None, after=None, not_run="nobody knows why")
        for column in ("diagnosis", "ward")
    ]
    shown = section(*left)
    assert "Not run, so that nothing is known of their success:" in shown
    assert shown.count("nobody knows why") == 1
    assert "0%" not in shown.split("Threats checklist")[0]


def test_claims_that_nobody_compared_are_called_claims() -> None:
    assert "claims, not compared with the truth" in section(attack(after=figures(0.5, scored="claimed")))
    assert "claims, not compared" not in section(attack())


def test_a_bound_is_shown_with_what_became_of_it() -> None:
    shown = section(attack(bounds={"at-most": 0.1, "sure-at-most": 0}, held=True))
    assert "success at most 10%" in shown
    assert "sure of at most 0%" in shown
    assert "kept" in shown


def test_an_attack_that_the_original_cannot_suffer_has_no_before() -> None:
    shown = section(attack("posterior", "inference", before=None))
    assert "not known" in shown
    assert "before" in shown


@pytest.mark.parametrize(
    "threat",
    ["Linkability", "Identifiability", "Non-repudiation", "Detectability", "Disclosure of information"],
)
def test_the_checklist_goes_through_every_threat(threat: str) -> None:
    assert threat in section(attack())


def test_the_checklist_quotes_what_was_measured_and_says_what_was_not() -> None:
    shown = section(attack(), attack("homogeneity", "attribute", column="diagnosis", after=figures(0.31)))
    listed = shown.split("Threats checklist")[1]
    assert "promised and checked: k-anonymity" in listed
    assert "linkage: 8.3% of people (before 91.8%)" in listed
    assert ": sure of 17 people" in listed
    assert "no promise hides it, and no attack measured it" in listed
    member = section(attack("membership", "membership", after=figures(0.66)))
    assert "membership: 66% of people" in member.split("Threats checklist")[1]


def test_the_public_edition_says_nothing_of_attacks() -> None:
    page = render(PublicEvidence(**public_fields()))
    assert HEADING not in page
    whole = render(steward(attacks=[attack()]))
    assert HEADING in whole
    assert 'href="#adversary"' in whole


def test_evidence_without_attacks_has_no_such_section() -> None:
    assert adversary(steward()) is None
    assert HEADING not in render(steward())


def test_hostile_names_are_shown_and_never_run() -> None:
    shown = section(
        attack("<script>a</script>", "attribute", column="<b>", title="<i>", knows="<u>", not_run="<s>")
    )
    for tag in ("<script>", "<b>", "<i>", "<u>", "<s>"):
        assert tag not in shown


def test_a_broken_promise_is_not_quoted_as_protection() -> None:
    shown = section(attack(), verdicts=[verdict(holds=False, achieved=1)])
    assert "promised and checked" not in shown


def printed(evidence: StewardEvidence) -> str:
    console = Console(width=200, record=True, file=None, force_terminal=False)
    with console.capture() as said:
        console.print(summary(evidence))
    return said.get()


def test_the_terminal_shows_attacks_before_and_after_in_a_line() -> None:
    one = attack("homogeneity", "attribute", column="diagnosis")
    left = attack("skewness", "inference", after=None, before=None, not_run="dark")
    shown = printed(steward(attacks=[attack(), one, left]))
    assert "linkage 91.8% → 8.3%, homogeneity on diagnosis 91.8% → 8.3%" in shown
    assert "skewness" not in shown
    assert "attacks" not in printed(steward())
