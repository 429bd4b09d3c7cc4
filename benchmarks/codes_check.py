"""The one check of sets: counting every itemset on click streams, baskets, and a million records.

    python -m benchmarks.codes_check

Reads BMS-WebView-2 and retail from the neighbour folder ``shared`` and says so when they are not there. The
slowest cases are measured: nothing ends early, because the promise holds or because every itemset is counted
although it is broken. The million records are drawn from a fixed seed.
"""

from __future__ import annotations

import gzip
import sys
from fractions import Fraction

import numpy as np

from benchmarks.result import SHARED, Result, cpu_seconds, in_child, table
from sfumato.codes.check import Answer, answer
from sfumato.codes.contract import Problem
from sfumato.codes.methods.apriori import AprioriAnonymisation
from sfumato.codes.models import CompleteItemsetAnonymity, HkpCoherence, KmAnonymity, RhoUncertainty
from sfumato.codes.published import PublishedSets
from sfumato.codes.question import Question
from sfumato.codes.sets import CodeSets
from sfumato.codes.tree import CodeTree
from sfumato.hierarchy.balanced import Balanced

FOLDER = SHARED / "data" / "codes" / "bench"


def read(name: str) -> CodeSets:
    """Read one set of a line."""
    with gzip.open(FOLDER / f"{name}.dat.gz", "rt", encoding="utf-8") as file:
        return CodeSets.of(line.split() for line in file if line.strip())


def million(records: int = 1_000_000, codes: int = 3_000, seed: int = 1) -> CodeSets:
    """Draw records of one to fifteen codes, some of which are much commoner than others."""
    random = np.random.default_rng(seed)
    lengths = random.integers(1, 16, records)
    owners = np.repeat(np.arange(records), lengths)
    chosen = np.minimum((codes * random.random(len(owners)) ** 3).astype(np.int64), codes - 1)
    return CodeSets.from_pairs(owners, chosen, [f"{code:04}" for code in range(codes)], records)


def measured(
    work: str, published: PublishedSets, question: Question, bar: float | None = None, every: bool = True
) -> Result:
    """Ask and time one question."""
    found = answer(published, question, every=every)
    seconds = cpu_seconds(lambda: answer(published, question, every=every), runs=3)
    return Result(work, seconds, "s CPU", bar, note=in_short(found))


def in_short(found: Answer) -> str:
    """Say what was found."""
    state = "holds" if found.holds else f"{found.violations:,} broken"
    return f"{found.looked_at:,} itemsets looked at, {state}"


def run() -> list[Result]:
    """Measure every piece of work; without the data only the records that are drawn."""
    found = run_click_streams() if FOLDER.is_dir() else []
    if not found:
        print("the click streams are not there (../shared): they were not measured", file=sys.stderr)
    return [*found, *run_million()]


def run_click_streams() -> list[Result]:
    """Measure k^m, complete k-anonymity, coherence and uncertainty on real sets."""
    clicks = read("BMS-WebView-2")
    original = PublishedSets.as_it_is(clicks)
    model = KmAnonymity(5, 3)
    tree = CodeTree.of(Balanced(5), clicks.domain)
    protected = AprioriAnonymisation().protect(Problem(clicks, (model,), tree)).published
    assert isinstance(protected, PublishedSets)
    often = PublishedSets.as_it_is(clicks.take(np.repeat(np.arange(len(clicks)), 5)))
    question = model.question()
    bms = "BMS-WebView-2, 5^3"
    found = [
        measured(f"{bms}, as it is, every violation counted", original, question, 3.0),
        measured(f"{bms}, as it is, ends early", original, question, every=False),
        measured(f"{bms}, after Apriori", protected, question, 3.0, every=False),
        measured(f"{bms}, codes under items, after Apriori", protected, KmAnonymity(5, 3, "leaf").question()),
        measured(f"{bms}, every record five times: all codes kept and it holds", often, question, 3.0),
        measured("BMS-WebView-2, any itemset, k=5", original, CompleteItemsetAnonymity(5).question()),
    ]
    marked = np.zeros(len(clicks.domain), np.bool_)
    marked[np.argsort(clicks.supports, kind="stable")[-1000::20]] = True
    with_sensitive = PublishedSets.as_it_is(clicks, marked)
    coherence = HkpCoherence(Fraction(1, 2), 5, 2).question()
    found.append(measured("BMS-WebView-2, 50 sensitive codes, coherence p=2", with_sensitive, coherence))
    uncertainty = RhoUncertainty(Fraction(1, 2)).question()
    found.append(measured("BMS-WebView-2, 50 sensitive codes, uncertainty", with_sensitive, uncertainty))
    retail = PublishedSets.as_it_is(read("retail"))
    found.append(measured("retail, 5^2, every violation counted", retail, KmAnonymity(5, 2).question()))
    return found


def run_million() -> list[Result]:
    """Measure a million records in a process of its own, for the memory."""
    question = KmAnonymity(5, 2).question()
    answer(PublishedSets.as_it_is(million(100)), question, every=True)

    def draw() -> PublishedSets:
        return PublishedSets.as_it_is(million())

    _, before, floor = in_child(draw)
    _, seconds, memory = in_child(lambda: answer(draw(), question, every=True))
    work = "1 M records × 3,000 codes, 5^2, every violation counted"
    note = f"drawing them takes {floor:.2f} GB"
    return [
        Result(work, seconds - before, "s CPU"),
        Result(f"{work}: memory", memory, "GB", 1.0, note=note),
    ]


if __name__ == "__main__":
    print(table("Checking sets", run()))
