"""Distribution: groups that hold against somebody who knows how the sensitive value is distributed."""

from tacit.methods.distribution.art import ART
from tacit.methods.distribution.injector import Injector
from tacit.methods.distribution.mask import Mask

__all__ = ["ART", "Injector", "Mask"]
