"""The run folder: ledger, archive, files, checkpoints. The only room that writes files."""

from filon.run.folder import Run, StoredFind

__all__ = ["Run", "StoredFind"]
