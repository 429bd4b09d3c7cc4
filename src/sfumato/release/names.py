"""Names of the files that every release has, whatever kind of data it holds."""

from __future__ import annotations

EVIDENCE = "evidence.json"
SCHEMA = "schema.json"
REPORT = "report.html"
MOST_JSON = 200 << 20
"""bytes of evidence or schema beyond which something is wrong"""
