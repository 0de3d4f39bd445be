"""The papers' experiments and what Filon costs: for a checkout and the data beside it.

Nothing here is in the wheel, and the package imports nothing of it. `python -m experiments`
measures speed and memory; `python -m experiments.discover`, `.enrich` and `.follow` repeat the
papers' tables. Experiments on recorded sites are `filon compare`, which users have too.
"""
