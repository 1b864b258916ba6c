"""The workers: stateless processes that take jobs from a queue and report each exactly once."""
