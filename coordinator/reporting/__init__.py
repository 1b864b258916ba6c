"""What the user reads when a run is over."""
