"""Synthetic data to try everything on."""

from sfumato.demo.hospital import Hospital, generate

__all__ = ["Hospital", "generate"]
