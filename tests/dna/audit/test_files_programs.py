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
(for beat in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    echo beat >> "{beside}/beats"
    sleep 0.1
done) &
wait
"""


def test_what_mafft_has_started_ends_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MAFFT is a script that starts programmes: they went on computing in a folder that was gone."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    program = tmp_path / "mafft"
    program.write_text(SLOW.format(beside=tmp_path))
    program.chmod(0o755)
    data = Unaligned((parse("ACGT"), parse("AC")), np.arange(2))
    with pytest.raises(BadInput, match=r"took longer than 0\.5 seconds"):
        Mafft(str(program), seconds=0.5).align(data)
    assert not list(folder.iterdir())
    beats = (tmp_path / "beats").read_text()
    time.sleep(0.5)
    assert (tmp_path / "beats").read_text() == beats
