"""The practice site: one page per situation that an explorer must get right.

`pages/{name}.html` is served at `/{name}` and begins with a comment that says what it shows;
`expected/{name}.txt` outlines the tree that a read-only exploration gives. `serve()` starts both
origins in threads; `python -m examples.practice` is for people.
"""

from examples.practice.app import PracticeServer, names, serve

__all__ = ["PracticeServer", "names", "serve"]
