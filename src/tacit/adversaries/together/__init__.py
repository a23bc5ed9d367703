"""Together: what somebody believes who has several releases and finds the same people in them.

Every release tells of a person which values she may have, and how often each stands in her group. A reader of all of
them keeps the values that all allow, and weighs them so that every group of every release comes out as published.
"""

from tacit.adversaries.together.carrying import carry
from tacit.adversaries.together.equivalence import Equivalence, equivalence
from tacit.adversaries.together.fitting import Together, read_together
from tacit.adversaries.together.looking_up import look_up
from tacit.adversaries.together.sighting import Sighting
from tacit.adversaries.together.small_worlds import SmallWorlds, with_small_worlds
from tacit.adversaries.together.stand_ins import published_people, stand_ins

__all__ = ["Equivalence", "Sighting", "SmallWorlds", "Together", "carry", "equivalence", "look_up"]
__all__ += ["published_people", "read_together", "stand_ins", "with_small_worlds"]
