"""What the review means for a route's report, as pure functions."""
