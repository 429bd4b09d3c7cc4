"""Identifiers: masks, codes, keyed pseudonyms, surrogates, date shift, policies."""
