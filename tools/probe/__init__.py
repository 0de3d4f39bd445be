"""Probes of a running `filon serve`, as an attacker would try it.

    python -m tools.probe 'http://127.0.0.1:8765/?token=…'

It enters with the address that the server prints, goes through all pages that links lead to, and
tries on them what attackers try: other files, markup in every field that the web can fill, forms of
other sites, other names, what is too large and who is too slow. It begins and deletes nothing:
forms are sent only where they must be refused. Each finding is a line; the exit code is their
number, at most 100.
"""
