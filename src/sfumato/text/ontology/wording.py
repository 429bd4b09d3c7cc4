"""Words of English as a replacement needs them: plurals, the article before a word, capitals.

A replacement must not tell more than its concept. An "an" left before "drug" would say that the hidden word
began with a vowel, and a capital copied from "Sacramento" that it was a name; so the article is set anew, and
capitals follow the place in the text, never the hidden word.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_SIBILANT = re.compile(r"(?:s|x|z|ch|sh)$")
_AFTER_HEAD = re.compile(r" (?:of|in|to|for|with|on|at|by|from|without) ")
_SPOKEN_CONSONANT = re.compile(r"(?:uni|use|usu|usa|uro|ure|uri|ute|eu|one\b|once|ubi)")
_SPOKEN_VOWEL = re.compile(r"(?:[aeiou]|hour|hono|heir|x-)")
_LETTER_BY_LETTER = re.compile(r"[AEFHILMNORSX][A-Z0-9]+\b")
ARTICLE = re.compile(r"\b(an?)(\s+)\Z", re.IGNORECASE)
"""an indefinite article right before a place"""
_WORD = re.compile(r"[^\W\d_]+")
_NEAR = 80
"""characters on either side that are looked at"""


def singulars(term: str, irregular: Mapping[str, str]) -> list[str]:
    """Return what a term may be the plural of, by its last word.

    >>> singulars("liver biopsies", {}), singulars("vertebrae", {"vertebrae": "vertebra"})
    (['liver biopsy', 'liver biopsie'], ['vertebra'])
    """
    before, space, last = term.rpartition(" ")
    if last in irregular:
        found = [irregular[last]]
    elif last.endswith("ies") and len(last) > 4:
        found = [last[:-3] + "y", last[:-1]]
    elif last.endswith(("ses", "xes", "zes", "ches", "shes")):
        found = [last[:-2], last[:-1], last[:-2] + "is"]
    elif last.endswith("men"):
        found = [last[:-3] + "man"]
    elif last.endswith("s") and not last.endswith(("ss", "us", "is")):
        found = [last[:-1]]
    else:
        found = []
    return [f"{before}{space}{word}" for word in found]


def plural(term: str, plurals: Mapping[str, str]) -> str:
    """Return the plural of a term: of its last word, or of the one before "of" and its like.

    ``plurals`` are those that no rule makes.

    >>> plural("infectious disease", {}), plural("loss of appetite", {}), plural("injury", {})
    ('infectious diseases', 'losses of appetite', 'injuries')
    """
    cut = _AFTER_HEAD.search(term)
    head, rest = (term[: cut.start()], term[cut.start() :]) if cut else (term, "")
    before, space, last = head.rpartition(" ")
    if last in plurals:
        last = plurals[last]
    elif last.endswith("y") and last[-2:-1] not in ("", *"aeiou"):
        last = last[:-1] + "ies"
    elif last.endswith("sis"):
        last = last[:-2] + "es"
    elif last.endswith("man") and last != "human":
        last = last[:-3] + "men"
    else:
        last += "es" if _SIBILANT.search(last) else "s"
    return f"{before}{space}{last}{rest}"


def is_plural(term: str) -> bool:
    """Say whether a term looks like a plural already.

    >>> is_plural("diseases of the ear"), is_plural("mass"), is_plural("neurosis")
    (True, False, False)
    """
    cut = _AFTER_HEAD.search(term)
    head = term[: cut.start()] if cut else term
    return head.endswith("s") and not head.endswith(("ss", "us", "is"))


def article(word: str) -> str:
    """Return the indefinite article that goes before a word.

    >>> [article(word) for word in ("drug", "infectious disease", "unit", "MRI", "hour")]
    ['a', 'an', 'a', 'an', 'an']
    """
    if _LETTER_BY_LETTER.match(word):
        return "an"
    spoken = word.lower()
    return "an" if _SPOKEN_VOWEL.match(spoken) and not _SPOKEN_CONSONANT.match(spoken) else "a"


def fitted(label: str, text: str, start: int, end: int) -> str:
    """Return a label with the capitals of its place: all among capitals, one where a sentence begins.

    >>> fitted("drug", "Heroin was found.", 0, 6), fitted("drug", "HEROIN WAS FOUND", 0, 6)
    ('Drug', 'DRUG')
    >>> fitted("state capital", "He left Sacramento.", 8, 18)
    'state capital'
    """
    if _in_capitals(text, start, end):
        return label.upper()
    if text[start].isupper() and begins_sentence(text, start):
        return label[:1].upper() + label[1:]
    return label


def begins_sentence(text: str, start: int) -> bool:
    """Say whether a place follows the beginning of the text, of a line, or the end of a sentence.

    >>> begins_sentence("Seen. Nice was", 6), begins_sentence("in Nice", 3)
    (True, False)
    """
    before = text[max(0, start - _NEAR) : start].rstrip(" \t\"'([")
    return before[-1] in ".!?:\n\r" if before else start <= _NEAR


def _in_capitals(text: str, start: int, end: int) -> bool:
    """Say whether the words on either side in the line are in capitals, as this one is."""
    if not text[start:end].isupper():
        return False
    before = _WORD.findall(text[max(0, start - _NEAR) : start].rpartition("\n")[2])[-1:]
    after = _WORD.findall(text[end : end + _NEAR].partition("\n")[0])[:1]
    beside = "".join([*before, *after])
    return len(beside) > 1 and beside.isupper()
