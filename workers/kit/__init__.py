"""What every kind of worker is made of: queue, lease, one report per job, blobs, login, metrics.

Invariant: it knows the contract and no particular work; browsers are for `workers/browser`.
"""
