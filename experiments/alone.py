"""One recorded site at an address of its own, so that any crawler can ask it without a proxy.

    python -m experiments.alone DATA SITE LOG

The first line on standard output is {"port": N}; absolute links of the site lead to 127.0.0.1:N.
"""

import asyncio
import contextlib
import sys
from importlib import import_module
from pathlib import Path


def main(data: str, name: str, log: str) -> None:
    """Serve until stopped."""
    sys.path.insert(0, data)
    serve, replica = import_module("serve"), import_module("replica")
    site = replica.Site(Path(data) / "replicas" / f"{name}.sqlite", {})
    with Path(log).open("w", encoding="utf-8") as stream, contextlib.suppress(KeyboardInterrupt):
        server = serve.Server([site], stream)
        server.sites["127.0.0.1"] = site
        asyncio.run(serve.listen(server, 0))


if __name__ == "__main__":
    main(*sys.argv[1:])
