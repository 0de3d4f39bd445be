"""Filon as pages in a browser: `filon serve`.

It calls what the verbs and the catalog have and adds nothing to it: each page says the command
that does the same. Runs are processes of their own, so that the server may end at any time.
"""
