"""Places and organisations of notes: addresses, hospitals, wards, homes, employers, schools."""

from __future__ import annotations

from collections.abc import Callable

from sfumato.text.kinds import Kind
from sfumato.text.surrogate_lists import load_surrogates
from sfumato.text.training.lists import listed
from sfumato.text.training.people import family_name, given_name, peoples
from sfumato.text.training.scribe import Scribe

_STREETS = listed("street endings")
_TREES = listed("street names")
_TOWNS = listed("towns")
_TOWN_STARTS = listed("town starts")
_TOWN_ENDS = listed("town ends")
_FIRST_WORDS = listed("town first words")
_SECOND_WORDS = listed("town second words")
_STATES = listed("states")
_STATE_NAMES = listed("state names")
_COUNTRIES = listed("countries")
_HOSPITAL_TYPES = listed("hospital endings")
_SAINTS = listed("saints")
_GRAND = listed("hospital names")
_HOMES = listed("home endings")
_FIRMS = listed("firm endings")
_SCHOOLS = listed("school endings")
_CHURCHES = listed("church endings")
_WARDS = listed("ward endings")
_POSSESSIVES = ("'s", "’s", "", "")
_UNITS = ("Apt ", "Apt. ", "Apt ", "#", "Unit ", "Suite ", "Ste ", "Apartment ", "Flat ", "Lot ", "Bldg ")
_BRANDS = listed("brands")
_BARE_HOSPITALS = ("Memorial", "General", "Regional", "Baptist", "Methodist", "Presbyterian", "Children's")
_LADIES = ("Mercy Hospital", "Sorrows Infirmary", "Lourdes", "Perpetual Help Clinic", "Grace Hospital")
_TRADES = (
    *("Foundry", "Plumbing", "Roofing", "Freight", "Dairy", "Bakery", "Auto Body", "Lumber", "Electric"),
    *("Diner", "Farms", "Printing", "Trucking", "Landscaping", "Credit Union", "Dental", "Shipyard"),
)


def _mark(scribe: Scribe, text: str, label: str) -> None:
    """Write a place; where names are in small letters or capitals, places often are."""
    if scribe.case and scribe.chance(0.5):
        text = scribe.case(text)
    scribe.mark(text, Kind.LOCATION, label)


def _surname(scribe: Scribe) -> str:
    return family_name(scribe, scribe.pick(peoples()))


def _town(scribe: Scribe) -> str:
    draw = scribe.random()
    if draw < 0.25:
        return scribe.pick(_TOWNS)
    if draw < 0.5:
        return scribe.pick(load_surrogates("en").cities)[0]
    if draw < 0.8:
        return scribe.pick(_TOWN_STARTS) + scribe.pick(_TOWN_ENDS)
    if draw < 0.92:
        starts = (scribe.pick(_TOWN_STARTS) + scribe.pick(_TOWN_ENDS), _surname(scribe), scribe.pick(_TREES))
        return f"{scribe.pick(starts)} {scribe.pick(_SECOND_WORDS)}"
    return f"{scribe.pick(_FIRST_WORDS)} {given_name(scribe, scribe.pick(peoples()), scribe.chance(0.5))}"


def _hospital(scribe: Scribe) -> str:
    kind = scribe.pick(_HOSPITAL_TYPES)
    draw = scribe.random()
    if draw < 0.16:
        holy = scribe.pick(("St.", "St.", "Saint", "St"))
        return f"{holy} {scribe.pick(_SAINTS)}{scribe.pick(_POSSESSIVES)} {kind}"
    if draw < 0.4:
        return f"{_town(scribe)} {kind}"
    if draw < 0.6:
        return f"{_surname(scribe)} {kind}"
    if draw < 0.78:
        return f"{scribe.pick(_GRAND)} {kind}"
    if draw < 0.84:
        return f"{_surname(scribe)}-{_surname(scribe)} {kind}"
    if draw < 0.9:
        return f"University of {scribe.pick((_town(scribe), scribe.pick(_STATE_NAMES)))} {kind}"
    if draw < 0.915:
        return scribe.pick(_GRAND)
    if draw < 0.96:
        return _unusual_hospital(scribe)
    if draw < 0.985:
        return f"{scribe.pick(_TREES)} {scribe.pick(_TREES)} {kind}"
    return scribe.digits(scribe.pick(("$$$", "$$$$")))


def _unusual_hospital(scribe: Scribe) -> str:
    """Name a hospital cut short, called by its name alone, or the other way round."""
    town, own = _town(scribe), _surname(scribe)
    short = scribe.pick(("Med. Ctr.", "Hosp.", "Reg. Hosp.", "Med Ctr", "Mem. Hosp."))
    return scribe.pick(
        (
            f"Univ. of {town} {short}",
            f"{town} {short}",
            f"{own} {scribe.pick(_BARE_HOSPITALS)}",
            f"{town} {scribe.pick(_BARE_HOSPITALS)}",
            f"Children's Hospital of {town}",
            f"{scribe.pick(('Mercy', 'VA', 'Kaiser', 'Providence'))} {town}",
            f"Our Lady of {scribe.pick(_LADIES)}, {town}",
        )
    )


