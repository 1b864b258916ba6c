"""Deciding what to do, without doing it: pure functions over values."""
