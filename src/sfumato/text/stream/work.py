"""A folder of unfinished work: finished batches stay, so that a second run goes on where the first stopped.

It lies hidden beside the target, for its owner alone, and holds raw notes while a run is under way. It is
bound to a fingerprint of what is done (recipe, input, key, code): work that was begun otherwise is never gone
on with. When a run is interrupted the raw notes go and the finished batches stay; after a crash (power,
SIGKILL) all of it stays, and the next run takes it up or, with ``restart``, throws it away.
"""

from __future__ import annotations

import errno
import hmac
import json
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from sfumato.core.errors import BadInput, PromiseNotMet, SystemFault
from sfumato.core.leftovers import LEFTOVERS, Leftover, delete_folder
from sfumato.core.system import could_not, explained
from sfumato.text.stream.batch import is_whole

NAME = ".sfumato-text"
_STATE = "work.json"
_LOCK = "lock"
_SORTED = "sorted.parquet"
_STAGED = "staged.parquet"
VAULT = "vault.jsonl"
_BATCHES = "batch-*.parquet"
_KEPT = (_STATE, _LOCK, VAULT, _BATCHES, "batch-*.sum")
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""folders in which a release is written before it is put in place"""


@dataclass
class Work:
    """Unfinished work."""

    folder: Path
    state: dict[str, Any] = field(default_factory=dict)

    @property
    def staged(self) -> Path:
        """The notes as they came."""
        return self.folder / _STAGED

    @property
    def sorted(self) -> Path:
        """The notes by person, in batches."""
        return self.folder / _SORTED

    @property
    def vault(self) -> Path:
        """Random codes that were drawn: they must be the same in all batches."""
        return self.folder / VAULT

    def batch(self, number: int) -> Path:
        """Where a finished batch lies."""
        return self.folder / f"batch-{number:07d}.parquet"

    def drop_damaged(self) -> None:
        """Throw finished batches away that are not as they were written: they are done again."""
        for path in self.folder.glob("batch-*.parquet"):
            if not is_whole(path):
                path.unlink()

    def finished(self) -> list[int]:
        """List the batches that are done."""
        return [number for number in range(len(self.lengths)) if self.batch(number).exists()]

    @property
    def lengths(self) -> list[int]:
        """The characters of each batch; empty before the notes were sorted."""
        return list(self.state.get("lengths", ()))

    def remember(self, **facts: Any) -> None:
        """Write down what a later run must know."""
        self.state.update(facts)
        path = self.folder / _STATE
        unfinished = path.with_suffix(".tmp")
        with unfinished.open("w", encoding="utf-8") as file:
            json.dump(self.state, file)
            file.flush()
            os.fsync(file.fileno())
        unfinished.rename(path)

    @property
    def leftover(self) -> Leftover:
        """What must go whatever happens: all but finished batches and what a later run must know."""
        return Leftover(os.path.abspath(self.folder), keep=_KEPT, worth=_BATCHES)

    def discard(self) -> None:
        """Throw everything away."""
        delete_folder(self.folder)

    def discard_raw(self) -> None:
        """Throw away what came from the input; a later run reads it again."""
        raw = (self.staged, self.sorted, self.sorted.with_suffix(".tmp"), *self.folder.glob("*.raw.*"))
        for path in raw:
            path.unlink(missing_ok=True)


@contextmanager
def unfinished_work(target: Path, identity: Mapping[str, Any], *, restart: bool = False) -> Iterator[Work]:
    """Open the work of a target: what was begun in the same way is gone on with.

    What is left when the block ends depends on how: after success the caller discards it; a promise that does
    not hold takes everything with it; any other end leaves finished batches alone.
    """
    place = target.absolute()
    made = [one for one in (place, *place.parents) if not os.path.lexists(one)]
    work = Work(target / NAME)
    if restart:
        work.discard()
    try:
        work.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.chmod(work.folder, 0o700)
    except OSError as problem:
        raise could_not(
            problem, "the folder cannot be written", where=str(target), remedy="choose another with --out"
        ) from None
    try:
        with _locked(work.folder / _LOCK, target):
            try:
                _take_up(work, identity, target)
                work.drop_damaged()
            except OSError:
                if not work.finished():
                    work.discard()
                raise
            with LEFTOVERS.entered(*([_begun(target)] if made else []), work.leftover):
                try:
                    yield work
                except PromiseNotMet:
                    work.discard()
                    raise
                except BaseException:
                    work.discard_raw()
                    if not work.finished():
                        work.discard()
                    raise
    except (OSError, SystemFault) as problem:
        clear = explained(problem, where=str(target))
        if clear is None:
            raise
        if work.finished():
            clear.remedy += "; then run it again to go on"
        else:
            # Once more, now that the lock is gone: where too many files are open, nothing went before.
            work.discard()
        raise clear from None
    finally:
        for folder in made:
            with suppress(OSError):
                folder.rmdir()


def _begun(target: Path) -> Leftover:
    return Leftover(os.path.abspath(target), shared=True)


def _take_up(work: Work, identity: Mapping[str, Any], target: Path) -> None:
    path = work.folder / _STATE
    told = json.dumps(identity, sort_keys=True, default=str).encode()
    state: dict[str, Any] = {}
    if path.exists():
        with suppress(OSError, ValueError):
            state = json.loads(path.read_text(encoding="utf-8"))
    salt = state.get("salt") or secrets.token_hex(32)
    fingerprint = hmac.digest(bytes.fromhex(salt), told, "sha256").hex()
    if state and state.get("fingerprint") != fingerprint:
        raise BadInput(
            "unfinished work lies there that was begun with another recipe, input, key or version",
            where=str(target),
            remedy="go on with those, or give --restart to throw it away and begin anew",
        )
    work.state = state
    if not state:
        # What an earlier run left before it wrote anything down is of no use.
        for left in work.folder.iterdir():
            if left.name != _LOCK:
                left.unlink()
        work.remember(salt=salt, fingerprint=fingerprint)


@contextmanager
def _locked(path: Path, target: Path) -> Iterator[IO[bytes]]:
    """Hold the folder: two runs at once would write over each other."""
    try:
        import fcntl
    except ImportError:  # no such locks on this system
        with path.open("ab") as file:
            yield file
        return
    with path.open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadInput(
                "another run is at work there",
                where=str(target),
                remedy="wait for it, or choose another --out",
            ) from None
        yield file
