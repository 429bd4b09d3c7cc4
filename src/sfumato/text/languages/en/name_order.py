"""Names with the family name first: "Whitfield, Eleanor M.", as registers, headers and tables write them."""

from __future__ import annotations

from sfumato.text.detectors.dictionary import GIVEN, INITIAL, NUMBER, UPPER, Reading
from sfumato.text.languages.en.name_cues import CLOSING, Cue, credential_after
from sfumato.text.languages.en.name_runs import OTHER, Found, Run, run_from
from sfumato.text.lexicon import Mark


def last_first(read: Reading, run: Run, cue: Cue | None) -> Found | None:
    """Judge "Last, First M": a comma between two runs, the second of which begins with a given name."""
    words = read.tokens.words
    if run.end >= len(words) or words[run.end] != "," or run.words > 3 or not read.glued(run.end - 1):
        return None
    if not read.beside(run.end) or credential_after(read, run.end):
        return None
    if read.facts[run.first] & Mark.RELATIVE or read.word(run.first) in CLOSING:
        return None
    if read.facts[run.end + 1] & INITIAL and run.total >= 1.0 and run.words <= 2:
        return _with_initial(read, run, cue)
    announced = cue is not None and cue.sort in {"label", "address", "title", "patient", "role"}
    logged = _is_logged(read, run)
    second = run_from(read, run.end + 1, least=0.1 if announced or logged else 0.3)
    if second is None or second.words > 3 or read.facts[second.first] & INITIAL:
        return None
    fact = read.facts[second.first]
    total = run.total + second.total
    if announced and run.total >= 0.6 and (total >= 1.5 or (total >= 1.0 and fact & GIVEN)):
        return run.first, second.end, cue.label if cue else "", 0.95
    if logged and fact & GIVEN and max(run.strengths) >= 1.0:
        return run.first, second.end, "", 0.72
    if fact & Mark.STATE:
        return None
    if not fact & GIVEN:
        return _unknown_last_first(read, run, second)
    if run.words + run.initials >= 2 and run.given:
        return None
    certainty = 0.82 if total >= 4 else 0.72 if total >= 3 else 0.55 if total >= 2.2 else 0.0
    if second.initials:
        certainty = min(certainty + 0.12, 0.95)
    elif second.strengths[0] < 2.0:
        certainty -= 0.15
    if certainty < 0.4 or words[run.first - 1 : run.first] == [","]:
        return None
    return run.first, second.end, "", certainty


def _is_logged(read: Reading, run: Run) -> bool:
    """Say whether a clock time stands before, as in the lines of a log: ``13:37 Watanabe, Art opened``."""
    words = read.tokens.words
    return (
        run.first > 2
        and bool(read.facts[run.first - 1] & NUMBER)
        and words[run.first - 2] == ":"
        and read.beside(run.first - 1)
    )


def _with_initial(read: Reading, run: Run, cue: Cue | None) -> Found | None:
    """Judge "Kim, S.": a family name, and of the given one only the first letter."""
    end = run.end + 2
    dotted = read.word(end) == "."
    if not dotted and end < len(read.tokens.words) and read.beside(end - 1):
        return None
    if run.total < 2.0 and cue is None:
        return None
    return run.first, end, cue.label if cue else "", 0.9 if cue else 0.72


def _unknown_last_first(read: Reading, run: Run, second: Run) -> Found | None:
    """Judge two unknown words with a comma: a name where a field begins, or where an initial follows."""
    if (
        run.words > 1
        or second.words > 1
        or (
            all(fact & UPPER for fact in read.facts[run.first : second.end : 2])
            and (min(len(read.tokens.words[run.first]), len(read.tokens.words[second.first])) < 5)
        )
    ):
        return None
    if min(run.total, second.total) < 1.0:
        return None
    if any(
        fact & (OTHER | Mark.CITY | Mark.DRUG | Mark.MEDICAL | Mark.WORD)
        for fact in read.facts[run.first : second.end]
    ):
        return None
    begins = read.line_start(run.first) or read.word(run.first - 1) in _FIELD_ENDS
    certainty = 0.5 + 0.12 * begins + 0.15 * (second.initials > 0)
    return run.first, second.end, "", certainty


_FIELD_ENDS = frozenset('|"“:(;')
