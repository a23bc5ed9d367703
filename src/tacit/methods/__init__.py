"""Methods: how a guarantee is met.

A method is a frozen value; `protect` makes a release of a table. It asks the guarantee whether groups will do, never
judges by itself, and says in `inside` what it did to every row.
"""

from tacit.methods import distribution, linkage, marginals, quasi_sensitive, risk, skew
from tacit.methods.base import Job, Method, Outcome
from tacit.methods.distribution import *  # noqa: F403
from tacit.methods.linkage import *  # noqa: F403
from tacit.methods.marginals import *  # noqa: F403
from tacit.methods.pipeline import Pipeline
from tacit.methods.quasi_sensitive import *  # noqa: F403
from tacit.methods.registry import make, make_steps
from tacit.methods.risk import *  # noqa: F403
from tacit.methods.skew import *  # noqa: F403

__all__ = ["Job", "Method", "Outcome", "Pipeline", "make", "make_steps"]
__all__ += distribution.__all__
__all__ += linkage.__all__
__all__ += marginals.__all__
__all__ += quasi_sensitive.__all__
__all__ += risk.__all__
__all__ += skew.__all__
