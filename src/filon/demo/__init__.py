"""A small web, made by functions: three sites, always the same, for demos and tests."""
