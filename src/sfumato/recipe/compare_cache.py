"""What comparisons found before: kept in the house's cache folder, for nobody else to read.

A result is found again by the content of the input, the whole configuration and the code that made it.
Its name is a keyed hash of these, so that nobody can test guesses of the input against it.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import hmac
import json
import os
import pickle
import secrets
from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from sfumato.__about__ import __version__
from sfumato.core.caches import cache_base
from sfumato.core.evidence import StewardEvidence
from sfumato.core.fingerprint import chunks_of
from sfumato.engine.frames import to_arrow
from sfumato.engine.sources import CsvFile, Frame, ParquetFile, Source
from sfumato.recipe.compare_worker import Outcome
from sfumato.recipe.job import Job

_PACKAGE = Path(__file__).resolve().parent.parent
_KEY = "key"
MOST_RESULTS = 2000
"""some kilobytes each"""


@functools.cache
def _code() -> str:
    """Return a hash of all sources: other code may find other results."""
    digest = hashlib.sha256(__version__.encode())
    for source in sorted(_PACKAGE.rglob("*.py")):
        digest.update(source.relative_to(_PACKAGE).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()


class Cache:
    """Evidence of jobs that were carried out before; without a folder that works it holds nothing."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._input: bytes | None = None
        self._key = b""
        if folder is not None:
            try:
                folder.mkdir(0o700, parents=True, exist_ok=True)
                folder.chmod(0o700)
                self._key = _key_in(folder)
                _forget_the_oldest(folder)
            except OSError:
                self._folder = None

    @classmethod
    def of_the_house(cls) -> Cache:
        """Return the cache beside that of the compiled kernels."""
        base = cache_base()
        return cls(None if base is None else base / "sfumato" / "compare")

    def name(self, job: Job) -> str | None:
        """Return the name that a job's result has, or None when it cannot be kept."""
        if self._folder is None:
            return None
        if self._input is None:
            content = [_content(source, self._key) for source in (job.source, job.population) if source]
            if None in content:
                self._folder = None
                return None
            self._input = b"".join(part for part in content if part)
        try:
            # The title changes no figure; everything else might, also what a repr leaves out.
            everybody = _without_place(job.population) if job.population else None
            spelt = pickle.dumps(
                replace(job, source=_without_place(job.source), population=everybody, title="")
            )
        except (pickle.PicklingError, AttributeError, TypeError):
            return None
        return hmac.new(self._key, self._input + _code().encode() + spelt, hashlib.sha256).hexdigest()

    def find(self, name: str | None) -> Outcome | None:
        """Return what was kept under a name."""
        if self._folder is None or name is None:
            return None
        try:
            kept = json.loads((self._folder / f"{name}.json").read_bytes())
            return Outcome(
                StewardEvidence.model_validate(kept["evidence"]), attribute_risk=kept["attribute_risk"]
            )
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def keep(self, name: str | None, outcome: Outcome) -> None:
        """Write a result down, all of it or nothing; what failed is tried again the next time."""
        if self._folder is None or name is None or outcome.evidence is None:
            return
        evidence = outcome.evidence.model_dump(mode="json")
        written = json.dumps({"evidence": evidence, "attribute_risk": outcome.attribute_risk})
        draft = self._folder / f".{name}-{secrets.token_hex(4)}"
        with contextlib.suppress(OSError):
            try:
                draft.touch(0o600)
                draft.write_text(written, encoding="utf-8")
                draft.replace(self._folder / f"{name}.json")
            finally:
                draft.unlink(missing_ok=True)


def _forget_the_oldest(folder: Path) -> None:
    """Keep no more results than MOST_RESULTS."""
    kept = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
    for path in kept[: max(0, len(kept) - MOST_RESULTS)]:
        path.unlink(missing_ok=True)


def _key_in(folder: Path) -> bytes:
    path = folder / _KEY
    with contextlib.suppress(FileExistsError):
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_hex(32).encode())
    return path.read_bytes()


def _content(source: Source, key: bytes) -> bytes | None:
    """Hash what a source holds; the rows of a database may change unseen, so they are not remembered."""
    digest = hmac.new(key, digestmod=hashlib.sha256)
    if isinstance(source, CsvFile | ParquetFile):
        try:
            for chunk in chunks_of(source.path):
                digest.update(chunk)
        except OSError:
            return None
        return digest.digest()
    if isinstance(source, Frame):
        table = to_arrow(source.data).combine_chunks()
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
        digest.update(sink.getvalue())
        return digest.digest()
    return None


def _without_place(source: Source) -> Source:
    if isinstance(source, CsvFile | ParquetFile):
        return replace(source, path=Path(source.path.name))
    return Frame(None) if isinstance(source, Frame) else source
