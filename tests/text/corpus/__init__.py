"""Notes with gold spans for measuring: a stand-in for notes that nobody has seen.

They are generated from templates of our own writing, which know nothing of the notes that models are trained
on. **They must stay unseen**: whoever writes detectors, lexicons or training notes may tune on ``dev`` and on
what is missed in ``challenge`` (harder: other names, more forms, more traps), must neither read nor tune on
``final`` or on ``held`` (written blind, as long and as hard as ordinary notes), and nothing here may be
copied into ``sfumato.text``.

Annotated as de-identification corpora are: employers and hospitals are locations, initials are names, every
age is annotated (the number alone), titles and states stay outside, an extension belongs to its number.
"""

from tests.text.corpus.generate import HALVES, notes_of

__all__ = ["HALVES", "notes_of"]
