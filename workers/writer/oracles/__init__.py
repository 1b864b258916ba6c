"""Where expected values come from, ranked by how far they may be trusted.

Invariant: every expectation names its source by file and line; only what a person wrote down or a
contract declares may turn a test red. Nothing is run here.
"""
