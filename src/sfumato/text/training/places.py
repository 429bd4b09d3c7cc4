"""Places and organisations of notes: addresses, hospitals, wards, homes, employers, schools."""

from __future__ import annotations

from collections.abc import Callable

from sfumato.text.kinds import Kind
from sfumato.text.training.people import family_name, given_name, peoples
from sfumato.text.training.scribe import Scribe

_STREETS = (
    *"St Street St. Ave Avenue Ave. Rd Road Rd. Dr Drive Lane Ln Blvd Boulevard Court Ct Way Place Pl Circle Cir".split(),
    *"Terrace Ter Trail Pkwy Parkway Highway Loop Row Square Crescent Close Alley Run Ridge Point Crossing Path".split(),
)
_TREES = (
    "Oak Maple Cedar Pine Elm Walnut Birch Willow Sycamore Chestnut Hickory Magnolia Main Park Lake River Hill Spring"
    " Church School Mill Market Water Front High Center Union Liberty Franklin Sunset Highland Meadow Forest Valley Ridge"
    " Prospect Pleasant Orchard Garden Summit Cherry Locust Laurel Jefferson Madison Harbor Quarry Canal Depot Ferry"
).split()
_TOWNS = (
    "Springfield Franklin Clinton Greenville Bristol Fairview Salem Madison Georgetown Arlington Ashland Burlington"
    " Manchester Oxford Clayton Jackson Milton Auburn Dayton Lexington Milford Riverside Cleveland Dover Hudson Kingston"
    " Newport Oakland Winchester Denver Houston Chicago Boston Nashville Phoenix Omaha Tulsa Reno Fresno Tampa Atlanta"
    " Seattle Portland Austin Memphis Baltimore Detroit Minneapolis Cincinnati Albuquerque Tucson Spokane Boise Duluth"
    " Toledo Akron Mobile Buffalo Reading Normal Commerce Independence Hope Truth_or_Consequences Winter_Park Baton_Rouge"
    " Salt_Lake_City Fort_Wayne San_Antonio Los_Angeles El_Paso Santa_Fe Des_Moines St._Louis Little_Rock Grand_Rapids"
    " Leeds Birmingham Cardiff Toronto Calgary Mumbai Lagos Manila Guadalajara Kyiv Hanoi Seoul Aleppo Port-au-Prince"
).split()
_TOWN_STARTS = "Ald Ash Bar Beck Brook Cald Cam Carl Clear Cold Crest Dan East Elk Fair Fern Glen Gran Green Hard Haver".split()
_TOWN_STARTS += "Hawk Hol Kings Lake Lang Mar Mel Mill Mont Nor Oak Pem Pine Ply Rich Rock Rose San Shel South Stan Stone".split()
_TOWN_ENDS = "ton ville field burg boro ford port dale wood view mont bury ham haven brook land side crest wick ridge".split()
_STATES = (
    "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA"
    " RI SC SD TN TX UT VT VA WA WV WI WY"
).split()
_STATE_NAMES = "Texas Ohio California Florida Oregon Tennessee Iowa Georgia Montana Virginia Michigan Colorado".split()
_COUNTRIES = (
    "Mexico Vietnam India Nigeria Haiti Guatemala Somalia China Poland Ukraine Iran Germany Honduras Ghana Brazil Italy"
    " Philippines Pakistan Ethiopia Syria Jamaica Ireland Cuba Peru Japan Egypt Kenya Nepal Turkey Greece Thailand"
).split()
_HOSPITAL_TYPES = (
    *("Hospital",) * 5, *("Medical Center",) * 5, "General Hospital", "Memorial Hospital", "Regional Medical Center", "Clinic",
    "Health System", "Community Hospital", "Children's Hospital", "Health Center", "Healthcare", "Infirmary", "University Hospital",
    "VA Medical Center", "Cancer Center", "Heart Institute", "Surgery Center", "Medical Group", "Health", "Surgical Associates",
    "Imaging Center", "Rehabilitation Hospital", "Family Practice", "Women's Clinic", "Eye Institute", "Dialysis Center",
    "Psychiatric Center", "Urgent Care", "Family Medicine", "Orthopedics", "Dental Group", "Pediatrics", "Hospice", "NHS Trust",
)  # fmt: skip
_SAINTS = "Mary Luke Joseph Vincent Jude Anne Francis Elizabeth Raphael Clare Agnes Bernadette Thomas John Catherine".split()
_GRAND = (
    "Mercy Good_Samaritan Sacred_Heart Providence Holy_Cross Bethesda Beth_Israel Trinity Unity Grace Hope Methodist Baptist"
    " Lutheran Presbyterian Adventist Cedars Riverside Lakeside Northside Eastgate Westview Valley_View Summit Bayview"
    " Green_Valley Three_Rivers Blue_Ridge North_Shore South_Bay Tri-County Mid-State Pacific Atlantic Great_Plains Alpine"
).split()
_HOMES = (
    "Nursing Home", "Nursing and Rehabilitation", "Care Center", "Manor", "Assisted Living", "Village", "Gardens", "Rest Home",
    "Skilled Nursing Facility", "House", "Retirement Community", "Care Home", "Place", "Villa", "Rehab", "Lodge", "SNF", "Court",
)  # fmt: skip
_FIRMS = "Inc|LLC|Ltd|Group|PLC|Corp|and Sons|& Sons|Co|Company|Industries|Associates|Partners|Brothers|Logistics|Foods".split("|")
_FIRMS += "Trucking|Construction|Motors|Electric|Bakery|Farms|Hardware|Insurance|Bank|Realty|Plumbing|Steel|Textiles".split("|")
_SCHOOLS = "Elementary School|High School|Middle School|Academy|Elementary|University|College|Preparatory School|Daycare".split("|")
_CHURCHES = "Baptist Church|Lutheran Church|Methodist Church|Parish|Church|Temple|Mosque|Synagogue|Community Center".split("|")
_WARDS = "Ward|Unit|Wing|Pavilion|Suite|Building|Tower|Hall".split("|")
_BRANDS = "Walgreens CVS Rite_Aid Costco Walmart Amazon FedEx Safeway Kroger Boeing Target".split()


