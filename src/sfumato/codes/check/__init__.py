"""The one check that answers for every promise about sets; it shares nothing with the methods."""

from sfumato.codes.check.asking import answer
from sfumato.codes.check.findings import Answer

__all__ = ["Answer", "answer"]
