"""The room of the verb `enrich`."""
