"""The summary in the terminal."""

from __future__ import annotations

import io
import subprocess
import sys

import pytest
from rich.console import Console

from sfumato.core.evidence import PublicEvidence
from sfumato.report import summary
from tests.report.examples import broken, broken_steward, column, public, steward, verdict


def shown(evidence: PublicEvidence, width: int = 120, *, colours: bool = False) -> str:
    out = io.StringIO()
    console = Console(
        file=out, width=width, force_terminal=colours, color_system="truecolor" if colours else None
    )
    console.print(summary(evidence))
    return out.getvalue()


def test_the_steward_sees_verdict_records_risk_and_loss() -> None:
    said = shown(steward())
    assert "✓ holds: required k ≥ 5, achieved k = 7" in said
    assert "401 of 25,744 records (1.6%) were left out." in said
    assert "highest 100% → 14.3%, average 28.8% → 4.2%, one of a kind 4,211 → 0" in said
    assert "gcp 0.2842" in said
    assert "k-anonymity alone does not protect" in said


def test_the_public_summary_has_neither_risk_nor_loss() -> None:
    said = shown(public())
    assert "risk" not in said
    assert "loss" not in said
    assert "✓ holds" in said


@pytest.mark.parametrize("evidence", [public(**broken()), broken_steward()])
def test_a_broken_promise_is_said_with_a_sign_and_with_words(evidence: PublicEvidence) -> None:
    said = shown(evidence)
    assert "Do not share this file: 1 promise does not hold." in said
    assert "✗ does not hold: required k ≥ 5, achieved k = 1" in said
    assert "✓" not in said


def test_texts_from_outside_cannot_steer_the_terminal_or_speak_rich_markup() -> None:
    evil = "\x1b[2J[bold red]x[/]\x07\rgone\n"
    model = verdict().model_copy(update={"model": evil, "required": evil, "achieved": evil})
    said = shown(steward(verdicts=[model], warnings=[evil], columns=[column(evil)]), width=400)
    assert not set(said) & set("\x1b\x07\r")
    assert "[bold red]x[/]" in said


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_the_panel_fits_the_terminal(width: int) -> None:
    said = shown(steward(warnings=["w" * 500]), width=width)
    assert max(len(line) for line in said.splitlines()) <= width


def test_colours_are_only_added_to_words() -> None:
    assert "\x1b[" in shown(steward(), colours=True)
    assert "\x1b[" not in shown(steward())


def test_importing_the_report_does_not_import_rich() -> None:
    code = "import sys, sfumato.report; sys.exit(any(name.split('.')[0] == 'rich' for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=120).returncode == 0
