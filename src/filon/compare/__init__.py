"""`filon compare`: strategies on recorded sites, as tables and plots."""
