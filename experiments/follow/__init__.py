"""The experiments of LDCOC, on a Linked Data web made of real graphs."""
