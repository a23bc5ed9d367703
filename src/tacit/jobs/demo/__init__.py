"""demo: for each threat, the attack on a naive release of a built-in hospital, then the same attack on ours.

One file per act; `story` plays them.
"""

from tacit.jobs.demo.act import Act
from tacit.jobs.demo.story import Demo, demo

__all__ = ["Act", "Demo", "demo"]
