"""Disclosure risk: a depth-first search over known sets, in which the sets that are not visited are bounded."""
