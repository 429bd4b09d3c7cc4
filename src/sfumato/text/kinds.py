"""The kinds of things in a text that point at a person: the 18 Safe Harbor identifiers as text can hold them.

Two words say what a span is. The **kind** is one of the few below; everything is decided by it. The **label**
is finer and free (``hospital``, ``street``, ``mrn``, or whatever an annotator wrote): replacements look at it
to keep the form, evaluations may count by it.
"""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """What a span of text is."""

    NAME = "NAME"
    """people: patients, relatives, staff; also initials. Labels: patient, doctor, relative, initials, user"""
    DATE = "DATE"
    """days, partial dates, years. Labels: full, partial (no year, or no day), year, weekday, holiday, time"""
    AGE = "AGE"
    """every age; which of them identify is decided by the policy (over 89 under Safe Harbor)"""
    LOCATION = "LOCATION"
    """places and organisations. Labels: street, unit, city, county, state, country, zip, hospital,
    organisation, room"""
    PHONE = "PHONE"
    """telephone, fax and pager numbers that can be dialled. Labels: phone, fax, pager"""
    EMAIL = "EMAIL"
    """e-mail addresses"""
    URL = "URL"
    """addresses of web pages, domain names"""
    IP = "IP"
    """addresses of machines, also MAC addresses"""
    SSN = "SSN"
    """social security numbers"""
    ID = "ID"
    """all other numbers and codes. Labels: mrn, accession, account, plan, licence, device, vehicle, card,
    iban, national, other"""
    PROFESSION = "PROFESSION"
    """what somebody works as; no Safe Harbor identifier, but quasi-identifying"""
    SEX = "SEX"
    """annotated by some corpora; no Safe Harbor identifier"""
    OTHER = "OTHER"
    """annotated as identifying and none of the above"""
    CLINICAL = "CLINICAL"
    """medical content that must stay (drug, eponym, dose, vertebra): it competes, and a span that wins as
    clinical is never replaced"""

    @property
    def identifies(self) -> bool:
        """Whether it points at people at all."""
        return self is not Kind.CLINICAL
