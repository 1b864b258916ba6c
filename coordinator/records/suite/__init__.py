"""The files of a suite run, one module per format; `places` says where each stands.

Invariant: each file is replaced whole, and what mazewave does not know in it is kept. A file that
was edited into nonsense is a `RequestError` that names file, place and remedy.
"""
