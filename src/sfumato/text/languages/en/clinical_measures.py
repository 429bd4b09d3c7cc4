"""Measures in English notes: numbers that look like dates or numbers of people and are none.

Blood pressures, pain scores, vertebrae, sutures, doses, laboratory values, sizes, stages. Each is told by
what stands beside it: a unit, a test, a drug; a number alone is not claimed.
"""

from __future__ import annotations

import re

from sfumato.text.detectors.dictionary import NUMBER, Reading
from sfumato.text.folding import listed
from sfumato.text.lexicon import Mark

Found = tuple[int, int, str, float]

_UNITS = listed("""
    mg mcg ug µg μg g gm gms gram grams kg kgs lb lbs pounds oz ounces ml mls cc ccs dl l liter liters litre
    meq mmol iu units unit u mm cm cms inch inches mmhg bpm beats breaths kcal fr french gauge ga gtt tabs
    tab tablet tablets caps cap capsule capsules puff puffs drops drop weeks week days day hours hour hrs hr
    minutes mins min seconds months month years year yrs yr cycles cycle times percent degrees ng pg cfu
    vials vial lpm doses dose meters meter feet foot steps fraction fractions gy cgy pack packs ppd beers
    drinks cigarettes
""")
_STRONG_UNITS = listed("""
    mg mcg ug µg μg g gm gms gram grams kg kgs lb lbs ml mls cc ccs dl meq mmol iu units mm cm cms mmhg bpm
    kcal fr french gauge ga lpm ng pg gy cgy tabs tab tablet tablets caps cap puffs puff % percent
""")
_GLUED_UNIT = re.compile(
    r"\d+(?:mg|mcg|ug|µg|μg|g|gm|kg|lbs?|ml|cc|dl|l|meq|mmol|iu|u|mm|cm|fr|ga|g|bpm|hrs?|h|min|wks?|w|d|mo|lpm|ng|pg|gy)",
    re.I,
)
_VERTEBRA = re.compile(r"[CTLS]\d{1,2}", re.I)
_SCORE_WORDS = listed("""
    pain scale rated rates rating severity intensity strength discomfort headache score out at reflexes
    murmur motor cog
""")
_SCORED = listed("pain strength in systolic throughout bilaterally murmur")
_PRESSURE_WORDS = listed("""
    bp pressure pressures bps b/p vitals ra la rue lue sitting standing supine
""")
_STAGES = listed("""
    stage grade class type phase gleason killip nyha asa ecog karnofsky apgar gcs figo mallampati tanner
    fitzpatrick bethesda
""")
_SUTURES = listed("""
    vicryl monocryl prolene nylon ethilon pds chromic silk suture sutures ethibond maxon gut gore tex gortex
    fiberwire polypropylene stitch stitches dexon caprosyn biosyn surgilon mersilene stratafix
""")
_SCALES = listed("""
    epworth moca mmse berg tinetti phq gad aims braden morse barthel katz norton rass cam slums ess ham
    hamd madrs ybocs pcl audit dast bdi bai cage nihss mrs fim tug sppb womac hoos koos dash oswestry ndi
    lefs faces flacc nrs vas score scored scale
""")
_SCALE_TOPS = frozenset({10, 15, 20, 21, 24, 25, 27, 28, 30, 36, 40, 42, 48, 56, 60, 63, 80, 100, 126})
_CODE_SYSTEMS = listed("cpt icd icd9 icd10 hcpcs drg snomed loinc ndc rxnorm dsm modifier pos")
_OBSTETRIC = re.compile(r"G\d{1,2}P\d{1,4}(?:A\d{1,2})?(?:L\d{1,2})?", re.I)
_DATED = listed("on since until till from dated by starting started began beginning")
_JOINERS = frozenset("/-–.x×,+~=")
_DIGITS = re.compile(r"\d{1,4}")
_LONGEST = 12


def _number_end(read: Reading, place: int) -> int:
    """Return where a number ends that may have points, slashes, hyphens: ``18/1.1``, ``55-60``, ``3 x 4``."""
    words = read.tokens.words
    end = place + 1
    while end + 1 < len(words) and end - place < _LONGEST and words[end] in _JOINERS:
        tight = read.glued(end - 1) and read.glued(end)
        if not read.facts[end + 1] & NUMBER or not (
            tight or (words[end] in "x×-–" and read.beside(end - 1) and read.beside(end))
        ):
            break
        end += 2
    return end


