"""Filon inside other programs: one file or folder each, which nothing else here imports.

What such a program is made of comes with an extra of its own, `pip install filon[scrapy]`.
"""
