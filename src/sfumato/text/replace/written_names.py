"""Write a name anew in the form of a mention: same order, same punctuation, other words."""

from __future__ import annotations

from collections.abc import Callable

from sfumato.text.replace.names import As, Mention, NamePiece

_WORDS = (As.GIVEN, As.FAMILY, As.ALONE, As.INITIAL)
_LOOSE = " \t\r\n\f\v,.-‐‑'’"


def rewritten(
    said: Mention, word: Callable[[NamePiece], str], initial: Callable[[NamePiece, bool], str]
) -> tuple[str, str, str]:
    """Return what stands before the name (a title), the name with other words, and what stands after it.

    ``word`` is given a part, ``initial`` a letter and whether it follows a given name. Particles
    and generations are left out with the space beside them, and so is an initial for which nothing is given.

    >>> from sfumato.text.replace.names import mention
    >>> rewritten(mention("Dr. van der Berg, Jan P.'s"), lambda piece: piece.text.upper(), lambda *_: "")
    ('Dr. ', 'BERG, JAN', "'s")
    """
    pieces = said.pieces
    named = [place for place, piece in enumerate(pieces) if piece.what in (*_WORDS, As.DROPPED)]
    if not named:
        return said_text(pieces), "", ""
    first, last = named[0], named[-1]
    written: list[str] = []
    given = False
    skipping = False
    for piece in pieces[first : last + 1]:
        new = _new(piece, word, initial, given)
        given = given or piece.what is As.GIVEN or piece.what is As.ALONE
        if new == "":
            skipping = True
            continue
        if skipping and not written and not new.strip(_LOOSE):
            continue
        if skipping and written and not new.strip(_LOOSE) and piece.what is As.COPIED:
            continue
        if skipping and written and piece.what is not As.COPIED and not written[-1].endswith(tuple(_LOOSE)):
            written.append(" ")
        skipping = False
        written.append(new)
    after = said_text(pieces[last + 1 :])
    if skipping:
        after = after.removeprefix(".")
        while written and not written[-1].strip(_LOOSE):
            written.pop()
    return said_text(pieces[:first]), "".join(written), after


def _new(
    piece: NamePiece,
    word: Callable[[NamePiece], str],
    initial: Callable[[NamePiece, bool], str],
    given: bool,
) -> str:
    if piece.what is As.COPIED:
        return piece.text
    if piece.what is As.DROPPED:
        return ""
    if piece.what is As.INITIAL:
        return initial(piece, given)
    return word(piece)


def said_text(pieces: tuple[NamePiece, ...]) -> str:
    """Put pieces together again."""
    return "".join(piece.text for piece in pieces)
