"""Decides what is tested, sends it to workers, and keeps what they find."""
