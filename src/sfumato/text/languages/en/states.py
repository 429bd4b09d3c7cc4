"""The states of the United States: their codes, and which codes are other things in notes."""

from __future__ import annotations

from sfumato.text.dates import listed

CODES = listed(
    "al ak az ar ca co ct de dc fl ga hi id il in ia ks ky la me md ma mi mn ms mo mt ne nv nh nj nm ny nc "
    "nd oh ok or pa pr ri sc sd tn tx ut vt va wa wv wi wy ap ae aa gu vi"
)
"""two letters each, lower-case, with the armed forces and territories"""

AMBIGUOUS_CODES = listed(
    "al ca co ct de dc ga hi id in la me md ma mi ms mo mt ne nc nd ok or pa pr ri sc sd va ap ae aa vi ar "
    "vt wa"
)
"""codes that are credentials, abbreviations or words too: a ZIP or a cue must stand beside them"""

_FULL = (
    "alabama", "alaska", "arizona", "arkansas", "california", "colorado", "connecticut", "delaware",
    "florida", "georgia", "hawaii", "idaho", "illinois", "indiana", "iowa", "kansas", "kentucky",
    "louisiana", "maine", "maryland", "massachusetts", "michigan", "minnesota", "mississippi", "missouri",
    "montana", "nebraska", "nevada", "new hampshire", "new jersey", "new mexico", "new york",
    "north carolina", "north dakota", "ohio", "oklahoma", "oregon", "pennsylvania", "rhode island",
    "south carolina", "south dakota", "tennessee", "texas", "utah", "vermont", "virginia", "washington",
    "west virginia", "wisconsin", "wyoming", "puerto rico",
)  # fmt: skip
NAMES: dict[str, tuple[str, ...]] = {
    first: tuple(name for name in _FULL if name.split()[0] == first)
    for first in {name.split()[0] for name in _FULL}
}
"""full names by their first word"""
