"""`filon mcp`: Filon as tools of an agent, within limits that its user has set.

The agent is not trusted: it has read the web. What it may spend, which hosts it may ask and which
folders it may read stands in a file of the user's (limits.py), is counted over all runs
(allowance.py), and holds in the processes of the runs themselves (filon.web.fence). What comes from
the web is told as data (untrusted.py). arguments.py knows what can be said of a run, workspace.py
does the work, tools.py shows it to the agent, and server.py speaks the protocol.
"""
