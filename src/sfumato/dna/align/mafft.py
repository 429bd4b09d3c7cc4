"""MAFFT, a real multiple aligner, where it is installed.

Katoh and Standley, *MAFFT Multiple Sequence Alignment Software Version 7* (2013). The program gets the bases
alone: sequences are numbered, no header and no name leaves this process, and its files lie in a folder that
nobody else can open and that is removed in every case. What comes back is believed only if every row without
its gaps is the sequence that went in.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, MissingPart
from sfumato.core.progress import SILENT, Progress
from sfumato.core.temporary import temporary_folder
from sfumato.dna.align.contract import distinct, faithful
from sfumato.dna.aligned import Aligned, Unaligned
from sfumato.hierarchy.iupac import GAP, iupac, letters, parse

_WHERE = "alignment by MAFFT"


@dataclass(frozen=True)
class Mafft:
    """Runs ``mafft --auto``. ``program`` is looked for on the PATH and may take so many ``seconds``."""

    program: str = "mafft"
    seconds: float | None = None
    name: str = field(default="mafft", init=False)

    @property
    def found(self) -> str | None:
        """Where the program lies, None where it does not."""
        return shutil.which(self.program)

    def align(self, data: Unaligned, *, progress: Progress = SILENT) -> Aligned:
        """Return the rows in the order of the sequences. Gaps that were there are put anew."""
        program = self.found
        if program is None:
            raise MissingPart(
                "the aligner MAFFT was not found",
                where="alignment",
                remedy="install it, or take the built-in aligner",
            )
        if not len(data):
            raise BadInput("there is no sequence to align", where="alignment")
        different, which = distinct(data.sequences)
        filled = [at for at, sequence in enumerate(different) if len(sequence)]
        progress.step("aligning with MAFFT")
        if len(filled) > 1:
            rows = self._run(program, [different[at] for at in filled])
        else:
            width = max(map(len, different))
            rows = np.array([different[at] for at in filled], np.uint8).reshape(len(filled), width)
        # An empty sequence is no FASTA record: it is a row of gaps.
        cells = np.full((len(different), rows.shape[1]), GAP, np.uint8)
        cells[filled] = rows
        return Aligned(cells[which], iupac(), persons=data.persons)

    def _run(self, program: str, sequences: list[NDArray[np.uint8]]) -> NDArray[np.uint8]:
        with temporary_folder("sfumato-align-") as folder:
            into, out = Path(folder, "in.fasta"), Path(folder, "out.fasta")
            with into.open("wb") as file:
                for number, sequence in enumerate(sequences):
                    file.write(b">%d\n%s\n" % (number, letters()[sequence].tobytes()))
            with out.open("wb") as file:
                try:
                    process = subprocess.Popen(
                        [program, "--auto", "--nuc", "--quiet", "--inputorder", "--anysymbol", str(into)],
                        stdin=subprocess.DEVNULL,
                        stdout=file,
                        stderr=subprocess.DEVNULL,
                        cwd=folder,
                        env={**os.environ, "TMPDIR": str(folder)},
                        start_new_session=True,
                    )
                    try:
                        ended = process.wait(self.seconds)
                    finally:
                        _end(process)
                except subprocess.TimeoutExpired:
                    raise BadInput(
                        f"the program took longer than {self.seconds:g} seconds",
                        where=_WHERE,
                        remedy="give it more time, or fewer sequences",
                    ) from None
                except OSError:
                    raise BadInput("the program cannot be run", where=_WHERE, remedy="check it") from None
            if ended != 0:
                raise BadInput(
                    f"the program ended with code {ended}",
                    where=_WHERE,
                    remedy="take the built-in aligner",
                )
            return _checked(out.read_bytes(), sequences)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a program and all that it has started: MAFFT is a script, whose programs would go on without it."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _checked(fasta: bytes, sequences: list[NDArray[np.uint8]]) -> NDArray[np.uint8]:
    """Read what the program wrote, and compare it with what it was given."""
    rows: list[NDArray[np.uint8]] = []
    for number, record in enumerate(fasta.split(b">")[1:]):
        header, _, body = record.partition(b"\n")
        if header.strip() != b"%d" % number:
            raise _unlike()
        rows.append(parse(b"".join(body.split()), where=_WHERE))
    if len({len(row) for row in rows}) != 1 or not faithful(np.stack(rows), sequences):
        raise _unlike()
    return np.stack(rows)


def _unlike() -> BadInput:
    return BadInput(
        "the rows that the program returned are not the sequences that it was given",
        where=_WHERE,
        remedy="take the built-in aligner",
    )