def measure(read: Reading, place: int) -> Found | None:
    """Judge a number by what stands beside it."""
    words = read.tokens.words
    if place and read.glued(place - 1) and words[place - 1] not in "(<>=~+[≥≤±@$€£":
        return None
    word = words[place]
    if _VERTEBRA.fullmatch(word):
        return _vertebrae(read, place)
    end = _number_end(read, place)
    if place and words[place - 1] in "$€£" and read.glued(place - 1):
        return place - 1, end, "amount", 0.97
    if _OBSTETRIC.fullmatch(word) and end == place + 1:
        return place, end, "obstetric", 0.97
    if _of_code_system(read, place):
        return place, end, "code", 0.97
    if _is_range(read, place, end):
        return place, end, "range", 0.9
    short = all(len(part) <= 4 for part in words[place:end])
    parts = words[place:end]
    after = read.word(end) if read.beside(end - 1) else ""
    before = read.word(place - 1)
    if parts[1:2] == ["-"] and parts[2:] in (["0"], ["O"]) and _sutured(read, end):
        return place, end, "suture", 0.95
    if short and len(parts) == 3 and parts[1] == "/" and parts[0].isdecimal() and parts[2].isdecimal():
        found = _pair(read, place, end, int(parts[0]), int(parts[2]), before, after)
        if found is not None:
            return found
    if not short or (len(parts) == 5 and parts[1] == parts[3] and parts[1] in "/-."):
        return None
    if after in _STRONG_UNITS or after == "%":
        return place, end + 1, "measure", 0.9 if len(after) == 1 and after != "%" else 0.96
    if _GLUED_UNIT.fullmatch(words[end - 1]):
        return place, end, "measure", 0.9
    if words[end : end + 1] == ["-"] and read.word(end + 1) in _STRONG_UNITS and read.glued(end):
        return place, end + 2, "measure", 0.9
    if after in _UNITS and len(parts) > 1:
        return place, end + 1, "measure", 0.85
    if before in _STAGES:
        return place, end, "stage", 0.85
    at = place - 1
    if before in (":", "of", "is", "was", "=", ">", "<"):
        at -= 1
    if (
        at >= 0
        and read.beside(at)
        and read.facts[at] & (Mark.MEDICAL | Mark.DRUG)
        and _tested(read, at, end, parts)
    ):
        return place, end, "value", 0.88 if len(parts) > 1 else 0.8
    return None


def _tested(read: Reading, place: int, end: int, parts: list[str]) -> bool:
    """Say whether a value belongs to the test before it, and can be no date, year or part of more."""
    fact = read.facts[place]
    if fact & Mark.WORD_COMMON and not fact & Mark.DRUG:
        return False
    if len(read.tokens.words[place]) < 2 and read.tokens.words[place] != "K":
        return False
    if read.beside(end - 1) and (read.facts[end] & NUMBER or read.tokens.words[end] in "(-/"):
        return False
    if not all(part.isdecimal() for part in parts[::2]) or len(parts) > 5:
        return False
    if len(parts) == 1:
        return len(parts[0]) <= 3
    return "." in parts[1::2] and not (len(parts) == 5 and parts[1] == parts[3])


def _pair(
    read: Reading, place: int, end: int, first: int, second: int, before: str, after: str
) -> Found | None:
    """Judge two numbers with a slash: a blood pressure, a score, a dose of two drugs."""
    near = {read.word(place - back) for back in range(1, 7)}
    if 50 <= first <= 300 and 20 <= second <= 180 and first > second:
        if near & _PRESSURE_WORDS:
            start = place - 1 if before in ("bp", "bps") and read.beside(place - 1) else place
            return start, end, "blood pressure", 0.96
        if first > 31:
            return place, end, "blood pressure", 0.85
    if first <= second and before not in _DATED:
        if second in (5, 6, 10) and (near & _SCORE_WORDS or after in _SCORED or _scored_before(read, place)):
            return place, end, "score", 0.98
        if second in _SCALE_TOPS and near & _SCALES:
            return place, end, "score", 0.98
    if read.fact(place - 1) & Mark.DRUG and read.beside(place - 1):
        return place, end, "dose", 0.94
    return None


def _scored_before(read: Reading, place: int) -> bool:
    """Say whether a score out of the same number stands shortly before: ``pain 6/10 at rest, 8/10 after``."""
    words = read.tokens.words
    top = words[place + 2]
    for at in range(place - 1, max(place - 14, 2), -1):
        graded = words[at - 2].isdigit() or (words[at - 2] in "+-" and words[at - 3].isdigit())
        if words[at] == top and words[at - 1] == "/" and graded:
            return any(read.word(at - back) in _SCORE_WORDS for back in range(3, 12))
    return False


def _of_code_system(read: Reading, place: int) -> bool:
    """Say whether a number is a code of a diagnosis or a procedure: ``CPT 99214-25, 93000``."""
    for at in range(place - 1, max(place - 12, -1), -1):
        word = read.word(at)
        if word in _CODE_SYSTEMS:
            return True
        if not (
            read.facts[at] & NUMBER or word in (",", "-", ".", ":", "and", "codes", "code", "/", ";", "x")
        ):
            return False
    return False


def _is_range(read: Reading, place: int, end: int) -> bool:
    """Say whether two short numbers are the bounds that a laboratory prints: ``139 mmol/L  136-145``."""
    words = read.tokens.words
    if end != place + 3 or words[place + 1] not in "-–" or not (words[place] + words[place + 2]).isdecimal():
        return False
    if max(len(words[place]), len(words[place + 2])) > 3 or int(words[place]) >= int(words[place + 2]):
        return False
    return any(read.word(place - back) in _RANGED for back in range(1, 4)) and not read.line_start(place)


_RANGED = _STRONG_UNITS | listed("l ul hpf between range ranges ranging normal reference ref")


def _sutured(read: Reading, end: int) -> bool:
    return any(read.word(at) in _SUTURES for at in range(end, end + 4))


def _vertebrae(read: Reading, place: int) -> Found | None:
    """Judge vertebrae: ``C5-C6``, ``T12-L1``, ``L4-5``, ``L5/S1``; alone when the spine is spoken of."""
    words = read.tokens.words
    end = place + 1
    while (
        end + 1 < len(words)
        and words[end] in "-/–"
        and read.glued(end - 1)
        and read.glued(end)
        and (
            _VERTEBRA.fullmatch(words[end + 1])
            or (_DIGITS.fullmatch(words[end + 1]) and len(words[end + 1]) <= 2)
        )
    ):
        end += 2
    if end < len(words) and read.glued(end - 1) and words[end] in "-/" and read.glued(end):
        return None
    return place, end, "vertebra", 0.93 if end > place + 1 else 0.75
