"""Releases: how what is published leaves the house, and comes back.

`write` audits first and fails closed; files are staged and moved under a journal; the public folder holds what an
outsider may see and nothing else, the private one what must stay. `read` checks digests; `foreign` takes what anyone
published. The ledger remembers what was published of a table, and what was drawn for it.
"""

from tacit.releases.database import Destination
from tacit.releases.ledger import Ledger, LedgerEntry
from tacit.releases.ledger_page import LedgerPage
from tacit.releases.ledger_people import KnownPeople, LedgerPeople
from tacit.releases.release import Release
from tacit.releases.signatures import Signatures
from tacit.releases.writing import Written, require_free

__all__ = [
    "Destination",
    "KnownPeople",
    "Ledger",
    "LedgerEntry",
    "LedgerPage",
    "LedgerPeople",
    "Release",
    "Signatures",
    "Written",
    "require_free",
]
