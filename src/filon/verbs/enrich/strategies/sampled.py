"""The strategies that need a sample of the hidden table, with the sampler that draws one."""

from filon.verbs.enrich.strategies.full import Full
from filon.verbs.enrich.strategies.sampling import with_sample
from filon.verbs.enrich.strategies.smartcrawl import Biased, Unbiased

smartcrawl_b = with_sample(Biased)
smartcrawl_u = with_sample(Unbiased)
full = with_sample(Full)
