"""Diseases that genome-wide association studies look at, as ICD-9-CM categories.

The list of diseases is that of T. A. Manolio, L. D. Brooks and F. S. Collins, "A HapMap harvest of insights
into the genetics of common disease" (Journal of Clinical Investigation, 2008), as used by G. Loukides,
A. Gkoulalas-Divanis and B. Malin (PNAS 2010); the categories are those that ICD-9-CM gives these names. No
two diseases share a code.
"""

from __future__ import annotations

GWAS_DISEASES: dict[str, tuple[str, ...]] = {
    "asthma": ("493",),
    "attention deficit with hyperactivity": ("314.0",),
    "bipolar I disorder": ("296.0", "296.4", "296.5", "296.6", "296.7"),
    "bladder cancer": ("188",),
    "breast cancer": ("174", "175"),
    "coronary disease": ("410", "411", "412", "413", "414"),
    "dental caries": ("521.0",),
    "diabetes mellitus type 1": tuple(f"250.{n}{digit}" for n in range(10) for digit in (1, 3)),
    "diabetes mellitus type 2": tuple(f"250.{n}{digit}" for n in range(10) for digit in (0, 2)),
    "lung cancer": ("162.2", "162.3", "162.4", "162.5", "162.8", "162.9"),
    "pancreatic cancer": ("157",),
    "platelet phenotypes": ("287.1", "287.3", "287.4", "287.5"),
    "pre-term birth": ("644.2", "765.0", "765.1"),
    "prostate cancer": ("185",),
    "psoriasis": ("696.0", "696.1"),
    "renal cancer": ("189.0", "189.1"),
    "schizophrenia": ("295",),
    "sickle-cell disease": ("282.41", "282.42", "282.6"),
}
"""each disease with the categories of ICD-9-CM that define it (493 is 493.xx)"""
