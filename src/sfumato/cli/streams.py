"""Standard streams that cannot spoil the work: whoever reads them may leave, or never have been there.

``sfumato protect recipe.yaml | head -1`` closes the pipe while a release is being made. The release is then
finished all the same, and the exit code tells of the work, not of the reader.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class _Patient(io.FileIO):
    """Writes to a descriptor; once its reader is gone, to nobody.

    ``forgives_all`` holds for messages: a log on a full disk must not stop a run. Results are another thing.
    """

    forgives_all = False
    _gone = False

    def write(self, given: ReadableBuffer, /) -> int:
        size = memoryview(given).nbytes
        if self._gone:
            return size
        try:
            return super().write(given)
        except OSError as problem:
            if not self.forgives_all and problem.errno != errno.EPIPE:
                raise OSError(problem.errno, problem.strerror, "standard output") from None
            self._gone = True
            return size


def bear_absent_readers() -> None:
    """Make standard output and standard error outlive their readers."""
    _open_what_is_closed()
    sys.stdout = _patient(sys.stdout, forgives_all=False)
    sys.stderr = _patient(sys.stderr, forgives_all=True)


def _open_what_is_closed() -> None:
    """Give closed descriptors to nobody: else the next file gets one, and messages land in it."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            with contextlib.suppress(OSError):
                os.open(os.devnull, os.O_RDWR)


def _patient(stream: TextIO | None, *, forgives_all: bool) -> TextIO:
    """Return the stream over a patient file; one that is no plain file of this process stays as it is."""
    if stream is None:
        return open(os.devnull, "w", encoding="utf-8")
    buffer = getattr(stream, "buffer", None)
    # An interpreter that was told not to buffer has no buffer over its file.
    raw = getattr(buffer, "raw", buffer)
    if type(raw) is not io.FileIO or not isinstance(stream, io.TextIOWrapper):
        return stream
    stream.flush()
    patient = _Patient(raw.fileno(), "w", closefd=False)
    patient.forgives_all = forgives_all
    return io.TextIOWrapper(
        patient if raw is buffer else io.BufferedWriter(patient),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )
