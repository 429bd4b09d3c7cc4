"""Networks of people: degrees, neighbourhoods, groups, and who is found by them."""
