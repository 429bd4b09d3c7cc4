"""Search logs as sets: the words that a person searched for, the places that were clicked.

The log that AOL published in 2006 under numbers instead of names let reporters find people by what they had
searched for (Barbaro and Zeller, *New York Times*, 9 August 2006).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.codes.reading.layouts import SearchLog
from sfumato.codes.reading.numbering import Numbering
from sfumato.codes.reading.opening import only
from sfumato.codes.reading.pairs import Pairs, persons
from sfumato.codes.reading.scrubbing import scrub, scrub_address
from sfumato.engine.contract import Table

STOP_WORDS = frozenset(
    (
        *("a", "about", "all", "am", "an", "and", "any", "are", "as", "at", "be", "been", "but"),
        *("by", "can", "could", "did", "do", "does", "for", "from", "get", "had", "has", "have"),
        *("he", "her", "here", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "me"),
        *("my", "no", "not", "of", "off", "on", "or", "our", "out", "she", "so", "some", "that"),
        *("the", "their", "them", "there", "they", "this", "to", "up", "us", "was", "we", "were"),
        *("what", "when", "where", "which", "who", "why", "will", "with", "would", "you", "your"),
        *("com", "www", "http", "https", "html", "htm", "php", "asp", "aspx", "index"),
    )
)
"""words that say nothing of who searches"""
_WORD = re.compile(r"[^\W_]+")


def query_items(query: str) -> tuple[list[str], Counter[str]]:
    """Return the words of a query that are left, and what was removed.

    >>> query_items("Landscapers in Lilburn, 30047")[0]
    ['landscapers', 'lilburn', '30047']
    """
    text, removed = scrub(query)
    return _words(text), removed


def address_items(address: str) -> tuple[list[str], Counter[str]]:
    """Return the host of an address and the words of its path, and what was removed.

    >>> address_items("http://www.clinic.org/health/hand-tremors.html?id=7")[0]
    ['clinic.org', 'health', 'hand', 'tremors']
    """
    host, path, removed = scrub_address(address)
    return [*([host.strip()] if "." in host else []), *_words(path)], removed


def search_pairs(table: Table, layout: SearchLog, where: str) -> Pairs:
    """Return who searched for or clicked on what."""
    columns: dict[str, Callable[[str], tuple[list[str], Counter[str]]]] = {}
    if layout.query is not None:
        columns[layout.query] = query_items
    if layout.url is not None and (layout.url in table.names or layout.query is None):
        columns[layout.url] = address_items
    picked = only(table, [layout.person, *columns], where)
    parts = {name: Numbering() for name in (layout.person, *columns)}
    rows = 0
    for batch in picked.engine.scan(picked):
        rows += batch.num_rows
        for name, part in parts.items():
            part.add(batch.column(name))
    record, people = persons(*parts[layout.person].numbers(), layout.person, where)
    place: dict[str, int] = {}
    owners, codes, removed = [np.empty(0, np.int64)], [np.empty(0, np.int64)], Counter[str]()
    for name, items_of in columns.items():
        numbers, texts = parts[name].numbers()
        row, code = _expanded(numbers, texts, items_of, place, removed)
        owners.append(record[row])
        codes.append(code)
    return Pairs(
        np.concatenate(owners),
        np.concatenate(codes),
        pa.array(place, pa.string()),
        len(people),
        rows,
        where,
        people,
        notes=_told(removed),
    )


def _expanded(
    numbers: NDArray[np.int64],
    texts: pa.Array,
    items_of: Callable[[str], tuple[list[str], Counter[str]]],
    place: dict[str, int],
    removed: Counter[str],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the pairs (row, item); every distinct text is cut once. ``place`` and ``removed`` grow."""
    times = np.bincount(numbers + 1, minlength=len(texts) + 1)[1:].tolist()
    starts = np.zeros(len(texts) + 1, np.int64)
    items: list[int] = []
    for number, text in enumerate(texts.to_pylist()):
        words, found = items_of(text)
        items += [place.setdefault(word, len(place)) for word in words]
        starts[number + 1] = len(items)
        for kind, often in found.items():
            removed[kind] += often * times[number]
    there = np.flatnonzero(numbers >= 0)
    which = numbers[there]
    lengths = starts[which + 1] - starts[which]
    begins = np.cumsum(lengths) - lengths
    inside = np.arange(int(lengths.sum())) - np.repeat(begins, lengths)
    return np.repeat(there, lengths), np.array(items, np.int64)[np.repeat(starts[which], lengths) + inside]


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text) if word not in STOP_WORDS and len(word) > 1]


def _told(removed: Counter[str]) -> tuple[str, ...]:
    counted = [f"{kind} removed: {often:,}" for kind, often in sorted(removed.items())]
    return (*counted, "names that stand for themselves are not found: they are items like other words")
