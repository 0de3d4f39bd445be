"""The run folder: ledger, archive, files, checkpoints. The only room that writes files."""
