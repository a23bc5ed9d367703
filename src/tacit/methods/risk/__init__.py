"""Value suppression: blank cells, not rows, until the risk of every record is low enough.

`one_pass` is the paper's; `threshold` goes on until nobody is above delta, with `sensitive` moves (blank what would be
learned), `quasi` moves (blank what others are told apart by) and `cover` for blanks that would tell what they hide.
`comparison` shows, to whoever wants to look, the risk before, after, and after the paper's one pass.
"""

from tacit.methods.risk.comparison import risk_summaries
from tacit.methods.risk.value_suppression import ValueSuppression

__all__ = ["ValueSuppression", "risk_summaries"]
