"""Small files for the tests."""

from __future__ import annotations

import gzip
from pathlib import Path

from sfumato.graph.network import Network


def write(folder: Path, name: str, text: str | bytes) -> Path:
    """Write a file, packed when its name says so."""
    content = text if isinstance(text, bytes) else text.encode()
    path = folder / name
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    return path


def said(network: Network) -> list[str]:
    """Return the word of each node."""
    assert network.labels is not None
    return [network.words[label] for label in network.labels]
