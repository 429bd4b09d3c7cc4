"""What stands beside numbers that may be dates: words that announce a day, or a measure."""

from __future__ import annotations

import re

from sfumato.text.dates import listed
from sfumato.text.detectors.patterns.machinery import words_after, words_before

_DATE_WORDS = listed(
    "on since until till til from through thru dated date dates dob born birthdate birthday admitted admit "
    "admission discharged discharge dc adm dis seen signed dictated transcribed typed received collected "
    "reported resulted verified performed done drawn scheduled appt appointment due starting started start "
    "began begin beginning stopped ended ending expired died deceased service visit visited note notes "
    "note: entered evaluated examined exam updated revised effective completed placed removed inserted "
    "surgery procedure operation op dos doa dod doe d t labs lab cxr ct mri echo egd ekg ecg xray "
    "ultrasound us scan biopsy culture cultures mon tue tues wed thu thur thurs fri monday tuesday "
    "wednesday thursday friday saturday sunday before after between of week yesterday today tomorrow "
    "tonight currently last next lmp edd edc progress nursing addendum report authenticated reviewed called "
    "faxed sent mailed arrived transferred presented returns return followup fell injured onset happened "
    "cx bcx ucx culture occurred crashed tripped slipped collapsed hospitalized hospitalised vaccinated"
)
"""words before a number that announce a day"""
_MEASURE_BEFORE = listed(
    "day days pod hd bp b pressure pain score scored scores vision va acuity od os ou strength motor power "
    "reflexes reflex dtr dtrs pulse pulses grade graded murmur apgar apgars nph insulin rated rates rating "
    "scale gcs mmse moca ratio ratios percocet norco vicodin lortab hydrocodone oxycodone lisinopril "
    "augmentin bactrim septra advair symbicort hct hctz temp hr rr sat sats spo2 o2 fio2 level levels dose "
    "doses vitals ef bun cr creatinine na k cl wbc hgb plt inr pt ptt phq gad auditc stage type size gauge "
    "fr french suture vicryl prolene nylon monocryl silk pds bmi ie fev1 fvc cd x every q ranges range "
    "ranging mag visual muscle bilaterally"
)
"""words before a number that announce a measure"""
_MEASURE_AFTER = listed(
    "h lymph ln lns cores fields cases specimens strands stools episodes blasts mg mcg g gm gram grams kg "
    "ml cc l dl units unit u iu meq mmol mm cm m inch inches pain murmur sem strength systolic diastolic "
    "bilaterally bilateral throughout tablet tablets tab tabs cap caps capsule puffs drops days day weeks "
    "week wks wk hours hour hrs minutes min mins months month years year yrs yo y times time x percent lbs "
    "lb pounds oz mmhg bpm degrees hpf lpf nodes node positive neg negative intensity severity scale point "
    "points out motor reflexes pulses edema packs pack ppd drinks beers cigarettes french fr gauge vicryl "
    "prolene nylon monocryl silk pds"
)
"""words after a number that make it one"""
_PAIR = re.compile(r"[A-Z][A-Za-z]*/[A-Z][A-Za-z]*\s*:?\s*$")
"""a pair of measures: BUN/Cr, I/O"""
_SLASHED = re.compile(r"\b(?:d/c|f/u|a/p|s/p|w/u|dc)(?:'?ed|'?d)?:?\s$", re.IGNORECASE)
_RATED = re.compile(
    r"\b(?:pain|rat(?:es?|ed|ing)|scale|severity|score[ds]?|strength|level|headache|ache)\b[^.;\n]*$",
    re.IGNORECASE,
)
_LINE_HEAD = re.compile(r"(?:^|\n)[\s*•|>#-]*$")
_FIELD = re.compile(r"(?:[:=@|(\[]|\b(?:on|of)\s*:?)\s*$", re.IGNORECASE)
_TIME_AFTER = re.compile(
    r"[,\s]{1,3}(?:@|at\s)?\s?(?:[0-2]?[0-9]:[0-5][0-9]|[0-2][0-9][0-5][0-9]\b|[0-9]{1,2}\s?[ap]m)",
    re.IGNORECASE,
)
_YEAR_BEFORE = listed(
    "in since during of from until till through circa around about before after by year early late mid ca "
    "late-summer spring summer fall autumn winter class and to between approximately approx dated diagnosed "
    "dx born yob"
)
_CLINICAL_YEAR = re.compile(
    r"(?:ectomy|plasty|otomy|ostomy|surgery|cabg|stent|repair|replacement|fusion|graft|mi|cva|transplant"
    r"|s/p.{0,30})[\s,(]{1,2}$",
    re.IGNORECASE,
)


