"""Acceptance criteria as people write them, read into typed claims.

Invariant: precision before recall. A form fits a sentence wholly or not at all, since a criterion
that is read wrongly accuses code that is right. What no form fits comes back as `Unread`, with its
line and why; nothing is dropped.
"""

from workers.writer.criteria.claims import Claim, Reading, Unread
from workers.writer.criteria.document import read

__all__ = ["Claim", "Reading", "Unread", "read"]
