"""Faults at random moments, and the same files in the end, by a server's log."""
