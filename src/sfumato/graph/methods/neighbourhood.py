"""k-neighbourhood anonymity by adding edges."""
from __future__ import annotations
