"""Disclosure risk: depth-first over known sets, with what is not visited bounded."""
