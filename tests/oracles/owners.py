"""Who can act as an owner, the slow way: accounts as dictionaries, and a question asked of all of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class SlowAccounts:
    """Accounts by name; ``expires`` None is a key that never ends."""

    held: dict[str, dict[str, Any]] = field(default_factory=dict)

    def can_act_for_ever(self) -> bool:
        """Tell whether some owner has a key that works today and always."""
        return any(
            one["role"] == "owner" and one["key"] and not one["suspended"] and one["expires"] is None
            for one in self.held.values()
        )

    def change(self, name: str, **values: Any) -> bool:
        """Change an account unless that takes away the last owner; return whether it was changed."""
        before, could = dict(self.held[name]), self.can_act_for_ever()
        self.held[name].update(values)
        if could and not self.can_act_for_ever():
            self.held[name] = before
            return False
        return True
