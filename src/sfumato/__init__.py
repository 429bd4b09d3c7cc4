"""Sfumato makes data about people safe to share."""

from sfumato.__about__ import __version__

__all__ = ["__version__"]
