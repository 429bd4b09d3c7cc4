"""``sfumato audit mechanism`` at the terminal: lists, audits, says what was refuted and leaves with 1.

False alarms: one audit of a sound mechanism at a confidence of 1 − 10⁻⁸.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from sfumato.cli.audit_mechanism import broken, sound
from tests.cli.commands import Run, runner


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(tmp_path, monkeypatch, capsys)


def test_every_mechanism_is_listed(run: Run) -> None:
    done = run("audit", "mechanism", "--list")
    assert done.code == 0
    for name in (*sound(), *broken()):
        assert name in done.words


def test_a_sound_mechanism_is_not_refuted(run: Run) -> None:
    done = run("audit", "mechanism", "geometric", "--samples", "5000", "--confidence", "0.99999999")
    assert done.code == 0
    assert "geometric ε = 1" in done.words
    assert "5,000 not refuted" in done.words
    assert "not proved" in done.words
    assert "geometric" in done.err


def test_a_broken_mechanism_is_refuted_and_the_command_leaves_with_1(run: Run) -> None:
    done = run("audit", "mechanism", "half-noise", "--samples", "20000", "--confidence", "0.99999999")
    assert done.code == 1
    assert "refuted" in done.words
    assert "1 of 1 claims refuted" in done.words


def test_names_and_numbers_that_are_not_right_are_told(run: Run) -> None:
    done = run("audit", "mechanism", "geometrik")
    assert done.code == 2
    assert "did you mean 'geometric'?" in done.sentence
    assert run("audit", "mechanism", "geometric", "--confidence", "1").code == 2
    assert run("audit", "mechanism", "geometric", "--samples", "1").code == 2


def test_no_name_stands_for_two_mechanisms() -> None:
    assert not set(sound()) & set(broken())
