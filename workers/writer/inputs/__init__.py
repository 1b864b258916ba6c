"""What a function is called with: argument lists as source text, each value with where it is from.

Invariant: the same facts give the same inputs in the same order. Nothing is evaluated but literals,
by our own small evaluator.
"""

from workers.writer.inputs.samples import Arguments, Origin, Sample
from workers.writer.inputs.synthesis import inputs_for

__all__ = ["Arguments", "Origin", "Sample", "inputs_for"]
