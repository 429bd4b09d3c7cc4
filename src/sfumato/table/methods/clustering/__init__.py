"""Clustering with local recoding: similar records share what is published for them."""

from sfumato.table.methods.clustering.bottom_up import BottomUp
from sfumato.table.methods.clustering.k_member import KMember
from sfumato.table.methods.clustering.top_down import TopDown

__all__ = ["BottomUp", "KMember", "TopDown"]
