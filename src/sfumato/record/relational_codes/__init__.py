"""Relational data and codes of the same people, protected together."""

from sfumato.record.relational_codes.api import RecordsRelease, protect_records
from sfumato.record.relational_codes.k_km_anonymity import KKmAnonymity
from sfumato.record.relational_codes.method import RelationalCodes
from sfumato.record.relational_codes.published import PublishedRecords

__all__ = ["KKmAnonymity", "PublishedRecords", "RecordsRelease", "RelationalCodes", "protect_records"]
