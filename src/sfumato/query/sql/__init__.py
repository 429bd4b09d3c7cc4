"""SQL by allow-list: what is not known to be safe is refused, with the reason."""

from sfumato.query.sql.understand import understand

__all__ = ["understand"]
