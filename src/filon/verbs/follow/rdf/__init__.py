"""RDF wherever it is: in files of every syntax, and inside HTML."""
