"""Privacy models of tables: promises that can be checked."""

from sfumato.table.models.k_anonymity import KAnonymity

MODELS = {KAnonymity.name: KAnonymity}
"""every model by the name that recipes use"""

__all__ = ["MODELS", "KAnonymity"]
