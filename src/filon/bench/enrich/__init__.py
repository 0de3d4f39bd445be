"""The experiments of SMARTCRAWL."""
