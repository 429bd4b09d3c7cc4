"""A lexicon: what is known about words and phrases of a language, from lists that a script distilled.

Words are looked up one by one, folded (no case; with and without accents); phrases of several words are found
by one automaton over the whole text (Aho & Corasick, "Efficient string matching", 1975).
"""

from __future__ import annotations

from enum import IntFlag
from typing import Protocol

from sfumato.text.page import Tokens


class Mark(IntFlag):
    """What a word or a phrase may be; most are several things."""

    GIVEN_FEMALE = 1
    GIVEN_MALE = 2
    FAMILY = 4
    """a family name"""
    NAME_COMMON = 8
    """a given or family name that many people bear"""
    CITY = 16
    STATE = 32
    COUNTRY = 64
    COUNTY = 128
    STREET = 256
    """a word that ends the name of a street (Lane, Ave)"""
    ORGANISATION = 512
    """a word that ends or begins the name of an organisation (Hospital, Ltd, Clinic)"""
    TITLE = 1024
    """Dr, Mrs, MD, RN"""
    WORD = 2048
    """an ordinary word of the language"""
    WORD_COMMON = 4096
    """a word that everybody uses"""
    MEDICAL = 8192
    """a medical word: anatomy, disease, procedure, test, abbreviation"""
    DRUG = 16384
    EPONYM = 32768
    """named after somebody and meant as a thing in medicine (Foley, Parkinson, Hodgkin)"""
    MONTH = 65536
    WEEKDAY = 131072
    HOSPITAL = 262144
    """a phrase that is the name of a hospital"""
    PROFESSION = 524288
    RELATIVE = 1048576
    """daughter, husband, mother"""
    NATIONALITY = 2097152
    """an adjective of a country, language or people (Spanish, Hispanic)"""
    HOLIDAY = 4194304


class Lexicon(Protocol):
    """What detectors and the learned model ask."""

    def marks(self, word: str) -> int:
        """Return what a word may be: marks added up, 0 for an unknown word."""

    def phrases(self, tokens: Tokens) -> list[tuple[int, int, int]]:
        """Return phrases of two or more tokens: the first, the one after the last, and their marks."""
