"""Ontologies: which words lie under which, how many texts fit a generalised one, and what to generalise."""

from sfumato.text.ontology.counting import COUNTINGS, Counting, Option
from sfumato.text.ontology.exact import exact
from sfumato.text.ontology.finding import Mention, TermIndex
from sfumato.text.ontology.icd import icd, icd_names
from sfumato.text.ontology.ontology import Ontology
from sfumato.text.ontology.search import LOSSES, Loss, Problem, greedy
from sfumato.text.ontology.senses import MEDICAL, Senses
from sfumato.text.ontology.sources import extended, from_csv, from_hierarchy, from_pairs
from sfumato.text.ontology.wordnet import wordnet

__all__ = [
    "COUNTINGS",
    "LOSSES",
    "MEDICAL",
    "Counting",
    "Loss",
    "Mention",
    "Ontology",
    "Option",
    "Problem",
    "Senses",
    "TermIndex",
    "exact",
    "extended",
    "from_csv",
    "from_hierarchy",
    "from_pairs",
    "greedy",
    "icd",
    "icd_names",
    "wordnet",
]
