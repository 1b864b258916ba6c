"""Judging what was found: pure functions over values."""