def _surname(scribe: Scribe) -> str:
    return family_name(scribe, scribe.pick(peoples()))


def _town(scribe: Scribe) -> str:
    draw = scribe.random()
    if draw < 0.45:
        return scribe.pick(_TOWNS).replace("_", " ")
    if draw < 0.8:
        return scribe.pick(_TOWN_STARTS) + scribe.pick(_TOWN_ENDS)
    if draw < 0.92:
        end = scribe.pick(("Heights", "Falls", "Springs", "Beach", "Grove", "City", "Park", "Creek", "Junction", "Bay", "Mills"))
        return f"{scribe.pick((scribe.pick(_TOWN_STARTS) + scribe.pick(_TOWN_ENDS), _surname(scribe), scribe.pick(_TREES)))} {end}"
    before = scribe.pick(("North ", "New ", "Port ", "Lake ", "East ", "West ", "Mount ", "Fort ", "St. ", "San ", "Santa "))
    return before + given_name(scribe, scribe.pick(peoples()), scribe.chance(0.5))


def _hospital(scribe: Scribe) -> str:
    kind = scribe.pick(_HOSPITAL_TYPES)
    draw = scribe.random()
    if draw < 0.16:
        saint = scribe.pick(_SAINTS)
        return f"{scribe.pick(('St. ', 'St. ', 'Saint ', 'St '))}{saint}{scribe.pick(('’s', chr(39) + 's', '', ''))} {kind}"
    if draw < 0.4:
        return f"{_town(scribe)} {kind}"
    if draw < 0.6:
        return f"{_surname(scribe)} {kind}"
    if draw < 0.78:
        return f"{scribe.pick(_GRAND).replace('_', ' ')} {kind}"
    if draw < 0.84:
        return f"{scribe.pick(peoples()).family[0]}-{_surname(scribe)} {kind}"
    if draw < 0.9:
        return f"University of {scribe.pick((_town(scribe), scribe.pick(_STATE_NAMES)))} {kind}"
    if draw < 0.94:
        return scribe.pick(_GRAND).replace("_", " ")
    if draw < 0.97:
        return f"{scribe.pick(_TREES)} {scribe.pick(_TREES)} {kind}"
    return scribe.digits("@@@") if scribe.chance(0.5) else scribe.digits("@@@@")


def _employer(scribe: Scribe) -> str:
    draw = scribe.random()
    if draw < 0.24:
        return f"{_surname(scribe)} {scribe.pick(_FIRMS)}"
    if draw < 0.44:
        return f"{_surname(scribe)}-{_surname(scribe)}"
    if draw < 0.62:
        return f"{_surname(scribe)}, {_surname(scribe)} {scribe.pick(('and', 'and', '&'))} {_surname(scribe)}"
    if draw < 0.74:
        return f"{_surname(scribe)} {scribe.pick(('and', '&'))} {_surname(scribe)}"
    if draw < 0.84:
        return f"{_town(scribe)} {scribe.pick(_FIRMS)}"
    if draw < 0.93:
        return f"{scribe.pick(_TREES)} {scribe.pick(_FIRMS)}"
    return scribe.pick(_BRANDS).replace("_", " ")


