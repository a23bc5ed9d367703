"""Value suppression: blank cells, not rows, until the risk of every record is low enough.

`one_pass` is the paper's; `threshold` goes on until nobody is above delta, with `sensitive` moves (blank what would be
learned), `quasi` moves (blank what others are told apart by) and `cover` for blanks that would tell what they hide.
"""

from tacit.methods.risk.value_suppression import ValueSuppression

__all__ = ["ValueSuppression"]
