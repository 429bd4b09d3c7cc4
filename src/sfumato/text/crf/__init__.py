"""A learned detector: a linear-chain conditional random field over words and what stands around them.

Gardner & Xiong, "HIDE: an integrated system for health information de-identification" (2008); Lafferty,
McCallum & Pereira, "Conditional random fields" (2001). ``train`` learns from annotated notes, ``Model`` is
what it learned and how it is kept, ``detectors/learned.py`` finds spans with it.
"""
