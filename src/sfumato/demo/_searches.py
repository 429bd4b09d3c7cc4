"""Made-up searches of the voters of Lindenmoor: under a number instead of a name, day by day.

People look for what everybody looks for, and now and then for a plumber in their quarter, for others of their
own surname, for themselves; and for what they would not tell their neighbours.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sfumato.core.errors import BadInput
from sfumato.demo import _people
from sfumato.demo._dice import Dice
from sfumato.demo._names import FIRST_NAMES, SURNAMES

if TYPE_CHECKING:
    import pyarrow as pa

PLACES = (
    *("Lindenmoor Market", "Old Harbour", "Mill Quarter", "Saint Vitus", "Rope Walk", "Tanners Yard"),
    *("Upper Gate", "Lower Gate", "Glass Hill", "Salt Meadow", "Kiln Lane", "Heron Pond", "Quarry Park"),
    *("East Lock", "Larch Common", "Pilgrim Cross", "Weir Bank", "Orchard Rise", "Drovers End", "Signal Box"),
    *("Fuller Green", "Chalk Pits", "Nine Elms Farm", "Smithy Corner", "Abbey Grange", "Fox Covert"),
    *("Hollow Heath", "Beacon Fell"),
)
"""a name for each ZIP code of the town"""
_FIRST_DAY = np.datetime64("2024-03-01")
_DAYS = 92
_EVERYBODY = (
    *("weather", "train times", "football results", "recipe pancakes", "lottery numbers", "tv tonight"),
    *("cheap flights", "crossword help", "how to knit", "used cars", "garden fence", "income tax form"),
    *("dog training", "jobs", "horoscope", "news", "maps", "online bank", "cinema", "translate"),
)
_TROUBLES = (
    *("hand tremors", "bipolar", "dry mouth", "effect of nicotine on the body", "numb fingers"),
    *("divorce lawyer cost", "debt advice", "swollen lymph nodes", "memory loss test", "panic at night"),
)
_SERVICES = ("plumber in {}", "landscapers in {}", "school holidays {}", "pizza {}", "homes sold in {}")
_FAMILY = ("{} family tree", "{} family reunion", "{} coat of arms", "surname {}")
_STRANGERS = ("dr {}", "{} solicitor", "{} songs", "judge {}")
_AGES = ("class of {school}", "turning {age}", "dating over {decade}")
_KINDS = (560, 130, 60, 45, 50, 45, 110)
"""what everybody asks, places, family, oneself, strangers, age, troubles: in thousandths"""


@dataclass(frozen=True)
class Searches:
    """Where the files are: the log, what a gazetteer and a directory say, and for the house who is who."""

    log: Path
    """``searcher``, ``date``, ``query``"""
    places: Path
    """``place``, ``zip``"""
    directory: Path
    """the voter list with a number: ``voter``, ``name``, ``birth_date``, ``sex``, ``zip``"""
    key: Path
    """``searcher``, ``voter``: the truth"""


def generate_searches(voters: Path, folder: Path, people: int = 500, seed: int = 7) -> Searches:
    """Make up the searches of some people of a voter list.

    Args:
        voters: a list such as ``generate`` writes
        folder: where to write
        people: how many of them search
        seed: a whole number from 0 on
    """
    with voters.open(encoding="utf-8", newline="") as file:
        listed = list(csv.DictReader(file))
    if not 1 <= people <= len(listed):
        raise BadInput(f"{people:,} people search", remedy=f"ask for 1 to {len(listed):,}")
    dice = Dice(seed)
    chosen = dice.distinct("searches: people", len(listed), people).tolist()
    numbers = (dice.distinct("searches: numbers", 9_000_000, people) + 1_000_000).tolist()
    folder.mkdir(parents=True, exist_ok=True)
    found = Searches(*(folder / f"{name}.csv" for name in ("searches", "places", "directory", "searchers")))
    asked = [
        (str(number), *entry)
        for number, who in zip(numbers, chosen, strict=True)
        for entry in _asked(dice, number, listed[who])
    ]
    order = np.argsort(dice.below("searches: order", 2**60, len(asked)), kind="stable").tolist()
    _write(found.log, ("searcher", "date", "query"), [asked[i] for i in order])
    _write(found.places, ("place", "zip"), list(zip(PLACES, _people.ZIPS, strict=True)))
    _write(
        found.directory,
        ("voter", *listed[0]),
        [(str(number), *row.values()) for number, row in enumerate(listed, 1)],
    )
    _write(
        found.key,
        ("searcher", "voter"),
        [(str(number), str(who + 1)) for number, who in zip(numbers, chosen, strict=True)],
    )
    return found


def _asked(dice: Dice, number: int, who: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Draw the searches of one person, as days and texts."""
    sittings = 8 + int(dice.below(f"{number}: sittings", 25, 1)[0])
    vain = bool(dice.chance(f"{number}: vain", 600, 1)[0])
    day_of = dice.below(f"{number}: days", _DAYS, sittings)
    each = 1 + dice.below(f"{number}: each", 4, sittings)
    day = np.repeat(day_of, each)
    kind = dice.pick(f"{number}: kinds", _KINDS, len(day))
    word = dice.below(f"{number}: words", 2**40, len(day)).tolist()
    first, _, surname = who["name"].partition(" ")
    home = _people.ZIPS.index(who["zip"])
    born = int(who["birth_date"][:4])
    for when, what, draw in zip(day.tolist(), kind.tolist(), word, strict=True):
        elsewhere = draw // 1000 % 100 < 15
        place = PLACES[draw // 7 % len(PLACES) if elsewhere else home]
        age = 2024 - born
        stranger = SURNAMES[draw // 11 % len(SURNAMES)]
        texts = (
            _pick(_EVERYBODY, draw),
            _pick(_SERVICES, draw).format(place),
            _pick(_FAMILY, draw).format(surname),
            f"{first} {surname}" if vain else f"{_pick(FIRST_NAMES, draw)} {stranger}",
            _pick(_STRANGERS, draw).format(stranger),
            _pick(_AGES, draw).format(school=born + 18, age=age, decade=max(20, age // 10 * 10)),
            _pick(_TROUBLES, draw),
        )
        yield str(_FIRST_DAY + when), texts[what].lower()


def _pick(some: Sequence[str], draw: int) -> str:
    return some[draw % len(some)]


def _write(path: Path, header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def split_by_day(log: pa.Table) -> pa.Table:
    """Give every searcher a new number every day: what is learned on one says nothing about another."""
    import pyarrow as pa

    pairs = list(zip(log["searcher"].to_pylist(), log["date"].to_pylist(), strict=True))
    number = {pair: str(place) for place, pair in enumerate(dict.fromkeys(pairs), 1)}
    fresh = pa.array([number[pair] for pair in pairs])
    return log.set_column(log.column_names.index("searcher"), "searcher", fresh)


def without_rare_queries(log: pa.Table, k: int) -> pa.Table:
    """Leave out what fewer than k searchers asked."""
    import pyarrow as pa

    askers: dict[str, set[str]] = {}
    for searcher, query in zip(log["searcher"].to_pylist(), log["query"].to_pylist(), strict=True):
        askers.setdefault(query, set()).add(searcher)
    return log.filter(pa.array([len(askers[query]) >= k for query in log["query"].to_pylist()]))