def dated(text: str, start: int, end: int) -> bool:
    """Say whether the words around announce a date.

    >>> dated("seen on 7/21 for", 8, 12), dated("pain 3/10", 5, 9), dated("7/21: afebrile", 0, 4)
    (True, False, True)
    """
    before = text[max(0, start - 40) : start]
    if _TIME_AFTER.match(text, end) or _SLASHED.search(before):
        return True
    words = words_before(text, start, 2)
    if _LINE_HEAD.search(before):
        return re.match(r"\s*(?:[:\u2013-]|\n|$|\s[A-Za-z])", text[end : end + 4]) is not None
    if not words:
        return False
    gap = text[start - 6 : start] if start >= 6 else text[:start]
    if "." in gap.rstrip()[-1:] and words[0] not in _DATE_WORDS:
        return False
    if words[0] in _DATE_WORDS or (
        words[0] in ("the", "was", "is", "at") and words[1:] and words[1] in _DATE_WORDS
    ):
        return True
    return bool(_FIELD.search(before)) and any(word in _DATE_WORDS for word in words)


def unit_follows(text: str, end: int) -> bool:
    """Say whether the word after a number makes it an amount.

    >>> unit_follows("5-10 mg", 4), unit_follows("7/21 he", 4), unit_follows("7/21/13 Time: 8", 7)
    (True, False, False)
    """
    after = words_after(text, end, 1)
    if not after or after[0] not in _MEASURE_AFTER or re.match(r"[\s-]{0,2}\w", text[end : end + 3]) is None:
        return False
    return re.match(rf"[\s-]{{0,2}}{re.escape(after[0])}\s?:", text[end : end + 20], re.IGNORECASE) is None


def looks_like_measure(text: str, start: int, end: int) -> bool:
    """Say whether the words around make a number a measure: a pressure, a score, a dose, a duration.

    >>> looks_like_measure("BP 12/20", 3, 8), looks_like_measure("on 7/21", 3, 7)
    (True, False)
    """
    if unit_follows(text, end):
        return True
    if text[end : end + 1] == "%" or text[max(0, start - 1) : start] in ("#", "x", "$", "+", "~", "<", ">"):
        return True
    words = words_before(text, start, 2, 24)
    if not words:
        return False
    if _RATED.search(text, max(0, start - 60), start) and re.search(r"/\s?(?:5|10)$", text[start:end]):
        return True
    if words[0] in _MEASURE_BEFORE:
        return True
    if words[0] in ("was", "is", "of", "at", "are", "about", "to", "a", "pain") and words[1:]:
        return words[1] in _MEASURE_BEFORE
    return _PAIR.search(text, max(0, start - 12), start) is not None


def year_is_meant(text: str, start: int, end: int) -> bool:
    """Say whether four digits are meant as a year.

    >>> year_is_meant("since 2015", 6, 10), year_is_meant("at 2015", 3, 7)
    (True, False)
    """
    if text[end - 1] == "s":
        return True
    after = words_after(text, end, 1)
    if after and after[0] in _MEASURE_AFTER and re.match(r"\s?\w", text[end : end + 2]):
        return False
    words = words_before(text, start, 2)
    listed_too = re.search(r"(?<![0-9/.-])(?:19|20)[0-9]{2}, $", text[max(0, start - 8) : start])
    announced = bool(words) and (words[0] in _YEAR_BEFORE or listed_too)
    if announced and text[start - 1 : start] != ".":
        return True
    before = text[max(0, start - 60) : start]
    if before.endswith("(") and text[end : end + 1] in ")-,;":
        return True
    return bool(_CLINICAL_YEAR.search(before))
