"""What happens next, as pure functions: events in, a ledger and effects out."""
