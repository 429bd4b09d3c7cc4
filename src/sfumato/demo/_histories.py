"""Made-up histories of diagnoses: visit after visit, with codes of ICD-9-CM as hospitals file them.

Everybody has a few illnesses that last and comes back with them, and now and then with what everybody has. Of
each illness some codes are common and some are rare. Codes have no dots, as in most files. How often anything
occurs is made up.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from sfumato.core.errors import BadInput
from sfumato.demo._dice import Dice, Ints

LASTING: tuple[tuple[int, tuple[str, ...]], ...] = (
    (60, ("49390", "49300", "49310", "49392", "49320", "49302", "49381", "49382")),
    (20, ("31401", "31400")),
    (25, ("29680", "29650", "29640", "29660", "2967", "29652", "29644", "29602")),
    (12, ("1889", "1882", "1884", "1880")),
    (40, ("1749", "1744", "1748", "1742", "1743", "1759")),
    (130, ("41400", "41401", "412", "4139", "41071", "4111", "41090", "41402", "41011", "41412")),
    (15, ("52100", "52102", "52103", "52109")),
    (25, ("25001", "25003", "25061", "25041", "25013", "25051")),
    (140, ("25000", "25002", "25060", "25040", "25050", "25062", "25080", "25042", "25072", "25010")),
    (30, ("1629", "1623", "1625", "1628", "1624")),
    (10, ("1579", "1570", "1578", "1574")),
    (40, ("2875", "28731", "2874", "28730", "28749")),
    (20, ("64421", "64420", "76518", "76517", "76508")),
    (45, ("185",)),
    (35, ("6961", "6960")),
    (12, ("1890", "1891")),
    (18, ("29570", "29530", "29590", "29532", "29534", "29562")),
    (8, ("28260", "28262", "28263", "28241")),
    (250, ("4019", "4011", "4010")),
    (120, ("2724", "2720", "2722", "2721", "2723")),
    (60, ("4280", "42822", "42832", "42823", "42830", "4281", "42840")),
    (50, ("5859", "5853", "5854", "5856", "5852")),
    (40, ("42731", "42732", "4271", "42781", "4279")),
    (40, ("311", "29620", "29630", "3004", "29633")),
)
"""how often each illness is met, and its codes from common to rare"""
PASSING = (
    *("78079", "7295", "78900", "78650", "7242", "V700", "4660", "4659", "5990", "78605", "78791", "462"),
    *("7840", "53081", "2859", "3829", "7802", "E8889", "92400", "84500", "56400", "0088", "0389", "V5861"),
    *("6929", "37230", "38870", "6826", "9100", "V0481", "71941", "71946", "7881", "5849", "2768", "E9479"),
)
"""what anybody may come with, from common to rare"""
_FALLING = (40, 20, 12, 8, 6, 4, 3, 2, 1, 1)
"""how often the first, second, … code of an illness is met"""


def generate_histories(path: Path, patients: int = 1000, seed: int = 7) -> Path:
    """Write a long table ``patient, visit, icd9_code``: one diagnosis on each row.

    Args:
        path: the CSV file to write
        patients: how many people have a history
        seed: a whole number from 0 on
    """
    if patients < 1:
        raise BadInput("there must be at least one patient", remedy="ask for 1 or more")
    dice = Dice(seed)
    numbers = (dice.distinct("histories: numbers", 90_000, patients) + 10_000).tolist()
    visits = 1 + dice.pick("histories: visits", (30, 25, 18, 12, 9, 6), patients)
    owner = np.repeat(np.arange(patients), visits)
    illness = dice.pick("histories: illness", [often for often, _ in LASTING], patients * 3).reshape(-1, 3)
    number = 1 + dice.pick("histories: illnesses", (45, 35, 20), patients)
    which = dice.below("histories: which", 2**40, len(owner)) % number[owner]
    reason = illness[owner, which]
    rows: list[set[str]] = [set() for _ in owner]
    for place, code in enumerate(_codes_of(dice, reason)):
        rows[place].add(code)
    extra = dice.pick("histories: extra", (50, 35, 15), len(owner))
    for time in (1, 2):
        place_of = np.flatnonzero(extra >= time)
        chosen = dice.pick(f"histories: passing {time}", _weights(len(PASSING)), len(place_of))
        for place, code in zip(place_of.tolist(), chosen.tolist(), strict=True):
            rows[place].add(PASSING[code])
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("patient", "visit", "icd9_code"))
        for place, codes in enumerate(rows):
            writer.writerows((numbers[owner[place]], 100_001 + place, code) for code in sorted(codes))
    return path


def _codes_of(dice: Dice, reason: Ints) -> list[str]:
    """Draw a code for each visit from those of the illness that it is about."""
    table = np.zeros((len(LASTING), len(_FALLING)), np.int64)
    for row, (_, codes) in enumerate(LASTING):
        table[row, : len(codes)] = _FALLING[: len(codes)]
    chosen = dice.pick_by("histories: codes", table, reason)
    return [LASTING[row][1][place] for row, place in zip(reason.tolist(), chosen.tolist(), strict=True)]


def _weights(number: int) -> list[int]:
    """Let the i-th be met as often as 1 / (i + 1), in whole numbers."""
    return [10_000 // (place + 1) for place in range(number)]
