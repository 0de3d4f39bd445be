"""Answers in the shapes that the portals' own documentation shows, over one catalogue."""
