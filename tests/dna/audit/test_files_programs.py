"""Other programmes that are started leave nothing behind: no process, no folder."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np
import pytest

from sfumato.core.errors import BadInput
from sfumato.dna.align import Mafft
from sfumato.dna.aligned import Unaligned
from sfumato.hierarchy.iupac import parse

SLOW = """#!/bin/sh
sleep 60 &
echo $! > "{beside}/child"
wait
"""


def alive(process: int) -> bool:
    state = Path(f"/proc/{process}/stat")
    return state.exists() and state.read_text().rsplit(")", 1)[1].split()[0] != "Z"


def test_what_mafft_has_started_ends_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MAFFT is a script that starts programmes: they went on computing on a folder that was gone."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    program = tmp_path / "mafft"
    program.write_text(SLOW.format(beside=tmp_path))
    program.chmod(0o755)
    data = Unaligned((parse("ACGT"), parse("AC")), np.arange(2))
    with pytest.raises(BadInput, match="took longer than 0.5 seconds"):
        Mafft(str(program), seconds=0.5).align(data)
    child = int((tmp_path / "child").read_text())
    for _ in range(50):
        if not alive(child):
            break
        time.sleep(0.02)
    assert not alive(child)
    assert not list(folder.iterdir())
