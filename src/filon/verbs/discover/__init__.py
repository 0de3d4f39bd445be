"""The room of the verb `discover`."""
