"""Does work grow with the length of its input, or with its square? Told from processor time, without noise.

The best of a few tries counts, on both lengths: other programs and the collector of garbage only ever make a
try longer. Sixteen times the input takes a square 256 times as long; up to 64 times is taken as linear, since
parts that cost the same for every input hide in the short one.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

TIMES = 16
FLOOR = 0.004
"""seconds below which the clock's own noise would count"""
TRIES = 5


def seconds(work: Callable[[str], object], text: str) -> float:
    """Return the processor time of one try."""
    gc.collect()
    gc.disable()
    try:
        began = time.process_time()
        work(text)
        return time.process_time() - began
    finally:
        gc.enable()


def grows_with_the_length(work: Callable[[str], object], piece: str, *, short: int = 1_500) -> bool:
    """Say whether ``work`` on a text of repeated pieces takes time in proportion to its length."""
    texts = [piece * (length // len(piece) + 1) for length in (short, TIMES * short)]
    work(texts[0])
    least = [float("inf"), float("inf")]
    for _ in range(TRIES):
        least = [min(before, seconds(work, text)) for before, text in zip(least, texts, strict=True)]
        if least[1] <= 4 * TIMES * max(least[0], FLOOR):
            return True
    return False
