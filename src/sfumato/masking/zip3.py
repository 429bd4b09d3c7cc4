"""Three digits of a ZIP code, where they are enough people: 45 CFR 164.514(b)(2)(i)(B).

Facts: the first three digits that occur among the ZIP code tabulation areas of the United States and
Puerto Rico, and those among them where at most 20,000 people live together (US Census Bureau, 2020
Census, Demographic and Housing Characteristics, table P1). Three digits that no tabulation area has
(military mail, single companies) hold nobody that the census counted, so they are not shown either.
"""

from __future__ import annotations

_FEW_PEOPLE = "036 059 102 202 203 204 205 369 556 692 753 772 821 823 878 879 884 893"
RESTRICTED = frozenset(_FEW_PEOPLE.split())
"""first three digits with at most 20,000 people"""

_INHABITED = (
    "006-007 009-054 056-089 100-191 193-212 214-268 270-310 312-331 333-339 341-342 344-344 346-347 "
    "349-352 354-374 376-398 400-418 420-427 430-458 460-508 510-516 520-528 530-532 534-535 537-551 "
    "553-554 556-567 570-577 580-588 590-620 622-631 633-641 644-648 650-658 660-662 664-681 683-693 "
    "700-701 703-708 710-714 716-731 734-741 743-770 772-816 820-838 840-841 843-847 850-853 855-857 "
    "859-860 863-865 870-871 873-875 877-884 890-891 893-895 897-898 900-900 902-908 910-928 930-937 "
    "939-941 943-961 967-968 970-986 988-999"
)


def _prefixes(ranges: str) -> frozenset[str]:
    spans = (span.split("-") for span in ranges.split())
    return frozenset(f"{number:03}" for low, high in spans for number in range(int(low), int(high) + 1))


INHABITED = _prefixes(_INHABITED)
"""first three digits that the census counted people for"""
HIDDEN = "000"


def zip3(code: str) -> str:
    """Return what may be shown of a five-digit ZIP code: its first three digits, or 000.

    >>> zip3("02135"), zip3("03601"), zip3("09012")
    ('021', '000', '000')
    """
    first = code[:3]
    return first if first in INHABITED and first not in RESTRICTED else HIDDEN
