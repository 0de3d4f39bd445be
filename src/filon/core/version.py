"""The version, as pyproject.toml says it: it stands in run.toml and behind --version."""

__version__ = "0.1.0"
