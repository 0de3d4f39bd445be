"""Runs as processes of their own: planned, put in line, begun, paused, looked after.

It knows neither pages nor agents: `filon serve` and `filon mcp` both stand on it.
"""
