"""Synthetic data to try everything on."""

from sfumato.demo._contacts import write_contacts
from sfumato.demo._genotypes import write_genotypes
from sfumato.demo._histories import generate_histories
from sfumato.demo._letters import write_letters
from sfumato.demo._ratings import generate_ratings
from sfumato.demo._searches import Searches, generate_searches, split_by_day, without_rare_queries
from sfumato.demo.hospital import Hospital, generate

__all__ = [
    "Hospital",
    "Searches",
    "generate",
    "generate_histories",
    "generate_ratings",
    "generate_searches",
    "split_by_day",
    "without_rare_queries",
    "write_contacts",
    "write_genotypes",
    "write_letters",
]
