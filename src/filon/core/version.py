"""The version, said here only: pyproject.toml, run.toml and --version read it."""

__version__ = "0.2.0"
