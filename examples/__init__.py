"""Web apps to try mazewave on: the shop (a demo with planted faults) and the practice site.

Both are standard library only and keep their state in memory. Nothing in the product imports
them; they are served for newcomers, for tests and for benchmarks.
"""
