"""`filon mcp` of the wheel, in a clean environment, used by the SDK's own client."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from mcp import Client, StdioServerParameters

import filon
from loopback import Loopback, portal, serving
from patience import PATIENCE_S
from project.clean import environment
from unit.mcp.agents import Agent


def test_the_installed_server_is_used_by_a_client(
    clean_with: Callable[[str], Path], tmp_path: Path
) -> None:
    limits = tmp_path / "mcp.toml"

    async def go(site: Loopback) -> None:
        begin = StdioServerParameters(
            command=str(clean_with("mcp") / "filon"),
            args=["mcp", "--config", str(limits)],
            env=environment(),
            cwd=str(tmp_path),
        )
        async with Client(begin) as client, asyncio.timeout(PATIENCE_S):
            assert client.server_info
            assert client.server_info.version == filon.__version__
            agent = Agent(client)
            assert not (await agent.call("harvest", urls=[site.url], budget="12req")).is_error
            told = await agent.call("show_run", run="127.0.0.1-001", wait_s=50)
            while "standing: idle" not in told.text:
                told = await agent.call("show_run", run="127.0.0.1-001", wait_s=50)
            assert "requests: 12" in told.ours

    with serving(portal(2, 3)) as site:
        limits.write_text(
            f'folder = "runs"\nhosts = ["127.0.0.1:{site.port}"]\n[settings]\ndelay = 0.0\n'
        )
        asyncio.run(go(site))
    config = tmp_path / "runs" / "127.0.0.1-001" / "run.toml"
    assert 'budget = "12req' in config.read_text("utf-8")
