"""Strategies round strategies: what every run keeps to, whatever it is after. See stack.py."""
