"""Learning from a release: counting weighted codes, scoring values, and matching people with values inside groups."""
