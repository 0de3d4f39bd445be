"""The search services that can be asked; docs/searchers.md has a line for each."""

from filon.services.search.service import AT_HAND, SEARCHERS, SearchService, build

__all__ = ["AT_HAND", "SEARCHERS", "SearchService", "build"]
