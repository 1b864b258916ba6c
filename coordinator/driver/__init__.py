"""Everything that touches the world: Redis, blobs, signals, the clock."""
