"""What a call costs: CPU and wall seconds, peak memory, and on which machine.

Standard library only: the same code runs beside our own calls and inside the environments of foreign tools.
"""

from benchmarks.measuring.cost import Cost, cost_of
from benchmarks.measuring.machine import Machine
from benchmarks.measuring.memory import Peak, peak_of
from benchmarks.measuring.outcome import Outcome, Verdict
from benchmarks.measuring.reasons import reason_of, without_places
from benchmarks.measuring.timing import Timing

__all__ = [
    "Cost",
    "Machine",
    "Outcome",
    "Peak",
    "Timing",
    "Verdict",
    "cost_of",
    "peak_of",
    "reason_of",
    "without_places",
]
