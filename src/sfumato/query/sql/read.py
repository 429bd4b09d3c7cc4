"""From a text to a tree: size, characters and nesting are checked before the parser (sqlglot) sees it.

Whatever the parser says about a text is told in our own words: its messages quote the text and its own
code. All that is refused here is refused from the text alone.
"""

from __future__ import annotations

import unicodedata

from sqlglot import Dialect, exp
from sqlglot.tokenizer_core import Token, TokenType

from sfumato.core.errors import BadInput

_DUCKDB = Dialect.get_or_raise("duckdb")
MAX_LENGTH = 100_000
"""characters of a question"""
MAX_TOKENS = 5_000
"""words, numbers and signs of a question"""
MAX_DEPTH = 16
"""brackets within brackets; the parser takes some 25 frames of the stack for each"""
MAX_PREFIXES = 8
"""signs or NOTs in a row"""
WHERE = "question"

_LINES = dict.fromkeys(map(ord, "\t\r\n"))
_OPEN = {TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE, TokenType.CASE}
_CLOSE = {TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE, TokenType.END}
_PREFIX = {TokenType.NOT, TokenType.DASH, TokenType.PLUS, TokenType.TILDE}
_QUOTED = {TokenType.STRING, TokenType.IDENTIFIER}


def read(text: str) -> exp.Select:
    """Return the tree of one SELECT.

    >>> read("SELECT COUNT(*) FROM visits").key
    'select'
    """
    _check_text(text)
    tokens = _tokens(text)
    _check_tokens(tokens)
    try:
        statements = _DUCKDB.parser().parse(tokens, text)
    except Exception:  # whatever the parser stumbles over, its own words must not reach the analyst
        raise BadInput(
            "this is not SQL that can be read",
            where=WHERE,
            remedy="write it like SELECT COUNT(*) FROM table WHERE column = 1",
        ) from None
    if len(statements) != 1:
        raise BadInput("a question is one statement", where=WHERE, remedy="ask one SELECT at a time")
    statement = statements[0]
    if isinstance(statement, exp.SetOperation):
        raise BadInput(
            "UNION, INTERSECT and EXCEPT are not answered", where=WHERE, remedy="ask each SELECT on its own"
        )
    if not isinstance(statement, exp.Select):
        raise _no_select()
    return statement


def place(node: exp.Expr | None) -> str:
    """Say where a part of a question stands."""
    if node is None:
        return WHERE
    starts = [found.meta["start"] for found in node.walk() if found.meta.get("start") is not None]
    return f"{WHERE}, character {min(starts) + 1}" if starts else WHERE


def _no_select() -> BadInput:
    return BadInput(
        "a question begins with SELECT", where=WHERE, remedy="write it like SELECT COUNT(*) FROM table"
    )


def _check_text(text: str) -> None:
    if len(text) > MAX_LENGTH:
        raise BadInput(
            f"the question is longer than {MAX_LENGTH} characters", where=WHERE, remedy="ask a shorter one"
        )
    if text.translate(_LINES).isprintable():
        return
    for position, character in enumerate(text):
        # Letters of any language may stand in names and values; what cannot be seen may stand nowhere.
        if ord(character) not in _LINES and unicodedata.category(character)[0] == "C":
            raise BadInput(
                "there is a character that cannot be seen",
                where=f"{WHERE}, character {position + 1}",
                remedy="type the question anew",
            )


def _tokens(text: str) -> list[Token]:
    try:
        return list(_DUCKDB.tokenize(text))
    except Exception:  # as above: open quotes and the like, in our own words
        raise BadInput(
            "this is not SQL that can be read", where=WHERE, remedy="check that all quotes are closed"
        ) from None


def _check_tokens(tokens: list[Token]) -> None:
    if not tokens or tokens[0].token_type is not TokenType.SELECT:
        if tokens and tokens[0].token_type is TokenType.WITH:
            raise BadInput(
                "WITH is not answered: it selects raw rows", where=WHERE, remedy="ask one SELECT of a table"
            )
        raise _no_select()
    if len(tokens) > MAX_TOKENS:
        raise BadInput(
            f"the question has more than {MAX_TOKENS} words", where=WHERE, remedy="ask a shorter one"
        )
    depth = prefixes = 0
    for token in tokens:
        kind = token.token_type
        spot = f"{WHERE}, character {token.start + 1}"
        if token.comments:
            raise BadInput("comments are not read", where=spot, remedy="leave the comment out")
        if kind is TokenType.SEMICOLON:
            raise BadInput("a question has no ';'", where=spot, remedy="ask one SELECT, without a ';'")
        if kind not in _QUOTED and not token.text.isascii():
            raise BadInput(
                "letters with marks and signs of other scripts stand in quotes only",
                where=spot,
                remedy="write names in \"…\" and values in '…'",
            )
        depth += (kind in _OPEN) - (kind in _CLOSE)
        prefixes = prefixes + 1 if kind in _PREFIX else 0
        if depth > MAX_DEPTH or prefixes > MAX_PREFIXES:
            raise BadInput("brackets lie too deep within each other", where=spot, remedy="ask it more simply")
