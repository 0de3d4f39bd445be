"""The room of the verb `follow`."""
