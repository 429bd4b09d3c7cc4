"""States and countries: places so large that a policy lets them stay."""

from __future__ import annotations

import re
import unicodedata

_STATES = (
    "alabama, alaska, arizona, arkansas, california, colorado, connecticut, delaware, district of columbia, "
    "florida, georgia, hawaii, idaho, illinois, indiana, iowa, kansas, kentucky, louisiana, maine, maryland, "
    "massachusetts, michigan, minnesota, mississippi, missouri, montana, nebraska, nevada, new hampshire, "
    "new jersey, new mexico, new york, north carolina, north dakota, ohio, oklahoma, oregon, pennsylvania, "
    "rhode island, south carolina, south dakota, tennessee, texas, utah, vermont, virginia, washington, "
    "west virginia, wisconsin, wyoming, puerto rico, guam, american samoa, virgin islands, "
    "us virgin islands, northern mariana islands, "
    "alberta, british columbia, manitoba, new brunswick, newfoundland and labrador, nova scotia, ontario, "
    "prince edward island, quebec, saskatchewan, northwest territories, nunavut, yukon, "
    "new south wales, victoria, queensland, south australia, western australia, tasmania, "
    "northern territory, australian capital territory, "
    "baden wurttemberg, bayern, bavaria, berlin, brandenburg, bremen, hamburg, hessen, hesse, "
    "mecklenburg vorpommern, niedersachsen, lower saxony, nordrhein westfalen, north rhine westphalia, "
    "rheinland pfalz, saarland, sachsen, saxony, sachsen anhalt, schleswig holstein, thuringen, thuringia, "
    "burgenland, karnten, niederosterreich, oberosterreich, salzburg, steiermark, tirol, vorarlberg, wien, "
    "andalucia, aragon, asturias, baleares, canarias, cantabria, castilla la mancha, castilla y leon, "
    "cataluna, catalunya, extremadura, galicia, la rioja, madrid, murcia, navarra, pais vasco, valencia"
)
_COUNTRIES = (
    "afghanistan, albania, algeria, andorra, angola, antigua and barbuda, argentina, armenia, australia, "
    "austria, azerbaijan, bahamas, bahrain, bangladesh, barbados, belarus, belgium, belize, benin, bhutan, "
    "bolivia, bosnia and herzegovina, botswana, brazil, brunei, bulgaria, burkina faso, burundi, cambodia, "
    "cameroon, canada, cape verde, cabo verde, central african republic, chad, chile, china, colombia, "
    "columbia, comoros, congo, democratic republic of the congo, costa rica, cote d ivoire, ivory coast, "
    "croatia, cuba, cyprus, czechia, czech republic, denmark, djibouti, dominica, dominican republic, "
    "east timor, timor leste, ecuador, egypt, el salvador, england, equatorial guinea, eritrea, estonia, "
    "eswatini, ethiopia, fiji, finland, france, gabon, gambia, georgia, germany, ghana, greece, greenland, "
    "grenada, guatemala, guinea, guinea bissau, guyana, haiti, holand netherlands, holland, honduras, "
    "hong, hong kong, hungary, iceland, india, indonesia, iran, iraq, ireland, israel, italy, jamaica, "
    "japan, jordan, kazakhstan, kenya, kiribati, korea, kosovo, kuwait, kyrgyzstan, laos, latvia, lebanon, "
    "lesotho, liberia, libya, liechtenstein, lithuania, luxembourg, macau, madagascar, malawi, malaysia, "
    "maldives, mali, malta, marshall islands, mauritania, mauritius, mexico, micronesia, moldova, monaco, "
    "mongolia, montenegro, morocco, mozambique, myanmar, namibia, nauru, nepal, netherlands, new zealand, "
    "nicaragua, niger, nigeria, north korea, north macedonia, northern ireland, norway, oman, "
    "outlying us guam usvi etc, pakistan, palau, palestine, panama, papua new guinea, paraguay, peru, "
    "philippines, poland, portugal, qatar, romania, russia, russian federation, rwanda, samoa, san marino, "
    "saudi arabia, scotland, senegal, serbia, seychelles, sierra leone, singapore, slovakia, slovenia, "
    "solomon islands, somalia, south, south africa, south korea, south sudan, spain, sri lanka, "
    "saint kitts and nevis, saint lucia, saint vincent and the grenadines, sudan, suriname, sweden, "
    "switzerland, syria, taiwan, tajikistan, tanzania, thailand, togo, tonga, trinadad and tobago, "
    "trinidad and tobago, trinadad tobago, tunisia, turkey, turkiye, turkmenistan, tuvalu, uganda, ukraine, "
    "united arab emirates, united kingdom, great britain, united states, united states of america, "
    "uruguay, uzbekistan, vanuatu, vatican city, venezuela, vietnam, wales, yemen, yugoslavia, zambia, "
    "zimbabwe, "
    "deutschland, osterreich, schweiz, frankreich, italien, spanien, turkei, polen, espana, francia, "
    "alemania, italia, brasil, estados unidos, reino unido, marruecos, rumania, etats unis, allemagne, "
    "espagne, italie, suisse, belgique, maroc, algerie"
)
_NOTHING = "other, unknown, none, missing, not stated, abroad, elsewhere, foreign, n a, na"
_KNOWN = frozenset(name for listed in (_STATES, _COUNTRIES, _NOTHING) for name in listed.split(", "))
_SHORT = re.compile(r"[A-Z]{2,3}|[A-Z]{2}-[A-Z]{2}", re.IGNORECASE)
"""codes of states and countries: two or three letters, also US-MA"""


def is_large_place(value: str) -> bool:
    """Whether a value is a state or country that is known here, or a code of so few letters.

    >>> is_large_place("New-York"), is_large_place("España"), is_large_place("MA"), is_large_place("Boston")
    (True, True, True, False)
    """
    text = unicodedata.normalize("NFKD", value.strip())
    if _SHORT.fullmatch(text):
        return True
    plain = "".join(letter for letter in text if not unicodedata.combining(letter)).lower()
    words = re.sub(r"[^a-z]+", " ", plain).strip()
    return not words or words.removeprefix("the ") in _KNOWN
