"""Bounds against hostile input let through what people really use."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from sfumato.core.errors import BadInput
from sfumato.core.files import LONGEST_KEY, read_bytes, read_key
from sfumato.core.named import build
from sfumato.recipe.job import PERTURBATIONS


@pytest.mark.parametrize(
    "spec",
    [
        {"top-bottom-coding": {"columns": ["seen"], "top": 1_763_460_000_000, "bottom": -(10**13)}},
        {"top-bottom-coding": {"columns": ["income"], "top": 10**15, "top_as": 2 * 10**15}},
        {"uniform-noise": {"columns": ["seen"], "within": 1000, "low": 0, "high": 1_763_460_000_000}},
    ],
)
def test_bounds_are_values_of_the_data_and_may_be_large(spec: dict[str, dict[str, object]]) -> None:
    (name,) = spec
    assert build(PERTURBATIONS, spec, "perturbation").name == name


def test_a_key_may_come_through_a_pipe_and_a_long_one_is_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "key"
    os.mkfifo(pipe)
    for sent in (b"secret\n", b"x" * (LONGEST_KEY + 1)):
        writer = threading.Thread(target=lambda sent=sent: pipe.write_bytes(sent), daemon=True)
        writer.start()
        if len(sent) < LONGEST_KEY:
            assert read_key(pipe) == "secret\n"
        else:
            with pytest.raises(BadInput, match="more than"):
                read_key(pipe)
        writer.join(30)


def test_a_service_is_asked_with_a_key_from_a_pipe() -> None:
    """The key is taken; nobody listens at that address."""
    ask = "from sfumato.cli import main; main()"
    asked = [
        sys.executable,
        "-c",
        ask,
        "query",
        "budget",
        "show",
        "--url",
        "http://127.0.0.1:9",
        "--key-file",
    ]
    done = subprocess.run([*asked, "/dev/stdin"], input="k" * 40, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "pipe" not in done.stderr
    assert "127.0.0.1:9" in done.stderr


def test_a_file_is_opened_also_where_the_system_has_fewer_flags(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows has neither of these."""
    for flag in ("O_CLOEXEC", "O_NONBLOCK"):
        monkeypatch.delattr(os, flag)
    (tmp_path / "data.csv").write_bytes(b"a\r\n\x1a")
    assert read_bytes(tmp_path / "data.csv") == b"a\r\n\x1a"
