"""Facts of Python sources, by `ast`.

Invariant: any text gives facts. What does not parse gives a module with its trouble and line; what
is nested too deeply to be written out again is left empty.
"""

from workers.writer.analyse.python.facts import Class, Function, Module
from workers.writer.analyse.python.module import read_module

__all__ = ["Class", "Function", "Module", "read_module"]
