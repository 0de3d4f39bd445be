"""The papers' experiments: recorded sites, comparisons, tables and plots."""
