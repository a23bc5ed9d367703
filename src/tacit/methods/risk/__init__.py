"""Value suppression: blank cells, not rows, until the risk of every record is low enough.

`one_pass` is the paper's; `threshold` goes on until nobody is above delta, with `sensitive` moves (blank what would be
learned), `quasi` moves (blank what identifies people) and `cover` (blank further cells, so that a blank does not say
what it hides). `comparison` computes the risk before, after, and after the paper's one pass, for whoever asks.
"""

from tacit.methods.risk.comparison import risk_summaries
from tacit.methods.risk.value_suppression import ValueSuppression

__all__ = ["ValueSuppression", "risk_summaries"]
