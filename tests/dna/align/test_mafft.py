import os
import stat
import sys
from pathlib import Path

import numpy as np
import pytest

from sfumato.core.errors import BadInput, MissingPart
from sfumato.dna.align import Mafft
from sfumato.dna.aligned import Unaligned
from sfumato.hierarchy.iupac import parse

PROGRAM = """#!{python}
import os, pathlib, sys, time
beside = pathlib.Path(__file__).parent
given = pathlib.Path(sys.argv[-1])
text = given.read_text()
(beside / "given").write_text(text)
(beside / "folder").write_text(f"{{given.parent}} {{os.stat(given.parent).st_mode}} {{os.environ['TMPDIR']}}")
records = [record.split() for record in text.split(">")[1:]]
widest = max(len(body) for _, body in records)
rows = [(name, body.lower().ljust(widest, "-")) for name, body in records]
{change}
for name, row in rows:
    print(f">{{name}}\\n{{row[:3]}}\\n{{row[3:]}}")
"""


def program(folder: Path, change: str = "") -> Mafft:
    """A stand-in that puts all gaps at the end, or does something else."""
    path = folder / "mafft"
    path.write_text(PROGRAM.format(python=sys.executable, change=change))
    path.chmod(0o755)
    return Mafft(str(path))


def unaligned(*texts: str) -> Unaligned:
    return Unaligned(tuple(parse(text) for text in texts), np.arange(len(texts)) + 5)


def test_rows_come_back_in_their_order_with_their_persons(tmp_path: Path) -> None:
    found = program(tmp_path).align(unaligned("ACGTR", "AC", "ACGTR", "", "A-C"))
    assert [found.lattice.spelt(row) for row in found.cells] == ["ACGTR", "AC---", "ACGTR", "-----", "AC---"]
    assert found.owners.tolist() == [5, 6, 7, 8, 9]


def test_the_program_sees_numbers_and_different_bases_alone_in_a_closed_folder(tmp_path: Path) -> None:
    program(tmp_path).align(unaligned("ACGT", "AC", "ACGT"))
    assert (tmp_path / "given").read_text() == ">0\nACGT\n>1\nAC\n"
    folder, mode, temporary = (tmp_path / "folder").read_text().split()
    assert stat.S_IMODE(int(mode)) == 0o700
    assert temporary == folder
    assert not Path(folder).exists()


def test_one_sequence_alone_needs_no_program_run(tmp_path: Path) -> None:
    found = program(tmp_path, "sys.exit(1)").align(unaligned("ACGT", "ACGT"))
    assert [found.lattice.spelt(row) for row in found.cells] == ["ACGT", "ACGT"]
    assert program(tmp_path).align(unaligned("", "")).cells.shape == (2, 0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("rows[1] = (rows[1][0], '-' * widest)", "not the sequences that it was given"),
        ("rows[0] = (rows[0][0], rows[0][1].replace('r', 'n'))", "not the sequences that it was given"),
        ("rows[1] = (rows[1][0], rows[1][1] + '-')", "not the sequences that it was given"),
        ("rows.reverse()", "not the sequences that it was given"),
        ("rows.pop()", "not the sequences that it was given"),
        ("rows.clear()", "not the sequences that it was given"),
        ("rows[1] = (rows[1][0], 'acx--')", "position 3"),
        ("sys.exit(3)", "ended with code 3"),
    ],
)
def test_what_the_program_returns_is_not_believed(tmp_path: Path, change: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        program(tmp_path, change).align(unaligned("ACGTR", "AC"))
    assert not Path((tmp_path / "folder").read_text().split()[0]).exists()


def test_a_program_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    slow = Mafft(program(tmp_path, "time.sleep(60)").program, seconds=0.5)
    with pytest.raises(BadInput, match=r"longer than 0\.5 seconds"):
        slow.align(unaligned("ACGTR", "AC"))


def test_without_the_program_the_remedy_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingPart, match="built-in aligner"):
        Mafft().align(unaligned("AC", "ACG"))


def test_a_file_that_is_no_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mafft"
    path.write_bytes(b"\x00nothing that runs")
    os.chmod(path, 0o755)
    with pytest.raises(BadInput, match="cannot be run"):
        Mafft(str(path)).align(unaligned("AC", "ACG"))


def test_no_sequence_at_all_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no sequence to align"):
        program(tmp_path).align(Unaligned(()))
