"""One text: what points at people in it, and the same text without it. No table, no recipe."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from sfumato.core.errors import BadInput
from sfumato.masking.contract import Scope
from sfumato.masking.keys import KeySource
from sfumato.text.finder import Finder
from sfumato.text.finders import SHIPPED, LanguageFinding
from sfumato.text.methods.deidentify import Deidentify, Options
from sfumato.text.note import Record
from sfumato.text.span import THRESHOLD, Span
from sfumato.text.stream.handling import Handler


@lru_cache(maxsize=4)
def _finder(language: str, model: str, threshold: float) -> Finder:
    """Build a finder once: lexicons and models take a moment to load."""
    return LanguageFinding(language, model, threshold).finder()


def find_identifiers(
    text: str, *, language: str = "en", model: str = SHIPPED, threshold: float = THRESHOLD
) -> tuple[Span, ...]:
    """Return what points at people in a text, in its order.

    >>> import sfumato as sf
    >>> text = "Mail the results to respighi@example.org."
    >>> [(str(span.kind), span.of(text)) for span in sf.find_identifiers(text, model="none")]
    [('EMAIL', 'respighi@example.org')]
    """
    _refuse_others(text)
    return _finder(language, model, threshold).find(Record.of(text)).spans[0]


def scrub(
    text: str,
    *,
    replace: str | dict[str, Options | None] = "tags",
    policy: str = "safe-harbor",
    language: str = "en",
    model: str = SHIPPED,
    threshold: float = THRESHOLD,
    key: str | Path | KeySource | None = None,
    recipient: str = "",
    purpose: str = "",
    person: str = "",
) -> str:
    """Return a text with what was found in it replaced; everything else stays as it is.

    ``key`` is the name of an environment variable, or the path of a file: surrogates and moved dates need it,
    and a ``recipient`` and ``purpose``. Texts of one ``person`` have the same shift of dates and, as long
    as a name is read alike in them and no two draw the same one, the same surrogates. This is no release:
    nothing is promised or measured.

    >>> import sfumato as sf
    >>> sf.scrub("Mail the results to respighi@example.org.", model="none")
    'Mail the results to **EMAIL.'
    """
    _refuse_others(text)
    handler = handler_for(
        Deidentify(replace, policy), LanguageFinding(language, model, threshold), key, recipient, purpose
    )
    return scrubbed(handler, text, person)


def _refuse_others(text: object) -> None:
    """Refuse what is no text: a missing value of a frame is none."""
    if not isinstance(text, str):
        raise BadInput(
            f"'text' is a {type(text).__name__}, and no text", remedy="give one text; leave out missing ones"
        )


def handler_for(
    method: Deidentify,
    finding: LanguageFinding,
    key: str | Path | KeySource | None = None,
    recipient: str = "",
    purpose: str = "",
) -> Handler:
    """Build what handles texts one by one; the finder is shared with all that look in the same way."""
    from sfumato.masking.contract import Secrets

    if isinstance(key, str):
        key = KeySource(variable=key)
    elif isinstance(key, Path):
        key = KeySource(file=key)
    finder = _finder(finding.language, finding.model, finding.threshold)
    secrets = Secrets(key, Scope(recipient, purpose))
    return Handler(finder, method.replacement(finding.language), (), secrets, method.sanitiser())


def scrubbed(handler: Handler, text: str, person: str = "") -> str:
    """Return one text with what was found in it replaced."""
    handled, _ = handler.handle(Record.of(text, person=person))
    return handled.released[0]
