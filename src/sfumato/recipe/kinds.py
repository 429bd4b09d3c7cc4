"""Guessing what a column holds in the words of a policy (``kind``), from its name. For people to look at."""

from __future__ import annotations

from sfumato.recipe.vocabulary import topic_of

_KIND_OF_TOPIC = {
    "person": "other-id",
    "name of a person": "name",
    "postal address": "street",
    "official number": "other-id",
    "record number": "medical-record-number",
    "free text": "free-text",
    "date of birth": "birth-date",
    "age": "age",
    "postcode": "zip",
    "date of an event": "date",
    "survey weight": "other",
    "race or ethnic group": "other",
    "nationality or language": "other",
    "family": "other",
    "sex": "other",
    "education": "other",
    "work": "other",
    "body": "other",
    "health": "other",
    "money": "other",
    "belief or private life": "other",
}
_KIND_OF_WORD = {
    "mail": "email",
    "fax": "fax",
    "phone": "phone",
    "mobile": "phone",
    "telefon": "phone",
    "ssn": "ssn",
    "social": "ssn",
    "city": "city",
    "town": "city",
    "county": "county",
    "state": "state",
    "country": "country",
    "admission": "admission-date",
    "discharge": "discharge-date",
    "death": "death-date",
}
"""words that say more than the topic; looked for in its order"""
_WORDS_OF = {
    "contact": ("mail", "fax", "phone", "mobile", "telefon"),
    "official number": ("ssn", "social"),
    "place": ("city", "town", "county", "state", "country"),
    "date of an event": ("admission", "discharge", "death"),
}


def kind_of(column: str) -> str | None:
    """Return what a column is likely to hold, or None when its name does not say.

    >>> [kind_of(name) for name in ("surname", "e_mail", "dateOfBirth", "ZIP", "admission_date", "colour")]
    ['name', 'email', 'birth-date', 'zip', 'admission-date', None]
    """
    match = topic_of(column)
    if match is None:
        return None
    name, plain = match.topic.name, column.lower().replace("_", "").replace("-", "")
    telling = next((word for word in _WORDS_OF.get(name, ()) if word in plain), None)
    return _KIND_OF_WORD[telling] if telling else _KIND_OF_TOPIC.get(name)
