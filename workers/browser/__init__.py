"""The browser worker: opens a route, uses every control in it, and reports what happened."""
