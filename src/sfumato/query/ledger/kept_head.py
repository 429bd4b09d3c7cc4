"""The head of the log, kept in a small file outside the ledger and made durable with every batch.

A ledger that is put back from an old copy is whole in itself: it has only forgotten what was spent since.
What is kept outside shows it. The order of steps is the guarantee (``SqlLedger.write``):

=====================================  ======================================================
it dies                                what holds
=====================================  ======================================================
before the ledger's commit             nothing happened
after it, before the head is kept      the ledger is ahead of the file, which is fine: it has the head
                                       that was kept. Nothing was run or handed over meanwhile
while the head is being written        one of two slots is torn; the other has the head before
after it                               a ledger that does not have this head is refused
=====================================  ======================================================

So whatever was run or handed over is in every ledger that is accepted later. The file has a block that says
whose it is, and two slots of a head and its checksum, written in turn: it is whole at every moment, and one
``fdatasync`` of a file whose size stays the same is all it takes. Heads only grow; several processes may
share a file, behind a lock. It holds nothing secret; who removes it says that budgets may begin anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from sfumato.core.errors import BadInput
from sfumato.query.ledger.chain import Head
from sfumato.query.ledger.contract import LedgerUnavailable

try:
    import fcntl
except ImportError:  # a system without such locks has no processes that share a ledger safely either
    fcntl = None  # type: ignore[assignment]

BLOCK = 4096
"""bytes; a disk never tears two blocks with one write"""
_WAIT = 10.0
"""seconds for others who write the same file"""
_SYNC = getattr(os, "fdatasync", os.fsync)
_FLAGS = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


class Unreadable(Exception):
    """A file that keeps no head, or one that is damaged."""


class KeptHead:
    """A file that keeps the head of a ledger's log; made when the first head is kept.

    ``owner`` is written into a new file: whose head it is.
    """

    def __init__(self, path: Path, owner: Mapping[str, str] | None = None) -> None:
        self.path = path
        self._owner = dict(owner or {})
        self._lock = threading.Lock()
        self._file: int | None = None
        self._durable = -1
        """the largest sequence that this process saw on disk"""

    def read(self) -> Head | None:
        """Return the head that was kept; None where none was ever kept."""
        with self._lock:
            if self._file is None and not self.path.exists():
                return None
            with _told_in_words(self.path), self._held() as file:
                return _newest(_slots(_whole(file)))[0]

    def keep(self, head: Head) -> None:
        """Keep a head, durably; an older one than what was kept changes nothing."""
        with self._lock, _told_in_words(self.path):
            if self._file is None and not self.path.exists():
                write_whole(self.path, self._owner, head, replace=False)
            with self._held() as file:
                slots = _slots(_whole(file))
                newest, place = _newest(slots)
                if newest.sequence < head.sequence:
                    os.lseek(file, (2 - place) * BLOCK, os.SEEK_SET)
                    os.write(file, _slot(head))
                elif newest.sequence == head.sequence and newest != head:
                    raise Unreadable
                if self._durable < newest.sequence or newest.sequence < head.sequence:
                    # Also for what another process wrote: it may have died before it was on disk.
                    _SYNC(file)
                    self._durable = max(newest.sequence, head.sequence)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            if self._file is not None:
                os.close(self._file)
            self._file = None

    @contextlib.contextmanager
    def _held(self) -> Iterator[int]:
        """Open and lock the file that is there now: another process may have put a newer one in its place."""
        while True:
            if self._file is None:
                self._file = os.open(self.path, os.O_RDWR | _FLAGS)
            _lock(self._file)
            try:
                mine, there = os.fstat(self._file), self.path.stat()
                if (mine.st_dev, mine.st_ino) == (there.st_dev, there.st_ino):
                    yield self._file
                    return
            finally:
                if fcntl is not None:
                    fcntl.flock(self._file, fcntl.LOCK_UN)
            os.close(self._file)
            self._file, self._durable = None, -1


def _lock(file: int) -> None:
    """Wait for others who write the file, but not for ever: one of them may have been stopped."""
    ends = time.monotonic() + _WAIT
    while fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > ends:
                raise
            time.sleep(0.001)
        else:
            return


def read_owner(path: Path) -> dict[str, str]:
    """Return what a file says of whose head it keeps; raises ``Unreadable``."""
    try:
        whole = path.read_bytes()
        told = json.loads(whole[:BLOCK].rstrip(b"\0"))
        _newest(_slots(whole))
        return {str(name): str(value) for name, value in told.items()}
    except (OSError, ValueError, AttributeError):
        raise Unreadable from None


def write_whole(path: Path, owner: Mapping[str, str], head: Head, *, replace: bool) -> None:
    """Make the file, whole or not at all; one that another process made meanwhile stays, unless replaced."""
    told = json.dumps(owner, ensure_ascii=False).encode()
    if len(told) > BLOCK:
        raise BadInput("the name is too long to be kept", where=str(path), remedy="choose a shorter one")
    whole = told.ljust(BLOCK, b"\0") + _slot(head).ljust(BLOCK, b"\0") + bytes(BLOCK)
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        with os.fdopen(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY | _FLAGS, 0o600), "wb") as file:
            file.write(whole)
            file.flush()
            os.fsync(file.fileno())
        if replace:
            os.replace(fresh, path)
        else:
            with contextlib.suppress(FileExistsError):
                os.link(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # where folders cannot be opened, they cannot be waited for either
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _whole(file: int) -> bytes:
    """Read the file, and one byte more: one that is too long is not ours."""
    os.lseek(file, 0, os.SEEK_SET)
    return os.read(file, 3 * BLOCK + 1)


def _slot(head: Head) -> bytes:
    text = str(head)
    return f"{text} {hashlib.sha256(text.encode()).hexdigest()[:16]}\n".encode().ljust(128, b"\0")


def _slots(whole: bytes) -> list[Head | None]:
    """Return the heads of both slots; None for one that is empty or torn."""
    if len(whole) != 3 * BLOCK:
        raise Unreadable
    found: list[Head | None] = []
    for place in (1, 2):
        slot = whole[place * BLOCK : place * BLOCK + 128]
        head = None
        with contextlib.suppress(BadInput, UnicodeDecodeError):
            head = Head.read(slot.decode("ascii").partition(" ")[0])
        found.append(head if head is not None and _slot(head) == slot else None)
    return found


def _newest(slots: list[Head | None]) -> tuple[Head, int]:
    """Return the newest head and its place."""
    there = [(head, place) for place, head in enumerate(slots) if head is not None]
    if not there:
        raise Unreadable
    return max(there, key=lambda each: each[0].sequence)


@contextlib.contextmanager
def _told_in_words(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, Unreadable):
        raise LedgerUnavailable(
            "the file that remembers where the log of the ledger ended cannot be read or written",
            where=str(path),
            remedy="let this process write it, or put it back from a copy; nothing is answered without it",
        ) from None
