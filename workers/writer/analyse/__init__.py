"""Static facts of a project's code, from its text alone: nothing is imported and nothing is run."""
