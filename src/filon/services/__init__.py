"""Search services: pure functions from queries to requests and from answers to records."""
