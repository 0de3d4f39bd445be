"""The room of the verb `harvest`."""