def _public_employer(scribe: Scribe) -> str:
    """Name a public body, a trade with initials, a firm of brothers."""
    town, own = _town(scribe), _surname(scribe)
    trade = scribe.pick(_TRADES)
    return scribe.pick(
        (
            f"{scribe.pick(('City', 'Town', 'County', 'Port', 'Diocese', 'Village'))} of {town}",
            f"{town} {scribe.pick(('Unified', 'Independent', 'Consolidated', 'Public'))} School District",
            f"{town} {scribe.pick(('Police Department', 'Fire Department', 'Transit', 'Public Works'))}",
            f"{scribe.digits('$')}&{scribe.digits('$')} {trade}",
            f"{own} Bros. {trade}",
            f"{own} {trade}",
            f"{scribe.pick(_TREES)} {scribe.pick(_TREES)} {trade}",
        )
    )


def _employer(scribe: Scribe) -> str:
    draw = scribe.random()
    if draw < 0.12:
        return _public_employer(scribe)
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
    return scribe.pick(_BRANDS)


def _street(scribe: Scribe) -> str:
    draw = scribe.random()
    if draw < 0.04:
        return f"{scribe.pick(('P.O. Box', 'PO Box', 'P O Box'))} {scribe.between(2, 9999)}"
    if draw < 0.06:
        return f"RR {scribe.between(1, 9)} Box {scribe.between(2, 400)}"
    number = scribe.pick(
        (scribe.digits("%##"), scribe.digits("%###"), scribe.digits("%#"), scribe.digits("%####"))
    )
    direction = (
        scribe.pick(("N ", "S ", "W. ", "East ", "North ", "SW ", "E ")) if scribe.chance(0.15) else ""
    )
    if draw < 0.16:
        name = f"{scribe.between(1, 99)}{scribe.pick(('th', 'th', 'st', 'nd'))}"
    elif draw < 0.5:
        name = scribe.pick(_TREES)
    elif draw < 0.8:
        name = _surname(scribe)
    else:
        name = (
            f"{scribe.pick(_TREES)} {scribe.pick(_TREES)}"
            if draw < 0.9
            else given_name(scribe, scribe.pick(peoples()), True)
        )
    return f"{number} {direction}{name} {scribe.pick(_STREETS)}"


def _unit(scribe: Scribe) -> str:
    return scribe.pick(_UNITS) + scribe.digits(scribe.pick(("%", "%##", "%#$", "%$", "%#", "$")))


def _zip(scribe: Scribe) -> str:
    return scribe.digits("#####") if scribe.chance(0.85) else scribe.digits("#####-####")


def write_address(scribe: Scribe, form: str) -> None:
    """Write a whole address: on one line, or as a ``block``. The state stays outside."""
    line = "\n" if form == "block" else scribe.pick((", ", ", ", " ", "; "))
    _mark(scribe, _street(scribe), "street")
    if scribe.chance(0.25):
        scribe.say(scribe.pick((", ", " ", ", ")))
        _mark(scribe, _unit(scribe), "unit")
    scribe.say(line)
    write_city(scribe, "full")


def write_city(scribe: Scribe, form: str) -> None:
    """Write a city; ``full`` adds the state and the ZIP code, ``state`` the state."""
    _mark(scribe, _town(scribe), "city")
    if form:
        state = scribe.pick(_STATES) if scribe.chance(0.85) else scribe.pick(_STATE_NAMES)
        scribe.say(scribe.pick((", ", ", ", " ", ", ")) + state)
    if form == "full":
        scribe.say(scribe.pick((" ", " ", " ", "  ", ", ")))
        _mark(scribe, _zip(scribe), "zip")


def _named(scribe: Scribe) -> str:
    """Name an institution after a person, a town, a tree or something high."""
    return scribe.pick((_surname(scribe), _town(scribe), scribe.pick(_TREES), scribe.pick(_GRAND)))


def _church(scribe: Scribe) -> str:
    holy = (f"St. {scribe.pick(_SAINTS)}", f"{_town(scribe)} First", "Mount Zion", "Our Lady of Grace")
    return f"{scribe.pick((_town(scribe), *holy))} {scribe.pick(_CHURCHES)}"


def _pharmacy(scribe: Scribe) -> str:
    if scribe.chance(0.25):
        return scribe.pick(_BRANDS[:5])
    return scribe.pick(
        (f"{_surname(scribe)} Pharmacy", f"{_town(scribe)} Pharmacy", f"{_surname(scribe)}'s Drugs")
    )


_PLACES: dict[str, tuple[str, Callable[[Scribe], str]]] = {
    "street": ("street", _street),
    "zip": ("zip", _zip),
    "county": ("county", lambda scribe: scribe.pick((_surname(scribe), _town(scribe))) + " County"),
    "country": ("country", lambda scribe: scribe.pick(_COUNTRIES)),
    "ward": ("room", lambda scribe: f"{_surname(scribe)} {scribe.pick(_WARDS)}"),
    "home": ("organisation", lambda scribe: f"{_named(scribe)} {scribe.pick(_HOMES)}"),
    "school": ("organisation", lambda scribe: f"{_named(scribe)} {scribe.pick(_SCHOOLS)}"),
    "church": ("organisation", _church),
    "funeral": ("organisation", lambda scribe: f"{_named(scribe)} Funeral Home"),
    "pharmacy": ("organisation", _pharmacy),
    "employer": ("organisation", _employer),
}


def write_place(scribe: Scribe, form: str) -> None:
    """Write a place or organisation of the sort ``form``."""
    label, make = _PLACES[form]
    _mark(scribe, make(scribe), label)


def write_hospital(scribe: Scribe, form: str) -> None:
    """Write a hospital: that of the note, or another one (``other``)."""
    name = _hospital(scribe) if form == "other" else scribe.recall("hospital", _hospital)
    _mark(scribe, name, "hospital")
