"""Notes with gold spans for measuring: a stand-in for notes that nobody has seen.

They are generated from templates of our own writing, which know nothing of the notes that models are trained
on, and nothing here may be copied into ``sfumato.text``. The halves ``dev``, ``final``, ``challenge``
(harder: other names, more forms, more traps) and ``held`` (as long and as hard as ordinary notes) have been
looked at while detectors were tuned: what is measured on them flatters. ``unseen`` has not: it was written
blind, and **it must stay unseen**: whoever writes detectors, lexicons or training notes must neither read it,
nor look at what is missed in it, nor tune on it.

Annotated as de-identification corpora are: employers and hospitals are locations, initials are names, every
age is annotated (the number alone), titles and states stay outside, an extension belongs to its number.
"""

from tests.text.corpus.generate import HALVES, notes_of

__all__ = ["HALVES", "notes_of"]
