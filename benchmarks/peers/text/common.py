"""What peers that find identifiers share: texts on standard input, spans and seconds on standard output."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable

Spans = list[tuple[int, int, str]]


def answer(find: Callable[[str], Spans]) -> None:
    """Search every text of a JSON list; write {"seconds", "spans"} with [start, end, kind] for each."""
    texts = json.load(sys.stdin)
    before = time.process_time()
    spans = [find(text) for text in texts]
    print(json.dumps({"seconds": time.process_time() - before, "spans": spans}))
