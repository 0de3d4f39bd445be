"""The keys that the pretended services take, by the variables that they are looked for in."""

from unit.services.search.answers import KEY

_NAMES = "BRAVE_API_KEY EXA_API_KEY GOOGLE_API_KEY MOJEEK_API_KEY SERPER_API_KEY"
KEYS = {**dict.fromkeys(_NAMES.split(), KEY), "OPENALEX_API_KEY": "good-key-123"}
