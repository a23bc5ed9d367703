"""Linkage: somebody looks a person up by her quasi-identifiers, and reads what stands beside her.

The classical guarantees about groups of people who cannot be told apart.
"""

from tacit.guarantees.linkage.alpha_k import AlphaK
from tacit.guarantees.linkage.beta_likeness import BetaLikeness
from tacit.guarantees.linkage.delta_disclosure import DeltaDisclosure
from tacit.guarantees.linkage.k_anonymity import KAnonymity
from tacit.guarantees.linkage.ke_anonymity import KEAnonymity
from tacit.guarantees.linkage.l_diversity import LDiversity
from tacit.guarantees.linkage.t_closeness import TCloseness

__all__ = ["AlphaK", "BetaLikeness", "DeltaDisclosure", "KAnonymity", "KEAnonymity", "LDiversity", "TCloseness"]
