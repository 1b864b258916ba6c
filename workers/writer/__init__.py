"""The writer: makes tests that can fail from what a project says and from what its code shows.

Invariant: what is in `criteria`, `analyse`, `inputs` and `oracles` is pure; text in, facts out. No
code of a project is imported or run here.
"""