def _street(scribe: Scribe) -> str:
    draw = scribe.random()
    if draw < 0.04:
        return f"{scribe.pick(('P.O. Box', 'PO Box', 'P O Box'))} {scribe.between(2, 9999)}"
    if draw < 0.06:
        return f"RR {scribe.between(1, 9)} Box {scribe.between(2, 400)}"
    number = scribe.pick((scribe.digits("%##"), scribe.digits("%###"), scribe.digits("%#"), scribe.digits("%####")))
    direction = scribe.pick(("N ", "S ", "W. ", "East ", "North ", "SW ", "E ")) if scribe.chance(0.15) else ""
    if draw < 0.16:
        name = f"{scribe.between(1, 99)}{scribe.pick(('th', 'th', 'st', 'nd'))}"
    elif draw < 0.5:
        name = scribe.pick(_TREES)
    elif draw < 0.8:
        name = _surname(scribe)
    else:
        name = f"{scribe.pick(_TREES)} {scribe.pick(_TREES)}" if draw < 0.9 else given_name(scribe, scribe.pick(peoples()), True)
    return f"{number} {direction}{name} {scribe.pick(_STREETS)}"


def _unit(scribe: Scribe) -> str:
    return scribe.digits(scribe.pick(("Apt %", "Apt. %#@", "Apt %##", "#%##", "Unit %#", "Suite %##", "Ste %#", "Apartment %@", "Flat %", "Lot ##")))


def _zip(scribe: Scribe) -> str:
    return scribe.digits("#####") if scribe.chance(0.85) else scribe.digits("#####-####")


def _place(scribe: Scribe, key: str, make: Callable[[Scribe], str], label: str) -> None:
    scribe.mark(scribe.recall(key, make), Kind.LOCATION, label)


def write_address(scribe: Scribe, form: str) -> None:
    """Write a whole address: on one line, or as a ``block``. The state stays outside."""
    line = "\n" if form == "block" else scribe.pick((", ", ", ", " ", "; "))
    scribe.mark(_street(scribe), Kind.LOCATION, "street")
    if scribe.chance(0.25):
        scribe.say(scribe.pick((", ", " ", ", ")))
        scribe.mark(_unit(scribe), Kind.LOCATION, "unit")
    scribe.say(line)
    write_city(scribe, "full")


def write_city(scribe: Scribe, form: str) -> None:
    """Write a city; ``full`` adds the state and the ZIP code, ``state`` the state."""
    scribe.mark(_town(scribe), Kind.LOCATION, "city")
    if form:
        state = scribe.pick(_STATES) if scribe.chance(0.85) else scribe.pick(_STATE_NAMES)
        scribe.say(scribe.pick((", ", ", ", " ", ", ")) + state)
    if form == "full":
        scribe.say(scribe.pick((" ", " ", " ", "  ", ", ")))
        scribe.mark(_zip(scribe), Kind.LOCATION, "zip")


def write_place(scribe: Scribe, form: str) -> None:
    """Write a place: ``street``, ``zip``, ``county``, ``country``, ``ward``, ``home``, ``school``, ``church``, …"""
    if form == "street":
        scribe.mark(_street(scribe), Kind.LOCATION, "street")
    elif form == "zip":
        scribe.mark(_zip(scribe), Kind.LOCATION, "zip")
    elif form == "county":
        scribe.mark(scribe.pick((_surname(scribe), _town(scribe))) + " County", Kind.LOCATION, "county")
    elif form == "country":
        scribe.mark(scribe.pick(_COUNTRIES), Kind.LOCATION, "country")
    elif form == "ward":
        scribe.mark(f"{_surname(scribe)} {scribe.pick(_WARDS)}", Kind.LOCATION, "room")
    elif form == "home":
        name = scribe.pick((_surname(scribe), _town(scribe), scribe.pick(_TREES), scribe.pick(_GRAND).replace("_", " ")))
        scribe.mark(f"{name} {scribe.pick(_HOMES)}", Kind.LOCATION, "organisation")
    elif form == "school":
        name = scribe.pick((_surname(scribe), _town(scribe), scribe.pick(_TREES), scribe.pick(_GRAND).replace("_", " ")))
        scribe.mark(f"{name} {scribe.pick(_SCHOOLS)}", Kind.LOCATION, "organisation")
    elif form == "church":
        name = scribe.pick((f"St. {scribe.pick(_SAINTS)}", _town(scribe), f"{_town(scribe)} First", "Mount Zion", "Our Lady of Grace"))
        scribe.mark(f"{name} {scribe.pick(_CHURCHES)}", Kind.LOCATION, "organisation")
    elif form == "pharmacy":
        name = scribe.pick((f"{_surname(scribe)} Pharmacy", f"{_town(scribe)} Pharmacy", f"{_surname(scribe)}'s Drugs", scribe.pick(_BRANDS[:5]).replace("_", " ")))
        scribe.mark(name, Kind.LOCATION, "organisation")
    else:
        scribe.mark(_employer(scribe), Kind.LOCATION, "organisation")


def write_hospital(scribe: Scribe, form: str) -> None:
    """Write a hospital: that of the note, or another one (``other``)."""
    if form == "other":
        scribe.mark(_hospital(scribe), Kind.LOCATION, "hospital")
    else:
        _place(scribe, "hospital", _hospital, "hospital")
