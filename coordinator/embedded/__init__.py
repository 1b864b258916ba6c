"""Everything a run on one machine needs, started and taken down again: broker, keeper, workers.

Invariant: it starts workers as commands; it never imports one.
"""
