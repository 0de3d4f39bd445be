"""A small web, made by functions: three sites, a library's search box and some Linked Data.

It is always the same, for demos and tests.

`filon.demo.sites.answer(url)` is all of it; `filon.demo.server` puts it on loopback;
`filon.demo.tour` is `filon demo`.
"""
